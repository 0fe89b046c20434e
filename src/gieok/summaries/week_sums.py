"""Sums up ISO weeks, from the sums of their days (A04)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from gieok.accounts import store as accounts
from gieok.database import (
    Audit,
    Change,
    Database,
    SummariesExpired,
    Transaction,
    expect,
)
from gieok.kernel.language import Model, SummaryNote
from gieok.kernel.scope import Scope
from gieok.privacy import PersonKey, Vault
from gieok.settings import SettingsService
from gieok.summaries import period_store as store
from gieok.summaries import session_store
from gieok.summaries.condensing import Condensed, condense
from gieok.summaries.day_sums import DaySums
from gieok.summaries.gathering import language_of, repeated, unresolved
from gieok.summaries.grounds import together, week_ground
from gieok.summaries.model import (
    FALLBACK,
    DaySummary,
    SessionGround,
    WeekSummary,
    stays,
)
from gieok.summaries.periods import day_of, day_start, week_end, week_of
from gieok.summaries.usage import patterns

ENTITY = "mid_term_summary"
TABLE = "mid_term_summaries"
NOON = time(12)


class _Week(NamedTuple):
    """A week, what was said in it and what is kept of it."""

    monday: date
    zone: ZoneInfo
    language: str
    is_enabled: bool
    sessions: Sequence[SessionGround]
    kept: WeekSummary | None

    @property
    def ground(self) -> bytes:
        return week_ground(self.sessions, self.zone)


@dataclass(frozen=True, slots=True)
class WeekSums:
    """Makes what `Summaries.week` returns."""

    database: Database
    vault: Vault
    model: Model
    settings: SettingsService
    days: DaySums
    keep: timedelta

    async def make(
        self, scope: Scope, monday: date, *, asks: bool = True
    ) -> WeekSummary | None:
        """Return a week's sum, made anew unless it is current; None without a word.

        Without `asks` the model is known to be away, and is not asked.
        """
        key = await self.vault.key(scope)
        while True:
            days = await self._sum_up_days(scope, key, monday, asks=asks)
            asks = asks and not any(day.is_fallback for day in days)
            ground = together(day.ground for day in days)
            async with self.database.begin(scope) as tx:
                read = await self._read(tx, key, monday)
            made = None
            if days and read.is_enabled:
                if stays(read.kept, ground, asks=asks):
                    return read.kept
                made = await self._condensed(read, days, asks=asks)
            async with self.database.begin(scope) as tx:
                await tx.lock_person()
                now = await self._read(tx, key, monday)
                if now.is_enabled == read.is_enabled and (
                    not now.is_enabled or now.ground == ground
                ):
                    return await self._settle(tx, key, now, days, made)

    async def _sum_up_days(
        self, scope: Scope, key: PersonKey, monday: date, *, asks: bool
    ) -> list[DaySummary]:
        """Return the sums of the days on which something was said, in order."""
        async with self.database.begin(scope) as tx:
            read = await self._read(tx, key, monday)
        if not read.is_enabled:
            return []
        days: list[DaySummary] = []
        for day in sorted({day_of(one.created_at, read.zone) for one in read.sessions}):
            made = await self.days.make(scope, day, asks=asks)
            if made:
                asks = asks and not made.is_fallback
                days.append(made)
        return days

    async def _read(self, tx: Transaction, key: PersonKey, monday: date) -> _Week:
        person = await accounts.get(tx)
        zone = ZoneInfo(person.time_zone)
        start, end = day_start(monday, zone), week_end(monday, zone)
        return _Week(
            monday,
            zone,
            person.language,
            (await self.settings.within(tx)).is_enabled,
            await session_store.begun(tx, key, start, end),
            await store.week(tx, key, week_of(monday)),
        )

    async def _condensed(
        self, read: _Week, days: Sequence[DaySummary], *, asks: bool
    ) -> Condensed:
        notes = [
            SummaryNote(
                datetime.combine(day.date_key, NOON, read.zone),
                day.text,
                day.topics,
                day.importance,
            )
            for day in days
        ]
        return await condense(self.model, notes, _language(read, days), asks=asks)

    async def _settle(
        self,
        tx: Transaction,
        key: PersonKey,
        read: _Week,
        days: Sequence[DaySummary],
        made: Condensed | None,
    ) -> WeekSummary | None:
        """Keep a sum, unless somebody was faster, or remove one that is no longer true.

        Where memory is off nothing is made, and what is still true stays.
        """
        kept = read.kept
        if made is None or not read.is_enabled:
            if kept and (kept.ground != read.ground or read.is_enabled):
                await store.delete_week(tx, kept.week_key)
                tx.number(Change(ENTITY, kept.summary_id, "delete"))
                tx.audit(Audit("delete", TABLE, kept.summary_id, "ground_moved"))
            return None
        if stays(kept, read.ground, asks=made.summarizer != FALLBACK):
            return kept
        summary = await self._summary(tx, read, days, made)
        await store.put_week(tx, key, summary)
        tx.number(Change(ENTITY, summary.summary_id))
        event = "update" if kept else "create"
        tx.audit(Audit(event, TABLE, summary.summary_id, "week_summarized"))
        await expect(tx, SummariesExpired, summary.expires_at)
        return summary

    async def _summary(
        self,
        tx: Transaction,
        read: _Week,
        days: Sequence[DaySummary],
        made: Condensed,
    ) -> WeekSummary:
        kept = read.kept
        uses = await store.uses(tx, [one.session_id for one in read.sessions])
        return WeekSummary(
            summary_id=kept.summary_id if kept else tx.new_id(),
            week_key=week_of(read.monday),
            text=made.text,
            repeated_topics=repeated(day.topics for day in days),
            device_usage_patterns=patterns(uses, read.zone, _language(read, days)),
            unresolved_items=unresolved([(day.open_tasks, day.text) for day in days]),
            source_summary_ids=tuple(day.summary_id for day in days),
            summarizer=made.summarizer,
            created_at=kept.created_at if kept else tx.now,
            updated_at=tx.now,
            expires_at=week_end(read.monday, read.zone) + self.keep,
            revision=kept.revision + 1 if kept else 1,
            ground=read.ground,
        )


def _language(read: _Week, days: Sequence[DaySummary]) -> str:
    return language_of((day.text for day in days), read.language)
