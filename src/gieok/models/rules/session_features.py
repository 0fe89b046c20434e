"""Reads each clause again in the light of the whole session.

Most sessions in which nothing may be remembered (orders, drills, role play, gossip)
look like it as a whole; and a clause without a subject is about whoever the clauses
before it were about. A second model weighs the judge's first opinion together with
what it thought of the neighbours and with a probe of the session.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from gieok.models.rules.evidence import ClauseEvidence, build_flag_rows
from gieok.models.rules.linear import LinearModel, Numbers

NOTHING: Final = -2.0  # the log-odds of a clause that is not there
USUAL_LENGTH: Final = 1.5  # the logarithm of the clauses of a session
PREVIOUS: Final = ("acquaintance", "others", "hearsay", "me", "kin", "condition")
THROUGHOUT: Final = (
    "me",
    "drill",
    "laugh",
    "question_mark",
    "condition",
    "acquaintance",
    "hearsay",
    "request_english",
    "request_korean",
)


@dataclass(frozen=True, slots=True)
class JudgeOpinions:
    """What was thought of each clause by itself, as log-odds.

    Two judges tell whether it says something lasting: `tell` learned from short
    sessions that are mostly to the point, `talk` from long ones that are mostly idle.
    """

    tell: Numbers
    talk: Numbers
    others: Numbers
    """Of the other intents, one column each."""


def build_session_features(evidence: ClauseEvidence, known: int) -> Numbers:
    """Return what the session probe sees, as one row."""
    flags = build_flag_rows(evidence.candidates)
    size = [np.log(len(flags)), float(known > 0)]
    average = evidence.contexts.mean(axis=0)
    return np.concatenate([flags.mean(axis=0), flags.max(axis=0), size, average])[None]


def score_session(evidence: ClauseEvidence, known: int, model: LinearModel) -> float:
    """Return the log-odds that the session holds anything to remember."""
    return float(model.compute_logits(build_session_features(evidence, known))[0, 0])


def get_flag_column(evidence: ClauseEvidence, name: str) -> Numbers:
    """Return one flag of every candidate."""
    return np.array([c.flags[name] for c in evidence.candidates])


def _detect_other_subjects(evidence: ClauseEvidence) -> Numbers:
    """Tell for each clause whether others were named since the user last was."""
    others = (
        get_flag_column(evidence, "acquaintance") + get_flag_column(evidence, "others")
        > 0
    )
    me = get_flag_column(evidence, "me") > 0
    found, still = np.zeros(len(me)), False
    for number in range(len(me)):
        found[number] = float(still)
        still = bool(others[number]) or (still and not me[number])
    return found


def _rank_others(logits: Numbers) -> Numbers:
    """Return the best, the mean and the second best of all other clauses."""
    count = len(logits)
    rows = np.full((count, 3), NOTHING)
    for number in range(count):
        others = np.sort(np.delete(logits, number))
        if count > 1:
            rows[number, 0], rows[number, 1] = others[-1], others.mean()
        if count > 2:  # noqa: PLR2004
            rows[number, 2] = others[-2]
    return rows


def _score_siblings(evidence: ClauseEvidence, logits: Numbers) -> Numbers:
    """Return the best log-odds among the other clauses of the same message."""
    places = [c.clause.message for c in evidence.candidates]
    return np.array(
        [
            max(
                (logits[j] for j, p in enumerate(places) if p == place and j != i),
                default=NOTHING,
            )
            for i, place in enumerate(places)
        ]
    )


def _build_neighbour_columns(evidence: ClauseEvidence, logits: Numbers) -> Numbers:
    """Return a judge's opinion of each clause and of those around it."""
    previous = np.concatenate([[NOTHING], logits[:-1]])
    following = np.concatenate([logits[1:], [NOTHING]])
    rest, beside = _rank_others(logits), _score_siblings(evidence, logits)
    return np.column_stack([logits, previous, following, rest, beside])


def build_surrounding_features(
    evidence: ClauseEvidence, opinions: JudgeOpinions, session: float, known: int
) -> Numbers:
    """Return what the second model sees, one row per candidate.

    How far it should go by either judge depends on how long the session is.
    """
    count = len(evidence.candidates)
    length = np.log(count) - USUAL_LENGTH
    judged = [
        _build_neighbour_columns(evidence, o) for o in (opinions.talk, opinions.tell)
    ]
    third = _detect_other_subjects(evidence)
    before = [
        np.concatenate([[0], get_flag_column(evidence, n)[:-1]]) for n in PREVIOUS
    ]
    overall = [np.full(count, get_flag_column(evidence, n).mean()) for n in THROUGHOUT]
    return np.column_stack(
        [
            *judged,
            *(own * length for own in judged),
            opinions.others,
            np.full(count, length),
            np.full(count, session),
            np.full(count, session * length),
            session * (opinions.talk > -1),
            third,
            third * (1 - get_flag_column(evidence, "me")),
            third * get_flag_column(evidence, "others"),
            np.full(count, get_flag_column(evidence, "roleplay").max()),
            np.full(count, float(known > 0)),
            *before,
            *overall,
        ]
    )
