"""Trains `models/rules/pointing.npz`: which wishes to forget only point back.

    .venv/bin/python training/train_pointing.py            # writes the weights
    .venv/bin/python training/train_pointing.py --dry-run  # figures only

It learns from `pointing_wishes/`, from wishes that stand alone and mean something
known, which have to name it, from what only looks like a wish, and from plain facts
with such a wish in the same message, which is then about that. The figures are of a
fifth of `pointing_wishes/` at a time, neighbours together, as many were written in
pairs. Needs scikit-learn; a minute with cached vectors.
"""

import argparse
import json
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from embeddings import DiskCachedE5
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from wish_corpus import read_wishes

from gieok.models.rules.char_ngrams import build_run_row
from gieok.models.rules.message_context import normalize_text
from gieok.models.rules.wishes.pointing import SURELY_POINTS
from gieok.text.korean import has_hangul

HERE = Path(__file__).parent
OUT = HERE.parent / "src/gieok/models/rules/pointing.npz"
FOLDS = 5
NEIGHBOURS = 16
"""Lines of one hand that stand on the same side, as they are near-pairs."""
SCALE = 1.5
STRENGTH = 60.0
ALONE_SHARE = 3
"""Of the wishes that stand alone one in so many is learned from."""
JOINED = 400
"""Facts that are told in one message with a wish that points to them."""


class Row(NamedTuple):
    """A message that asks to forget, and the group that is left out with it."""

    text: str
    points: bool
    group: str


def read_rows() -> list[Row]:
    """Return everything that is learned from."""
    own = list(_read_pointing())
    pointing = [row for row in own if row.points]
    return [*own, *_read_alone(), *_read_mistaken(), *_join_facts(pointing)]


def _read_pointing() -> Iterator[Row]:
    for path in sorted((HERE / "pointing_wishes").glob("*.jsonl")):
        for number, line in enumerate(path.read_text("utf-8").splitlines()):
            row = json.loads(line)
            group = f"{path.stem}/{number // NEIGHBOURS}"
            yield Row(normalize_text(row["text"]), row["points"], group)


def _read_alone() -> Iterator[Row]:
    cases = [case for case in read_wishes() if case.meant]
    for case in cases[::ALONE_SHARE]:
        yield Row(normalize_text(case.wish), points=False, group=case.person)


def _read_mistaken() -> Iterator[Row]:
    """Yield what only looks like a wish: "delete that alarm" points at nothing said."""
    for path in sorted((HERE / "forget_requests").glob("[ek]*.jsonl")):
        for number, row in enumerate(
            map(json.loads, path.read_text("utf-8").splitlines())
        ):
            if not row["asks"]:
                group = f"mistaken/{path.stem}/{number // NEIGHBOURS}"
                yield Row(normalize_text(row["text"]), points=False, group=group)


def _join_facts(pointing: Sequence[Row]) -> Iterator[Row]:
    """Yield facts with a wish behind them, all of one language."""
    facts = [
        fact["quote"]
        for path in sorted((HERE / "plain").glob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
        for fact in json.loads(line)["facts"]
    ]
    chance = np.random.default_rng(1)
    for fact in chance.permutation(facts)[:JOINED].tolist():
        alike = [row for row in pointing if has_hangul(row.text) == has_hangul(fact)]
        wish = alike[int(chance.integers(len(alike)))]
        yield Row(f"{fact.rstrip('.')}. {wish.text}", points=False, group=wish.group)


def build_matrix(rows: Sequence[Row]) -> sparse.csr_matrix:
    """Return the features of every message."""
    vectors = DiskCachedE5().embed([row.text for row in rows])
    runs = [sparse.csr_matrix(build_run_row(row.text)) for row in rows]
    return sparse.hstack(
        [sparse.csr_matrix(SCALE * vectors), sparse.vstack(runs)]
    ).tocsr()


def train(features: sparse.csr_matrix, right: np.ndarray) -> LogisticRegression:
    """Return a model of messages, and of which of them point."""
    model = LogisticRegression(C=STRENGTH, solver="liblinear", max_iter=300)
    return model.fit(features, right)


def measure_unseen(rows: Sequence[Row], features: sparse.csr_matrix) -> np.ndarray:
    """Return how likely each message points, by models that never saw its group."""
    fold = np.array([zlib.crc32(row.group.encode()) % FOLDS for row in rows])
    right = np.array([row.points for row in rows])
    chances = np.zeros(len(rows))
    for each in range(FOLDS):
        model = train(features[fold != each], right[fold != each])
        chances[fold == each] = model.predict_proba(features[fold == each])[:, 1]
    return chances


def print_figures(rows: Sequence[Row], chances: np.ndarray) -> None:
    """Print what is taken for pointing of each kind of message."""
    kinds = {
        f"{language}, {name}": [
            number
            for number, row in enumerate(rows)
            if row.group.startswith(language) and row.points is points
        ]
        for language in ("en/", "ko/", "en_c/", "ko_c/")
        for name, points in (("pointing", True), ("naming or joined", False))
    }
    kinds["no wish"] = [
        n for n, row in enumerate(rows) if row.group.startswith("mistaken/")
    ]
    kinds["standing alone"] = [
        n for n, row in enumerate(rows) if row.group.startswith("wishes/")
    ]
    for kind, chosen in kinds.items():
        taken = sum(chances[chosen] >= SURELY_POINTS)
        print(f"{kind}: {taken} of {len(chosen)} taken for pointing")


def main() -> None:
    """Measure what was not seen, learn from all, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry-run", action="store_true")
    dry = parser.parse_args().dry_run
    rows = read_rows()
    features = build_matrix(rows)
    print_figures(rows, measure_unseen(rows, features))
    if dry:
        return
    model = train(features, np.array([row.points for row in rows]))
    (learned,), (bias,) = model.coef_, model.intercept_
    width = len(learned) - len(build_run_row(""))
    np.savez_compressed(
        OUT,
        vector=(SCALE * learned[:width]).astype(np.float16),
        runs=learned[width:].astype(np.float16),
        bias=bias,
    )
    print(f"wrote {OUT.name}, {OUT.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
