"""Keeps the turn of an utterance as a pair, once, by the code of all turns.

The pair has the request's id, so a request or result that is sent again, and the same
pair pushed by the device later, find it there.
"""

from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from gieok.accounts import Accounts
from gieok.accounts import store as people
from gieok.accounts.naming import DEVICE
from gieok.database import Database, Transaction
from gieok.exchange.devices import require_alive
from gieok.kernel.errors import ConflictError
from gieok.kernel.scope import Scope
from gieok.privacy import PersonKey, Vault
from gieok.sessions import RecordedPair, Sessions, Turn, message_store
from gieok.sessions.batch import SessionStart, TurnBatch
from gieok.sessions.capture import PreparedTurn, prepare_turn
from gieok.sessions.repeats import require_same_words
from gieok.settings import Purpose, SettingsService
from gieok.settings.consent_rules import has_storage_consent, require_consent
from gieok.sync import store as feed
from gieok.sync.pushing import find_erased
from gieok.text.cleaning import clean_name, clean_text


@dataclass(frozen=True, slots=True)
class ExchangeTurn:
    """A turn on its way in; `pair_id` is the request's id."""

    pair_id: UUID
    session: str
    device: str | None
    turn: Turn
    active_workflow_id: str | None


class RecordedTurn(NamedTuple):
    """What became of a turn of the exchange."""

    is_kept: bool
    """Not where the person does not agree to that, or erased it before."""
    before: RecordedPair | None = None
    """The pair as it was kept before, where it was and may still be read."""


@dataclass(frozen=True, slots=True)
class TurnRecorder:
    """Keeps turns of the exchange."""

    database: Database
    vault: Vault
    accounts: Accounts
    settings: SettingsService
    sessions: Sessions

    async def record(self, scope: Scope, spoken: ExchangeTurn) -> RecordedTurn:
        """Keep a turn unless it is there.

        Raises:
            InvalidInputError: a text that cannot be kept; nothing was written.
            NotPermittedError: the person keeps memory off their devices.
            DeviceGoneError: the device was shut out or erased.
            ConflictError: the session is another device's, or paused, or the id is
                another utterance's.
        """
        recorded = await self._record(scope, spoken)
        if recorded.before is not None:
            said = clean_text("recognized_text", spoken.turn.user_text)
            require_same_words(recorded.before, said)
        return recorded

    async def _record(self, scope: Scope, spoken: ExchangeTurn) -> RecordedTurn:
        if await self.is_erased(scope):
            return RecordedTurn(is_kept=False)
        session_id = self.accounts.session_id(scope, spoken.session)
        before = self.sessions.writer.recent.get_texts(scope, session_id)
        prepared = await prepare_turn(spoken.turn, before, pair_id=spoken.pair_id)
        key = await self.vault.get_key(scope)
        async with self.database.begin(scope) as tx:
            await people.insert_person(tx)
            require_consent(await self.settings.read_settings(tx), Purpose.SYNC)
            await self._require_device(tx, key, spoken.device)
            batch = self.sessions.writer.create_batch(tx, key)
            missing = await batch.lock({session_id})
            await tx.lock_person()
            there, gone = await message_store.find_pairs(tx, {spoken.pair_id})
            if there:
                return RecordedTurn(
                    is_kept=True,
                    before=await find_recorded_pair(tx, key, spoken.pair_id),
                )
            gone |= await find_erased(tx, self.vault.keystore.ledger, missing)
            if gone or not await has_storage_consent(tx):
                return RecordedTurn(is_kept=False)
            await self._write(batch, key, spoken, session_id, prepared)
            changed = await batch.queue_changed()
        await self.sessions.writer.publish_batch(scope, batch, changed)
        return RecordedTurn(is_kept=True)

    async def is_erased(self, scope: Scope) -> bool:
        """Tell whether the person was erased and has not come back since."""
        keystore, person = self.vault.keystore, scope.user_id
        if await keystore.list_keys(person) or await self.accounts.is_known(scope):
            return False
        return bool(await keystore.ledger.find_erased(person, {person}))

    async def _require_device(
        self, tx: Transaction, key: PersonKey, device: str | None
    ) -> None:
        """Lock a device's cursors, before any session, as a push and an erasure do."""
        if device is not None:
            device_id = self.accounts.device_id(tx.scope, device)
            require_alive(await feed.lock_cursors(tx, key, device_id))

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
            most = (
                None if device_id is None else self.sessions.writer.limits.device_pairs
            )
            await batch.start({session_id: SessionStart(device_id, None, most)})
        elif device_id is not None and session.device_id not in {None, device_id}:
            reason = "the session is another device's"
            raise ConflictError(reason)
        await batch.queue(session_id, [prepared])
        await batch.write()
        named = spoken.active_workflow_id
        name = named and clean_name("active_workflow_id", named)
        await batch.set_workflow(session_id, name or None)


async def find_recorded_pair(
    tx: Transaction, key: PersonKey, pair_id: UUID
) -> RecordedPair | None:
    """Return a pair whose words may still be read; None if there is none."""
    return next(iter(await message_store.list_pairs(tx, key, [pair_id])), None)
