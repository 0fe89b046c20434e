"""Keeps the turn of an utterance as a pair, once, by the code of all turns.

The pair has the request's id, so a request or result that is sent again, and the same
pair pushed by the device later, find it there.
"""

from dataclasses import dataclass
from uuid import UUID

from gieok.accounts import Accounts
from gieok.accounts import store as people
from gieok.accounts.naming import DEVICE
from gieok.database import Database
from gieok.kernel.errors import ConflictError
from gieok.kernel.scope import Scope
from gieok.privacy import PersonKey, Vault
from gieok.sessions import Sessions, Turn
from gieok.sessions.batch import SessionStart, TurnBatch
from gieok.sessions.recording import PreparedTurn, prepare_turn
from gieok.sync import store as feed
from gieok.sync.pushing import can_store, find_erased
from gieok.text.cleaning import clean_name


@dataclass(frozen=True, slots=True)
class ExchangeTurn:
    """A turn on its way in; `pair_id` is the request's id."""

    pair_id: UUID
    session: str
    device: str | None
    turn: Turn
    active_workflow_id: str | None


@dataclass(frozen=True, slots=True)
class TurnRecorder:
    """Keeps turns of the exchange."""

    database: Database
    vault: Vault
    accounts: Accounts
    sessions: Sessions

    async def record(self, scope: Scope, spoken: ExchangeTurn) -> bool:
        """Keep a turn unless it is there; tell whether it is kept.

        It is not where the person does not agree to that, or erased it before.

        Raises:
            InvalidInputError: a text that cannot be kept; nothing was written.
            ConflictError: the session is another device's, or paused.
        """
        session_id = self.accounts.session_id(scope, spoken.session)
        before = self.sessions.get_recent_texts(scope, session_id)
        prepared = await prepare_turn(spoken.turn, before, pair_id=spoken.pair_id)
        key = await self.vault.get_key(scope)
        async with self.database.begin(scope) as tx:
            await people.insert_person(tx)
            batch = self.sessions.create_batch(tx, key)
            missing = await batch.lock({session_id})
            await tx.lock_person()
            ids = {spoken.pair_id}
            if await feed.find_pairs(tx, ids):
                return True
            is_gone = await feed.find_deleted_pairs(tx, ids) or await find_erased(
                tx, self.vault.keystore.ledger, missing
            )
            if is_gone or not await can_store(tx):
                return False
            await self._write(batch, key, spoken, session_id, prepared)
            changed = await batch.list_changed()
        await self.sessions.publish_batch(scope, batch, changed)
        return True

    async def _write(
        self,
        batch: TurnBatch,
        key: PersonKey,
        spoken: ExchangeTurn,
        session_id: UUID,
        prepared: PreparedTurn,
    ) -> None:
        session = batch.find_session(session_id)
        device_id = None
        if spoken.device is not None:
            device_id = await self.accounts.register(
                batch.tx, key, DEVICE, spoken.device
            )
        if session is None:
            most = None if device_id is None else self.sessions.device_pairs
            await batch.start(session_id, SessionStart(device_id, None, most))
        elif device_id is not None and session.device_id not in {None, device_id}:
            reason = "the session is another device's"
            raise ConflictError(reason)
        await batch.write(session_id, prepared)
        named = spoken.active_workflow_id
        name = named and clean_name("active_workflow_id", named)
        await batch.set_workflow(session_id, name or None)
