"""How much each clause matters to a summary of its conversation.

A logistic model over the clause's flags and over how its nouns are taken up elsewhere:
what the assistant answers to and what the user comes back to is what was talked about.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.evidence import build_flag_rows
from gieok.models.rules.linear import LinearModel, Numbers
from gieok.models.rules.secrets import is_private
from gieok.models.rules.topics import extract_clause_nouns
from gieok.models.rules.wording import remove_noise
from gieok.text.patterns import compile_lazily
from gieok.text.vocabulary import parse_word_list

_JOKE: Final = compile_lazily(
    r"(?<![가-힣])(?:개?뻥이|구라(?!파)|농담이|장난이[야었고]|만우절)"
    r"|(?<!was i )\b(?:kidding|joking|jk|gotcha|april fools?)\b",
    re.IGNORECASE,
)
_IDLE: Final = compile_lazily(
    r"(?:안녕\w*|하이|여보세요|네|넵|응|그래요?|고마워\w*|고맙\w*|감사\w*|ㄱㅅ|땡큐|굿|수고\w*"
    r"|잘 ?자\w*|반가\w*|오케이|알겠\w*|hi+|hey+|hello|yo|ok(?:ay)?|thx|thanks?"
    r"|thank you|ty|bye|good ?(?:morning|night|evening|afternoon)|gn|cool|lol|ha(?:ha)+"
    r"|please|sure|nice|great|right)(?:\W+(?:there|dear|again|you|so much|a lot))*\W*",
    re.IGNORECASE,
)
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
    return idle or is_private(text) or any(candidate.flags[n] for n in BARRED)


def _detect_jokes(candidates: Sequence[ClauseCandidate]) -> NDArray[np.bool_]:
    """Tell which clauses the user plainly takes back as a joke."""
    jokes = [c.turn.index for c in candidates if _JOKE.search(c.turn.text)]
    last = max(jokes, default=-1)
    return np.array(
        [c.flags["taken_back"] > 0 and c.turn.index <= last for c in candidates]
    )
