"""How likely a clause asks the assistant to forget something it was told.

A linear model over the vectors of a clause and of its message by the bundled embedder,
and hashed runs of the clause's letters and words (`char_ngrams`), learned from wishes
of many hands and from what only looks like one: a file to delete, an alarm to drop, a
subject to leave, what somebody else forgot (`training/train_forget_request.py`). What
may be a wish by that is read by an encoder that learned from the same
(`training/tune_forget_request.py`); both count.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from gieok.kernel.language import Vectors
from gieok.models import tuned_e5
from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.char_ngrams import build_run_row
from gieok.models.rules.evidence import ClauseEvidence
from gieok.models.rules.linear import Numbers, compute_log_odds, compute_probability

MIN_READ: Final = 0.01
"""How likely at least a clause is a wish by the linear model for it to be read."""
ENCODER_SHARE: Final = 0.6
"""How far the log-odds of the encoder count, those of the linear model for the rest."""


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


def list_possible_requests(
    candidates: Sequence[ClauseCandidate], chances: Numbers
) -> list[int]:
    """Return the places of the clauses that may ask to forget something.

    `chances` are those of the linear model; so may what has a word for it.
    """
    return [
        place
        for place, candidate in enumerate(candidates)
        if candidate.flags["forget"] or chances[place] >= MIN_READ
    ]


def weigh_requests(rows: Vectors) -> Numbers:
    """Return log-odds that clauses ask to forget, one for each vector of the encoder.

    Shape [number of clauses].
    """
    odds: Numbers = tuned_e5.weigh_vectors(tuned_e5.FORGET_CHECK_WEIGHTS, rows)
    return odds[:, 0]


def join_chances(
    candidates: Sequence[ClauseCandidate],
    chances: Numbers,
    read: Sequence[int],
    odds: Numbers,
) -> Numbers:
    """Return how likely clauses ask by the linear model and the encoder together.

    `odds` are the encoder's of the clauses at the places in `read`. It reads each with
    its message and may take the wish in that for the clause's own, so of a message
    only the likeliest clause by the linear model becomes likelier by it.
    """
    joined = chances.copy()
    own = (1 - ENCODER_SHARE) * compute_log_odds(chances[[*read]])
    joined[[*read]] = compute_probability(own + ENCODER_SHARE * odds)
    others = _list_less_likely(candidates, chances)
    joined[others] = np.minimum(joined[others], chances[others])
    return joined


def _list_less_likely(
    candidates: Sequence[ClauseCandidate], chances: Numbers
) -> list[int]:
    """Return the places of all clauses but the likeliest of each message."""
    likeliest: dict[int, int] = {}
    for place, candidate in enumerate(candidates):
        best = likeliest.setdefault(candidate.clause.message, place)
        if chances[place] > chances[best]:
            likeliest[candidate.clause.message] = place
    return [n for n, c in enumerate(candidates) if likeliest[c.clause.message] != n]
