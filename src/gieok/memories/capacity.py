"""Which memories give way when there are more than a person allows (D06)."""

from collections.abc import Sequence
from datetime import datetime

from gieok.memories.model import Memory


def select_surplus(
    memories: Sequence[Memory], most: int, now: datetime
) -> tuple[Memory, ...]:
    """Return those to archive, weakest first: unpinned, low confidence, unused, old."""
    if len(memories) <= most:
        return ()
    return tuple(sorted(memories, key=lambda memory: _build_sort_key(memory, now)))[
        : len(memories) - most
    ]


def _build_sort_key(
    memory: Memory, now: datetime
) -> tuple[bool, float, datetime, datetime]:
    return (
        memory.is_pinned,
        memory.confidence_at(now),
        memory.last_touched,
        memory.created_at,
    )
