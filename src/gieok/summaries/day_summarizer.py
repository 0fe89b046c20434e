"""Sums up days, from the summaries of the sessions that began on them (A03)."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from gieok.database import (
    Database,
    Transaction,
)
from gieok.kernel.errors import NotFoundError
from gieok.kernel.language import Model, SummaryNote
from gieok.kernel.scope import Scope
from gieok.privacy import PersonKey, Vault
from gieok.settings import SettingsService
from gieok.summaries import day_store as store
from gieok.summaries.aggregation import (
    detect_language,
    merge_texts,
    rank_topics,
    select_unresolved,
)
from gieok.summaries.condensing import CondensedText, condense_notes
from gieok.summaries.fingerprints import compute_day_fingerprint
from gieok.summaries.model import (
    FALLBACK,
    ORIGINAL,
    DaySummary,
    SessionSources,
    is_up_to_date,
)
from gieok.summaries.period_sources import DAYS, PeriodSources, read_period
from gieok.summaries.periods import compute_day_end
from gieok.summaries.session_summarizer import SessionSummarizer


class _DaySources(NamedTuple):
    """A day, what was said on it and what is kept of it."""

    day: date
    period: PeriodSources
    saved: DaySummary | None


@dataclass(frozen=True, slots=True)
class DaySummarizer:
    """Makes what `Summaries.day` returns."""

    database: Database
    vault: Vault
    model: Model
    settings: SettingsService
    sessions: SessionSummarizer
    retention: timedelta

    async def summarize_day(
        self, scope: Scope, day: date, *, asks: bool = True
    ) -> DaySummary | None:
        """Return a day's summary, made anew unless it is current; None without a word.

        Without `asks` the model is known to be away, and is not asked.
        """
        key = await self.vault.get_reading_key(scope)
        while True:
            async with self.database.begin(scope) as tx:
                read = await self._read_sources(tx, key, day)
            if not all(session.is_current for session in read.period.sessions):
                asks = await self._summarize_sessions(
                    scope, read.period.sessions, asks=asks
                )
                async with self.database.begin(scope) as tx:
                    read = await self._read_sources(tx, key, day)
            source_digest = compute_day_fingerprint(read.period.sessions)
            made = None
            if read.period.session_summaries and read.period.is_enabled:
                if is_up_to_date(read.saved, source_digest, asks=asks):
                    return read.saved
                made = await self._condense_day(read, asks=asks)
            async with self.database.begin(scope) as tx:
                await tx.lock_person()
                now = await self._read_sources(tx, key, day)
                if now.period.is_enabled == read.period.is_enabled and (
                    not now.period.is_enabled
                    or compute_day_fingerprint(now.period.sessions) == source_digest
                ):
                    return await self._store_or_delete(tx, key, now, made)

    async def _summarize_sessions(
        self, scope: Scope, sessions: Sequence[SessionSources], *, asks: bool
    ) -> bool:
        """Bring the summaries of sessions up to date; False if the model is away.

        A session that is erased meanwhile has none.
        """
        for session in sessions:
            if not session.is_current:
                with suppress(NotFoundError):
                    made = await self.sessions.summarize_session(
                        scope, session.session_id, asks=asks
                    )
                    asks = asks and not (made and made.needs_model)
        return asks

    async def _read_sources(
        self, tx: Transaction, key: PersonKey, day: date
    ) -> _DaySources:
        return _DaySources(
            day,
            await read_period(tx, key, self.settings, day, days=1),
            await store.get_day(tx, key, day),
        )

    async def _condense_day(self, read: _DaySources, *, asks: bool) -> CondensedText:
        language = detect_language(
            (one.gist.summary for one in read.period.session_summaries),
            read.period.language,
        )
        made = await condense_notes(self.model, _build_notes(read), language, asks=asks)
        summaries = read.period.session_summaries
        if any(one.needs_model for one in summaries):
            return CondensedText(made.text, FALLBACK)
        if any(one.is_fallback for one in summaries) and made.summarizer != FALLBACK:
            return CondensedText(made.text, ORIGINAL)
        return made

    async def _store_or_delete(
        self,
        tx: Transaction,
        key: PersonKey,
        read: _DaySources,
        made: CondensedText | None,
    ) -> DaySummary | None:
        """Keep a summary, unless somebody was faster, or remove one that is not true.

        Where memory is off nothing is made, and what is still true stays.
        """
        kept, source_digest = read.saved, compute_day_fingerprint(read.period.sessions)
        if made is None or not read.period.is_enabled:
            if kept and (kept.source_digest != source_digest or read.period.is_enabled):
                await store.delete_day(tx, read.day)
                DAYS.record_removal(tx, kept)
            return None
        if is_up_to_date(kept, source_digest, asks=made.summarizer != FALLBACK):
            return kept
        summary = self._build_summary(tx, read, made)
        await store.upsert_day(tx, key, summary)
        await DAYS.record_summary(tx, summary)
        return summary

    def _build_summary(
        self, tx: Transaction, read: _DaySources, made: CondensedText
    ) -> DaySummary:
        told, kept = read.period.session_summaries, read.saved
        gists = [one.gist for one in told]
        devices = {one.device_id for one in read.period.sessions if one.usable_summary}
        return DaySummary(
            summary_id=kept.summary_id if kept else tx.new_id(),
            date_key=read.day,
            device_id=devices.pop() if len(devices) == 1 else None,
            text=made.text,
            open_tasks=select_unresolved(
                [(one.open_tasks, one.summary) for one in gists]
            ),
            recent_preferences=merge_texts(one.preferences for one in gists),
            topics=rank_topics(one.topics for one in gists),
            importance=max(one.importance for one in gists),
            source_session_ids=tuple(one.session_id for one in told),
            summarizer=made.summarizer,
            created_at=kept.created_at if kept else tx.now,
            updated_at=tx.now,
            expires_at=compute_day_end(read.day, read.period.zone) + self.retention,
            revision=kept.revision + 1 if kept else 1,
            source_digest=compute_day_fingerprint(read.period.sessions),
        )


def _build_notes(read: _DaySources) -> list[SummaryNote]:
    return [
        SummaryNote(
            one.created_at.astimezone(read.period.zone),
            one.usable_summary.gist.summary,
            one.usable_summary.gist.topics,
            one.usable_summary.gist.importance,
        )
        for one in read.period.sessions
        if one.usable_summary
    ]
