"""SQL of what a list kept in the cache is checked against."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from gieok.database import Transaction

MemoryUses = dict[UUID, tuple[int, datetime | None, float]]
"""How often and when each memory was last used, and how relevant it was then."""


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
