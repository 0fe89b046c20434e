"""SQL of lists of memories, and of what a list in the cache is checked against."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from gieok.database import Transaction
from gieok.kernel.language import Category
from gieok.memories.model import ListRequest, Memory
from gieok.memories.rows import MEMORIES, SELECT
from gieok.privacy import PersonKey

MemoryUses = dict[UUID, tuple[int, datetime | None, float]]
"""How often and when each memory was last used, and how relevant it was then."""
_WHERE_LISTED: Final = """
    WHERE user_id = %(user_id)s AND (NOT %(only_active)s OR (
        is_active AND (expires_at IS NULL OR expires_at > %(at)s)
    )) AND (%(category)s::text IS NULL OR category = %(category)s)
"""
_NEWEST: Final = """
    ORDER BY created_at DESC, memory_id DESC LIMIT %(limit)s OFFSET %(offset)s
"""
_BY_USE: Final = (
    """
    WHERE user_id = %(user_id)s AND memory_id IN (
        SELECT memory_id FROM user_memories
    """
    + _WHERE_LISTED
    + """
        ORDER BY usage_count DESC, created_at DESC, memory_id DESC
        LIMIT %(limit)s OFFSET %(offset)s
    ) ORDER BY usage_count DESC, created_at DESC, memory_id DESC
    """
)
"""Sorts narrow rows, and reads the wide ones of a page only."""


async def list_memories(
    tx: Transaction, key: PersonKey, asked: ListRequest
) -> list[Memory]:
    """Return memories, newest first, or those that prompts had most often first."""
    rows = await tx.fetch_all(
        SELECT + (_BY_USE if asked.by_use else _WHERE_LISTED + _NEWEST),
        {
            "user_id": tx.scope.user_id,
            "only_active": asked.only_active,
            "at": tx.now,
            "category": asked.category,
            "limit": asked.limit,
            "offset": asked.offset,
        },
    )
    return await MEMORIES.read(key, rows)


async def list_inactive(
    tx: Transaction, key: PersonKey, until: datetime
) -> list[Memory]:
    """Return what is out of use and was last said by a time, oldest first."""
    return await MEMORIES.fetch_all(
        tx,
        key,
        """
        (NOT is_active OR expires_at <= %s) AND last_confirmed_at <= %s
        ORDER BY created_at, memory_id
        """,
        tx.now,
        until,
    )


async def count_memories(
    tx: Transaction, *, only_active: bool, category: Category | None = None
) -> tuple[int, datetime | None]:
    """Return how many memories an unlimited list would give, and until when."""
    row = await tx.fetch_one(
        """
        SELECT count(*),
               min(expires_at) FILTER (WHERE is_active AND expires_at > %(at)s)
        FROM user_memories
        """
        + _WHERE_LISTED,
        {
            "user_id": tx.scope.user_id,
            "only_active": only_active,
            "at": tx.now,
            "category": category,
        },
    )
    return (row[0], row[1]) if row else (0, None)


async def list_most_used(tx: Transaction, key: PersonKey, limit: int) -> list[Memory]:
    """Return memories in use that prompts had, the most often used first."""
    return await MEMORIES.fetch_all(
        tx,
        key,
        """
        is_active AND usage_count > 0
          AND (expires_at IS NULL OR expires_at > %s)
        ORDER BY usage_count DESC, memory_id LIMIT %s
        """,
        tx.now,
        limit,
    )


async def count_created(tx: Transaction, starts: Sequence[datetime]) -> list[int]:
    """Return how many memories in use came before the first of times, and from each.

    The times ascend.
    """
    rows = await tx.fetch_all(
        """
        SELECT width_bucket(created_at, %s::timestamptz[]), count(*) FROM user_memories
        WHERE user_id = %s AND is_active AND (expires_at IS NULL OR expires_at > %s)
        GROUP BY 1
        """,
        [list(starts), tx.scope.user_id, tx.now],
    )
    counts = dict(rows)
    return [counts.get(place, 0) for place in range(len(starts) + 1)]


async def read_version_and_uses(
    tx: Transaction, memory_ids: Sequence[UUID]
) -> tuple[str | None, MemoryUses]:
    """Return where the person's change feed stands, and the uses of memories.

    The number comes with its time: after a restore, another change may bear it.
    """
    rows = await tx.fetch_all(
        """
        SELECT counters.head_seq, change.created_at, memory.memory_id,
               memory.usage_count, memory.last_used_at, memory.relevance_score
        FROM user_counters AS counters
        LEFT JOIN memory_updates AS change
            ON change.user_id = counters.user_id AND change.seq = counters.head_seq
        LEFT JOIN user_memories AS memory
            ON memory.user_id = counters.user_id AND memory.memory_id = ANY(%s)
        WHERE counters.user_id = %s
        """,
        [list(memory_ids), tx.scope.user_id],
    )
    if not rows:
        return None, {}
    number, at, *_ = rows[0]
    uses: MemoryUses = {
        row[2]: (row[3], row[4], row[5]) for row in rows if row[2] is not None
    }
    return f"{number} {at}", uses
