"""What clauses do to known items: change, end, forget or repeat them.

Each needs evidence of its own: that the clause means to (`intent`), and that it is
about this item (`reference`). Below either bar nothing is related, and what the clause
tells stands on its own.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from gieok.kernel.language import FindingOperation, KnownMemory
from gieok.models.rules.intent import INTENTS, Intent
from gieok.models.rules.linear import Numbers
from gieok.models.rules.reference import ItemReferences
from gieok.models.rules.wishes.certainty import (
    LIKELY_WISH,
    MAX_ASKED,
    POSSIBLY_MEANT,
    SURELY_MEANT,
    WORTH_ASKING,
)

PLAINLY_ABOUT: Final = 0.6
PLAINLY_STATED: Final = 0.9
"""Confidence that something known is changed or ended as a clause states outright."""
MIN_OWN: Final = 0.6
"""Share of the bar for a change that a clause which changes something reaches alone."""
MIN_ASKED: Final = 0.1
"""The same of every item that is asked about. Of 58 items of less that were asked about
beside a likelier one 7 were meant, and whoever says yes to all of them loses them."""


@dataclass(frozen=True, slots=True)
class ItemRelation:
    """A clause does something to a known item.

    `known` is None for a wish to forget what is no known item. A wish that `is_sure`
    names this item and no other.
    """

    clause: int
    known: int | None
    operation: FindingOperation
    probability: float
    is_wish: bool = False
    is_sure: bool = True
    about: float = 1.0
    """How likely a wish means this item, if it means any."""
    remaining: str = ""
    """What goes on of an item of which only some ends."""
    stands: bool = False
    """Whether the clause is told besides, as something new."""


@dataclass(frozen=True, slots=True)
class ClauseContext:
    """What is known of the clauses besides what the judges say of each."""

    messages: Sequence[int] = ()
    """The message of each clause; what its clauses say of an item counts together."""
    wishes: Mapping[int, Numbers] = field(default_factory=dict[int, Numbers])
    """By the clause of a wish to forget: how likely it means each known item."""


def drop_changes(
    related: Sequence[ItemRelation],
    known: Sequence[KnownMemory],
    is_mistaken: Callable[[int, str], bool],
) -> list[ItemRelation]:
    """Return relations without the changes and ends that are mistaken.

    `is_mistaken` is asked of the place of a clause and the content of a known item;
    wishes to forget and repetitions stay.
    """
    return [
        one
        for one in related
        if one.is_wish
        or one.known is None
        or one.operation is FindingOperation.REINFORCE
        or not is_mistaken(one.clause, known[one.known].content)
    ]


def find_relations(
    intents: Numbers,
    references: ItemReferences,
    thresholds: Mapping[str, float],
    context: ClauseContext | None = None,
) -> tuple[ItemRelation, ...]:
    """Return what the clauses do, at most one thing to each known item.

    A clause does one thing; a wish to forget may mean several items. One that is not
    sure asks about nothing that another clause plainly changes, and a clause that gives
    an item a new value goes before one that says only that the old is over.
    """
    context = context or ClauseContext()
    outdated = _merge_outdated(intents, references, context.messages)
    found: list[ItemRelation] = []
    for clause in range(len(intents)):
        found += _find_clause_relations(
            clause,
            intents,
            references,
            {**thresholds, "combined": outdated[clause]},
            context.wishes,
        )
    taken: set[int] = set()
    kept: list[ItemRelation] = []
    for one in sorted(found, key=_rank_relation):
        if one.known is None or one.known not in taken:
            kept.append(one)
        if one.known is not None:
            taken.add(one.known)
    return tuple(sorted(kept, key=lambda one: one.clause))


def _rank_relation(one: ItemRelation) -> tuple[bool, bool, bool, float]:
    updates = one.operation is FindingOperation.UPDATE
    return (not one.is_sure, not one.is_wish, not updates, -one.probability)


def _compute_outdated(chances: Numbers) -> float:
    """Return how likely a clause changes or ends something."""
    change, end = (chances[INTENTS.index(i)] for i in (Intent.CHANGE, Intent.END))
    return float(1 - (1 - change) * (1 - end))


def _merge_outdated(
    intents: Numbers, references: ItemReferences, messages: Sequence[int]
) -> list[float]:
    """Return how likely each clause's item is changed or ended by its message."""
    places = messages or range(len(intents))
    kept: dict[tuple[int, int], float] = {}
    keys = [*zip(places, references.nearest, strict=True)]
    for clause, key in enumerate(keys):
        if key[1] >= 0:
            about = float(references.scores[clause, key[1]])
            gone = about * _compute_outdated(intents[clause])
            kept[key] = kept.get(key, 1.0) * (1 - gone)
    return [1 - kept.get(key, 1.0) for key in keys]


def _find_clause_relations(
    clause: int,
    intents: Numbers,
    references: ItemReferences,
    thresholds: Mapping[str, float],
    wishes: Mapping[int, Numbers],
) -> Iterator[ItemRelation]:
    """Yield what one clause does."""
    chances = {
        intent: float(intents[clause, place]) for place, intent in enumerate(INTENTS)
    }
    meant = wishes.get(clause, np.zeros(0))
    if chances[Intent.FORGET] >= thresholds[Intent.FORGET]:
        yield from _find_wish_relations(
            clause, chances[Intent.FORGET], meant, thresholds
        )
        return
    known = references.nearest[clause]
    if known < 0:
        return
    about = float(references.scores[clause, known])
    if _is_likely_wish(chances, float(meant.max(initial=0.0))):
        likeliest = int(meant.argmax())
        yield ItemRelation(
            clause,
            likeliest,
            FindingOperation.DELETE,
            chances[Intent.FORGET],
            is_wish=True,
            is_sure=False,
            about=float(meant[likeliest]),
        )
    elif about >= thresholds["about"]:
        yield from _find_effect(clause, known, chances, thresholds)


def _find_effect(
    clause: int,
    known: int,
    chances: Mapping[Intent, float],
    thresholds: Mapping[str, float],
) -> Iterator[ItemRelation]:
    """Yield what a clause that is about a known item does to it."""
    change, end = chances[Intent.CHANGE], chances[Intent.END]
    repeated = chances[Intent.REPEAT]
    outdated = 1 - (1 - change) * (1 - end)
    told = outdated >= max(repeated, thresholds["outdated"] * MIN_OWN)
    if told and thresholds["combined"] >= thresholds["outdated"]:
        ended = end > change * thresholds["value"]
        operation = FindingOperation.DELETE if ended else FindingOperation.UPDATE
        yield ItemRelation(clause, known, operation, outdated)
    elif repeated >= thresholds[Intent.REPEAT]:
        yield ItemRelation(clause, known, FindingOperation.REINFORCE, repeated)


def _is_likely_wish(chances: Mapping[Intent, float], about: float) -> bool:
    """Tell whether it may be a wish, and what it would be about is plain."""
    rest = max(chance for intent, chance in chances.items() if intent != Intent.FORGET)
    likely = chances[Intent.FORGET] >= max(LIKELY_WISH, rest)
    return likely and about >= PLAINLY_ABOUT


def _select_likeliest(meant: Numbers) -> list[int]:
    """Return which items to ask about, the likeliest first."""
    if meant.max(initial=0.0) < WORTH_ASKING:
        return []
    order: list[int] = np.argsort(-meant, kind="stable").tolist()
    return [known for known in order[:MAX_ASKED] if meant[known] >= MIN_ASKED]


def _find_wish_relations(
    clause: int, chance: float, meant: Numbers, thresholds: Mapping[str, float]
) -> Iterator[ItemRelation]:
    """Yield what one wish to forget means; `meant` says how likely it means each item.

    Items are meant without doubt if it is a wish, and whatever it may mean it surely
    means. Whatever else was said of them is meant as well, known or not.
    """
    possible: list[int] = np.flatnonzero(meant >= POSSIBLY_MEANT).tolist()
    sure = chance >= thresholds["asked"] and len(possible) > 0
    sure = sure and bool((meant[possible] >= SURELY_MEANT).all())
    for known in possible if sure else _select_likeliest(meant):
        yield ItemRelation(
            clause,
            known,
            FindingOperation.DELETE,
            chance,
            is_wish=True,
            is_sure=sure,
            about=float(meant[known]),
        )
    yield ItemRelation(clause, None, FindingOperation.DELETE, chance, is_wish=True)
