"""What kind of thing a fact is, from the clause's vectors and flags."""

from typing import Final

import numpy as np

from gieok.kernel.language import Category, Vectors
from gieok.models.rules.evidence import ClauseEvidence, build_flag_rows
from gieok.models.support_vectors import SupportVectorMachine

CATEGORIES: Final = tuple(Category)
FLAG_SHARE: Final = 0.15
"""How much a flag counts beside the vectors, which have a length of one."""


def build_category_rows(evidence: ClauseEvidence, read: Vectors) -> Vectors:
    """Return what the classifier sees, one row per candidate.

    The clause's own vector, the reader's of it with what is around it, and the flags.
    """
    flags = build_flag_rows(evidence.candidates, marks=True)
    rows = [evidence.clauses, read, FLAG_SHARE * flags]
    return np.hstack(rows).astype(np.float32)


def predict_categories(
    evidence: ClauseEvidence, read: Vectors, machine: SupportVectorMachine
) -> tuple[Category, ...]:
    """Return the likeliest category of each candidate."""
    margins = machine.compute_margins(build_category_rows(evidence, read))
    best: list[int] = margins.argmax(axis=0).tolist()
    return tuple(CATEGORIES[number] for number in best)
