"""Erases memories with everything that is of them."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from gieok.database import Audit, Change, MemoriesForgotten, Transaction
from gieok.memories import (
    candidate_store,
    pending_receipts,
    profile_documents,
    store,
    withdrawal_store,
)
from gieok.memories.history import TABLE
from gieok.memories.source_store import delete_previews, list_wordless_sessions
from gieok.memories.withdrawal import withdraw_sources
from gieok.privacy import PersonKey
from gieok.sessions.removal import forget_messages
from gieok.sessions.removal_store import list_pairs_of
from gieok.summaries import withdraw_messages, withdraw_wordless

FORGET_REASON: Final = "user_request"
"""Why a memory was erased, in the audit log, if it is to have a receipt."""
RETENTION_REASON: Final = "retention"
"""Why a memory was removed whose time was over."""


async def erase_memories(
    tx: Transaction,
    memory_ids: Sequence[UUID],
    message_ids: Sequence[UUID] = (),
    reason: str = FORGET_REASON,
) -> None:
    """Remove memories with their history, candidates and search entries.

    The earlier versions whose place they took go with them, and what says the same out
    of use. The messages they came from, those of their candidates and those given are
    never found or read again, nor quoted by what else came from them.
    """
    versions = await store.collect_versions(tx, memory_ids)
    await _erase_versions(tx, versions, message_ids, reason)


async def erase_all_memories(tx: Transaction) -> Sequence[UUID]:
    """Remove every memory, active or not, as `erase_memories`; return which."""
    memory_ids = await store.list_ids(tx)
    await _erase_versions(tx, memory_ids)
    return memory_ids


async def _erase_versions(
    tx: Transaction,
    memory_ids: Sequence[UUID],
    message_ids: Sequence[UUID] = (),
    reason: str = FORGET_REASON,
) -> None:
    """Remove memories among which all their versions are."""
    told = await candidate_store.list_source_messages(tx, memory_ids)
    wordless = await list_wordless_sessions(tx, memory_ids)
    sources = [*await store.delete_memories(tx, memory_ids), *told, *message_ids]
    await profile_documents.delete_document(tx)
    for candidate_id in await candidate_store.erase_about(tx, memory_ids, sources):
        tx.record_changes(Change("memory_candidate", candidate_id, "delete"))
    await forget_messages(tx, sources)
    for memory_id in await delete_previews(tx, sources):
        tx.record_changes(Change("user_memory", memory_id))
    for pair_id in await list_pairs_of(tx, sources):
        tx.record_changes(Change("conversation_pair", pair_id))
    await withdraw_messages(tx, sources)
    await withdraw_wordless(tx, wordless)
    for memory_id in memory_ids:
        tx.record_changes(Change("user_memory", memory_id, "delete"))
        tx.record_audit(Audit("delete", TABLE, memory_id, reason))
    if reason == FORGET_REASON:
        await pending_receipts.insert_pending(tx, memory_ids)
    if memory_ids:
        tx.publish(MemoriesForgotten(tx.scope.user_id, tx.scope.user_id))


async def delete_overdue(tx: Transaction, memory_ids: Sequence[UUID]) -> None:
    """Remove memories whose time is over, with their history and candidates.

    The messages they came from stay for as long as those are kept.
    """
    if not memory_ids:
        return
    await store.delete_memories(tx, memory_ids)
    await profile_documents.delete_document(tx)
    for candidate_id in await candidate_store.erase_about(tx, memory_ids, ()):
        tx.record_changes(Change("memory_candidate", candidate_id, "delete"))
    for memory_id in memory_ids:
        tx.record_changes(Change("user_memory", memory_id, "delete"))
        tx.record_audit(Audit("delete", TABLE, memory_id, RETENTION_REASON))


async def erase_messages(
    tx: Transaction, key: PersonKey, message_ids: Sequence[UUID]
) -> Sequence[UUID]:
    """Have what was said never found or read again, and erase what rests on it alone.

    What says the same out of use goes along, as do earlier versions. Returns which
    memories that were.
    """
    resting = await withdrawal_store.list_resting_on(tx, message_ids)
    versions = await store.collect_versions(tx, resting)
    await withdraw_sources(tx, key, [], message_ids, FORGET_REASON)
    await _erase_versions(tx, versions, message_ids)
    tx.record_erasure()
    return versions
