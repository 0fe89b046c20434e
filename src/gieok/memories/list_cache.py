"""A page of memories kept in the cache: sealed, and good for one state of the database.

A page is stamped with the person's change number and its time. It counts only while
the database says the same number, so that no change can be missed, whatever became of
the cache. What changes without a number stays out of it: uses are read each time, and
a page ends when the first of the person's memories expires (D15).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from pydantic import TypeAdapter, ValidationError

from gieok.cache import Cache
from gieok.database import Transaction
from gieok.kernel.errors import TamperedError
from gieok.memories import list_store
from gieok.memories.list_store import MemoryUses
from gieok.memories.model import ListRequest, Memory
from gieok.privacy import PersonKey, Place

TTL: Final = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class MemoryPage:
    """Memories, how many there are in all, and for which state that is true."""

    memories: tuple[Memory, ...]
    total: int
    version: str | None
    made_at: datetime
    until: datetime | None

    @property
    def stamp(self) -> tuple[str | None, datetime]:
        """Return what tells it from another page of the same list."""
        return self.version, self.made_at

    def is_current(self, version: str | None, now: datetime) -> bool:
        """Tell whether the database would give the same."""
        return (
            version is not None
            and version == self.version
            and self.made_at <= now
            and (self.until is None or now < self.until)
        )


_PAGE: Final = TypeAdapter(MemoryPage)


async def read_cached_page(
    cache: Cache, key: PersonKey, user_id: UUID, asked: ListRequest
) -> MemoryPage | None:
    """Return the page that the cache holds, if it opens with the person's key."""
    if key.is_destroyed or not asked.is_cacheable:
        return None
    sealed = await cache.get(build_list_key(user_id, only_active=asked.only_active))
    if sealed is None:
        return None
    try:
        return _PAGE.validate_json(key.open_text(_build_place(asked), user_id, sealed))
    except (TamperedError, ValidationError):
        return None


async def write_cached_page(
    cache: Cache, key: PersonKey, user_id: UUID, asked: ListRequest, page: MemoryPage
) -> None:
    """Keep a page in place of the one before: one for each kind of list."""
    if key.is_destroyed or not asked.is_cacheable:
        return
    text = _PAGE.dump_json(page).decode()
    sealed = key.seal_text(_build_place(asked), user_id, text)
    await cache.put(build_list_key(user_id, only_active=asked.only_active), sealed, TTL)


async def drop_lists(cache: Cache, user_id: UUID) -> bool:
    """Let go of a person's lists, as something in them was erased.

    Nobody would be shown them, but an erased text does not wait, sealed, to expire.
    """
    return await cache.drop(
        build_list_key(user_id, only_active=True),
        build_list_key(user_id, only_active=False),
    )


async def load_page(
    tx: Transaction, key: PersonKey, asked: ListRequest, held: MemoryPage | None
) -> MemoryPage:
    """Return the held page with today's uses if it is true, or a new one."""
    ids = [memory.memory_id for memory in held.memories] if held else []
    version, uses = await list_store.read_version_and_uses(tx, ids)
    if held is not None and held.is_current(version, tx.now) and len(uses) == len(ids):
        return replace(held, memories=tuple(_apply_uses(held.memories, uses)))
    memories = await list_store.list_memories(tx, key, asked)
    total, until = await list_store.count_memories(
        tx, only_active=asked.only_active, category=asked.category
    )
    return MemoryPage(tuple(memories), total, version, tx.now, until)


def build_list_key(user_id: UUID, *, only_active: bool) -> str:
    """Return the name under which a person's list is kept."""
    return f"memories:{user_id}:{'active' if only_active else 'all'}"


def _apply_uses(memories: Sequence[Memory], uses: MemoryUses) -> Iterator[Memory]:
    for memory in memories:
        count, at, relevance = uses[memory.memory_id]
        yield replace(
            memory, usage_count=count, last_used_at=at, relevance_score=relevance
        )


def _build_place(asked: ListRequest) -> Place:
    return Place(
        "cache",
        f"memories {asked.only_active:d} {asked.limit} {asked.offset}"
        f" {asked.category or ''}".rstrip(),
    )
