"""A stated move replaces the home, though nobody says the old one.

"저 부산으로 이사했어요" shares neither words nor much meaning with "사용자는 강남구에
산다", so nearness does not tell that they are about the same. The slot does: a person
lives in one place, and says plainly that it is another now.

Whoever goes on about a move tells of no other home. So a further move counts only where
it names where to; then it counts however it is put ("actually we ended up in Paju").
"""

from collections.abc import Sequence
from typing import Final

from gieok.kernel.language import Category, FindingOperation, KnownMemory
from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.clauses import Clause
from gieok.models.rules.homes import (
    HomeStatement,
    HomeVerb,
    can_replace,
    find_english_home,
    find_home,
    find_korean_home,
    is_denied,
)
from gieok.models.rules.plain import is_earnest, is_plain
from gieok.models.rules.relation import ItemRelation
from gieok.text.kiwi import get_shared_morphology
from gieok.text.korean import has_hangul
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.models.rules", "patterns.toml")

SURE: Final = 0.9
_MOVED: Final = _LISTS.compile_list("moves.moved")
_LIVES: Final = _LISTS.compile_list("moves.lives")


def find_moves(
    candidates: Sequence[ClauseCandidate],
    known: Sequence[KnownMemory],
    related: Sequence[ItemRelation],
) -> list[ItemRelation]:
    """Return the last move of the user, if nothing was related to their home yet.

    Where homes in several places are known, none is replaced.
    """
    homes = _select_homes(known)
    if {one.known for one in related} & homes.keys():
        return []
    further = find_further_moves(candidates)
    busy = {one.clause for one in related}.union(find_denied_homes(candidates))
    moves = {
        place: find_clause_home(candidate.clause)
        for place, candidate in enumerate(candidates)
        if place not in busy and (place in further or _is_move(candidate))
    }
    has_moved = any(home and home.verb is HomeVerb.MOVED for home in homes.values())
    chosen = _select_move(moves, only_named=has_moved)
    return [
        ItemRelation(chosen, home, FindingOperation.UPDATE, SURE)
        for home in homes
        if chosen is not None
    ]


def find_further_moves(candidates: Sequence[ClauseCandidate]) -> list[int]:
    """Return the clauses that name another home than an earlier message of the talk."""
    told: list[tuple[int, HomeStatement]] = []
    found: list[int] = []
    for place, candidate in enumerate(candidates):
        message = candidate.clause.message
        home = find_clause_home(candidate.clause)
        if home is None or not home.place or not _is_own(candidate):
            continue
        before = [one for said, one in told if said < message][-1:]
        if any(map(home.is_elsewhere, before)) and can_replace(
            home, candidate.turn.text
        ):
            found.append(place)
        if place in found or home.verb is not HomeVerb.CAME:
            told.append((message, home))
    return found


def find_denied_homes(candidates: Sequence[ClauseCandidate]) -> list[int]:
    """Return the clauses that name a home of which their message says "not there".

    It has to say where instead.
    """
    homes = [find_clause_home(candidate.clause) for candidate in candidates]
    return [
        place
        for place, (candidate, home) in enumerate(zip(candidates, homes, strict=True))
        if home
        and is_denied(home, candidate.turn.text)
        and any(
            other and other.is_elsewhere(home)
            for other, beside in zip(homes, candidates, strict=True)
            if beside.clause.message == candidate.clause.message
        )
    ]


def find_clause_home(clause: Clause) -> HomeStatement | None:
    """Return what a clause says of where the user lives, or None."""
    if has_hangul(clause.text):
        return find_korean_home(clause.morphemes)
    return find_english_home(clause.text)


def _select_homes(known: Sequence[KnownMemory]) -> dict[int, HomeStatement | None]:
    """Return the known items that tell the home, none if they name several places.

    One that names none counts where no other does.
    """
    morphology = get_shared_morphology()
    homes = {
        place: find_home(item.content, morphology)
        for place, item in enumerate(known)
        if item.category is Category.LOCATION and _LIVES.search(item.content)
    }
    named = {place: home for place, home in homes.items() if home and home.place}
    if not named:
        return homes if len(homes) == 1 else {}
    first, *others = named.values()
    return {} if any(map(first.is_elsewhere, others)) else {**named}


def _select_move(
    moves: dict[int, HomeStatement | None], *, only_named: bool
) -> int | None:
    """Return the clause of the last place moved to, where it is first told of."""
    chosen, last = None, None
    for place, home in moves.items():
        if home and home.place:
            if last is None or home.is_elsewhere(last):
                chosen = place
            last = home
    if last is None and not only_named:
        return max(moves, default=None)
    return chosen


def _is_move(candidate: ClauseCandidate) -> bool:
    text = candidate.clause.text.replace("’", "'")
    mine = _is_of_user(candidate)
    return mine and _MOVED.search(text) is not None and is_plain(candidate)


def _is_own(candidate: ClauseCandidate) -> bool:
    return _is_of_user(candidate) and is_earnest(candidate)


def _is_of_user(candidate: ClauseCandidate) -> bool:
    return not candidate.flags["kin"] and not candidate.flags["acquaintance"]
