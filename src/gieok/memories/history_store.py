"""SQL of what happened to memories (D03): one function, one statement."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from psycopg.rows import TupleRow

from gieok.database import Transaction
from gieok.memories.history_pages import HistoryPlace
from gieok.memories.origins import HistoryAction, HistoryEntry
from gieok.privacy import PersonKey, Place, SealedRows

OLD_CONTENT = Place("memory_history", "old_content")
NEW_CONTENT = Place("memory_history", "new_content")
SELECT: Final = """
    SELECT history_id, memory_id, action, old_content, new_content,
           old_confidence, new_confidence, session_id, trigger, created_at, seq
    FROM memory_history
"""


async def insert_entry(tx: Transaction, key: PersonKey, entry: HistoryEntry) -> None:
    """Append one step of a memory's life, its contents sealed; the person is locked.

    The change that goes with it is recorded after this.
    """
    history_id = tx.new_id()
    await tx.execute(
        """
        INSERT INTO memory_history (
            user_id, history_id, memory_id, action, old_content, new_content,
            old_confidence, new_confidence, session_id, trigger, created_at, seq
        ) VALUES (
            %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s,
            (SELECT head_seq FROM user_counters WHERE user_id = %s FOR UPDATE)
        )
        """,
        [
            tx.scope.user_id,
            history_id,
            entry.memory_id,
            entry.action.value,
            entry.old_content
            and key.seal_text(OLD_CONTENT, history_id, entry.old_content),
            entry.new_content
            and key.seal_text(NEW_CONTENT, history_id, entry.new_content),
            entry.old_confidence,
            entry.new_confidence,
            entry.session_id,
            entry.trigger,
            entry.created_at,
            tx.scope.user_id,
        ],
    )


async def list_history(
    tx: Transaction, key: PersonKey, memory_id: UUID
) -> list[HistoryEntry]:
    """Return the life of a memory, oldest step first."""
    return await _ENTRIES.fetch_all(
        tx, key, "memory_id = %s ORDER BY created_at, history_id", memory_id
    )


async def list_after(
    tx: Transaction,
    key: PersonKey,
    start: HistoryPlace,
    since: datetime | None,
    limit: int,
) -> list[tuple[HistoryPlace, HistoryEntry]]:
    """Return what happened to memories after a place, and a time if given, in order."""
    return await _PLACED.fetch_all(
        tx,
        key,
        """
        (seq, history_id) > (%s, %s)
        AND created_at > coalesce(%s::timestamptz, '-infinity')
        ORDER BY seq, history_id LIMIT %s
        """,
        start.seq,
        start.history_id,
        since,
        limit,
    )


async def list_rewordings(
    tx: Transaction, key: PersonKey, memory_ids: Sequence[UUID]
) -> list[HistoryEntry]:
    """Return where these memories began to say something else."""
    found = await _ENTRIES.fetch_all(
        tx, key, "memory_id = ANY(%s) AND action = 'updated'", list(memory_ids)
    )
    return [each for each in found if each.old_content != each.new_content]


def _parse_entry(key: PersonKey, row: TupleRow) -> HistoryEntry:
    history_id, memory_id, action, old, new, *rest, _ = row
    return HistoryEntry(
        memory_id,
        HistoryAction(action),
        old and key.open_text(OLD_CONTENT, history_id, old),
        new and key.open_text(NEW_CONTENT, history_id, new),
        *rest,
    )


def _parse_placed(key: PersonKey, row: TupleRow) -> tuple[HistoryPlace, HistoryEntry]:
    history_id, *_, seq = row
    return HistoryPlace(seq, history_id), _parse_entry(key, row)


async def delete_entries(tx: Transaction, history_ids: Sequence[UUID]) -> None:
    """Remove steps in the lives of memories."""
    await tx.execute(
        "DELETE FROM memory_history WHERE user_id = %s AND history_id = ANY(%s)",
        [tx.scope.user_id, list(history_ids)],
    )


_ENTRIES: Final = SealedRows("memory_history", SELECT, _parse_entry)
_PLACED: Final = SealedRows("memory_history", SELECT, _parse_placed)
