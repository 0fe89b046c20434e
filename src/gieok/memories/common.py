"""Steps that several use cases of memories share, each within a transaction."""

from typing import Final
from uuid import UUID

from gieok.database import Audit, Transaction
from gieok.kernel.errors import InvalidInputError, NotFoundError
from gieok.memories import store
from gieok.memories.model import HistoryAction, HistoryEntry, Memory
from gieok.pii import TextMasker
from gieok.privacy import PersonKey

MOST_LISTED: Final = 1_000


def build_history_entry(
    tx: Transaction,
    memory: Memory,
    action: HistoryAction,
    trigger: str = "user_request",
) -> HistoryEntry:
    """Return a step in which neither content nor confidence changes."""
    return HistoryEntry(
        memory.memory_id,
        action,
        memory.content,
        memory.content,
        memory.confidence,
        memory.confidence,
        None,
        trigger,
        tx.now,
    )


def require_limit(limit: int) -> None:
    """Refuse to list that many.

    Raises:
        InvalidInputError: it is not from 1 to 1,000.
    """
    if not 1 <= limit <= MOST_LISTED:
        field = "limit"
        raise InvalidInputError(field, f"it must be from 1 to {MOST_LISTED}")


async def get_memory(tx: Transaction, key: PersonKey, memory_id: UUID) -> Memory:
    """Return a memory, active or not.

    Raises:
        NotFoundError: the person has no such memory.
    """
    memory = await store.find_memory(tx, key, memory_id)
    if memory is None:
        thing = "memory"
        raise NotFoundError(thing)
    return memory


def audit_masked(tx: Transaction, memory_id: UUID, screen: TextMasker) -> None:
    """Audit that something in a memory was masked (A18)."""
    if screen.is_masked:
        tx.record_audit(Audit("mask", "user_memories", memory_id, "pii", screen.flags))
