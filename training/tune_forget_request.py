"""Trains what reads whether a clause asks the assistant to forget something.

    pip install jax                                   # beside .venv's packages
    .venv/bin/python training/tune_forget_request.py  # twenty minutes on two cores

Writes `src/gieok/models/rules/forget_check.npz`: the upper layers of the encoder of
clauses (`tune_statement.py`) with a head of one column. Of a message that asks to
forget its likeliest clause by the linear model (`train_forget_request.py`) is the one
that asks; of all others no clause does. It prints what it says of the hands held out.
"""

import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import tune_e5
from embeddings import DiskCachedE5
from train_forget_request import Row, collect_rows, read_talks
from tune_e5 import BaseModel, Data, Model, print_recalls, store, trained, tuned

from gieok.models import tuned_e5
from gieok.models.e5_tokenizer import load_tokenizer
from gieok.models.rules.char_ngrams import build_run_row
from gieok.models.rules.weights import load_forget_request_model

OUT = Path(__file__).parents[1] / "src/gieok/models/rules/forget_check.npz"
HELD = ("en_h", "ko_h", "casual_wishes/en_b", "casual_wishes/ko_b")
"""Hands of which nothing is learned."""
TRAINED_LAYERS = 6
PLAN = (2, 1.4e-4)  # epochs and rate of learning
BATCH = 32
LONGEST = 96  # tokens
WIDTHS = (16, 24, 32, 40, 48, 64, LONGEST)
SHARES = {
    **dict.fromkeys(("plain", "talks", "traps", "casual", "people"), 0.25),
    **dict.fromkeys(("wishes", "wish_talks"), 0.5),
}
"""How much is read of the clauses of a folder that ask nothing; else all."""
WISHES_OF_PEOPLE = 0.3
NEAR_MISSES = 2.0
"""How much a message that was written to be mistaken counts."""
RECALLS = (0.7, 0.8, 0.9, 0.95)


def select_rows(rows: Sequence[Row]) -> list[Row]:
    """Return what is read: of each wish its likeliest clause, of the rest a share."""
    asking, chosen = defaultdict[int, list[Row]](list), list[Row]()
    for row in rows:
        chance = zlib.crc32(row.text.encode()) % 1000 / 1000
        if not row.asks:
            share = SHARES.get(row.hand, 1.0)
            chosen += [row] if chance < share else []
        elif not row.hand.startswith("train") or chance < WISHES_OF_PEOPLE:
            asking[row.message].append(row)
    groups = list(asking.values())
    odds = iter(weigh_rows([row for group in groups for row in group]))
    for group in groups:
        weighed = [(next(odds), row) for row in group]
        chosen.append(max(weighed, key=lambda each: each[0])[1])
    return chosen


def weigh_rows(rows: Sequence[Row]) -> Iterable[float]:
    """Return what the linear model says of clauses."""
    model, embedder = load_forget_request_model(), DiskCachedE5()
    clauses = embedder.embed([row.clause for row in rows])
    contexts = embedder.embed([row.context for row in rows])
    runs = np.array([float(build_run_row(row.clause) @ model.runs) for row in rows])
    return (clauses @ model.clause + contexts @ model.context + runs).tolist()


class RequestData(Data):
    """The clauses as `tune_e5` trains on them."""

    def __init__(self, rows: Sequence[Row]) -> None:
        tokenizer = load_tokenizer()
        self.tokens = []
        for row in rows:
            pieces = tokenizer.tokenize(f"passage: {row.text}")
            ids = [tokenizer.begin, *pieces[: LONGEST - 2], tokenizer.end]
            self.tokens.append(np.array(ids, np.int32))
        self.targets = np.array([[row.asks] for row in rows], np.float32)
        own = [NEAR_MISSES if row.hand[:3] in ("en_", "ko_") else 1.0 for row in rows]
        self.weights = np.array(own, np.float32)[:, None]
        self.trained_on = np.array([row.hand not in HELD for row in rows])
        self.lengths = np.array([len(own) for own in self.tokens])
        self.states = []


def main() -> None:
    """Train on all hands but those held out, and write what was learned."""
    tune_e5.TRAINED_LAYERS, tune_e5.COLUMNS = TRAINED_LAYERS, 1
    tune_e5.OUT, tune_e5.BATCH = OUT, BATCH
    tune_e5.LONGEST, tune_e5.WIDTHS = LONGEST, WIDTHS
    everything = collect_rows(list(read_talks()))
    rows, base = select_rows(everything), BaseModel()
    start = tuned(base, tuned_e5.STATEMENT_WEIGHTS)  # its lower layers go into the base
    start["head"], start["head_bias"] = start["head"][:, :1] * 0, start["head_bias"][:1]
    data = RequestData(rows)
    print(f"{len(rows)} clauses, {data.trained_on.sum()} of them trained on")
    data.fill(base)
    store(base, trained(Model(base, rounds=True), data, start, PLAN))
    print_figures([row for row in everything if row.hand in HELD])


def print_figures(held: Sequence[Row]) -> None:
    """Print of the hands held out average precision, and precision by recall."""
    engine = tuned_e5.load_forget_check_engine()
    rows = engine.passage([row.text for row in held])
    odds = tuned_e5.weigh_vectors(tuned_e5.FORGET_CHECK_WEIGHTS, rows)[:, 0]
    for hand in HELD:
        best = {
            row.message: (max(odd for _, odd in own), row.asks)
            for row, own in _group_messages(held, odds, hand)
        }
        values, asks = np.array(list(best.values())).T
        print_recalls(hand, values, asks > 0, RECALLS)
        print(f"  from even odds {(values[asks > 0] >= 0).sum()} heard,", end=" ")
        print(f"{(values[asks == 0] >= 0).sum()} of {(asks == 0).sum()} falsely")


def _group_messages(
    rows: Sequence[Row], odds: np.ndarray, hand: str
) -> Iterator[tuple[Row, list[tuple[Row, float]]]]:
    """Yield the first clause of each message of a hand, with all of them."""
    found = defaultdict[int, list[tuple[Row, float]]](list)
    for row, one in zip(rows, odds, strict=True):
        if row.hand == hand:
            found[row.message].append((row, float(one)))
    yield from ((own[0][0], own) for own in found.values())


if __name__ == "__main__":
    main()
