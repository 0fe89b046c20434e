"""Sums up ISO weeks, from the summaries of their days (A04)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import NamedTuple

from gieok.database import (
    Database,
    Transaction,
)
from gieok.kernel.language import Model, SummaryNote
from gieok.kernel.scope import Scope
from gieok.privacy import PersonKey, Vault
from gieok.settings import SettingsService
from gieok.summaries import week_store as store
from gieok.summaries.aggregation import (
    detect_language,
    select_repeated,
    select_unresolved,
)
from gieok.summaries.condensing import CondensedText, condense_notes
from gieok.summaries.day_summarizer import DaySummarizer
from gieok.summaries.fingerprints import compute_week_fingerprint, merge_fingerprints
from gieok.summaries.model import (
    FALLBACK,
    DaySummary,
    WeekSummary,
    is_up_to_date,
)
from gieok.summaries.period_sources import WEEKS, PeriodSources, read_period
from gieok.summaries.periods import (
    compute_week_end,
    format_week,
    resolve_day,
)
from gieok.summaries.usage import find_patterns

NOON = time(12)


class _WeekSources(NamedTuple):
    """A week, what was said in it and what is kept of it."""

    monday: date
    period: PeriodSources
    saved: WeekSummary | None

    @property
    def fingerprint(self) -> bytes:
        return compute_week_fingerprint(self.period.sessions, self.period.zone)


@dataclass(frozen=True, slots=True)
class WeekSummarizer:
    """Makes what `Summaries.week` returns."""

    database: Database
    vault: Vault
    model: Model
    settings: SettingsService
    days: DaySummarizer
    retention: timedelta

    async def summarize_week(
        self, scope: Scope, monday: date, *, asks: bool = True
    ) -> WeekSummary | None:
        """Return a week's summary, made anew unless it is current; None without a word.

        Without `asks` the model is known to be away, and is not asked.
        """
        key = await self.vault.get_reading_key(scope)
        while True:
            days = await self._summarize_days(scope, key, monday, asks=asks)
            asks = asks and not any(day.needs_model for day in days)
            source_digest = merge_fingerprints(day.source_digest for day in days)
            async with self.database.begin(scope) as tx:
                read = await self._read_sources(tx, key, monday)
            made = None
            if days and read.period.is_enabled:
                if is_up_to_date(read.saved, source_digest, asks=asks):
                    return read.saved
                made = await self._condense_week(read, days, asks=asks)
            async with self.database.begin(scope) as tx:
                await tx.lock_person()
                now = await self._read_sources(tx, key, monday)
                if now.period.is_enabled == read.period.is_enabled and (
                    not now.period.is_enabled or now.fingerprint == source_digest
                ):
                    return await self._store_or_delete(tx, key, now, days, made)

    async def _summarize_days(
        self, scope: Scope, key: PersonKey, monday: date, *, asks: bool
    ) -> list[DaySummary]:
        """Return the summaries of the days on which something was said, in order."""
        async with self.database.begin(scope) as tx:
            read = await self._read_sources(tx, key, monday)
        if not read.period.is_enabled:
            return []
        days: list[DaySummary] = []
        for day in sorted(
            {
                resolve_day(one.created_at, read.period.zone)
                for one in read.period.sessions
            }
        ):
            made = await self.days.summarize_day(scope, day, asks=asks)
            if made:
                asks = asks and not made.needs_model
                days.append(made)
        return days

    async def _read_sources(
        self, tx: Transaction, key: PersonKey, monday: date
    ) -> _WeekSources:
        return _WeekSources(
            monday,
            await read_period(tx, key, self.settings, monday, days=7),
            await store.get_week(tx, key, format_week(monday)),
        )

    async def _condense_week(
        self, read: _WeekSources, days: Sequence[DaySummary], *, asks: bool
    ) -> CondensedText:
        notes = [
            SummaryNote(
                datetime.combine(day.date_key, NOON, read.period.zone),
                day.text,
                day.topics,
                day.importance,
            )
            for day in days
        ]
        return await condense_notes(
            self.model, notes, _detect_language(read, days), asks=asks
        )

    async def _store_or_delete(
        self,
        tx: Transaction,
        key: PersonKey,
        read: _WeekSources,
        days: Sequence[DaySummary],
        made: CondensedText | None,
    ) -> WeekSummary | None:
        """Keep a summary, unless somebody was faster, or remove one that is not true.

        Where memory is off nothing is made, and what is still true stays.
        """
        kept = read.saved
        if made is None or not read.period.is_enabled:
            if kept and (
                kept.source_digest != read.fingerprint or read.period.is_enabled
            ):
                await store.delete_week(tx, kept.week_key)
                WEEKS.record_removal(tx, kept)
            return None
        if is_up_to_date(kept, read.fingerprint, asks=made.summarizer != FALLBACK):
            return kept
        summary = await self._build_summary(tx, read, days, made)
        await store.upsert_week(tx, key, summary)
        await WEEKS.record_summary(tx, summary)
        return summary

    async def _build_summary(
        self,
        tx: Transaction,
        read: _WeekSources,
        days: Sequence[DaySummary],
        made: CondensedText,
    ) -> WeekSummary:
        kept = read.saved
        uses = await store.list_uses(
            tx, [one.session_id for one in read.period.sessions]
        )
        return WeekSummary(
            summary_id=kept.summary_id if kept else tx.new_id(),
            week_key=format_week(read.monday),
            text=made.text,
            repeated_topics=select_repeated(day.topics for day in days),
            device_usage_patterns=find_patterns(
                uses, read.period.zone, _detect_language(read, days)
            ),
            unresolved_items=select_unresolved(
                [(day.open_tasks, day.text) for day in days]
            ),
            source_summary_ids=tuple(day.summary_id for day in days),
            summarizer=made.summarizer,
            created_at=kept.created_at if kept else tx.now,
            updated_at=tx.now,
            expires_at=compute_week_end(read.monday, read.period.zone) + self.retention,
            revision=kept.revision + 1 if kept else 1,
            source_digest=read.fingerprint,
        )


def _detect_language(read: _WeekSources, days: Sequence[DaySummary]) -> str:
    return detect_language((day.text for day in days), read.period.language)
