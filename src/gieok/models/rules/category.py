"""What kind of thing a fact is, from the clause's vectors and flags.

Two say it: the statement encoder, and a machine over vectors that were there anyway.
Each is right where the other is not (`training/README.md`).
"""

from typing import Final

import numpy as np

from gieok.kernel.language import Category, Vectors
from gieok.models.rules.evidence import ClauseEvidence, build_flag_rows
from gieok.models.rules.linear import Numbers
from gieok.models.support_vectors import SupportVectorMachine

CATEGORIES: Final = tuple(Category)
FLAG_SHARE: Final = 0.15
"""How much a flag counts beside the vectors, which have a length of one."""
MACHINE_SHARE: Final = 4.0
"""How much a margin of the machine counts beside the encoder's log-probability."""


def build_category_rows(evidence: ClauseEvidence) -> Vectors:
    """Return what the classifier sees, one row per candidate: its vector and flags."""
    flags = build_flag_rows(evidence.candidates, marks=True)
    rows = [evidence.clauses, FLAG_SHARE * flags]
    return np.hstack(rows).astype(np.float32)


def predict_categories(
    evidence: ClauseEvidence, encoded: Numbers, machine: SupportVectorMachine
) -> tuple[Category, ...]:
    """Return the likeliest category of each candidate.

    `encoded` are the statement encoder's log-probabilities, a row a candidate.
    """
    margins = machine.compute_margins(build_category_rows(evidence))
    best: list[int] = (encoded + MACHINE_SHARE * margins.T).argmax(axis=1).tolist()
    return tuple(CATEGORIES[number] for number in best)
