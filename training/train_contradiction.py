"""Trains `src/gieok/models/rules/contradiction.npz`: which memories say otherwise.

    .venv/bin/python training/train_contradiction.py            # writes the weights
    .venv/bin/python training/train_contradiction.py --dry-run  # prints figures only
    .venv/bin/python training/train_contradiction.py --shipped  # of what is shipped

Of every invented person: each change, worded as a memory, beside all that is known of
them, of which it contradicts the one that it changes; and each thing that is new, which
contradicts nothing. Then of ordinary people (`contradictions/`), whose memories are
worded as rules word talk and whose new ones are hard to tell, and of lives (`lives/`),
in which one new memory in nine is a change. How far the encoder's
opinion counts (`tune_memory_pairs.py`, which comes first) is learned of the people whom
it has not seen. The figures are cross-validated by person. After any change of
`rules/contradiction.py`, or of `judge.npz`, whose slots it uses, run it again.
"""

import argparse
import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple, cast

import numpy as np
from embeddings import DiskCachedE5
from logistic import SMALLEST_SCALE, fit_column

from gieok.kernel.language import SourcedMemory
from gieok.models.rules.contradiction import (
    MIN_ODDS,
    ContradictionModel,
    ContradictionWeights,
    select_likely,
)
from gieok.models.rules.linear import LinearModel
from gieok.models.rules.memory_pairs import read_memory_pairs, read_message_pairs
from gieok.models.rules.weights import load_contradiction_weights, load_judge_weights
from gieok.text.kiwi import Morphology, get_shared_morphology

PEOPLE = Path(__file__).parent / "people"
ORDINARY = Path(__file__).parent / "contradictions"
LIVES = Path(__file__).parent / "lives"
UNSEEN = LIVES / "unseen"
"""Lives from which nothing learns: they measure what is shipped (`--shipped`)."""
OUTDATED = Path(__file__).parent / "outdated"
CHANGES = Path(__file__).parent / "changes"
HELD_HANDS = (
    "casual_wishes/en_b",
    "casual_wishes/ko_b",
    "lives/en_h",
    "lives/ko_h",
    "outdated/en_c",
    "outdated/ko_c",
    "wish_talks/en_b",
    "wish_talks/ko_b",
)
"""Whose people are held out of what the encoder of pairs is trained on."""
WEIGHTS = Path(__file__).parents[1] / "src/gieok/models/rules/contradiction.npz"
FOLDS = 5
STRENGTH = 10.0
FREE = 1.0
"""How little training holds back what is weighed of two opinions."""
NEVER = -30.0
"""Log-odds of what is not read."""
OF_VECTORS = 3.0
"""How far training holds back what is weighed of the vectors."""
VECTORS = 2 * 384
"""Of the features, the last ones, how many those are."""
RECALLS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
SHOWN = 20
HELD = 6
"""Of how many people one is held out of what the encoder of pairs is trained on."""


class New(NamedTuple):
    """A new memory, and of the known ones the places of those that it contradicts."""

    text: str
    changed: frozenset[int]
    message: str = ""
    """What the user said that it came of, where that is known."""
    asked: str = ""
    """What the assistant had said before."""
    unclear: frozenset[int] = frozenset()
    """Places of what the message makes untrue and rather another memory of it says."""

    def to_memory(self, vector: np.ndarray) -> SourcedMemory:
        """Return it as it is read."""
        return SourcedMemory(self.text, vector, self.message, self.asked)


class Message(NamedTuple):
    """What somebody said, and of what is known of them the places of what is over."""

    person: str
    known: list[str]
    text: str
    asked: str
    """What the assistant had said before."""
    untrue: frozenset[int]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One new memory beside the known ones that are nearest to it."""

    person: str
    kind: str
    new: New
    known: list[str]
    rows: np.ndarray
    right: np.ndarray
    missed: int
    """Changed memories that are not among the nearest."""

    @property
    def fold(self) -> int:
        """The part of the cross-validation it is held out in, fixed by the person."""
        return int(hashlib.sha256(self.person.encode()).hexdigest(), 16) % FOLDS


def is_held(person: str) -> bool:
    """Tell whether the encoder of pairs never saw somebody, which their id fixes.

    Of lives, of wishes within talks, of casual ones and of outdated memories those of
    two hands each;
    of `changes/` nobody: two hands beside them are no part of it (`tests/corpora`).
    """
    if person.startswith(f"{CHANGES.name}/"):
        return False
    if person.startswith(("lives/", "outdated/", "wish_talks/", "casual_wishes/")):
        return person.rpartition("/")[0] in HELD_HANDS
    return int(hashlib.sha256(person.encode()).hexdigest(), 16) % HELD == 0


def read_people() -> list[dict]:
    """Return everybody with what is known of them and what is new."""
    return [
        {
            "id": person["id"],
            "kind": "people",
            "known": [item["content"] for item in person["known"]],
            "new": list(_list_new(person)),
        }
        for person in _read_rows(PEOPLE)
    ]


def _list_new(person: dict) -> Iterator[New]:
    """Yield what is new, with the place of the known item that it changes."""
    places = {item["id"]: place for place, item in enumerate(person["known"])}
    for session in person["sessions"]:
        for fact in session["facts"]:
            if fact.get("say") and fact["op"] in ("add", "update"):
                changed = fact.get("target") if fact["op"] == "update" else None
                own = {places[changed]} if changed in places else ()
                asked, text = _find_message(session["messages"], fact["quote"])
                yield New(fact["say"], frozenset(own), text, asked)


def _find_message(messages: list[list[str]], quote: str) -> tuple[str, str]:
    """Return what holds a quote of the user, after what was asked before it."""
    asked = ""
    for role, text in messages:
        if role == "u" and quote in text:
            return asked, text
        asked = "" if role == "u" else text
    return "", ""


def read_ordinary() -> list[dict]:
    """Return ordinary people, whose memories are worded as talk is told.

    They are numbered through the files, which decides who is held out: add people to a
    file that comes last.
    """
    return [
        _read_compared(person, f"ordinary/{number}", "ordinary")
        for number, person in enumerate(_read_rows(ORDINARY))
    ]


def read_lives(folder: Path = LIVES) -> list[dict]:
    """Return people of whose new memories one in nine says otherwise, as in life."""
    return [
        _read_compared(json.loads(line), f"{LIVES.name}/{path.stem}/{n}", "lives")
        for path in sorted(folder.glob("*.jsonl"))
        for n, line in enumerate(path.read_text("utf-8").splitlines())
    ]


def _read_compared(row: dict, person_id: str, kind: str) -> dict:
    new = [
        New(text, frozenset(() if place is None else (place,)))
        for text, place in row["new"]
    ]
    return {"id": person_id, "kind": kind, "known": row["known"], "new": new}


def read_outdated(embedder: DiskCachedE5) -> list[dict]:
    """Return people some of whose messages make untrue what is known of them.

    Of the memories that came of such a message, the nearest to what is untrue says so.
    """
    people = []
    for person, row in _read_numbered(OUTDATED):
        kept = [text for said in row["messages"] for text in said["kept"]]
        vectors = embedder.embed([*row["known"], *kept])
        rows = iter(vectors[len(row["known"]) :])
        new: list[New] = []
        for said in row["messages"]:
            own = [next(rows) for _ in said["kept"]]
            untrue = frozenset(said["outdated"])
            says = {
                place: max(range(len(own)), key=lambda n: own[n] @ vectors[place])
                for place in untrue
                if own
            }
            for n, text in enumerate(said["kept"]):
                changed = frozenset(p for p, which in says.items() if which == n)
                rest = untrue - changed
                new.append(New(text, changed, said["text"], said["asked"], rest))
        people.append(
            {"id": person, "kind": OUTDATED.name, "known": row["known"], "new": new}
        )
    return people


def list_messages() -> Iterator[Message]:
    """Yield messages that make something untrue, and others beside them.

    Of `changes/`, of `outdated/`, and those of `people/` that ask to forget nothing.
    """
    for person, row in _read_numbered(CHANGES):
        for place, turn in enumerate(row["turns"]):
            untrue = frozenset(item for item, own in row["outdated"] if own == place)
            yield Message(person, row["known"], turn["user"], turn["asked"], untrue)
    for person, row in _read_numbered(OUTDATED):
        for said in row["messages"]:
            untrue = frozenset(said["outdated"])
            yield Message(person, row["known"], said["text"], said["asked"], untrue)
    for row in _read_rows(PEOPLE):
        known = [item["content"] for item in row["known"]]
        places = {item["id"]: place for place, item in enumerate(row["known"])}
        for session in row["sessions"]:
            yield from _list_session_messages(row["id"], known, places, session)


def _read_numbered(folder: Path) -> Iterator[tuple[str, dict]]:
    """Yield the rows of a folder, each with an id of its file and place."""
    for path in sorted(folder.glob("*.jsonl")):
        for number, line in enumerate(path.read_text("utf-8").splitlines()):
            yield f"{folder.name}/{path.stem}/{number}", json.loads(line)


def _list_session_messages(
    person: str, known: list[str], places: dict[str, int], session: dict
) -> Iterator[Message]:
    """Yield the messages of a session that asks to forget nothing."""
    facts = session["facts"]
    if any(fact["op"] == "forget" for fact in facts):
        return
    asked = ""
    for role, text in session["messages"]:
        if role == "u":
            untrue = {
                places[fact["target"]]
                for fact in facts
                if fact["op"] in ("update", "end")
                and fact.get("target") in places
                and fact["quote"] in text
            }
            yield Message(person, known, text, asked, frozenset(untrue))
        asked = "" if role == "u" else text


def _read_rows(folder: Path) -> Iterator[dict]:
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            yield json.loads(line)


def compare(people: list[dict]) -> list[Comparison]:
    """Embed what is known and what is new, and measure each pair."""
    embedder, weights = DiskCachedE5(), load_judge_weights()
    morphology = get_shared_morphology()
    remembering = cast("Morphology", SimpleNamespace(analyze=cache(morphology.analyze)))
    nothing = LinearModel(*[np.zeros(0)] * 4)
    model = ContradictionModel(
        remembering,
        weights.slots,
        ContradictionWeights(nothing, nothing),
        read_memory_pairs,
        read_message_pairs,
    )
    found: list[Comparison] = []
    for person in people:
        texts = person["known"]
        vectors = embedder.embed([*texts, *(new.text for new in person["new"])])
        rows = vectors[: len(texts)]
        for new, vector in zip(person["new"], vectors[len(texts) :], strict=True):
            places, features = model.measure(new.text, vector, texts, rows)
            right = np.array([place in new.changed for place in places], dtype=float)
            found.append(
                Comparison(
                    person["id"],
                    person["kind"],
                    new,
                    [texts[place] for place in places],
                    features,
                    right,
                    len(new.changed) - int(right.sum()),
                )
            )
    return found


def read_likely(compared: list[Comparison], odds: list[np.ndarray]) -> list[np.ndarray]:
    """Return what is weighed of both opinions; of what is not read, nothing."""
    chosen = [(n, place) for n, own in enumerate(odds) for place in select_likely(own)]
    read = read_memory_pairs(
        [
            (compared[n].known[place], compared[n].new.to_memory(np.zeros(0)))
            for n, place in chosen
        ]
    )
    found = [np.column_stack([own, np.full(len(own), np.nan)]) for own in odds]
    for (n, place), each in zip(chosen, read, strict=True):
        found[n][place, 1] = each
    return found


def weigh_both(compared: list[Comparison], both: list[np.ndarray]) -> LinearModel:
    """Return what weighs both opinions of what was read."""
    rows, right = np.vstack(both), np.concatenate([c.right for c in compared])
    told = ~np.isnan(rows[:, 1])
    return _fit(rows[told], right[told], np.full(2, FREE))


def judge_both(compared: list[Comparison], both: list[np.ndarray]) -> list[np.ndarray]:
    """Return what both say together, weighed by what is known of others."""
    models = [
        weigh_both(*_select(compared, both, lambda c, f=fold: c.fold != f))
        for fold in range(FOLDS)
    ]
    return [
        np.nan_to_num(models[c.fold].compute_logits(rows)[:, 0], nan=NEVER)
        for c, rows in zip(compared, both, strict=True)
    ]


def judge_shipped(compared: list[Comparison]) -> list[np.ndarray]:
    """Return what the shipped weights say."""
    shipped = load_contradiction_weights()
    odds = [shipped.near.compute_logits(each.rows)[:, 0] for each in compared]
    return [
        np.nan_to_num(shipped.both.compute_logits(rows)[:, 0], nan=NEVER)
        for rows in read_likely(compared, odds)
    ]


def _select(
    compared: list[Comparison],
    own: list[np.ndarray],
    is_meant: Callable[[Comparison], bool],
) -> tuple[list[Comparison], list[np.ndarray]]:
    places = [n for n, each in enumerate(compared) if is_meant(each)]
    return [compared[n] for n in places], [own[n] for n in places]


def _fit(rows: np.ndarray, right: np.ndarray, strength: np.ndarray) -> LinearModel:
    mean, scale = rows.mean(axis=0), rows.std(axis=0) + SMALLEST_SCALE
    found = fit_column((rows - mean) / scale, right, np.ones(len(rows)), strength)
    return LinearModel(mean, scale, found[:-1, None], found[-1:])


def train(compared: list[Comparison]) -> LinearModel:
    """Return the model."""
    rows = np.vstack([each.rows for each in compared])
    right = np.concatenate([each.right for each in compared])
    strength = np.full(rows.shape[1], STRENGTH)
    strength[-VECTORS:] = OF_VECTORS
    return _fit(rows, right, strength)


def judge_unseen(compared: list[Comparison]) -> list[np.ndarray]:
    """Return what models say that have not seen the person."""
    models = [train([c for c in compared if c.fold != fold]) for fold in range(FOLDS)]
    return [models[c.fold].compute_logits(c.rows)[:, 0] for c in compared]


def print_figures(compared: list[Comparison], odds: list[np.ndarray]) -> None:
    """Print precision by recall, and the mistakes."""
    flat, right = np.concatenate(odds), np.concatenate([c.right for c in compared])
    wanted = right.sum() + sum(c.missed for c in compared)
    order = np.argsort(-flat)
    hits = np.cumsum(right[order])
    print(f"{len(compared)} new memories, {int(wanted)} of them changes")
    for share in RECALLS:
        place = int(np.searchsorted(hits, share * wanted))
        if place < len(order):
            precision = hits[place] / (place + 1)
            bar = flat[order[place]]
            print(f"recall {share}: precision {precision:.3f}, bar {bar:.2f}")
    told = flat >= MIN_ODDS
    spoiled = sum(
        bool(((own >= MIN_ODDS) & (each.right == 0)).any())
        for own, each in zip(odds, compared, strict=True)
    )
    print(
        f"at {MIN_ODDS}: recall {right[told].sum() / wanted:.3f}, precision "
        f"{right[told].mean():.3f}; new memories with a wrong one {spoiled}"
    )
    wrong = sorted(
        (
            (float(value), known, each.new.text)
            for each, values in zip(compared, odds, strict=True)
            for value, known, is_right in zip(
                values, each.known, each.right, strict=True
            )
            if not is_right
        ),
        reverse=True,
    )
    for value, known, text in wrong[:SHOWN]:
        print(f"  {value:.2f} {known} <- {text}")


def print_outdated(hand: str) -> None:
    """Print what is found of people by one hand, without and with the message."""
    embedder, changes = DiskCachedE5(), 0
    people = [p for p in read_outdated(embedder) if p["id"].startswith(f"{hand}/")]
    model = ContradictionModel(
        get_shared_morphology(),
        load_judge_weights().slots,
        load_contradiction_weights(),
        read_memory_pairs,
        read_message_pairs,
    )
    tallies = {"without its message": [0, 0, 0], "with it": [0, 0, 0]}
    for person in people:
        known = person["known"]
        vectors = embedder.embed([*known, *(new.text for new in person["new"])])
        rows = vectors[: len(known)]
        for new, vector in zip(person["new"], vectors[len(known) :], strict=True):
            changes += len(new.changed)
            whole = new.to_memory(vector)
            alone = replace(whole, message="")
            for tally, each in zip(tallies.values(), (alone, whole), strict=True):
                found = set(model(each, known, rows)) - new.unclear
                tally[0] += len(found)
                tally[1] += len(found & new.changed)
                tally[2] += bool(found - new.changed)
    count = sum(len(person["new"]) for person in people)
    print(f"{hand}: {count} new memories, {changes} outdated by them")
    for name, (found, right, spoiled) in tallies.items():
        print(
            f"read {name}: recall {right / changes:.3f}, precision {right / found:.3f};"
            f" new memories with a wrong one {spoiled}"
        )


def main() -> None:
    """Cross-validate, then train on everything and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("--shipped", action="store_true")
    options = parser.parse_args()
    if options.shipped:
        unseen = compare(read_lives(UNSEEN))
        print_figures(unseen, judge_shipped(unseen))
        for hand in HELD_HANDS:
            if hand.startswith(f"{OUTDATED.name}/"):
                print_outdated(hand)
        return
    compared = compare(read_people() + read_ordinary() + read_lives())
    odds = judge_unseen(compared)
    held = _select(compared, odds, lambda each: is_held(each.person))
    both = read_likely(*held)
    print("held out from the encoder, by words and vectors")
    print_by_kind(*held)
    print("… and read")
    print_by_kind(held[0], judge_both(held[0], both))
    if not options.dry_run:
        found = ContradictionWeights(train(compared), weigh_both(held[0], both))
        parts = {
            f"{name}.{part}": getattr(model, part).astype(np.float32)
            for name, model in found._asdict().items()
            for part in ("mean", "scale", "weights", "bias")
        }
        np.savez_compressed(WEIGHTS, **parts)
        print(f"wrote {WEIGHTS.name}, {WEIGHTS.stat().st_size:,} bytes")


def print_by_kind(compared: list[Comparison], odds: list[np.ndarray]) -> None:
    """Print the figures of invented people, of ordinary ones, and of lives."""
    for kind in ("people", "ordinary", "lives"):
        print(kind)
        print_figures(*_select(compared, odds, lambda each, k=kind: each.kind == k))


if __name__ == "__main__":
    main()
