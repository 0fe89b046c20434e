"""Trains the upper layers of the bundled e5 on a memory and what is said of it.

    pip install jax                                 # beside .venv's packages
    .venv/bin/python training/tune_memory_pairs.py  # half an hour on two cores
    .venv/bin/python training/tune_memory_pairs.py --further  # nine minutes

Writes `src/gieok/models/rules/memory_pairs.npz`, and prints what it says of the people
held out, a sixth of all, who are never trained on. A known memory is read beside a new
one: does the new one say otherwise? And what is remembered, a memory or a message,
beside a wish to forget: is it what the wish means?

`--further` goes on from what is shipped with the lives and a share of the rest, where
lives were added: in them one new memory in nine says otherwise, not half.

The layers start from `tuned.npz` (`tune_e5.py`), four bits a weight from the first step
on (a straight-through estimator, Bengio et al. 2013).
"""

import argparse
import json
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import tune_e5
from embeddings import DiskCachedE5
from train_contradiction import LIVES, is_held, read_lives, read_ordinary, read_people
from tune_e5 import BaseModel, Data, Model, store, trained, tuned

from gieok.models import tuned_e5
from gieok.models.e5_tokenizer import load_tokenizer
from gieok.models.rules.memory_pairs import read_memory_pairs, render_pair

WISHES = Path(__file__).parent / "wishes"
OUT = Path(__file__).parents[1] / "src/gieok/models/rules/memory_pairs.npz"
TRAINED_LAYERS = 6
PLAN = (2, 1.6e-4)  # epochs and rate of learning
FURTHER = (2, 8e-5)  # the same, going on from what is shipped
REST = 0.22  # of the other pairs that are drawn when trained further
BATCH = 64
TASKS = ("contradicts", "means")
NEAREST = (3, 4)
"""How many of what is nearest are read, of either task, beside what is right."""
NEAREST_IN_LIVES = 5
"""The same of lives, where most of what is near changes nothing."""
RANDOM = (0, 1)
"""And how many that are drawn from the rest."""
RECALLS = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


class Pair(NamedTuple):
    """Something remembered beside something said, and whether the answer is yes."""

    person: str
    task: int
    known: str
    said: str
    right: bool


def read_pairs(embedder: DiskCachedE5) -> Iterator[Pair]:
    """Yield every pair that is read."""
    for person in read_people() + read_ordinary() + read_lives():
        new = [
            (text, set() if place is None else {place}) for text, place in person["new"]
        ]
        near = NEAREST_IN_LIVES if person["kind"] == "lives" else NEAREST[0]
        yield from _select(person["id"], 0, person["known"], new, embedder, near)
    for person in read_wishes():
        near = NEAREST[1]
        yield from _select(
            person["id"], 1, person["items"], person["wishes"], embedder, near
        )


def read_wishes() -> Iterator[dict]:
    """Yield people with what is remembered of them, and what they wish forgotten."""
    for path in sorted(WISHES.glob("*.jsonl")):
        for number, line in enumerate(path.read_text("utf-8").splitlines()):
            row = json.loads(line)
            first = {"k": 0, "s": len(row["known"])}
            yield {
                "id": f"wishes/{path.stem}/{number}",
                "items": row["known"] + row["said"],
                "wishes": [
                    (text, {first[name[0]] + int(name[1:]) for name in names})
                    for text, names in row["wishes"]
                ],
            }


def _select(
    person: str,
    task: int,
    items: Sequence[str],
    said: Sequence[tuple[str, set[int]]],
    embedder: DiskCachedE5,
    nearest: int,
) -> Iterator[Pair]:
    chance = np.random.default_rng(zlib.crc32(person.encode()))
    texts = [text for text, _ in said]
    vectors = embedder.embed([*items, *texts])
    near = vectors[len(items) :] @ vectors[: len(items)].T
    for (text, right), row in zip(said, near, strict=True):
        order = np.argsort(-row).tolist()
        chosen = [*order[:nearest], *(n for n in right if n in order)]
        rest = [n for n in order if n not in chosen]
        chosen += chance.choice(
            rest, min(RANDOM[task], len(rest)), replace=False
        ).tolist()
        for place in dict.fromkeys(chosen):
            yield Pair(person, task, items[place], text, place in right)


def draw_further(pairs: Sequence[Pair]) -> Iterator[Pair]:
    """Yield all pairs of lives and of who is held out, and a share of the rest."""
    chance = np.random.default_rng(1)
    for pair in pairs:
        is_life = pair.person.startswith(f"{LIVES.name}/")
        if is_life or is_held(pair.person) or chance.random() < REST:
            yield pair


class PairData(Data):
    """The pairs as `tune_e5` trains on them."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        tokenizer, longest = load_tokenizer(), tune_e5.LONGEST
        self.tokens = []
        for pair in pairs:
            pieces = tokenizer.tokenize(
                f"passage: {render_pair(pair.known, pair.said)}"
            )
            ids = [tokenizer.begin, *pieces[: longest - 2], tokenizer.end]
            self.tokens.append(np.array(ids, np.int32))
        self.targets = np.zeros((len(pairs), len(TASKS)), np.float32)
        self.weights = np.zeros((len(pairs), len(TASKS)), np.float32)
        for row, pair in enumerate(pairs):
            self.targets[row, pair.task] = pair.right
            self.weights[row, pair.task] = 2.0
        self.trained_on = np.array([not is_held(pair.person) for pair in pairs])
        self.lengths = np.array([len(own) for own in self.tokens])
        self.states = []


def main() -> None:
    """Train on all people but those held out, and write what was learned."""
    tune_e5.TRAINED_LAYERS, tune_e5.COLUMNS = TRAINED_LAYERS, len(TASKS)
    tune_e5.OUT, tune_e5.BATCH = OUT, BATCH
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--further", action="store_true")
    further = parser.parse_args().further
    pairs = list(read_pairs(DiskCachedE5()))
    if further:
        pairs = list(draw_further(pairs))
    data, base = PairData(pairs), BaseModel()
    print(f"{len(pairs)} pairs, {data.trained_on.sum()} of them trained on", flush=True)
    data.fill(base)
    if further:
        start, plan = tuned(BaseModel(), tuned_e5.MEMORY_PAIR_WEIGHTS), FURTHER
    else:
        start, plan, share = tuned(BaseModel()), PLAN, np.array([0.2, 0.25])
        start["head"] = np.zeros((base.hidden, len(TASKS)), np.float32)
        start["head_bias"] = np.log(share / (1 - share)).astype(np.float32)
    params = trained(Model(base, rounds=True), data, start, plan)
    store(base, params)
    print_figures(pairs)


def print_figures(pairs: Sequence[Pair]) -> None:
    """Print average precision, and precision by recall, of who was held out."""
    odds = np.zeros((len(pairs), len(TASKS)))
    held = [n for n, pair in enumerate(pairs) if is_held(pair.person)]
    held.sort(key=lambda n: len(pairs[n].known + pairs[n].said))
    odds[held] = read_memory_pairs([(pairs[n].known, pairs[n].said) for n in held])
    for task, name in enumerate(TASKS):
        own = [n for n in held if pairs[n].task == task]
        order = sorted(own, key=lambda n: -odds[n, task])
        right = np.array([pairs[n].right for n in order])
        hits = np.cumsum(right)
        precision = hits / np.arange(1, len(order) + 1)
        print(
            f"{name}: {len(own)} pairs, average precision {precision[right].mean():.3f}"
        )
        for share in RECALLS:
            place = int(np.searchsorted(hits, share * hits[-1]))
            bar = odds[order[place], task]
            print(f"  recall {share}: precision {precision[place]:.3f}, bar {bar:.2f}")


if __name__ == "__main__":
    main()
