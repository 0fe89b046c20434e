"""Erases sessions, and hides messages that are to be forgotten."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from gieok.database import Audit, Change, Transaction
from gieok.search import entry_store
from gieok.sessions import reader_store
from gieok.sessions import removal_store as store
from gieok.sessions.threads import delete_threads


class RecordedIds(NamedTuple):
    """What was recorded in sessions."""

    messages: Sequence[UUID]
    pairs: Sequence[UUID]


async def list_recorded(tx: Transaction, session_ids: Sequence[UUID]) -> RecordedIds:
    """Return the messages and pairs of sessions."""
    return RecordedIds(
        await store.list_messages(tx, session_ids),
        await store.list_pairs(tx, session_ids),
    )


async def erase_sessions(
    tx: Transaction,
    session_ids: Sequence[UUID],
    recorded: RecordedIds,
    reason: str,
) -> None:
    """Erase sessions with what was recorded in them and LangGraph's states of them.

    Those are the states of a thread, whichever of its sessions go: nobody can tell
    what in them was said in which. What one continued is continued by what continued
    it. The caller holds the sessions and the person's lock.
    """
    tx.record_erasure()
    await delete_threads(tx, await store.list_threads(tx, session_ids))
    await store.relink_sessions(tx, session_ids)
    tx.record_removed_rows("session_messages", recorded.messages)
    await store.delete_sessions(tx, session_ids)
    tx.record_changes(
        *(Change("session", each, "delete") for each in session_ids),
        *(Change("session_message", each, "delete") for each in recorded.messages),
        *(Change("conversation_pair", each, "delete") for each in recorded.pairs),
    )
    tx.record_audit(
        *(Audit("delete", "sessions", each, reason) for each in session_ids)
    )


async def skip_messages(tx: Transaction) -> None:
    """Keep what was said while memory was off from being summed up, found or synced.

    That is what no summary has read until now. Locks sessions.
    """
    withheld = await reader_store.skip_summaries(tx)
    if withheld:
        await entry_store.delete_entries(tx, withheld)
        tx.record_changes(Change("recall_item", tx.scope.user_id, "delete"))
        pairs = await store.list_pairs_of(tx, withheld)
        tx.record_changes(*(Change("conversation_pair", each) for each in pairs))


async def forget_messages(tx: Transaction, message_ids: Sequence[UUID]) -> None:
    """Keep messages from ever being found or extracted again."""
    tx.record_erasure()
    await store.hide_messages(tx, message_ids)
    await entry_store.delete_entries(tx, message_ids)
