"""Trains the upper layers of the bundled e5 on a memory and what is said of it.

    pip install jax                                 # beside .venv's packages
    .venv/bin/python training/tune_memory_pairs.py  # half an hour on two cores
    .venv/bin/python training/tune_memory_pairs.py --further wishes    # 45 minutes
    .venv/bin/python training/tune_memory_pairs.py --further casual_wishes  # 15 minutes
    .venv/bin/python training/tune_memory_pairs.py --further outdated  # 35 minutes
    .venv/bin/python training/tune_memory_pairs.py --further changes   # half an hour

Writes `src/gieok/models/rules/memory_pairs.npz`, with `--further outdated` or `changes`
`message_pairs.npz`, and prints what it says of the people held out, a sixth of all, who
are never trained on. A known memory is read beside a new one, for `message_pairs.npz`
with the message that it came of: does the new one say otherwise? And what is
remembered, a memory or a message, beside a wish to forget: is it what the wish means?

`--further` goes on from `memory_pairs.npz` with what was added to one folder, as often
as it says, and a share of the rest; of whom was held out of the rest its figures tell
the same share. `--further changes` goes on from `message_pairs.npz`, with messages
alone, whatever is remembered of them: does one make untrue what is known?

The layers start from `tuned.npz` (`tune_e5.py`), four bits a weight from the first step
on (a straight-through estimator, Bengio et al. 2013).
"""

import argparse
import zlib
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import tune_e5
from embeddings import DiskCachedE5
from train_contradiction import (
    CHANGES,
    OUTDATED,
    is_held,
    list_messages,
    read_lives,
    read_ordinary,
    read_outdated,
    read_people,
)
from tune_e5 import BaseModel, Data, Model, print_recalls, store, trained, tuned
from wish_corpus import (
    ALONE,
    CASUAL,
    WISHES,
    WishCase,
    read_people_wishes,
    read_wish_talks,
    read_wishes,
)

from gieok.models.e5_file import open_base_file
from gieok.models.e5_tokenizer import load_tokenizer
from gieok.models.rules.memory_pairs import (
    render_message_pair,
    render_pair,
    render_wish_pair,
)
from gieok.models.tuned_e5 import (
    MEMORY_PAIR_WEIGHTS,
    MESSAGE_PAIR_WEIGHTS,
    create_engine,
    load_tuned_weights,
    weigh_vectors,
)

RULES = Path(__file__).parents[1] / "src/gieok/models/rules"
TRAINED_LAYERS = 6
PLAN = (2, 1.6e-4)  # epochs and rate of learning
FURTHER = (1, 1.2e-4)  # the same, going on from what is shipped
REST: Final = {WISHES.name: 0.15, CASUAL.name: 0.5, OUTDATED.name: 0.15}
"""How many of the other pairs are drawn when trained further with a folder."""
PEOPLE_SHARES: Final = {CASUAL.name: 0.1}
"""How many of the people of other folders are read at all when trained further."""
TIMES: Final = {WISHES.name: 1, CASUAL.name: 2, OUTDATED.name: 3, CHANGES.name: 1}
"""How often the pairs of a folder are drawn when trained further with it."""
FOR_CHANGES = (2, 1.4e-4)  # epochs and rate of learning with messages alone
SHARES: Final = {CHANGES.name: 1.0, OUTDATED.name: 0.6, "people": 0.08}
"""How many of the messages of each folder are then read alone."""
WITH_MEMORIES: Final = {OUTDATED.name: 0.15, "people": 0.01, "lives": 0.03}
"""How many pairs of new memories and their messages are then read once more."""
BATCH = 64
LONGEST = 192  # tokens
WIDTHS = (*tune_e5.WIDTHS, 104, 128, 160, LONGEST)
TASKS = ("contradicts", "means")
NEAREST = (3, 4)
"""How many of what is nearest are read, of either task, beside what is right."""
NEAREST_IN_LIVES = 5
BESIDE_MESSAGES = (4, 1)
"""Nearest and other memories that are read beside a message alone."""
"""The same of those of whom most of what is near changes nothing."""
MOSTLY_UNCHANGED = ("lives", OUTDATED.name)
RANDOM = (0, 1)
"""And how many that are drawn from the rest."""
RECALLS = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


class Pair(NamedTuple):
    """Something remembered beside something said, and whether the answer is yes."""

    person: str
    task: int
    text: str
    right: bool


def read_pairs(
    embedder: DiskCachedE5, *, with_messages: bool, further: str | None = None
) -> Iterator[Pair]:
    """Yield every pair that is read, new memories with their messages or alone.

    Of people of other folders than the one it is trained `further` with a share.
    """
    people = [*read_people(), *read_ordinary(), *read_lives()]
    if with_messages:
        people += read_outdated(embedder)
    cases = [*read_wishes(), *read_wish_talks(), *read_people_wishes()]
    cases += read_wishes(CASUAL)
    share = PEOPLE_SHARES.get(further or "", 1.0)
    people = [each for each in people if _is_drawn(each["id"], further, share)]
    cases = [each for each in cases if _is_drawn(each.person, further, share)]
    texts = [text for person in people for text in person["known"]]
    texts += [new.text for person in people for new in person["new"]]
    embedder.embed([*texts, *(text for c in cases for text in (*c.items, c.wish))])
    for person in people:
        known, added = person["known"], person["new"]
        near = measure_nearness(embedder, known, [new.text for new in added])
        count = NEAREST_IN_LIVES if person["kind"] in MOSTLY_UNCHANGED else NEAREST[0]
        chance = np.random.default_rng(zlib.crc32(person["id"].encode()))
        for new, row in zip(added, near, strict=True):
            for item in choose(row, new.changed, count, RANDOM[0], chance):
                if item not in new.unclear:
                    around = (new.message, new.asked) if with_messages else ()
                    text = render_pair(known[item], new.text, *around)
                    yield Pair(person["id"], 0, text, item in new.changed)
    yield from _read_wish_pairs(cases, embedder)


def _read_wish_pairs(
    cases: Sequence[WishCase], embedder: DiskCachedE5
) -> Iterator[Pair]:
    """Yield the pairs of wishes; what was said in the talk of one is always read."""
    chance = np.random.default_rng(2)
    for case in cases:
        items, in_talk = case.items, _name_source(case.person) not in ALONE
        [near] = measure_nearness(embedder, items, [case.wish])
        chosen = choose(near, case.meant, NEAREST[1], RANDOM[1], chance)
        if in_talk:
            chosen += range(len(case.known), len(items))
        for item in dict.fromkeys(chosen):
            text = render_wish_pair(items[item], case.wish, case.before, case.asked)
            yield Pair(case.person, 1, text, item in case.meant)


def draw_changes(pairs: Sequence[Pair], embedder: DiskCachedE5) -> Iterator[Pair]:
    """Yield messages alone beside what is known, and some of the other pairs."""
    chance = np.random.default_rng(3)
    for pair in pairs:
        share = WITH_MEMORIES.get(_name_source(pair.person), 0.0)
        if pair.task == 0 and chance.random() < share:
            yield pair
    messages = [
        said
        for said in list_messages()
        if chance.random() < SHARES[_name_source(said.person)]
    ]
    embedder.embed([text for said in messages for text in (*said.known, said.text)])
    for said in messages:
        [near] = measure_nearness(embedder, said.known, [said.text])
        for item in choose(near, said.untrue, *BESIDE_MESSAGES, chance):
            text = render_message_pair(said.known[item], said.text, said.asked)
            yield Pair(said.person, 0, text, item in said.untrue)


def measure_nearness(
    embedder: DiskCachedE5, items: Sequence[str], said: Sequence[str]
) -> np.ndarray:
    """Return the cosine of what is said (rows) and of what is remembered."""
    vectors = embedder.embed([*items, *said])
    return vectors[len(items) :] @ vectors[: len(items)].T


def choose(
    near: np.ndarray,
    right: Collection[int],
    nearest: int,
    random: int,
    chance: np.random.Generator,
) -> list[int]:
    """Return which items are read: what is right, what is nearest, and some others."""
    order = np.argsort(-near).tolist()
    chosen = list(dict.fromkeys([*order[:nearest], *right]))
    rest = [n for n in order if n not in chosen]
    return chosen + chance.choice(rest, min(random, len(rest)), replace=False).tolist()


def draw_further(pairs: Sequence[Pair], folder: str) -> Iterator[Pair]:
    """Yield all pairs of whom a folder holds, `TIMES` each, and some of the rest."""
    chance = np.random.default_rng(1)
    for pair in pairs:
        if pair.person.startswith(f"{folder}/"):
            yield from [pair] * TIMES[folder]
        elif chance.random() < REST[folder]:
            yield pair


class PairData(Data):
    """The pairs as `tune_e5` trains on them."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        tokenizer, longest = load_tokenizer(), LONGEST
        self.tokens = []
        for pair in pairs:
            pieces = tokenizer.tokenize(f"passage: {pair.text}")
            ids = [tokenizer.begin, *pieces[: longest - 2], tokenizer.end]
            self.tokens.append(np.array(ids, np.int32))
        self.targets = np.zeros((len(pairs), len(TASKS)), np.float32)
        self.weights = np.zeros((len(pairs), len(TASKS)), np.float32)
        for row, pair in enumerate(pairs):
            self.targets[row, pair.task] = pair.right
            self.weights[row, pair.task] = 2.0
        self.trained_on = np.ones(len(pairs), bool)
        self.lengths = np.array([len(own) for own in self.tokens])
        self.states = []


def prepare(out: Path) -> None:
    """Have `tune_e5` train the layers and columns, and write them to `out`."""
    tune_e5.TRAINED_LAYERS, tune_e5.COLUMNS = TRAINED_LAYERS, len(TASKS)
    tune_e5.OUT, tune_e5.BATCH = out, BATCH
    tune_e5.LONGEST, tune_e5.WIDTHS = LONGEST, WIDTHS


def main() -> None:
    """Train on all people but those held out, and write what was learned."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--further", choices=TIMES)
    further = parser.parse_args().further
    with_messages = further in (OUTDATED.name, CHANGES.name)
    out = MESSAGE_PAIR_WEIGHTS if with_messages else MEMORY_PAIR_WEIGHTS
    prepare(RULES / out)
    embedder = DiskCachedE5()
    pairs = list(read_pairs(embedder, with_messages=with_messages, further=further))
    if further == CHANGES.name:
        pairs = list(draw_changes(pairs, embedder))
    elif further:
        pairs = list(draw_further(pairs, further))
    held = list(dict.fromkeys(pair for pair in pairs if is_held(pair.person)))
    data = PairData([pair for pair in pairs if not is_held(pair.person)])
    base = BaseModel()
    print(f"{len(data.tokens)} pairs, and {len(held)} held out", flush=True)
    data.fill(base)
    if further == CHANGES.name:
        start, plan = tuned(BaseModel(), MESSAGE_PAIR_WEIGHTS), FOR_CHANGES
    elif further:
        start, plan = tuned(BaseModel(), MEMORY_PAIR_WEIGHTS), FURTHER
    else:
        start, plan, share = tuned(BaseModel()), PLAN, np.array([0.2, 0.25])
        start["head"] = np.zeros((base.hidden, len(TASKS)), np.float32)
        start["head_bias"] = np.log(share / (1 - share)).astype(np.float32)
    params = trained(Model(base, rounds=True), data, start, plan)
    store(base, params)
    print_figures(held, out)


def print_figures(pairs: Sequence[Pair], weights: str) -> None:
    """Print average precision, and precision by recall, of who was held out."""
    held = sorted(range(len(pairs)), key=lambda n: len(pairs[n].text))
    engine = create_engine(open_base_file(), load_tuned_weights(weights))
    odds = np.zeros((len(pairs), len(TASKS)))
    odds[held] = weigh_vectors(weights, engine.passage([pairs[n].text for n in held]))
    groups = [(TASKS[each.task], _name_source(each.person)) for each in pairs]
    for task, folder in sorted(set(groups)):
        own = [n for n in held if groups[n] == (task, folder)]
        right = np.array([pairs[n].right for n in own])
        print_recalls(f"{task}, {folder}", odds[own, TASKS.index(task)], right, RECALLS)


def _is_drawn(person: str, further: str | None, share: float) -> bool:
    """Tell whether somebody is one of a share of all, or of the folder in question."""
    chance = zlib.crc32(person.encode()) % 1000 / 1000
    return _name_source(person) == further or chance < share


def _name_source(person: str) -> str:
    """Return the folder of somebody; of `people/` ids have none."""
    return person.split("/", maxsplit=1)[0] if "/" in person else "people"


if __name__ == "__main__":
    main()
