"""Which session an app and a persona mean, and what a client knows of it.

An app names its sessions as it likes; who names none means the open one with the
persona. A session that is over is followed by another one of the same name.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

from gieok.accounts import Accounts
from gieok.accounts import store as accounts
from gieok.chat import store
from gieok.chat.model import ClientMessage, RemovedMessages
from gieok.chat.reactions import filter_removed, find_unseen
from gieok.database import NoRowError, Transaction
from gieok.kernel.errors import ConflictError
from gieok.kernel.ids import derive_pseudonym
from gieok.kernel.language import Role
from gieok.kernel.offload import run_aside
from gieok.kernel.scope import Scope
from gieok.pii import TextMasker
from gieok.privacy import PersonKey
from gieok.sessions import (
    Message,
    Session,
    Sessions,
    capture,
    session_store,
    transitions,
)
from gieok.sessions.lifecycle import OPEN, SessionLimits, is_expired
from gieok.sessions.masking import MaskedTexts, audit_masked
from gieok.sessions.model import CLIENT_TIME
from gieok.settings import Purpose
from gieok.text.cleaning import clean_json, clean_name

LOOKED_THROUGH: Final = 2_000
"""Messages of one name among which a client's are looked for, the last ones.

What was said before the first of them, by its time, is taken for held.
"""
TRIES: Final = 3
CLIENT_ID: Final = "client_id"
"""Where a message's metadata keeps the client's own id of it."""


@dataclass(frozen=True, slots=True)
class Conversations:
    """The sessions in which people and personas talk."""

    accounts: Accounts
    sessions: Sessions
    thread: UUID | None = None
    """The thread of LangGraph's whose sessions these are; they bear its id as their
    name, so that its states go with them."""

    async def resolve_unsaved(
        self, scope: Scope, persona_id: UUID, name: str | None
    ) -> UUID | None:
        """Return the open session that is meant; one that was saved ends (E03).

        Raises as `find`.
        """
        session_id = await self.find(scope, persona_id, name)
        if session_id is None:
            return None
        async with self.sessions.database.begin(scope) as tx:
            if not await store.is_saved(tx, session_id):
                return session_id
        with suppress(ConflictError):  # somebody else closed it just now
            await self.sessions.close(scope, session_id)
        return None

    async def mark_saved(self, scope: Scope, session_id: UUID) -> None:
        """Note that a session was saved: the next turn begins another one."""
        async with self.sessions.database.begin(scope) as tx:
            await session_store.set_saved(tx, session_id)
            transitions.record_change(tx, session_id, "session_saved")

    async def find(
        self, scope: Scope, persona_id: UUID, name: str | None
    ) -> UUID | None:
        """Return the open session that is meant, if there is one.

        Raises:
            InvalidInputError: a name that is empty, too long or not text.
            ConflictError: the session of this id is another persona's.
        """
        async with self.sessions.database.begin(scope) as tx:
            return await self._open(tx, persona_id, name)

    async def open(self, scope: Scope, persona_id: UUID, name: str | None) -> UUID:
        """Return the open session that is meant, started if there is none.

        However many ask at once, one is started. The person and the persona are known.
        Raises as `find`.
        """
        key = await self.sessions.vault.get_key(scope)
        async with self.sessions.database.begin(scope) as tx:
            await _assign_persona(
                tx, await self._open(tx, persona_id, name), persona_id
            )
            await tx.lock_person()
            return await self._open(tx, persona_id, name) or await self._start(
                tx, key, persona_id, name
            )

    async def merge(
        self,
        scope: Scope,
        persona_id: UUID,
        name: str,
        told: Sequence[ClientMessage],
        screen: TextMasker,
    ) -> UUID | None:
        """Record what the sessions of a name do not hold yet; return the session.

        What they held once is not recorded again, neither what the person erased nor
        what is no longer kept.

        `told` is masked, and `screen` what was found in it.

        It is the one that took the news or, without any, that holds the last message.
        Two who bring the same at once record it once. None when nobody has told
        anything, and then nothing is recorded.

        Raises:
            InvalidInputError: as `find`, or as `filter_removed`.
            ConflictError: as `find`.
        """
        key = await self.sessions.vault.get_key(scope)
        async with self.sessions.database.begin(scope) as tx:
            held, news = await self._find_news(tx, key, persona_id, name, told)
            if not news:
                return await _assign_persona(
                    tx, _find_last_session(held, told), persona_id
                )
        if not any(said.role is Role.USER for said in (*news, *held)):
            return None
        screens = await _scan_each(told)
        for _ in range(TRIES):
            session_id = await self.open(scope, persona_id, name)
            with suppress(NoRowError):  # it ended just now
                async with self.sessions.database.begin(scope) as tx:
                    await session_store.lock_session(tx, session_id)
                    _, news = await self._find_news(tx, key, persona_id, name, told)
                    for said in news:
                        found = screens[said.content]
                        await self._write(tx, key, session_id, said, found)
                    audit_masked(tx, "sessions", session_id, screen)
                self.sessions.writer.cache.publish_hint(scope.user_id, session_id)
                return session_id
        raise ConflictError("the session is closed")

    async def get_names(
        self, scope: Scope, session_ids: Sequence[UUID]
    ) -> Mapping[UUID, str]:
        """Return sessions by the names the app gave them, or by their ids."""
        key = await self.sessions.vault.get_reading_key(scope)
        async with self.sessions.database.begin(scope) as tx:
            named = await store.list_names(tx, key, session_ids)
        return {each: named.get(each, str(each)) for each in session_ids}

    async def _open(
        self, tx: Transaction, persona_id: UUID, name: str | None
    ) -> UUID | None:
        if name is None:
            session = await store.find_last_open(tx, persona_id)
        else:
            session = await self._find_last_named(tx, persona_id, name)
        if session is None or session.status not in OPEN:
            return None
        return (
            None
            if is_expired(self._limits.compute_expiry(session), tx.now)
            else session.session_id
        )

    async def _find_last_named(
        self, tx: Transaction, persona_id: UUID, name: str
    ) -> Session | None:
        named = self._derive_name_id(tx.scope, persona_id, name)
        found = await store.find_last_named(tx, named, _as_id(name))
        if found and found.persona_id not in {None, persona_id}:
            raise ConflictError("the session is with another persona")
        return found

    async def _start(
        self, tx: Transaction, key: PersonKey, persona_id: UUID, name: str | None
    ) -> UUID:
        new = tx.new_id()
        values: dict[str, Any] = {
            "session_id": new,
            "device_id": None,
            "persona_id": persona_id,
            "language": (await accounts.get_person(tx)).language,
            "config": {store.NAME: name} if name else None,
            "expires_at": None,
            "max_pairs": None,
        }
        await transitions.insert_session(tx, key, values, self._limits)
        if name is not None:
            await session_store.set_name(
                tx, new, self._derive_name_id(tx.scope, persona_id, name)
            )
        return new

    async def _find_news(
        self,
        tx: Transaction,
        key: PersonKey,
        persona_id: UUID,
        name: str,
        told: Sequence[ClientMessage],
    ) -> tuple[list[Message], list[ClientMessage]]:
        """Return what the sessions of a name hold, and what of `told` is new to them.

        Asked while the session is locked: an erasure enters the ledger before it locks.
        """
        await self._find_last_named(tx, persona_id, name)
        named, own_id = self._derive_name_id(tx.scope, persona_id, name), _as_id(name)
        held = await store.list_last_messages(tx, key, named, own_id, LOOKED_THROUGH)
        unseen = find_unseen([_to_client_message(message) for message in held], told)
        if unseen.is_empty:
            return held, []
        removed = await self._find_removed(tx, persona_id, named, own_id)
        if len(held) == LOOKED_THROUGH:
            beyond = held[0].spoken_at
            removed = replace(removed, until=max(removed.until or beyond, beyond))
        return held, filter_removed(unseen, removed)

    async def _find_removed(
        self, tx: Transaction, persona_id: UUID, named: UUID, own_id: UUID | None
    ) -> RemovedMessages:
        count, pairs, lost = await store.count_removed(tx, named, own_id)
        names = {named, own_id} if own_id else {named}
        person, ledger = tx.scope.user_id, self.sessions.vault.keystore.ledger
        erased = await ledger.find_last_erasures(person, {*names, persona_id, person})
        refused = await ledger.find_last_refusal(person, Purpose.STORAGE)
        times = [at for at in (lost, refused, *erased.values()) if at]
        return RemovedMessages(
            count,
            pairs,
            max(times, default=None),
            is_erased=not names.isdisjoint(erased),
        )

    async def _write(
        self,
        tx: Transaction,
        key: PersonKey,
        session_id: UUID,
        news: ClientMessage,
        found: TextMasker,
    ) -> None:
        known = {CLIENT_ID: news.id, CLIENT_TIME: news.at and news.at.isoformat()}
        metadata = {name: value for name, value in known.items() if value}
        notes = clean_json("metadata", metadata) if metadata else None
        saying = capture.TurnMessage(
            news.role, news.content, None, metadata, 0, Decimal(0)
        )
        await capture.write_message(
            tx,
            session_id,
            key=key,
            said=saying,
            limits=self._limits,
            screened=MaskedTexts(found, notes=notes),
        )

    def _derive_name_id(self, scope: Scope, persona_id: UUID, name: str) -> UUID:
        clean = clean_name("session_id", name)
        if self.thread is not None:
            return self.thread
        parts = scope.user_id.hex, persona_id.hex, clean
        return derive_pseudonym(self.accounts.naming_secret, "session", *parts)

    @property
    def _limits(self) -> SessionLimits:
        return self.sessions.writer.limits


async def _assign_persona(
    tx: Transaction, session_id: UUID | None, persona_id: UUID
) -> UUID | None:
    """Return a session, which has the persona if it had none."""
    if session_id and await session_store.set_persona(tx, session_id, persona_id):
        transitions.record_change(tx, session_id, "persona_known")
    return session_id


async def _scan_each(told: Sequence[ClientMessage]) -> dict[str, TextMasker]:
    """Return by their words what is found in each of some messages."""

    def screen(text: str) -> TextMasker:
        found = TextMasker()
        _ = found.mask_text(text)
        return found

    texts = {said.content for said in told}
    size = sum(map(len, texts))
    return await run_aside(size, lambda: {text: screen(text) for text in texts})


def _as_id(name: str) -> UUID | None:
    with suppress(ValueError):
        return UUID(name)
    return None


def _to_client_message(message: Message) -> ClientMessage:
    name = message.metadata.get(CLIENT_ID)
    return ClientMessage(
        message.role,
        message.content,
        name if isinstance(name, str) else None,
        message.client_time,
    )


def _find_last_session(
    held: Sequence[Message], told: Sequence[ClientMessage]
) -> UUID | None:
    """Return the session that holds the last message told, or the newest."""
    last = [(said.role, said.content) for said in told[-1:]]
    holding = (m for m in reversed(held) if (m.role, m.content) in last)
    message = next(holding, held[-1] if held else None)
    return message and message.session_id
