"""Sums up single sessions."""

from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from gieok.accounts import store as accounts
from gieok.database import (
    Audit,
    Change,
    Database,
    PeriodEnded,
    Transaction,
    schedule_event,
)
from gieok.kernel.errors import (
    ModelRefusedError,
    ModelUnavailableError,
    NotFoundError,
)
from gieok.kernel.language import Conversation, Gist, Model
from gieok.kernel.logs import get_logger
from gieok.kernel.scope import Scope
from gieok.privacy import PersonKey, Vault
from gieok.sessions.masking import mask_unmasked
from gieok.sessions.message_store import list_messages
from gieok.sessions.model import Message
from gieok.settings import SettingsService
from gieok.settings.consent_rules import can_store_texts
from gieok.summaries import session_store as store
from gieok.summaries.model import (
    FALLBACK,
    ORIGINAL,
    SessionSources,
    SessionSummary,
)
from gieok.summaries.periods import compute_day_end, resolve_day
from gieok.summaries.session_drafts import (
    build_conversation,
    build_fallback,
    clean_draft,
)

log = get_logger("gieok.summaries")

MAX_MESSAGES = 1_000
"""Messages of a session that are read at once, the last ones."""


class _PendingSummary(NamedTuple):
    """A session whose summary is not current, and what it is to be made of."""

    sources: SessionSources
    messages: tuple[Message, ...]
    conversation: Conversation
    zone: ZoneInfo

    @property
    def outliving(self) -> SessionSummary | None:
        """The summary of what is no longer kept, where nothing else is left."""
        return None if self.messages else self.sources.usable_summary

    @property
    def message_ids(self) -> tuple[UUID, ...]:
        if self.outliving:
            return self.outliving.message_ids
        return tuple(message.message_id for message in self.messages)

    @property
    def first_position(self) -> int:
        if self.outliving:
            return self.outliving.first_position
        return self.messages[0].position if self.messages else 0


class _SessionDraft(NamedTuple):
    draft: Gist
    summarizer: str


@dataclass(frozen=True, slots=True)
class SessionSummarizer:
    """Makes what `Summaries.session` returns."""

    database: Database
    vault: Vault
    model: Model
    settings: SettingsService
    closing: bool = False
    """Whether days that are over are being summed up already."""

    async def summarize_session(
        self, scope: Scope, session_id: UUID, *, asks: bool = True
    ) -> SessionSummary | None:
        """Return a session's summary, made anew unless it is current.

        Without `asks` the model is known to be away, and is not asked.

        Raises:
            NotFoundError: the person has no such session.
        """
        key = await self.vault.get_reading_key(scope)
        while True:
            found = await self._read_pending(scope, key, session_id)
            if not isinstance(found, _PendingSummary):
                return found
            made = await self._request_draft(found, asks=asks)
            if made.summarizer == FALLBACK and _has_stored_fallback(found):
                return found.sources.summary
            async with self.database.begin(scope) as tx:
                if await self._lock_if_unchanged(tx, key, found):
                    return await self._store_summary(tx, key, found, made)

    async def _read_pending(
        self, scope: Scope, key: PersonKey, session_id: UUID
    ) -> _PendingSummary | SessionSummary | None:
        async with self.database.begin(scope) as tx:
            await store.lock_session(tx, session_id)
            sources = await _require_sources(tx, key, session_id)
            if not (await self.settings.read_settings(tx)).is_enabled:
                await _remove_erased(tx, key, sources)
                return None
            if sources.is_current:
                return sources.summary
            await mask_unmasked(tx, key, session_id)
            last = await list_messages(
                tx,
                key,
                session_id,
                start=max(0, sources.message_count - MAX_MESSAGES),
                stop=sources.message_count,
                only_readable=True,
            )
            said = [one for one in last if one.position not in sources.withheld]
            zone = ZoneInfo((await accounts.get_person(tx)).time_zone)
        at = (said[-1].spoken_at if said else sources.created_at).astimezone(zone)
        return _PendingSummary(sources, tuple(said), build_conversation(said, at), zone)

    async def _request_draft(
        self, pending: _PendingSummary, *, asks: bool
    ) -> _SessionDraft:
        kept = pending.outliving
        if kept:
            by = ORIGINAL if kept.needs_model else kept.summarizer
            return _SessionDraft(kept.gist, by)
        if not pending.conversation.messages:
            return _SessionDraft(Gist(""), self.model.name)
        by = FALLBACK
        if asks:
            try:
                gist = await self.model.summarize(pending.conversation)
                return _SessionDraft(
                    clean_draft(gist, pending.conversation), self.model.name
                )
            except ModelUnavailableError as error:
                log.warning(
                    "summary_fell_back",
                    session_id=str(pending.sources.session_id),
                    reason=str(error),
                )
                by = ORIGINAL if isinstance(error, ModelRefusedError) else FALLBACK
        return _SessionDraft(build_fallback(pending.conversation), by)

    async def _lock_if_unchanged(
        self, tx: Transaction, key: PersonKey, read: _PendingSummary
    ) -> bool:
        """Tell whether what was read may be summed up; nobody else writes meanwhile."""
        await store.lock_session(tx, read.sources.session_id)
        sources = await _require_sources(tx, key, read.sources.session_id)
        if not (await self.settings.read_settings(tx)).is_enabled:
            return False
        moved = sources.revision != read.sources.revision
        return not moved and sources.forgotten.isdisjoint(read.message_ids)

    async def _store_summary(
        self,
        tx: Transaction,
        key: PersonKey,
        read: _PendingSummary,
        made: _SessionDraft,
    ) -> SessionSummary | None:
        """Keep a summary, or that there is none, and expect the end of its day."""
        settings = await self.settings.read_settings(tx)
        if not can_store_texts(settings, *_collect_texts(made.draft)):
            made = _SessionDraft(Gist(""), made.summarizer)
        sources = read.sources
        summary = SessionSummary(
            sources.session_id,
            made.draft,
            made.summarizer,
            read.message_ids,
            read.first_position,
            sources.message_count,
            tx.now,
            sources.revision + 1,
        )
        kept = summary if made.draft.summary else None
        await store.update_summary(tx, key, sources, kept, sources.message_count)
        _record_change(tx, sources, kept, "session_summarized")
        end = compute_day_end(resolve_day(sources.created_at, read.zone), read.zone)
        if kept and not (self.closing and end <= tx.now):
            await schedule_event(tx, PeriodEnded, end)
        return kept


def _collect_texts(gist: Gist) -> tuple[str, ...]:
    return (gist.summary, *gist.topics, *gist.open_tasks, *gist.preferences)


def _has_stored_fallback(pending: _PendingSummary) -> bool:
    """Tell whether the fallback of just these messages is kept already."""
    kept = pending.sources.summary
    if kept is None or not kept.needs_model:
        return False
    return kept.message_ids == pending.message_ids


async def _remove_erased(
    tx: Transaction, key: PersonKey, sources: SessionSources
) -> None:
    """Remove a summary that rests on what was forgotten where none may be made."""
    if sources.is_erased:
        await store.update_summary(tx, key, sources, None, sources.summarized_count)
        _record_change(tx, sources, None, "messages_forgotten")


def _record_change(
    tx: Transaction, sources: SessionSources, kept: SessionSummary | None, reason: str
) -> None:
    """Number and audit the change; nothing in place of nothing is none."""
    if kept or sources.summary:
        tx.record_changes(Change("session", sources.session_id))
        tx.record_audit(Audit("update", "sessions", sources.session_id, reason))


async def _require_sources(
    tx: Transaction, key: PersonKey, session_id: UUID
) -> SessionSources:
    sources = await store.get_sources(tx, key, session_id)
    if sources is None:
        thing = "session"
        raise NotFoundError(thing)
    return sources
