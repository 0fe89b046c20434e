"""What is noted of a step in the life of a memory: in its history, in the audit log."""

from uuid import UUID

from gieok.database import Audit, Transaction
from gieok.memories.model import HistoryAction, HistoryEntry, Memory
from gieok.pii import TextMasker


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


def audit_masked(tx: Transaction, memory_id: UUID, screen: TextMasker) -> None:
    """Audit that something in a memory was masked (A18)."""
    if screen.is_masked:
        tx.record_audit(Audit("mask", "user_memories", memory_id, "pii", screen.flags))
