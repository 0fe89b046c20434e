"""What a wish to forget means of what is not in use: only what it surely names.

It is never asked about, so here nothing counts that is merely likely. A wish by value
("that I work at Monzo") means what tells that value of the same person; one by kind
("where I work") means whatever is plainly of that kind, earlier values too. What is in
use is weighed along with it: where the same words stand in something else, nothing is
meant for certain.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gieok.kernel.language import (
    Basis,
    Embedder,
    Finding,
    FindingOperation,
    KnownMemory,
    Vectors,
)
from gieok.models.rules.assessment import (
    FORGET,
    ClauseAssessment,
    MeasuredConversation,
    compute_confidence,
)
from gieok.models.rules.candidates import ClauseCandidate, list_messages
from gieok.models.rules.linear import compute_probability
from gieok.models.rules.reader import ABOUT, render_pairs
from gieok.models.rules.reference import is_about_user, remove_subject
from gieok.models.rules.weights import JudgeWeights
from gieok.models.rules.wish_targets import (
    ItemSubject,
    WishSubject,
    build_item_subject,
    find_named_kinds,
    is_named,
    read_wish,
)
from gieok.text.kiwi import Morphology

SURELY_READ: Final = 0.75
"""How likely at least a wish is about an item in other words, as the encoder reads it:
of values of one kind it gave the right ones .93 and more, others .34 at most."""


@dataclass(frozen=True, slots=True)
class KindedItem:
    """Something known, and the one part of a person's life it is plainly about."""

    subject: ItemSubject
    kind: str | None


@dataclass(frozen=True, slots=True)
class UnusedItemJudge:
    """Finds what is not in use among what a conversation asks to forget."""

    embedder: Embedder
    reader: Embedder
    morphology: Morphology
    weights: JudgeWeights

    async def find_wished(
        self,
        material: MeasuredConversation,
        assessed: ClauseAssessment,
        vectors: Vectors,
        unused: Sequence[KnownMemory],
    ) -> tuple[Finding, ...]:
        """Return what is surely meant; `vectors` are those of what is in use."""
        candidates = material.evidence.candidates
        wishes = {
            clause: wish
            for clause in self._list_wishing(assessed)
            if (wish := read_wish(candidates, clause, self.morphology)) is not None
        }
        if not wishes:
            return ()
        bare = [remove_subject(item.content) for item in unused]
        rows = await self.embedder.passages(bare)
        in_use = await asyncio.to_thread(self._read_items, material.known, vectors)
        items = await asyncio.to_thread(self._read_items, unused, rows)
        findings: dict[int, Finding] = {}
        for clause, wish in wishes.items():
            related = find_related_items(wish, items)
            likely = await self._measure_about(candidates, clause, unused, related)
            chance = float(assessed.intents[clause, FORGET])
            for place in select_meant_items(wish, items, in_use, likely):
                findings[place] = Finding(
                    FindingOperation.DELETE,
                    unused[place].content,
                    unused[place].category,
                    compute_confidence(chance),
                    Basis.REQUESTED,
                    list_messages([candidates[clause]]),
                    unused[place].id,
                )
        return tuple(findings.values())

    def _list_wishing(self, assessed: ClauseAssessment) -> list[int]:
        """Return the clauses that surely ask to forget something."""
        sure = assessed.intents[:, FORGET] >= self.weights.thresholds["asked"]
        return np.flatnonzero(sure).tolist()

    def _read_items(
        self, items: Sequence[KnownMemory], vectors: Vectors
    ) -> list[KindedItem]:
        slots = self.weights.slots
        return [
            KindedItem(build_item_subject(item, own, self.morphology), kind)
            for item, own, kind in zip(
                items,
                slots.find_all_slots(vectors),
                slots.find_plain_kinds(vectors),
                strict=True,
            )
        ]

    async def _measure_about(
        self,
        candidates: Sequence[ClauseCandidate],
        clause: int,
        items: Sequence[KnownMemory],
        places: Sequence[int],
    ) -> dict[int, float]:
        """Return how likely a clause is about each of some items, as it is read."""
        pairs = [(clause, place) for place in places]
        read = await self.reader.passages(render_pairs(candidates, items, pairs))
        odds = self.weights.reader.compute_logits(read.astype(np.float64))[:, ABOUT]
        likely: list[float] = compute_probability(odds).tolist()
        return dict(zip(places, likely, strict=True))


def find_related_items(wish: WishSubject, items: Sequence[KindedItem]) -> list[int]:
    """Return the items that share a word with a wish and are about the same people."""
    return [
        place
        for place, item in enumerate(items)
        if any(map(item.subject.has_term, wish.terms))
        and _is_same_person(wish, item.subject)
        and _has_kind(wish, item.subject)
    ]


def select_meant_items(
    wish: WishSubject,
    items: Sequence[KindedItem],
    in_use: Sequence[KindedItem],
    likely: Mapping[int, float],
) -> list[int]:
    """Return the items that a wish surely means.

    `likely` says how likely the wish is about those that share a word with it.
    """
    if not wish.terms:
        return [n for n, item in enumerate(items) if _is_of_kind(wish, item)]
    told = [
        place
        for place in find_related_items(wish, items)
        if is_named(wish, items[place].subject) or likely[place] >= SURELY_READ
    ]
    named = [item for item in in_use if is_named(wish, item.subject)]
    named += [items[place] for place in told]
    return [
        place
        for place in told
        if all(_is_same_topic(items[place], other) for other in named)
    ]


def _is_same_person(wish: WishSubject, item: ItemSubject) -> bool:
    return item.people == wish.people and item.others <= wish.others


def _is_of_kind(wish: WishSubject, item: KindedItem) -> bool:
    """Tell whether an item is of the only kind that a wish names, and of that person.

    What names nobody is the user's if it says so, and has to be plainly of that kind;
    what names the same relatives is also about them.
    """
    subject = item.subject
    if len(wish.kinds) != 1 or not _is_same_person(wish, subject):
        return False
    if wish.people:
        return _has_kind(wish, subject)
    return item.kind in wish.kinds and is_about_user(subject.content)


def _has_kind(wish: WishSubject, item: ItemSubject) -> bool:
    """Tell whether an item is of a kind that a wish names, if it names any."""
    kinds = item.slots | find_named_kinds(item.content)
    return not wish.kinds or not wish.kinds.isdisjoint(kinds)


def _is_same_topic(one: KindedItem, other: KindedItem) -> bool:
    """Tell whether two items that the same words name say something of one kind."""
    alike = one.subject.terms == other.subject.terms
    return alike or (one.kind is not None and one.kind == other.kind)
