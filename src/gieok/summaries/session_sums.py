"""Sums up single sessions."""

from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import structlog

from gieok.accounts import store as accounts
from gieok.database import Audit, Change, Database, PeriodEnded, Transaction, expect
from gieok.kernel.errors import ModelUnavailableError, NotFoundError
from gieok.kernel.language import Conversation, Gist, Model
from gieok.kernel.scope import Scope
from gieok.privacy import PersonKey, Vault
from gieok.sessions.model import Message
from gieok.sessions.screening import mask_unmasked
from gieok.sessions.store import list_messages
from gieok.settings import SettingsService
from gieok.settings.consenting import may_hold
from gieok.summaries import session_store as store
from gieok.summaries.gists import conversation, original, usable
from gieok.summaries.model import FALLBACK, SessionGround, SessionSummary
from gieok.summaries.periods import day_end, day_of

log = structlog.get_logger("gieok.summaries")

MOST_MESSAGES = 1_000
"""Messages of a session that are read at once, the last ones."""


class _Unsummed(NamedTuple):
    """A session whose sum is not current, and what it is to be made of."""

    ground: SessionGround
    messages: tuple[Message, ...]
    told: Conversation
    zone: ZoneInfo

    @property
    def message_ids(self) -> tuple[UUID, ...]:
        return tuple(message.message_id for message in self.messages)


class _Sum(NamedTuple):
    gist: Gist
    summarizer: str


@dataclass(frozen=True, slots=True)
class SessionSums:
    """Makes what `Summaries.session` returns."""

    database: Database
    vault: Vault
    model: Model
    settings: SettingsService
    closing: bool = False
    """Whether days that are over are being summed up already."""

    async def make(
        self, scope: Scope, session_id: UUID, *, asks: bool = True
    ) -> SessionSummary | None:
        """Return a session's sum, made anew unless it is current.

        Without `asks` the model is known to be away, and is not asked.

        Raises:
            NotFoundError: the person has no such session.
        """
        key = await self.vault.key(scope)
        while True:
            found = await self._read(scope, key, session_id)
            if not isinstance(found, _Unsummed):
                return found
            made = await self._asked(found, asks=asks)
            if made.summarizer == FALLBACK and _stands_in(found):
                return found.ground.summary
            async with self.database.begin(scope) as tx:
                if await self._still(tx, key, found):
                    return await self._put(tx, key, found, made)

    async def _read(
        self, scope: Scope, key: PersonKey, session_id: UUID
    ) -> _Unsummed | SessionSummary | None:
        async with self.database.begin(scope) as tx:
            await store.lock(tx, session_id)
            ground = await _found(tx, key, session_id)
            if not (await self.settings.within(tx)).is_enabled:
                await _withdraw(tx, key, ground)
                return None
            if ground.is_current:
                return ground.summary
            await mask_unmasked(tx, key, session_id)
            last = await list_messages(
                tx,
                key,
                session_id,
                start=max(0, ground.message_count - MOST_MESSAGES),
                stop=ground.message_count,
                with_forgotten=False,
            )
            said = [one for one in last if one.position not in ground.withheld]
            zone = ZoneInfo((await accounts.get(tx)).time_zone)
        at = (said[-1].said_at if said else ground.created_at).astimezone(zone)
        return _Unsummed(ground, tuple(said), conversation(said, at), zone)

    async def _asked(self, unsummed: _Unsummed, *, asks: bool) -> _Sum:
        if not unsummed.told.messages:
            return _Sum(Gist(""), self.model.name)
        if asks:
            try:
                gist = await self.model.summarize(unsummed.told)
                return _Sum(usable(gist, unsummed.told), self.model.name)
            except ModelUnavailableError as error:
                log.warning(
                    "summary_fell_back",
                    session_id=str(unsummed.ground.session_id),
                    reason=str(error),
                )
        return _Sum(original(unsummed.told), FALLBACK)

    async def _still(self, tx: Transaction, key: PersonKey, read: _Unsummed) -> bool:
        """Tell whether what was read may be summed up; nobody else writes meanwhile."""
        await store.lock(tx, read.ground.session_id)
        ground = await _found(tx, key, read.ground.session_id)
        if not (await self.settings.within(tx)).is_enabled:
            return False
        moved = ground.revision != read.ground.revision
        return not moved and ground.forgotten.isdisjoint(read.message_ids)

    async def _put(
        self, tx: Transaction, key: PersonKey, read: _Unsummed, made: _Sum
    ) -> SessionSummary | None:
        """Keep a sum, or that there is none, and expect the end of its day."""
        settings = await self.settings.within(tx)
        if not may_hold(settings, *_words(made.gist)):
            made = _Sum(Gist(""), made.summarizer)
        ground = read.ground
        first = read.messages[0].position if read.messages else 0
        summary = SessionSummary(
            ground.session_id,
            made.gist,
            made.summarizer,
            read.message_ids,
            first,
            ground.message_count,
            tx.now,
            ground.revision + 1,
        )
        kept = summary if made.gist.summary else None
        await store.put(tx, key, ground, kept, ground.message_count)
        _note(tx, ground, kept, "session_summarized")
        end = day_end(day_of(ground.created_at, read.zone), read.zone)
        if kept and not (self.closing and end <= tx.now):
            await expect(tx, PeriodEnded, end)
        return kept


def _words(gist: Gist) -> tuple[str, ...]:
    return (gist.summary, *gist.topics, *gist.open_tasks, *gist.preferences)


def _stands_in(unsummed: _Unsummed) -> bool:
    """Tell whether the fallback of just these messages is kept already."""
    kept = unsummed.ground.summary
    if kept is None or not kept.is_fallback:
        return False
    return kept.message_ids == unsummed.message_ids


async def _withdraw(tx: Transaction, key: PersonKey, ground: SessionGround) -> None:
    """Remove a sum that rests on what was forgotten, where none may be made anew."""
    if ground.is_erased:
        await store.put(tx, key, ground, None, ground.summarized_count)
        _note(tx, ground, None, "messages_forgotten")


def _note(
    tx: Transaction, ground: SessionGround, kept: SessionSummary | None, reason: str
) -> None:
    """Number and audit the change; nothing in place of nothing is none."""
    if kept or ground.summary:
        tx.number(Change("session", ground.session_id))
        tx.audit(Audit("update", "sessions", ground.session_id, reason))


async def _found(tx: Transaction, key: PersonKey, session_id: UUID) -> SessionGround:
    ground = await store.get(tx, key, session_id)
    if ground is None:
        thing = "session"
        raise NotFoundError(thing)
    return ground
