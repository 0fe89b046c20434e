"""Which of the things that a known item coordinates a clause ends, and what goes on.

"당뇨약은 이제 안 먹어" ends one of two in "사용자는 혈압약이랑 당뇨약을 먹는다". Where
it is not sure which, the item stays, and the clause stands by itself.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from gieok.kernel.language import FindingOperation, KnownMemory
from gieok.models.rules.candidates import ClauseCandidate
from gieok.models.rules.changes.coordination import (
    NamedPart,
    list_conjuncts,
    remove_conjunct,
)
from gieok.models.rules.changes.ended_parts import Naming, detect_naming
from gieok.models.rules.changes.relation import ItemRelation
from gieok.models.rules.changes.stated_ends import is_stated_end
from gieok.models.rules.lexicon import KIN_KO, PETS

SURE: Final = 0.8
"""How sure it is that what is plainly said to be over is."""


class PartialEnd(NamedTuple):
    """A clause ends some of what an item coordinates."""

    remaining: str | None
    """The item without it; None if it cannot be cut surely."""
    ended: tuple[NamedPart, ...]


def find_partial_end(item: str, candidate: ClauseCandidate) -> PartialEnd | None:
    """Return what goes on of an item, if a clause names some of it and not all."""
    parts = list_conjuncts(item)
    said = [detect_naming(part, parts, item, candidate) for part in parts]
    if Naming.ABSENT not in said or set(said) == {Naming.ABSENT}:
        return None
    ended = tuple(p for p, how in zip(parts, said, strict=True) if how is Naming.NAMED)
    if Naming.UNSURE in said or _is_family(item, ended):
        return PartialEnd(None, ended)
    return PartialEnd(remove_conjunct(item, [part.text for part in ended]), ended)


def _is_family(item: str, ended: Sequence[NamedPart]) -> bool:
    """Tell whether an item says which relatives there are: they stay, whatever ends."""
    persons = KIN_KO - PETS
    named = any(word in persons for part in ended for word in part.words)
    return named and item.rstrip(" .").endswith("있다")


def split_partial_ends(
    candidates: Sequence[ClauseCandidate],
    known: Sequence[KnownMemory],
    related: Iterable[ItemRelation],
) -> Iterator[ItemRelation]:
    """Yield what clauses do, with what goes on of an item of which some ends.

    What would end all of it although it names only some is left out.
    """
    for one in related:
        candidate = candidates[one.clause]
        ends = one.operation is FindingOperation.DELETE or (
            one.operation is FindingOperation.UPDATE and is_stated_end(candidate, ())
        )
        if one.known is None or one.is_wish or not ends:
            yield one
            continue
        partial = find_partial_end(known[one.known].content, candidate)
        if partial is None:
            yield one
        elif partial.remaining is not None:
            yield replace(
                one,
                operation=FindingOperation.UPDATE,
                remaining=partial.remaining,
                stands=one.operation is FindingOperation.UPDATE,
            )


def find_partial_ends(
    candidates: Sequence[ClauseCandidate],
    known: Sequence[KnownMemory],
    related: Sequence[ItemRelation],
) -> list[ItemRelation]:
    """Return what plainly ends some of an item that nothing was related to yet.

    The judges, who know no lists, doubt it ("I cancelled Hulu").
    """
    touched = {one.known for one in related}
    busy = {one.clause for one in related}
    return [
        ItemRelation(
            place,
            item,
            FindingOperation.UPDATE,
            SURE,
            remaining=partial.remaining,
            stands=True,
        )
        for place, candidate in enumerate(candidates)
        if place not in busy and is_stated_end(candidate, None)
        for item, memory in enumerate(known)
        if item not in touched
        and (partial := find_partial_end(memory.content, candidate)) is not None
        and partial.remaining is not None
        and is_stated_end(candidate, partial.ended)
    ]
