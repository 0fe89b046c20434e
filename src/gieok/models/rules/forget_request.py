"""How likely a clause asks the assistant to forget something it was told.

A linear model over the vectors of a clause and of its message by the bundled embedder,
and hashed runs of the clause's letters and words (`hashed_runs`), learned from wishes
of many hands and from what only looks like one: a file to delete, an alarm to drop, a
subject to leave, what somebody else forgot (`training/train_forget_request.py`).
"""

from typing import NamedTuple

import numpy as np

from gieok.models.rules.evidence import ClauseEvidence
from gieok.models.rules.hashed_runs import build_run_row
from gieok.models.rules.linear import Numbers, compute_probability


class ForgetRequestModel(NamedTuple):
    """Weights of the vectors, of the runs by bucket, and what all begin with."""

    clause: Numbers
    context: Numbers
    runs: Numbers
    bias: float

    def compute_chances(self, evidence: ClauseEvidence) -> Numbers:
        """Return for each clause how likely it asks that something be forgotten."""
        texts = [candidate.clause.text for candidate in evidence.candidates]
        runs = [float(build_run_row(text) @ self.runs) for text in texts]
        logits = (
            evidence.clauses @ self.clause
            + evidence.contexts @ self.context
            + np.array(runs)
            + self.bias
        )
        return compute_probability(logits)
