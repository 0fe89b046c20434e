"""Which memories give way when there are more than a person allows (D06)."""

from collections.abc import Sequence
from datetime import datetime

from gieok.memories.decay import effective_confidence
from gieok.memories.model import Memory


def surplus(memories: Sequence[Memory], most: int, now: datetime) -> tuple[Memory, ...]:
    """Return those to archive, weakest first: low confidence, long unused, old."""
    if len(memories) <= most:
        return ()
    return tuple(sorted(memories, key=lambda memory: _worth(memory, now)))[
        : len(memories) - most
    ]


def last_touched(memory: Memory) -> datetime:
    """Return when a memory was last used or confirmed."""
    used = memory.last_used_at or memory.last_confirmed_at
    return max(used, memory.last_confirmed_at)


def _worth(memory: Memory, now: datetime) -> tuple[float, datetime, datetime]:
    touched = last_touched(memory)
    left = effective_confidence(memory.confidence, touched, now)
    return left, touched, memory.created_at
