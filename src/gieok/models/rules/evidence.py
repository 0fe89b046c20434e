"""The clauses of a conversation with what was measured of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gieok.kernel.language import Vectors
from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.linear import Numbers

MARK: Final = "is_"  # how the names of the marks of kinds begin


@dataclass(frozen=True, slots=True)
class ClauseEvidence:
    """The candidates of one conversation with their vectors, row by row."""

    candidates: tuple[ClauseCandidate, ...]
    clauses: Vectors
    contexts: Vectors


def build_flag_rows(
    candidates: Sequence[ClauseCandidate], *, marks: bool = False
) -> Numbers:
    """Return the flags as numbers, one row per candidate.

    The marks of kinds say what a fact is about, not whether it is one.
    """
    rows = [
        [value for name, value in c.flags.items() if marks or name[:3] != MARK]
        for c in candidates
    ]
    return np.array(rows, dtype=np.float64)
