"""LRU cache of opened cards: reading one of 10,000 values takes a tenth of a second."""

from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from gieok.profile.model import Card

MAX_VALUES: Final = 50_000
"""Values of all cards together, about 20 MB; one card is always kept."""


class OpenedCard(NamedTuple):
    """A stored card that was opened; its version and `made_at` say which."""

    version: str
    made_at: datetime
    card: Card


@dataclass(slots=True)
class CardCache:
    """The cards that were opened last, in this process."""

    max_values: int = MAX_VALUES
    _cards: OrderedDict[UUID, OpenedCard] = field(
        default_factory=OrderedDict[UUID, OpenedCard], init=False, repr=False
    )
    _total: int = field(default=0, init=False)

    def find_card(self, person: UUID) -> OpenedCard | None:
        """Return the person's card as it was opened last, now the one used last."""
        found = self._cards.get(person)
        if found is not None:
            self._cards.move_to_end(person)
        return found

    def store_card(self, person: UUID, opened: OpenedCard) -> None:
        """Store a card; evict those used longest ago."""
        self.remove_card(person)
        self._cards[person] = opened
        self._total += _count_values(opened.card)
        while len(self._cards) > 1 and self._total > self.max_values:
            self.remove_card(next(iter(self._cards)))

    def remove_card(self, person: UUID) -> None:
        """Remove a person's card from memory."""
        gone = self._cards.pop(person, None)
        if gone is not None:
            self._total -= _count_values(gone.card)


def _count_values(card: Card) -> int:
    return sum(map(len, card.values.values())) + len(card.history)
