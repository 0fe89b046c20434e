"""Decides which clauses say something lasting about the user.

A logistic model over the flags, the clause's vector and its context's vector. (The
vector of the assistant's reply was tried and left out: no gain, and it would tie the
judge to how one assistant talks.)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gieok.kernel.language import Vectors
from gieok.models.rules.candidates import Candidate
from gieok.models.rules.linear import Linear, Numbers

MARK: Final = "is_"  # how the names of the marks of kinds begin


@dataclass(frozen=True, slots=True)
class Evidence:
    """The candidates of one conversation with their vectors, row by row."""

    candidates: tuple[Candidate, ...]
    clauses: Vectors
    contexts: Vectors


def flag_rows(candidates: Sequence[Candidate], *, marks: bool = False) -> Numbers:
    """Return the flags as numbers, one row per candidate.

    The marks of kinds say what a fact is about, not whether it is one (measured:
    the judge gains nothing by them), so they are left out unless asked for.
    """
    rows = [
        [value for name, value in c.flags.items() if marks or name[:3] != MARK]
        for c in candidates
    ]
    return np.array(rows, dtype=np.float64)


def features(evidence: Evidence) -> Numbers:
    """Return what the judge sees, one row per candidate."""
    flags = flag_rows(evidence.candidates)
    return np.hstack([flags, evidence.clauses, evidence.contexts]).astype(np.float64)


def judge(evidence: Evidence, model: Linear) -> Numbers:
    """Return for each candidate the log-odds that it is worth remembering."""
    return model.logits(features(evidence))[:, 0]
