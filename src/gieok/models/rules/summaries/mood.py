"""How a conversation felt to its user, and how much it matters.

Linear models over marks of feelings and events, over what the user's clauses are like
on the whole, and over the vector of what the summary tells.
"""

import re
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gieok.kernel.language import Emotion
from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.evidence import build_flag_rows
from gieok.models.rules.linear import LinearModel, Numbers, compute_probability
from gieok.models.rules.summaries.feelings import MARKS, REACTIONS

EMOTIONS: Final = tuple(Emotion)
MAX_IMPORTANCE: Final = 10
MAX_MARKS: Final = 4
MIN_WORTH: Final = -0.5  # log-odds; a summary too many does less harm than one lost


def build_mood_features(
    candidates: Sequence[ClauseCandidate], vector: NDArray[np.float32]
) -> Numbers:
    """Return what the models see of one conversation, as one row.

    `vector` stands for what its summary tells, in the user's own words.
    """
    said = "\n".join(candidate.clause.text for candidate in candidates)
    heard = "\n".join({candidate.turn.answered: None for candidate in candidates})
    felt = [_count_marks(mark, said) for mark in MARKS.values()]
    answered = [_count_marks(mark, heard) for mark in REACTIONS.values()]
    flags = build_flag_rows(candidates, marks=True).mean(axis=0)
    size = [np.log(len(candidates)), np.log(1 + len(said))]
    return np.concatenate([felt, answered, flags, size, vector])[None]


def _count_marks(mark: re.Pattern[str], text: str) -> float:
    """Return how often a mark stands in a text, many times counting little more."""
    return float(np.log2(1 + min(len(mark.findall(text)), MAX_MARKS)))


def is_worth_summarizing(features: Numbers, model: LinearModel) -> bool:
    """Tell whether there is anything to sum up at all."""
    return float(model.compute_logits(features)[0, 0]) >= MIN_WORTH


def predict_emotion(features: Numbers, model: LinearModel) -> Emotion:
    """Return the likeliest emotion."""
    return EMOTIONS[int(model.compute_logits(features)[0].argmax())]


def predict_importance(features: Numbers, model: LinearModel) -> int:
    """Return from 1 to 10 how much the conversation matters."""
    share = float(compute_probability(model.compute_logits(features))[0, 0])
    return max(1, round(MAX_IMPORTANCE * share))
