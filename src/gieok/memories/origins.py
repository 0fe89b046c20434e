"""What became of a memory, and what it came from."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from gieok.memories.model import Memory


class HistoryAction(StrEnum):
    """What happened to a memory (D03)."""

    CREATED = "created"
    UPDATED = "updated"
    MERGED = "merged"
    DEACTIVATED = "deactivated"
    REACTIVATED = "reactivated"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One step in the life of a memory."""

    memory_id: UUID
    action: HistoryAction
    old_content: str | None
    new_content: str | None
    old_confidence: float | None
    new_confidence: float | None
    session_id: UUID | None
    trigger: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class MemoryOrigins:
    """Why a memory is as it is.

    `replaced` are the memories it took the place of, `replaced_by` the one that took
    its place. `beside` says nearly the same or contradicts it and is in use as well:
    nothing was said that ends one of the two.
    """

    memory: Memory
    replaced: tuple[Memory, ...]
    replaced_by: tuple[Memory, ...]
    beside: tuple[Memory, ...]
    history: tuple[HistoryEntry, ...]


@dataclass(frozen=True, slots=True)
class ForgetPreview:
    """What goes when a memory is forgotten, before it does."""

    memory: Memory
    versions: tuple[Memory, ...]
    """Earlier memories whose place it took, or that said the same and are out of use;
    they are erased with it."""
    messages: int
    """Messages it came from, which are never found or read again."""
