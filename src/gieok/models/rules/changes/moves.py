"""A stated move replaces the home, though nobody says the old one.

"저 부산으로 이사했어요" shares neither words nor much meaning with "사용자는 강남구에
산다", so nearness does not tell that they are about the same. The slot does: a person
lives in one place, and says plainly that it is another now.
"""

from collections.abc import Sequence
from typing import Final

from gieok.kernel.language import Category, FindingOperation, KnownMemory
from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.changes.relation import PLAINLY_STATED, ItemRelation
from gieok.models.rules.changes.terse_moves import is_of_others
from gieok.models.rules.plain_statements import is_plain
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules", "patterns.toml")

_MOVED: Final = _LISTS.compile_list("moves.moved")
_LIVES: Final = _LISTS.compile_list("moves.lives")


def find_moves(
    candidates: Sequence[ClauseCandidate],
    known: Sequence[KnownMemory],
    related: Sequence[ItemRelation],
) -> list[ItemRelation]:
    """Return the moves of the user that nothing was related to yet.

    Where several homes are known, none is replaced.
    """
    touched = {one.known for one in related}
    homes = [
        place
        for place, item in enumerate(known)
        if item.category is Category.LOCATION and _LIVES.search(item.content)
    ]
    if len(homes) != 1 or homes[0] in touched:
        return []
    moved = [
        place
        for place, candidate in enumerate(candidates)
        if _is_move(candidate) and place not in {one.clause for one in related}
    ]
    return [
        ItemRelation(place, homes[0], FindingOperation.UPDATE, PLAINLY_STATED)
        for place in moved[-1:]
    ]


def select_part_category(content: str, kind: Category) -> Category:
    """Return the category of one of several facts that were told together.

    `kind` is that of all of them: where one lives is a location, what else is told
    with it is none.
    """
    if _LIVES.search(content):
        return Category.LOCATION
    return Category.CONTEXT if kind is Category.LOCATION else kind


def _is_move(candidate: ClauseCandidate) -> bool:
    text = candidate.clause.text.replace("’", "'")
    mine = not candidate.has_flag("kin", "acquaintance")
    moved = _MOVED.search(text) is not None and not is_of_others(text)
    return mine and moved and is_plain(candidate)
