"""Trains `src/gieok/models/rules/category.npz`: of which kind a fact is.

    .venv/bin/python training/train_category.py            # writes the weights
    .venv/bin/python training/train_category.py --dry-run  # prints the figures only

A least squares support vector machine (Suykens and Vandewalle 1999) a kind, all over
the same vectors. It learns from the labelled clauses of `train_worth.py`, whose vectors
are cached then; run it after `train_judge.py`, and after any change to clauses or
flags. The figures are of five parts, each by machines that saw none of its writers: a
clause may be of several kinds, and is right with any of them.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from corpus import FOLDS, labels_of, load_statements, load_talks, load_unseen
from reading import read_sessions

from gieok.models.rules.category import CATEGORIES, build_category_rows
from gieok.models.support_vectors import SupportVectorMachine, normalize_vectors

WEIGHTS = Path(__file__).parents[1] / "src/gieok/models/rules/category.npz"
GAMMA = 1.0
STRENGTH = 0.3  # of the regularisation
RARE = 0.3  # how much more a rare kind counts: the power of one by its share


@dataclass(frozen=True, slots=True)
class KnownClause:
    """A clause whose kinds somebody said."""

    source: str
    """Of which sort of talk it is."""
    writer: str
    row: np.ndarray
    kinds: tuple[int, ...]


def read_clauses() -> Iterator[KnownClause]:
    """Yield every clause that states a fact of a labelled kind."""
    for d, m, _, _ in read_sessions(load_unseen() + load_statements() + load_talks()):
        rows = build_category_rows(m.evidence)
        for row, kinds in zip(rows, labels_of(d).category, strict=True):
            if kinds:
                own = tuple(n for n, kind in enumerate(CATEGORIES) if kind in kinds)
                yield KnownClause(d.kind, d.person, row, own)


def train(clauses: Sequence[KnownClause]) -> SupportVectorMachine:
    """Return the machine; its margins have a row a kind."""
    rows = np.stack([each.row for each in clauses]).astype(np.float64)
    center = rows.mean(axis=0)
    seen = normalize_vectors(rows, center)
    wanted = np.full((len(clauses), len(CATEGORIES)), -1.0)
    for number, each in enumerate(clauses):
        wanted[number, list(each.kinds)] = 1
    share = (wanted > 0).mean(axis=0)
    counts = np.array([max(share[list(each.kinds)] ** -RARE) for each in clauses])
    counts /= counts.mean()
    alike = np.exp((seen @ seen.T - 1) * (2 * GAMMA))
    bias = np.average(wanted, axis=0, weights=counts)
    shares = np.linalg.solve(alike + np.diag(STRENGTH / counts), wanted - bias)
    return SupportVectorMachine.from_vectors(center, seen, shares.T, bias, GAMMA)


def split_writers(clauses: Sequence[KnownClause]) -> np.ndarray:
    """Return the part in which each clause is held out: a writer is in one only."""
    parts: dict[tuple[str, str], int] = {}
    for source in {each.source for each in clauses}:
        writers = {each.writer for each in clauses if each.source == source}
        for number, writer in enumerate(sorted(writers)):
            parts[source, writer] = number % FOLDS
    return np.array([parts[each.source, each.writer] for each in clauses])


def print_figures(clauses: Sequence[KnownClause]) -> None:
    """Print the share of unseen clauses whose kind is right, by sort of talk."""
    parts = split_writers(clauses)
    right = np.zeros(len(clauses), bool)
    for part in range(FOLDS):
        machine = train([clauses[n] for n in np.flatnonzero(parts != part)])
        own = np.flatnonzero(parts == part)
        margins = machine.compute_margins(np.stack([clauses[n].row for n in own]))
        for number, best in zip(own, margins.argmax(axis=0), strict=True):
            right[number] = best in clauses[number].kinds
    print(f"all: {right.mean():.3f} of {len(right)}")
    for source in sorted({each.source for each in clauses}):
        own = np.array([each.source == source for each in clauses])
        print(f"{source}: {right[own].mean():.3f} of {own.sum()}")


def main() -> None:
    """Cross-validate, then train on everything and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry-run", action="store_true")
    options = parser.parse_args()
    clauses = list(read_clauses())
    print_figures(clauses)
    if not options.dry_run:
        np.savez_compressed(WEIGHTS, **train(clauses).to_arrays())


if __name__ == "__main__":
    main()
