"""The profile card: what is known of a person, in the six places of C01."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final
from uuid import UUID

from gieok.kernel.language import CardField

CardDocument = dict[str, str | list[str]]
"""A card as C01 writes it: what is not known is not there, nothing known is `{}`."""


@dataclass(frozen=True, slots=True)
class CardValue:
    """One value of a card and what it rests on.

    `memory_ids` are the memories that say it, the oldest first; `session_id` is the
    session of the first, where it was extracted; `at` is when the value was last
    confirmed. `confidence` is the greatest of the memories', as then confirmed.
    """

    value: str
    memory_ids: tuple[UUID, ...]
    session_id: UUID | None
    at: datetime
    confidence: float


@dataclass(frozen=True, slots=True)
class ReplacedValue:
    """A value that a newer one took the place of."""

    field: CardField
    value: CardValue


@dataclass(frozen=True, slots=True)
class Card:
    """What is known of a person; an empty one is false.

    `history` holds what the name and the occupation were before, oldest first.
    """

    values: Mapping[CardField, tuple[CardValue, ...]] = field(
        default_factory=dict[CardField, tuple[CardValue, ...]]
    )
    history: tuple[ReplacedValue, ...] = ()

    def __bool__(self) -> bool:
        """Tell whether anything is known."""
        return any(self.values.values())

    def get_values(self, place: CardField) -> tuple[CardValue, ...]:
        """Return the values of a place, in the order in which they came to be known."""
        return self.values.get(place, ())

    def get_replaced_values(self, place: CardField) -> tuple[CardValue, ...]:
        """Return what stood in a place before, oldest first; lists have no past."""
        return tuple(past.value for past in self.history if past.field is place)

    def to_document(self) -> CardDocument:
        """Return the card as C01 writes it."""
        document: CardDocument = {}
        for place in CardField:
            texts = [known.value for known in self.get_values(place)]
            if texts:
                document[place.value] = texts if place.is_list else texts[-1]
        return document


EMPTY_CARD: Final = Card()
