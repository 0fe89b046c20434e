"""How likely each clause says something lasting, by all that was found out about it.

The judges before it learned from guarded talk in short sessions and from few long ones.
This one is stacked on them (Wolpert 1992) and learned from people whom none of them had
seen, most of them through a year in which most sessions hold nothing. How far to go by
each judge depends on the length of the session, on whether it looks idle, and on how
plainly the clause states something; see `training/train_worth.py`.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from gieok.models.rules.clause_texts import convert_clause
from gieok.models.rules.evidence import ClauseEvidence
from gieok.models.rules.intent import TELL
from gieok.models.rules.linear import Numbers
from gieok.models.rules.plain_statements import is_plain, is_remember_request
from gieok.models.rules.session_features import USUAL_LENGTH

FREE_COLUMNS: Final = 3
"""Of the features, how many training does not hold back."""
IDLE: Final = 0.8
"""How much of a session's log-odds of holding nothing every clause in it is charged."""


@dataclass(frozen=True, slots=True)
class ClauseOpinions:
    """What every judge said of the clauses of a session, as log-odds, a row a clause.

    `stated` are those of the statement encoder; `session` are log-odds that the
    session holds anything to remember.
    """

    meant: Numbers
    talk: Numbers
    settled: Numbers
    blended: Numbers
    stated: Numbers
    session: float


def build_worth_features(
    evidence: ClauseEvidence, opinions: ClauseOpinions, known: int
) -> Numbers:
    """Return what is weighed, one row per clause; `known` items are known.

    The first columns are what the judges say together, and how plainly the clause by
    itself says something lasting. The others are few, and training holds them back:
    they say how far to go by those.
    """
    count = len(evidence.candidates)
    length = np.log(count) - USUAL_LENGTH
    together = opinions.blended[:, TELL] + IDLE * min(0.0, opinions.session)
    told = np.column_stack(
        [
            opinions.meant[:, TELL],
            opinions.talk,
            opinions.settled,
            opinions.blended[:, TELL],
        ]
    )
    stated = _build_statement_columns(evidence)
    whole = [opinions.session, length, opinions.session * length, float(known > 0)]
    return np.hstack(
        [
            together[:, None],
            opinions.stated[:, None],
            opinions.stated[:, None] * length,
            told,
            told * length,
            told * opinions.session,
            stated,
            stated * length,
            stated * opinions.session,
            np.repeat([whole], count, axis=0),
        ]
    )


def _build_statement_columns(evidence: ClauseEvidence) -> Numbers:
    """Return what each clause is as a statement.

    Whether it states something plainly, was to be remembered, and can be put in the
    third person at all.
    """
    return np.array(
        [
            (
                is_plain(candidate),
                is_remember_request(candidate),
                convert_clause(candidate.clause, first=True, last=True) is not None,
            )
            for candidate in evidence.candidates
        ],
        dtype=np.float64,
    )
