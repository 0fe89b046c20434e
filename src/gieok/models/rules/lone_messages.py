"""Short messages that are read once more by themselves.

The judges and the encoders read every message amid its talk: what stands before and
behind it says whether somebody plays, quotes or means it. Of "on warfarin since the
clot" the talk about a printer says nothing, and yet lowers what it is worth. So what is
said in a few words, points at nothing outside and answers nothing is worth at least
what it would be alone, unless anybody in the talk plays, drills or makes something up.
"""

from collections.abc import Collection, Sequence
from itertools import groupby
from typing import Final

from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.terse import LONGEST
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules", "patterns.toml")

MOST: Final = 6
"""Messages of a talk that are read by themselves, the last ones."""
_POINTING: Final = _LISTS.compile_list("terse.pointing")
_LEANING: Final = (
    "answers",
    "question_mark",
    "question_english",
    "question_korean",
    "hearsay",
    "acquaintance",
    "others",
    "remember_beside",
)


def list_lone_messages(
    candidates: Sequence[ClauseCandidate], told: Collection[int]
) -> tuple[int, ...]:
    """Return the messages to read alone, but those of which something was `told`."""
    if not all(each.turn.frame.is_meant for each in candidates):
        return ()
    found = [
        message
        for message, own in groupby(candidates, lambda each: each.turn.index)
        if message not in told and _is_lone([*own])
    ]
    return tuple(found[-MOST:])


def _is_lone(clauses: Sequence[ClauseCandidate]) -> bool:
    """Tell whether the clauses of a message lean on nothing outside it."""
    said = clauses[0].turn.text
    if len(said) > LONGEST or _POINTING.search(said):
        return False
    leaning = any(each.has_flag(*_LEANING) for each in clauses)
    return not leaning and not any(each.is_answer for each in clauses)
