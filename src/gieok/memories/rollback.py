"""Takes back what came from a session, or since a time: a store that was poisoned."""

from datetime import datetime
from typing import Final
from uuid import UUID

from gieok.database import Audit, Change, Transaction
from gieok.kernel.errors import InvalidInputError
from gieok.memories import rollback_store, store
from gieok.memories.active_memories import ActiveMemories
from gieok.memories.history import build_history_entry, record_step
from gieok.memories.model import Trigger
from gieok.memories.origins import HistoryAction
from gieok.memories.rollback_store import RollbackOrigin
from gieok.memories.store import get_memory
from gieok.privacy import PersonKey
from gieok.settings import Settings

ROLLBACK: Final = Trigger.ROLLBACK


def build_origin(since: datetime | None, session_id: UUID | None) -> RollbackOrigin:
    """Return what narrows a rollback: with both, what came from the session since then.

    Raises:
        InvalidInputError: neither is given, or a time without a zone.
    """
    field = "since"
    if since is None and session_id is None:
        raise InvalidInputError(field, "a time or a session must be given")
    if since is not None and since.tzinfo is None:
        raise InvalidInputError(field, "it must be a time with a zone")
    return {"since": since, "session_id": session_id}


async def roll_back(
    tx: Transaction, key: PersonKey, settings: Settings, origin: RollbackOrigin
) -> list[UUID]:
    """Deactivate memories from there and put back what they replaced or denied.

    The caller holds the person's lock. Returns what is out of use now.
    """
    withdrawn = await rollback_store.list_active_from(tx, origin)
    for memory_id in withdrawn:
        memory = await get_memory(tx, key, memory_id)
        await store.deactivate_memory(tx, key, memory, ROLLBACK)
        await record_step(
            tx,
            key,
            build_history_entry(tx, memory, HistoryAction.DEACTIVATED, ROLLBACK),
        )
    denied = await rollback_store.list_denied_from(tx, origin)
    undone = [*withdrawn, *(each for each, is_from_there in denied if is_from_there)]
    replaced = await rollback_store.list_replaced_by(tx, undone, origin)
    elsewhere = [each for each, is_from_there in denied if not is_from_there]
    for memory_id in dict.fromkeys([*replaced, *elsewhere]):
        if await store.find_active_twin(tx, memory_id) is None:
            memory = await get_memory(tx, key, memory_id)
            await store.reactivate_memory(tx, key, memory, memory.expires_at)
            await record_step(
                tx,
                key,
                build_history_entry(tx, memory, HistoryAction.REACTIVATED, ROLLBACK),
            )
    for candidate_id in await rollback_store.expire_candidates(tx, origin):
        tx.record_changes(Change("memory_candidate", candidate_id))
        tx.record_audit(Audit("update", "memory_candidates", candidate_id, ROLLBACK))
    active = ActiveMemories(tx, key, settings, ROLLBACK)
    await active.load_facts()
    await active.deactivate_surplus()
    return withdrawn
