"""Takes back what came from a session, or since a time: a store that was poisoned."""

from datetime import datetime
from typing import Final
from uuid import UUID

from gieok.database import Audit, Change, Transaction
from gieok.kernel.errors import InvalidInputError
from gieok.memories import rollback_store, store
from gieok.memories.consolidation import note
from gieok.memories.model import HistoryAction
from gieok.memories.steps import found, step
from gieok.privacy import PersonKey

ROLLBACK: Final = "rollback"


def require_origin(since: datetime | None, session_id: UUID | None) -> None:
    """Refuse to roll back everything, or to an unclear time.

    Raises:
        InvalidInputError: neither is given, or a time without a zone.
    """
    field = "since"
    if since is None and session_id is None:
        raise InvalidInputError(field, "a time or a session must be given")
    if since is not None and since.tzinfo is None:
        raise InvalidInputError(field, "it must be a time with a zone")


async def roll_back(
    tx: Transaction,
    key: PersonKey,
    since: datetime | None,
    session_id: UUID | None,
) -> list[UUID]:
    """Deactivate memories from there and put back what they replaced.

    With both, it is what came from the session since then. The caller holds the
    person's lock. Returns what is out of use now.
    """
    origin = {"since": since, "session_id": session_id}
    withdrawn = await rollback_store.active_from(tx, origin)
    for memory_id in withdrawn:
        await store.deactivate(tx, memory_id, ROLLBACK)
        memory = await found(tx, key, memory_id)
        await note(tx, key, step(tx, memory, HistoryAction.DEACTIVATED, ROLLBACK))
    for memory_id in await rollback_store.replaced_by(tx, withdrawn):
        if await store.active_twin(tx, memory_id) is None:
            memory = await found(tx, key, memory_id)
            await store.reactivate(tx, memory_id, memory.expires_at)
            await note(tx, key, step(tx, memory, HistoryAction.REACTIVATED, ROLLBACK))
    for candidate_id in await rollback_store.expire_candidates(tx, origin):
        tx.number(Change("memory_candidate", candidate_id))
        tx.audit(Audit("update", "memory_candidates", candidate_id, ROLLBACK))
    return withdrawn
