"""LRU cache of people's indexes, bounded in bytes, each brought up to date by one task.

held = await cache.load_index(person, (incarnation, number), update)
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar
from uuid import UUID
from weakref import WeakValueDictionary

from gieok.search.person_index import PersonIndex

AnyIndex = TypeVar("AnyIndex", bound=PersonIndex)


@dataclass(slots=True)
class IndexCache(Generic[AnyIndex]):
    """The indexes of people, at most `max_bytes` of them; one is always kept.

    `create` returns an empty index of a person's so many-th incarnation.
    """

    create: Callable[[int], AnyIndex]
    max_bytes: int
    _indexes: OrderedDict[UUID, AnyIndex] = field(
        default_factory=OrderedDict[UUID, AnyIndex], init=False, repr=False
    )
    _sizes: dict[UUID, int] = field(
        default_factory=dict[UUID, int], init=False, repr=False
    )
    _total: int = field(default=0, init=False)
    _locks: WeakValueDictionary[UUID, asyncio.Lock] = field(
        default_factory=WeakValueDictionary[UUID, asyncio.Lock], init=False, repr=False
    )

    def find_index(self, person: UUID) -> AnyIndex | None:
        """Return the person's index as it stands, if it is in memory."""
        return self._indexes.get(person)

    async def load_index(
        self,
        person: UUID,
        state: tuple[int, int],
        update: Callable[[AnyIndex], Awaitable[AnyIndex]],
    ) -> AnyIndex:
        """Return the person's index at a state: their incarnation and change number.

        `update` is called with a copy of an index that is behind, by one task at a
        time, and returns it, or another in its place, with what changed since its
        number. What was returned before does not change: it is searched meanwhile.
        """
        incarnation, number = state
        lock = self._locks.setdefault(person, asyncio.Lock())
        async with lock:
            held = self._indexes.get(person)
            if held is None or held.incarnation != incarnation:
                held = self.create(incarnation)
            if number > held.change_number:
                held = await update(held.copy())
                held.change_number = number
            self.store_index(person, held)
        return held

    def store_index(self, person: UUID, held: AnyIndex) -> None:
        """Store a person's index as the one used last; evict those used longest ago."""
        self._indexes[person] = held
        self._indexes.move_to_end(person)
        size = held.size
        self._total += size - self._sizes.get(person, 0)
        self._sizes[person] = size
        while len(self._indexes) > 1 and self._total > self.max_bytes:
            self.remove_index(next(iter(self._indexes)))

    def remove_index(self, person: UUID) -> None:
        """Remove a person's index from memory."""
        self._indexes.pop(person, None)
        self._total -= self._sizes.pop(person, 0)
