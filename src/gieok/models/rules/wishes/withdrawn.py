"""Wishes to forget that are taken back: "forget my job. no wait, keep it".

Nothing is erased and nobody is asked then. It may be taken back in the same message, or
in a short one that comes next.
"""

from collections.abc import Sequence
from typing import Final

from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.linear import Numbers
from gieok.models.rules.wishes.certainty import LIKELY_WISH
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules.wishes", "patterns.toml")

_TAKEN_BACK: Final = _LISTS.compile_list("wishes.taken_back")
"""What takes back a wish that was said before it."""
_KEEPING: Final = _LISTS.compile_list("wishes.keeping")
"""What says no more than that something stays: it is no wish to leave it out."""
LONGEST_REPLY: Final = 60
"""Characters of a next message that is about the wish."""


def find_withdrawn_wishes(
    candidates: Sequence[ClauseCandidate], chances: Numbers
) -> frozenset[int]:
    """Return the wishes that are taken back, and the clauses that take them back.

    `chances` say how likely each clause asks to forget something. What only says that
    something stays is among them, whatever was said before: "leave that in" sounds
    like a wish to leave it out.
    """
    messages = list(dict.fromkeys(each.clause.message for each in candidates))
    withdrawn: set[int] = set()
    for back, candidate in enumerate(candidates):
        text = candidate.clause.text
        keeps = _KEEPING.search(text) is not None
        if not (keeps or _TAKEN_BACK.search(text)):
            continue
        place = messages.index(candidate.clause.message)
        is_reply = len(candidate.turn.text) <= LONGEST_REPLY
        meant = messages[max(0, place - is_reply) : place + 1]
        wishes = [
            n
            for n, each in enumerate(candidates[:back])
            if each.clause.message in meant and chances[n] >= LIKELY_WISH
        ]
        alone = keeps and not candidate.flags["forget"]
        withdrawn.update([*wishes, back] if wishes or alone else ())
    return frozenset(withdrawn)
