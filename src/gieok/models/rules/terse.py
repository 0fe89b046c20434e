"""Talk of a few short messages: "allergic to bees", "오이 개싫음".

The judges of clauses learned from longer talk and doubt most of what is said in so few
words. Here more of it is worded and read once more (`memory_check`), and less is asked
of it.
"""

from collections.abc import Sequence
from typing import Final

from gieok.models.rules.candidates import ClauseCandidate

MAX_MESSAGES: Final = 2
"""Messages of a terse talk in which anything may be stated."""
LONGEST: Final = 50
"""Characters of each."""
MIN_WORDED: Final = -4.0
"""Log-odds from which what is said in a terse talk is worded, and read once more."""


def is_terse(candidates: Sequence[ClauseCandidate]) -> bool:
    """Tell whether a talk is of a few short messages only.

    What asks to remember something, or answers a question in one word, is read as such.
    """
    if any(each.is_answer or each.flags["remember_beside"] for each in candidates):
        return False
    said = {each.turn.index: each.turn.text for each in candidates}
    return len(said) <= MAX_MESSAGES and all(
        len(text) <= LONGEST for text in said.values()
    )
