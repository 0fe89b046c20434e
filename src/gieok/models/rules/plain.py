"""Statements so plain that no judge has to be asked.

The judges learned from natural, guarded talk, where hardly anyone says just "I live
in Leeds" and where a short session is mostly idle; they doubt what is said outright.
So a plain first-person statement of a lasting state, and whatever stands beside an
explicit "remember this", is worth telling unless a frame or a doubt stands against it.
"""

from typing import Final

from gieok.models.rules.candidates import Candidate
from gieok.models.rules.flags import words
from gieok.models.rules.lexicon import REMEMBER, STATES_EN, STATES_KO
from gieok.models.rules.vocabulary import listed

SURE: Final = 0.5  # log-odds given to a plain statement
SHORTEST_WISH: Final = 6  # characters beside the words "remember this"

_NEVER: Final = listed(
    "question_mark question_english hearsay condition roleplay fiction drill pasted "
    "planted taken_back echo forget denial"
)
_DOUBTS: Final = listed(
    "question_korean wh_word others acquaintance passing request_korean "
    "request_english order_negated past you"
)


def _any(candidate: Candidate, names: tuple[str, ...]) -> bool:
    """Tell whether any of the flags is raised."""
    return any(candidate.flags[name] for name in names)


def _wished(candidate: Candidate) -> bool:
    """Tell whether the user asked in this message that this be remembered."""
    rest = REMEMBER.sub("", candidate.clause.text).strip(" ,.!:~")
    return bool(candidate.flags["remember_beside"]) and len(rest) >= SHORTEST_WISH


def is_plain(candidate: Candidate) -> bool:
    """Tell whether the clause is a plain statement or an explicit wish."""
    if _any(candidate, _NEVER):
        return False
    if _wished(candidate):
        return True
    states = words(candidate.clause).has(STATES_KO, STATES_EN)
    own = bool(candidate.flags["me_beside"])
    return states and own and not _any(candidate, _DOUBTS)
