"""What is held in memory of people, bounded: the least recently asked go first."""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field
from uuid import UUID
from weakref import WeakValueDictionary

from gieok.items.item_index import ItemIndex


@dataclass(slots=True)
class IndexCache:
    """The indexes of people, at most `most_bytes` of them."""

    most_bytes: int
    _indexes: OrderedDict[UUID, ItemIndex] = field(
        default_factory=OrderedDict[UUID, ItemIndex]
    )
    _sizes: dict[UUID, int] = field(default_factory=dict[UUID, int])
    _locks: WeakValueDictionary[UUID, asyncio.Lock] = field(
        default_factory=WeakValueDictionary[UUID, asyncio.Lock]
    )

    def get_index(self, person: UUID) -> ItemIndex | None:
        """Return what is held of a person."""
        return self._indexes.get(person)

    def store_index(self, person: UUID, held: ItemIndex) -> None:
        """Hold on to a person's index as the one asked last."""
        self._indexes[person] = held
        self._indexes.move_to_end(person)
        self._sizes[person] = held.size
        while len(self._indexes) > 1 and sum(self._sizes.values()) > self.most_bytes:
            self.remove_index(next(iter(self._indexes)))

    def remove_index(self, person: UUID) -> None:
        """Let go of a person's index."""
        self._indexes.pop(person, None)
        self._sizes.pop(person, None)

    def get_lock(self, person: UUID) -> asyncio.Lock:
        """Return what one holds who brings a person's index up to date."""
        return self._locks.setdefault(person, asyncio.Lock())
