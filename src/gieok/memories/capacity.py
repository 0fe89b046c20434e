"""Which memories give way when there are more than a person allows (D06)."""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from gieok.memories.model import Memory


def select_surplus(
    memories: Sequence[Memory],
    most: int,
    now: datetime,
    confirmed: Collection[UUID] = (),
) -> tuple[Memory, ...]:
    """Return those to archive, weakest first: unpinned, low confidence, unused, old.

    Those `confirmed` just now give way only after all others that are not pinned.
    """
    if len(memories) <= most:
        return ()

    def build_key(memory: Memory) -> tuple[bool, bool, float, datetime, datetime]:
        return (
            memory.is_pinned,
            memory.memory_id in confirmed,
            memory.confidence_at(now),
            memory.last_touched,
            memory.created_at,
        )

    return tuple(sorted(memories, key=build_key)[: len(memories) - most])
