"""Whoever moved again, or changed jobs again, lives and works elsewhere now.

"moved again, Hull now" and "third salon this year, Sidcup" say in a fragment what
`moves` reads in a sentence. A person has one home and one work; where several are
known, none is replaced.
"""

from collections.abc import Callable, Sequence
from typing import Final

from gieok.kernel.language import FindingOperation, KnownMemory
from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.changes.relation import (
    PLAINLY_STATED,
    ItemRelation,
    drop_changes,
)
from gieok.models.rules.clause_texts import is_english
from gieok.models.rules.english.retelling import trim_opening
from gieok.models.rules.flags import ABOUT_OTHERS, NOT_ASSERTED
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules.changes", "terse_moves.toml")

_HOME: Final = _LISTS.compile_list("terse_moves.home")
_MOVED: Final = _LISTS.compile_list("terse_moves.moved")
_NOT_MOVED: Final = _LISTS.compile_list("terse_moves.not_moved")
_OTHER_MOVED: Final = _LISTS.compile_list("terse_moves.other_moved")
_MAY_MOVE: Final = _LISTS.compile_list("terse_moves.may_move")
_PLACE: Final = _LISTS.compile_list("terse_moves.place")
_WORK: Final = _LISTS.compile_list("terse_moves.work")
_ATTENDED: Final = _LISTS.compile_list("terse_moves.attended")
_ELSEWHERE: Final = _LISTS.compile_list("terse_moves.attended_elsewhere")
_CHANGED_WORK: Final = _LISTS.compile_list("terse_moves.changed_work")
_CHANGED_WORKPLACE: Final = _LISTS.compile_list("terse_moves.changed_workplace")


def find_terse_moves(
    candidates: Sequence[ClauseCandidate], known: Sequence[KnownMemory]
) -> list[ItemRelation]:
    """Return which clauses say that the known home, or work, is another now."""
    contents = [item.content for item in known]
    homes = [place for place, text in enumerate(contents) if _HOME.search(text)]
    works = [place for place, text in enumerate(contents) if _is_work(text)]
    found: list[ItemRelation] = []
    for places, is_change in ((homes, is_home_move), (works, is_work_change)):
        if len(places) == 1:
            item = places[0]
            found += _find_last(candidates, item, contents[item], is_change)
    return found


def _find_last(
    candidates: Sequence[ClauseCandidate],
    item: int,
    content: str,
    is_change: Callable[[ClauseCandidate, str], bool],
) -> list[ItemRelation]:
    """Return what the last clause that changes an item does to it."""
    places = [n for n, each in enumerate(candidates) if is_change(each, content)]
    update = FindingOperation.UPDATE
    return [ItemRelation(place, item, update, PLAINLY_STATED) for place in places[-1:]]


def is_home_move(candidate: ClauseCandidate, content: str) -> bool:
    """Tell whether a clause says that the user, known to live somewhere, moved."""
    text = _read_own(candidate)
    if not _MOVED.search(text):
        return False
    ongoing = "moving" in text.lower() and is_english(content)
    return not ongoing or _PLACE.search(candidate.turn.text) is not None


def is_work_change(candidate: ClauseCandidate, content: str) -> bool:
    """Tell whether a clause says that the user works elsewhere than is known."""
    text = _read_own(candidate)
    if _CHANGED_WORK.search(text):
        return True
    named = _CHANGED_WORKPLACE.search(text)
    return named is not None and named[0].lower() in content.lower()


def drop_unmoved_homes(
    candidates: Sequence[ClauseCandidate],
    known: Sequence[KnownMemory],
    related: Sequence[ItemRelation],
) -> list[ItemRelation]:
    """Return what clauses do, without changes of a home that nobody left."""
    return drop_changes(
        related,
        known,
        lambda place, content: is_unmoved_home(content, candidates[place].turn.text),
    )


def is_unmoved_home(content: str, said: str) -> bool:
    """Tell whether a memory is where somebody lives, and a message names no place.

    Nobody moves by "이 집 나 혼자 쓰게 됐어": where they lived they live.
    """
    return bool(_HOME.search(content)) and not _MAY_MOVE.search(said)


def is_of_others(text: str) -> bool:
    """Tell whether it is a company or a neighbour that a text says moved."""
    return _OTHER_MOVED.search(text) is not None


def _read_own(candidate: ClauseCandidate) -> str:
    """Return what a clause says of the user; nothing if it may be of somebody else."""
    text = candidate.clause.text.replace("’", "'")
    unsure = candidate.has_flag(*NOT_ASSERTED, *ABOUT_OTHERS)
    if unsure or _NOT_MOVED.search(text) or is_of_others(text):
        return ""
    return trim_opening(text) if is_english(text) else text


def _is_work(content: str) -> bool:
    """Tell whether a memory says where the user works."""
    if _WORK.search(content):
        return True
    return _ATTENDED.search(content) is not None and not _ELSEWHERE.search(content)
