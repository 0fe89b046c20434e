"""What clauses do to known items: change, end, forget or repeat them.

Each needs evidence of its own: that the clause means to (`intent`), and that it is
about this item (`reference`). Below either bar nothing is related, and what the clause
tells stands on its own.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from gieok.kernel.language import FindingOperation
from gieok.models.rules.intent import INTENTS, Intent
from gieok.models.rules.linear import Numbers
from gieok.models.rules.reference import ItemReferences

RIVAL: Final = 0.4
"""How near to the best item another one may come before both are meant."""
MOST_ASKED: Final = 3  # items that a wish may mean
WORTH_ASKING: Final = 0.1
"""How likely a wish means the best item for anything to be asked about."""
LEAST_ASKED: Final = 0.02
"""The same of every item that is asked about: asking costs a question, not a memory.
Of 18 opened wishes that erase nothing at once 12 were asked about rightly with the bar
that erases, 15 with this."""


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


def find_relations(
    intents: Numbers, references: ItemReferences, thresholds: Mapping[str, float]
) -> tuple[ItemRelation, ...]:
    """Return what the clauses do, at most one thing to each known item.

    A clause does one thing; a wish to forget may mean several items.
    """
    found: list[ItemRelation] = []
    for clause in range(len(intents)):
        found += _find_clause_relations(clause, intents, references, thresholds)
    taken: set[int] = set()
    kept: list[ItemRelation] = []
    for one in sorted(
        found, key=lambda one: (-one.is_wish, -one.is_sure, -one.probability)
    ):
        if one.known is None or one.known not in taken:
            kept.append(one)
        if one.known is not None:
            taken.add(one.known)
    return tuple(sorted(kept, key=lambda one: one.clause))


def _find_clause_relations(
    clause: int,
    intents: Numbers,
    references: ItemReferences,
    thresholds: Mapping[str, float],
) -> Iterator[ItemRelation]:
    """Yield what one clause does."""
    chances = {
        intent: float(intents[clause, place]) for place, intent in enumerate(INTENTS)
    }
    if chances[Intent.FORGET] >= thresholds[Intent.FORGET]:
        yield from _find_wish_relations(
            clause, chances[Intent.FORGET], references, thresholds
        )
        return
    known = references.nearest[clause]
    if known < 0:
        return
    if float(references.scores[clause, known]) < thresholds["about"]:
        return
    change, end = chances[Intent.CHANGE], chances[Intent.END]
    outdated = 1 - (1 - change) * (1 - end)
    if outdated >= thresholds["outdated"]:
        ended = end > change * thresholds["value"]
        operation = FindingOperation.DELETE if ended else FindingOperation.UPDATE
        yield ItemRelation(clause, known, operation, outdated)
    elif chances[Intent.REPEAT] >= thresholds[Intent.REPEAT]:
        repeated = chances[Intent.REPEAT]
        yield ItemRelation(clause, known, FindingOperation.REINFORCE, repeated)


def _select_likeliest(about: Numbers, best: float) -> list[int]:
    """Return which items to ask about, the likeliest first."""
    if best < WORTH_ASKING:
        return []
    order: list[int] = np.argsort(-about, kind="stable").tolist()
    return [known for known in order[:MOST_ASKED] if about[known] >= LEAST_ASKED]


def _find_wish_relations(
    clause: int,
    chance: float,
    references: ItemReferences,
    thresholds: Mapping[str, float],
) -> Iterator[ItemRelation]:
    """Yield what one wish to forget means.

    An item is meant without doubt if it is a wish, the item is named, and no other
    comes near it. Whatever else was said of it is meant as well, known or not.
    """
    about = references.scores[clause]
    best = float(about.max(initial=0.0))
    least = max(thresholds["possible"], best * RIVAL)
    possible: list[int] = np.flatnonzero(about >= least).tolist()
    sure = chance >= thresholds["asked"] and len(possible) > 0
    sure = sure and bool((about[possible] >= thresholds["named"]).all())
    for known in possible if sure else _select_likeliest(about, best):
        yield ItemRelation(
            clause,
            known,
            FindingOperation.DELETE,
            chance,
            is_wish=True,
            is_sure=sure,
            about=float(about[known]),
        )
    yield ItemRelation(clause, None, FindingOperation.DELETE, chance, is_wish=True)
