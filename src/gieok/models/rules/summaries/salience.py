"""How much each clause matters to a summary of its conversation.

A logistic model over the clause's flags and over how its nouns are taken up elsewhere:
what the assistant answers to and what the user comes back to is what was talked about.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.clause_texts import remove_noise
from gieok.models.rules.evidence import build_flag_rows
from gieok.models.rules.linear import LinearModel, Numbers
from gieok.models.rules.secrets import is_private
from gieok.models.rules.topics import extract_clause_nouns
from gieok.text.pattern_file import PatternFile
from gieok.text.vocabulary import parse_word_list

_LISTS: Final = PatternFile("gieok.models.rules", "patterns.toml")

_JOKE: Final = _LISTS.compile_list("salience.joke")
_IDLE: Final = _LISTS.compile_list("salience.idle")
BARRED: Final = parse_word_list("roleplay fiction planted echo question_mark")
"""What a clause is that is never told, whatever it says."""


def build_salience_features(candidates: Sequence[ClauseCandidate]) -> Numbers:
    """Return what the model sees, one row per candidate."""
    own = [{noun.lower() for noun, _ in extract_clause_nouns(c)} for c in candidates]
    said = Counter(noun for found in own for noun in found)
    rows = [
        _measure_uptake(candidate, found, said)
        for candidate, found in zip(candidates, own, strict=True)
    ]
    return np.hstack([build_flag_rows(candidates, marks=True), np.array(rows)])


def _measure_uptake(
    candidate: ClauseCandidate, own: set[str], said: Counter[str]
) -> list[float]:
    """Return how much a clause holds and how much of it comes back."""
    answered, asked = candidate.turn.answered.lower(), candidate.turn.asked.lower()
    return [
        min(len(candidate.clause.text), 60) / 30,
        min(len(own), 4) / 2,
        float(any(noun in answered for noun in own)),
        float(any(noun in asked for noun in own)),
        float(any(said[noun] > 1 for noun in own)),
    ]


def score_salience(
    candidates: Sequence[ClauseCandidate], model: LinearModel
) -> Numbers:
    """Return the log-odds that each clause belongs in the summary."""
    odds = model.compute_logits(build_salience_features(candidates))[:, 0]
    barred = np.array([_is_barred(candidate) for candidate in candidates])
    return np.where(barred | _detect_jokes(candidates), -np.inf, odds)


def _is_barred(candidate: ClauseCandidate) -> bool:
    """Tell whether it is a greeting, private, or barred by a flag."""
    text = candidate.clause.text
    idle = _IDLE.fullmatch(remove_noise(text)) is not None
    return idle or is_private(text) or candidate.has_flag(*BARRED)


def _detect_jokes(candidates: Sequence[ClauseCandidate]) -> NDArray[np.bool_]:
    """Tell which clauses the user plainly takes back as a joke."""
    jokes = [c.turn.index for c in candidates if _JOKE.search(c.turn.text)]
    last = max(jokes, default=-1)
    return np.array(
        [c.flags["taken_back"] > 0 and c.turn.index <= last for c in candidates]
    )
