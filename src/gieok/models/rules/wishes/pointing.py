"""Which wishes to forget name nothing, and mean what was said just before.

"Off the record", "못 들은 걸로 해줘": a linear model over the vector of a message by
the bundled embedder and hashed runs of its letters and words (`char_ngrams`), learned
from wishes that point, wishes that name what they mean in the same words, and messages
that tell something and wish it forgotten at once (`training/train_pointing.py`).
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from gieok.kernel.language import Vectors
from gieok.models.rules.char_ngrams import build_run_row
from gieok.models.rules.evidence import ClauseEvidence
from gieok.models.rules.linear import Numbers, compute_probability

SURELY_POINTS: Final = 0.4
"""Chance from which a wish means the message before it, whatever words it has."""


class PointingChances(NamedTuple):
    """How likely each clause, if a wish, only points back."""

    messages: Numbers
    """By its message."""
    clauses: Numbers
    """By its own words."""


class PointingModel(NamedTuple):
    """Weights of the vector, of the runs by bucket, and what all begin with."""

    vector: Numbers
    runs: Numbers
    bias: float

    def compute_chances(self, evidence: ClauseEvidence) -> Numbers:
        """Return for each clause how likely its message, if a wish, only points."""
        texts = [candidate.turn.text for candidate in evidence.candidates]
        return self._weigh_texts(texts, evidence.contexts)

    def compute_clause_chances(self, evidence: ClauseEvidence) -> Numbers:
        """Return how likely each clause by itself, if a wish, only points."""
        texts = [candidate.clause.text for candidate in evidence.candidates]
        return self._weigh_texts(texts, evidence.clauses)

    def _weigh_texts(self, texts: Sequence[str], vectors: Vectors) -> Numbers:
        rows = {text: float(build_run_row(text) @ self.runs) for text in {*texts}}
        runs = np.array([rows[text] for text in texts])
        return compute_probability(vectors @ self.vector + runs + self.bias)
