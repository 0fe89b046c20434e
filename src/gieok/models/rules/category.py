"""What kind of thing a fact is, from the clause's vector and flags."""

from typing import Final

import numpy as np

from gieok.kernel.language import Category
from gieok.models.rules.evidence import ClauseEvidence, build_flag_rows
from gieok.models.rules.linear import LinearModel, Numbers

CATEGORIES: Final = tuple(Category)


def build_category_features(evidence: ClauseEvidence) -> Numbers:
    """Return what the classifier sees, one row per candidate."""
    flags = build_flag_rows(evidence.candidates, marks=True)
    return np.hstack([flags, evidence.clauses]).astype(np.float64)


def predict_categories(
    evidence: ClauseEvidence, model: LinearModel
) -> tuple[Category, ...]:
    """Return the likeliest category of each candidate."""
    logits = model.compute_logits(build_category_features(evidence))
    best: list[int] = logits.argmax(axis=1).tolist()
    return tuple(CATEGORIES[number] for number in best)
