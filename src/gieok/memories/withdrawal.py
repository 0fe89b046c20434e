"""Takes back what was learned from sessions that are about to be removed."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple
from uuid import UUID

from gieok.database import Audit, Change, Transaction
from gieok.memories import (
    candidate_store,
    profile_documents,
    store,
    withdrawal_store,
)
from gieok.memories.source_store import list_by_sources
from gieok.privacy import PersonKey

REASON: Final = "session_deleted"


class WithdrawnIds(NamedTuple):
    """What went with the sessions; what stayed rests on other sessions alone."""

    memories: Sequence[UUID]
    candidates: Sequence[UUID]


async def withdraw_sources(
    tx: Transaction,
    key: PersonKey | None,
    session_ids: Sequence[UUID],
    message_ids: Sequence[UUID],
    reason: str = REASON,
) -> WithdrawnIds:
    """Erase what rests only on these sessions, and take them out of what rests on more.

    What was said in sessions counts whether or not its messages are kept. Without
    sessions, it is the messages alone that it takes out; without a key, what is left
    cannot be read.

    A memory that one of them made outdated stays outdated: what was said before is
    not true again because somebody deletes what was said later. The caller holds the
    person's lock.
    """
    if session_ids:
        claimed = await withdrawal_store.list_claimed_messages(tx, session_ids)
        message_ids = list({*message_ids, *claimed})
        memories = await withdrawal_store.list_resting_on_sessions(
            tx, session_ids, message_ids
        )
    else:
        memories = await withdrawal_store.list_resting_on(tx, message_ids)
    await store.delete_memories(tx, memories)
    await profile_documents.delete_document(tx)
    candidates = await withdrawal_store.delete_candidates(tx, message_ids, memories)
    candidates += await candidate_store.delete_message_questions(tx, message_ids)
    kept = await _trim_memories(tx, key, session_ids, message_ids, candidates)
    kept_candidates = await withdrawal_store.trim_candidates(
        tx, session_ids, message_ids
    )
    await withdrawal_store.trim_history(tx, session_ids)
    tx.record_changes(
        *(Change("user_memory", each, "delete") for each in memories),
        *(Change("user_memory", each) for each in kept),
        *(Change("memory_candidate", each, "delete") for each in candidates),
        *(Change("memory_candidate", each) for each in kept_candidates),
    )
    for table, gone, rest in (
        ("user_memories", memories, kept),
        ("memory_candidates", candidates, kept_candidates),
    ):
        tx.record_audit(*(Audit("delete", table, each, reason) for each in gone))
        tx.record_audit(*(Audit("update", table, each, reason) for each in rest))
    return WithdrawnIds(memories, candidates)


async def _trim_memories(
    tx: Transaction,
    key: PersonKey | None,
    session_ids: Sequence[UUID],
    message_ids: Sequence[UUID],
    candidate_ids: Sequence[UUID],
) -> Sequence[UUID]:
    """Take sources out of memories, and seal those anew that could be read before."""
    gone = (session_ids, message_ids, candidate_ids)
    resting = await list_by_sources(tx, key, *gone) if key else []
    kept = await withdrawal_store.trim_memories(tx, *gone)
    for memory in resting:
        if key and (left := kept.get(memory.memory_id)):
            await store.reseal_memory(tx, key, replace(memory, **left._asdict()))
    return list(kept)
