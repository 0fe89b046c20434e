"""Trains the upper layers of the bundled e5 on a memory and a message after it.

    pip install jax                                  # beside .venv's packages
    .venv/bin/python training/tune_message_pairs.py OUT.npz  # 50 minutes, two cores

Writes what nothing ships yet (`README.md`, "What a message makes untrue"), and prints
what it says of who is held out: two hands of `outdated/`, and a sixth of `people/`. A
known memory is read beside a whole message, with what the assistant had said before it:
is the memory no longer true once that was said?

`--further FROM.npz` goes on from what was written, with all of `outdated/` and a share
of the rest, where people were added to it.

The layers start from `memory_pairs.npz` (`tune_memory_pairs.py`), which reads a new
memory in the message's place, four bits a weight from the first step on.
"""

import argparse
import json
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import tune_memory_pairs
from embeddings import DiskCachedE5
from train_contradiction import PEOPLE, is_held
from tune_e5 import BaseModel, Model, print_recalls, store, trained, tuned
from tune_memory_pairs import Pair, PairData, choose, draw_further, measure_nearness

from gieok.models.e5_file import open_base_file
from gieok.models.rules.memory_pairs import LONGEST_ASKED, LONGEST_ITEM
from gieok.models.rules.reference import remove_subject
from gieok.models.tuned_e5 import MEMORY_PAIR_WEIGHTS, create_engine

OUTDATED = Path(__file__).parent / "outdated"
HELD_HANDS = ("outdated/en_c", "outdated/ko_c")
"""Whose people are never trained on."""
PLAN = (2, 1.6e-4)  # epochs and rate of learning
FURTHER = (2, 1.2e-4)  # the same, going on from what was written
REST = 0.2  # of the pairs of `people/` that are drawn when trained further
LONGEST_MESSAGE = 400  # characters
NEAREST = 4
"""How many of what is nearest are read beside what is right."""
RANDOM = 1
"""And how many that are drawn from the rest."""
PLAIN = 0.4
"""Of the messages of `people/` that change nothing, how many are read."""
RECALLS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


class Message(NamedTuple):
    """What somebody said, with the places of the known items that it makes untrue."""

    person: str
    known: tuple[str, ...]
    asked: str
    text: str
    outdated: frozenset[int]


def read_outdated(folder: Path = OUTDATED) -> Iterator[Message]:
    """Yield the messages that were written for it."""
    for path in sorted(folder.glob("*.jsonl")):
        for number, line in enumerate(path.read_text("utf-8").splitlines()):
            row = json.loads(line)
            known = tuple(row["known"])
            for said in row["messages"]:
                yield Message(
                    f"{folder.name}/{path.stem}/{number}",
                    known,
                    said["asked"],
                    said["text"],
                    frozenset(said["outdated"]),
                )


def read_people_messages() -> Iterator[Message]:
    """Yield what invented people say: all that changes or ends, some of the rest."""
    for path in sorted(PEOPLE.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            yield from _read_person(json.loads(line))


def _read_person(person: dict) -> Iterator[Message]:
    """Yield what one of them says, beside what is true by then."""
    known = {item["id"]: item["content"] for item in person["known"]}
    chance = np.random.default_rng(zlib.crc32(person["id"].encode()))
    for session in person["sessions"]:
        asked, gone = "", set()
        forgets = any(fact["op"] == "forget" for fact in session["facts"])
        for role, text in session["messages"]:
            if role != "u":
                asked = text
                continue
            outdated = {
                fact["target"]
                for fact in session["facts"]
                if fact["op"] in ("update", "end")
                and fact["target"] in known
                and fact["quote"] in text
            }
            if outdated or (not forgets and chance.random() < PLAIN):
                places = (n for n, each in enumerate(known) if each in outdated)
                yield Message(
                    person["id"], tuple(known.values()), asked, text, frozenset(places)
                )
            asked, gone = "", gone | outdated
        known = {each: text for each, text in known.items() if each not in gone}


def render_message_pair(known: str, message: str, asked: str = "") -> str:
    """Return what the encoder reads of a whole message, beside what is remembered."""
    parts = [remove_subject(known)[:LONGEST_ITEM], message[:LONGEST_MESSAGE]]
    if asked:
        parts.append(f"? {asked[-LONGEST_ASKED:]}")
    return " | ".join(" ".join(part.split()) for part in parts)


def read_message_texts(archive: Path, texts: Sequence[str]) -> np.ndarray:
    """Return log-odds that a memory is no longer true, one for each rendered pair."""
    with np.load(archive, allow_pickle=False) as kept:
        trained = {part: kept[part] for part in kept.files}
    order = sorted(range(len(texts)), key=lambda n: len(texts[n]))
    engine = create_engine(open_base_file(), trained)
    rows = engine.passage([texts[n] for n in order]).astype(np.float64)
    odds = np.zeros(len(texts))
    odds[order] = (rows @ trained["head"] + trained["head_bias"])[:, 0]
    return odds


def is_held_out(person: str) -> bool:
    """Tell whether somebody is never trained on."""
    if person.startswith(f"{OUTDATED.name}/"):
        return person.rpartition("/")[0] in HELD_HANDS
    return is_held(person)


def read_pairs(messages: Sequence[Message], embedder: DiskCachedE5) -> Iterator[Pair]:
    """Yield every pair that is read."""
    texts = [text for said in messages for text in (*said.known, said.text)]
    embedder.embed(texts)
    for said in messages:
        [near] = measure_nearness(embedder, said.known, [said.text])
        chance = np.random.default_rng(zlib.crc32(said.text.encode()))
        for place in choose(near, said.outdated, NEAREST, RANDOM, chance):
            text = render_message_pair(said.known[place], said.text, said.asked)
            yield Pair(said.person, 0, text, place in said.outdated)


def print_figures(archive: Path, pairs: Sequence[Pair]) -> None:
    """Print precision by recall of who was held out, of either source."""
    read = read_message_texts(archive, [pair.text for pair in pairs])
    for name, is_written in (("people", False), (OUTDATED.name, True)):
        own = [
            place
            for place, pair in enumerate(pairs)
            if pair.person.startswith(f"{OUTDATED.name}/") is is_written
        ]
        if own:
            right = np.array([pairs[place].right for place in own])
            print_recalls(name, read[own], right, RECALLS)


def main() -> None:
    """Train on all but who is held out, and write what was learned."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--further", type=Path)
    options = parser.parse_args()
    tune_memory_pairs.prepare(options.out, columns=1)
    messages = [*read_people_messages(), *read_outdated()]
    pairs = list(read_pairs(messages, DiskCachedE5()))
    held = [pair for pair in pairs if is_held_out(pair.person)]
    learned = [pair for pair in pairs if not is_held_out(pair.person)]
    drawn = [*draw_further(learned, OUTDATED, REST)] if options.further else learned
    data, base = PairData(drawn, columns=1), BaseModel()
    print(f"{len(drawn)} pairs, and {len(held)} held out", flush=True)
    data.fill(base)
    start = tuned(BaseModel(), str(options.further or MEMORY_PAIR_WEIGHTS))
    start = {**start, "head": start["head"][:, :1], "head_bias": start["head_bias"][:1]}
    plan = FURTHER if options.further else PLAN
    store(base, trained(Model(base, rounds=True), data, start, plan))
    print_figures(options.out, held)


if __name__ == "__main__":
    main()
