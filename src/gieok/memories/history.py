"""What is noted of a step in the life of a memory: in its history, in the audit log."""

from typing import Final
from uuid import UUID

from gieok.accounts import store as accounts
from gieok.database import Audit, Change, Transaction
from gieok.memories import history_store
from gieok.memories.model import Memory
from gieok.memories.origins import HistoryAction, HistoryEntry
from gieok.pii import TextMasker
from gieok.privacy import PersonKey

TABLE: Final = "user_memories"


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


async def audit_listing(tx: Transaction, table: str, listed: str, count: int) -> None:
    """Audit that so many rows of a person were listed, and of which list."""
    person = tx.scope.user_id
    await accounts.insert_person(tx)
    tx.record_audit(Audit("access", table, person, listed, {"n": count}))


def audit_masked(tx: Transaction, memory_id: UUID, screen: TextMasker) -> None:
    """Audit that something in a memory was masked (A18)."""
    if screen.is_masked:
        tx.record_audit(Audit("mask", TABLE, memory_id, "pii", screen.flags))


async def record_step(tx: Transaction, key: PersonKey, entry: HistoryEntry) -> None:
    """Write one step of a memory's life: history, change feed and audit (D03)."""
    await history_store.insert_entry(tx, key, entry)
    tx.record_changes(Change("user_memory", entry.memory_id))
    event = "create" if entry.action is HistoryAction.CREATED else "update"
    tx.record_audit(
        Audit(
            event,
            TABLE,
            entry.memory_id,
            entry.trigger,
            {
                "action": entry.action.value,
                "old_confidence": entry.old_confidence,
                "new_confidence": entry.new_confidence,
                "session_id": entry.session_id and str(entry.session_id),
            },
        )
    )
