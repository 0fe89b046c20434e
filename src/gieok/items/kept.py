"""What is held in memory of people, bounded: the least recently asked go first."""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field
from uuid import UUID
from weakref import WeakValueDictionary

from gieok.items.held import Held


@dataclass(slots=True)
class Kept:
    """The indexes of people, at most `most_bytes` of them."""

    most_bytes: int
    _held: OrderedDict[UUID, Held] = field(default_factory=OrderedDict[UUID, Held])
    _sizes: dict[UUID, int] = field(default_factory=dict[UUID, int])
    _locks: WeakValueDictionary[UUID, asyncio.Lock] = field(
        default_factory=WeakValueDictionary[UUID, asyncio.Lock]
    )

    def get(self, person: UUID) -> Held | None:
        """Return what is held of a person."""
        return self._held.get(person)

    def keep(self, person: UUID, held: Held) -> None:
        """Hold on to a person's index as the one asked last."""
        self._held[person] = held
        self._held.move_to_end(person)
        self._sizes[person] = held.size
        while len(self._held) > 1 and sum(self._sizes.values()) > self.most_bytes:
            self.drop(next(iter(self._held)))

    def drop(self, person: UUID) -> None:
        """Let go of a person's index."""
        self._held.pop(person, None)
        self._sizes.pop(person, None)

    def lock(self, person: UUID) -> asyncio.Lock:
        """Return what one holds who brings a person's index up to date."""
        return self._locks.setdefault(person, asyncio.Lock())
