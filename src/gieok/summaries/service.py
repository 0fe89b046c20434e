"""Sums up sessions, days and weeks, and keeps the summaries true to their sources."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial
from typing import Final, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from gieok.accounts import store as accounts
from gieok.database import (
    Audit,
    Change,
    Database,
    PeriodEnded,
    SummariesExpired,
    Transaction,
    schedule_event,
)
from gieok.kernel.errors import InvalidInputError, NotFoundError
from gieok.kernel.language import Model
from gieok.kernel.scope import Scope
from gieok.models.deadline import limit_time
from gieok.privacy import PersonKey, Vault
from gieok.settings import SettingsService
from gieok.summaries import day_store, session_store, week_store
from gieok.summaries.day_summarizer import DaySummarizer
from gieok.summaries.fingerprints import (
    compute_day_fingerprint,
    compute_week_fingerprint,
)
from gieok.summaries.model import DaySummary, SessionSummary, WeekSummary
from gieok.summaries.period_schedule import PeriodSchedule, group_by_day, group_by_week
from gieok.summaries.period_sources import DAYS, WEEKS
from gieok.summaries.periods import (
    compute_day_end,
    compute_week_end,
    format_week,
    parse_week,
    validate_day,
)
from gieok.summaries.session_summarizer import SessionSummarizer
from gieok.summaries.week_summarizer import WeekSummarizer
from gieok.summaries.withdrawal import record_deleted

KEEP_DAYS: Final = timedelta(days=30)
KEEP_WEEKS: Final = timedelta(days=180)
MAX_LISTED: Final = 200
RETRY_AFTER: Final = timedelta(hours=1)
"""How long a fallback stands in before the model is asked again."""
_WEEK_MARGIN: Final = timedelta(days=8)
"""With the hour by which clocks are set, at most."""


class _Calendar(NamedTuple):
    """A person's days and weeks, as far back as their summaries are kept."""

    now: datetime
    is_enabled: bool
    days: PeriodSchedule
    weeks: PeriodSchedule


@dataclass(frozen=True, slots=True, kw_only=True)
class Summaries:
    """The summaries of everyone.

    Nothing is summed up while the person has memory switched off. While the model is
    away the beginning of the original stands in for its summary, marked as a fallback
    (E15), until it is made anew; where the model refuses, for good.
    """

    database: Database
    vault: Vault
    model: Model
    settings: SettingsService
    keep_days: timedelta = KEEP_DAYS
    """How long the summary of a day is kept after it ended."""
    keep_weeks: timedelta = KEEP_WEEKS
    """How long the summary of a week is kept after it ended."""
    patience: float | None = None
    """Seconds the model has while somebody waits; then the fallback stands in (E18)."""

    async def session(self, scope: Scope, session_id: UUID) -> SessionSummary | None:
        """Return what a session was about; None when there is nothing to say.

        It is made when it is not there or the session went on, and costs no model call
        otherwise.

        Raises:
            NotFoundError: the person has no such session.
        """
        found = await self.summarize_session(scope, session_id, is_awaited=True)
        await self._audit_access(scope, "sessions", session_id, found)
        return found

    async def summarize_session(
        self, scope: Scope, session_id: UUID, *, is_awaited: bool = False
    ) -> SessionSummary | None:
        """Return what `session` does, for what is made of it: nobody is told it.

        If it is awaited, the model has no longer than a person's patience.
        """
        return await self._create_session_summarizer(
            is_awaited=is_awaited
        ).summarize_session(scope, session_id)

    async def find_session(
        self, scope: Scope, session_id: UUID
    ) -> SessionSummary | None:
        """Return what is kept of what a session was about, without asking a model.

        It may lag behind a session that goes on, but never holds what was forgotten;
        None where nothing is kept, memory is off or the person has no such session.
        """
        key = await self.vault.get_reading_key(scope)
        async with self.database.begin(scope, durable=False) as tx:
            sources = await session_store.get_sources(tx, key, session_id)
            is_enabled = (await self.settings.read_settings(tx)).is_enabled
            told = sources.usable_summary if sources and is_enabled else None
            if told:
                tx.record_audit(Audit("access", "sessions", session_id, "summary"))
        return told

    async def day(self, scope: Scope, day: date) -> DaySummary | None:
        """Return what a day was about, made if need be; None without a word on it.

        A day is the person's, in their time zone; a session belongs to the one on which
        it began. What has expired is not made again.

        Raises:
            InvalidInputError: no date, or one before 1970 or after 8999.
        """
        zone = await self._get_zone(scope)
        if (
            compute_day_end(validate_day("day", day), zone) + self.keep_days
            <= self.database.clock()
        ):
            return None
        found = await self._create_day_summarizer(is_awaited=True).summarize_day(
            scope, day
        )
        await self._audit_access(scope, DAYS.table, found and found.summary_id, found)
        return found

    async def week(self, scope: Scope, week_key: str) -> WeekSummary | None:
        """Return what an ISO week, such as 2026-W47, was about; as `day`.

        Raises:
            InvalidInputError: no ISO week, or one before 1970 or after 8999.
        """
        monday, zone = parse_week(week_key), await self._get_zone(scope)
        if compute_week_end(monday, zone) + self.keep_weeks <= self.database.clock():
            return None
        found = await self._create_week_summarizer(is_awaited=True).summarize_week(
            scope, monday
        )
        await self._audit_access(scope, WEEKS.table, found and found.summary_id, found)
        return found

    async def days(
        self, scope: Scope, *, limit: int = 30, before: date | None = None
    ) -> tuple[DaySummary, ...]:
        """Return the summaries that are kept of days before one, newest first."""
        key = await self._prepare_list(scope, limit)
        async with self.database.begin(scope, durable=False) as tx:
            found = await day_store.list_newest_days(tx, key, limit, before or date.max)
            await _audit_list(tx, DAYS.table, len(found))
        return tuple(found)

    async def weeks(
        self, scope: Scope, *, limit: int = 26, before: str | None = None
    ) -> tuple[WeekSummary, ...]:
        """Return the summaries that are kept of weeks before one, newest first.

        Raises:
            InvalidInputError: `before` is no week such as 2026-W47.
        """
        last = week_store.LAST_WEEK
        if before is not None:
            last = format_week(parse_week(before, "before"))
        key = await self._prepare_list(scope, limit)
        async with self.database.begin(scope, durable=False) as tx:
            found = await week_store.list_newest_weeks(tx, key, limit, last)
            await _audit_list(tx, WEEKS.table, len(found))
        return tuple(found)

    async def periods(self, scope: Scope) -> tuple[list[date], list[date]]:
        """Return the days, and the Mondays of weeks, of which summaries are kept."""
        async with self.database.begin(scope) as tx:
            days = await day_store.list_day_keys(tx)
            weeks = await week_store.list_week_keys(tx)
        return days, [parse_week(each) for each in weeks]

    async def list_unsummarized_sessions(self, scope: Scope) -> list[UUID]:
        """Return the sessions that have ended and are not summarized yet."""
        async with self.database.begin(scope) as tx:
            return await session_store.list_unsummarized(tx)

    async def close_due(self, scope: Scope) -> None:
        """Sum up every day and week that is over, or whose sources changed.

        It makes up for any time in which nobody called it, changes nothing when it is
        called again, and expects the end of the next day or week.
        """
        calendar = await self._load_calendar(scope)
        if calendar is None:
            return
        now, makes, asks = calendar.now, calendar.is_enabled, True
        for day in calendar.days.list_stale(now, makes=makes):
            made = await self._create_day_summarizer(closing=True).summarize_day(
                scope, day, asks=asks
            )
            asks = asks and not (made and made.needs_model)
        for monday in calendar.weeks.list_stale(now, makes=makes):
            week = await self._create_week_summarizer(closing=True).summarize_week(
                scope, monday, asks=asks
            )
            asks = asks and not (week and week.needs_model)
        ends = [calendar.days.find_next_end(now), calendar.weeks.find_next_end(now)]
        if not asks:
            ends.append(now + RETRY_AFTER)
        due = min((end for end in ends if end), default=None)
        if due and makes:
            async with self.database.begin(scope) as tx:
                await schedule_event(tx, PeriodEnded, due)

    async def refresh(self, scope: Scope, about: UUID) -> None:
        """Bring up to date what rests on a session, or on anything of the person's.

        `about` is the session, or the person; what was forgotten is gone afterwards
        from every summary, and a session that was erased from its day and week.
        """
        key = await self.vault.get_key(scope)
        async with self.database.begin(scope) as tx:
            forgotten = await session_store.list_partly_forgotten(tx, key)
            one = await session_store.get_sources(tx, key, about)
        stale = {each.session_id for each in forgotten if each.is_erased}
        if one and one.summarized_count and not one.is_current:
            stale.add(about)
        for session_id in stale:
            with suppress(NotFoundError):
                await self._create_session_summarizer(closing=True).summarize_session(
                    scope, session_id
                )
        await self.close_due(scope)

    async def refresh_if_stale(self, scope: Scope, session_id: UUID) -> bool:
        """Refresh what rests on an ended session that something was added to since.

        A session that goes on is summed up again when it ends.
        """
        key = await self.vault.get_key(scope)
        async with self.database.begin(scope) as tx:
            sources = await session_store.get_sources(tx, key, session_id)
        if sources is None or sources.is_open or not sources.summarized_count:
            return False
        if sources.is_current:
            return False
        await self.refresh(scope, session_id)
        return True

    async def update_expiry(self, scope: Scope) -> None:
        """Let the summaries there are end as those made from now on."""
        async with self.database.begin(scope) as tx:
            await tx.lock_person()
            days = await day_store.update_expiry(tx, self.keep_days)
            weeks = await week_store.update_expiry(tx, self.keep_weeks)
            tx.record_changes(
                *(Change(DAYS.entity, each) for each in days),
                *(Change(WEEKS.entity, each) for each in weeks),
            )
            if due := await day_store.find_next_expiry(tx):
                await schedule_event(tx, SummariesExpired, due)

    async def expire(self, scope: Scope) -> int:
        """Remove the summaries of days and weeks that are no longer kept.

        Returns how many there were, and expects the time of the next.
        """
        async with self.database.begin(scope) as tx:
            await tx.lock_person()
            days = await day_store.expire_days(tx)
            weeks = await week_store.expire_weeks(tx)
            record_deleted(tx, DAYS.entity, DAYS.table, days, "expired")
            record_deleted(tx, WEEKS.entity, WEEKS.table, weeks, "expired")
            due = await day_store.find_next_expiry(tx)
            if due:
                await schedule_event(tx, SummariesExpired, due)
        return len(days) + len(weeks)

    async def _load_calendar(self, scope: Scope) -> _Calendar | None:
        """Return the person's days and weeks; None where nothing was ever said."""
        key = await self.vault.get_reading_key(scope)
        async with self.database.begin(scope) as tx:
            since = tx.now - self.keep_weeks - _WEEK_MARGIN
            sessions = await session_store.list_begun(tx, key, since)
            days = await day_store.list_day_fingerprints(tx)
            weeks = await week_store.list_week_fingerprints(tx)
            if not (sessions or days or weeks):
                return None
            zone = ZoneInfo((await accounts.get_person(tx)).time_zone)
            is_enabled = (await self.settings.read_settings(tx)).is_enabled
        told = group_by_day(sessions, zone)
        return _Calendar(
            tx.now,
            is_enabled,
            PeriodSchedule(
                told,
                days,
                partial(compute_day_end, zone=zone),
                compute_day_fingerprint,
                self.keep_days,
            ),
            PeriodSchedule(
                group_by_week(told),
                weeks,
                partial(compute_week_end, zone=zone),
                partial(compute_week_fingerprint, zone=zone),
                self.keep_weeks,
            ),
        )

    async def _audit_access(
        self, scope: Scope, table: str, target: UUID | None, found: object
    ) -> None:
        """Note in the audit log that somebody was told a summary (D16)."""
        if found and target:
            async with self.database.begin(scope, durable=False) as tx:
                tx.record_audit(Audit("access", table, target, "summary"))

    async def _get_zone(self, scope: Scope) -> ZoneInfo:
        async with self.database.begin(scope) as tx:
            await accounts.insert_person(tx)
            return ZoneInfo((await accounts.get_person(tx)).time_zone)

    async def _prepare_list(self, scope: Scope, limit: int) -> PersonKey:
        if not 1 <= limit <= MAX_LISTED:
            field = "limit"
            raise InvalidInputError(field, f"it must be from 1 to {MAX_LISTED}")
        return await self.vault.get_reading_key(scope)

    def _create_session_summarizer(
        self, *, closing: bool = False, is_awaited: bool = False
    ) -> SessionSummarizer:
        model = limit_time(self.model, self.patience if is_awaited else None)
        return SessionSummarizer(
            self.database, self.vault, model, self.settings, closing
        )

    def _create_day_summarizer(
        self, *, closing: bool = False, is_awaited: bool = False
    ) -> DaySummarizer:
        sessions = self._create_session_summarizer(
            closing=closing, is_awaited=is_awaited
        )
        return DaySummarizer(
            self.database,
            self.vault,
            sessions.model,
            self.settings,
            sessions,
            self.keep_days,
        )

    def _create_week_summarizer(
        self, *, closing: bool = False, is_awaited: bool = False
    ) -> WeekSummarizer:
        days = self._create_day_summarizer(closing=closing, is_awaited=is_awaited)
        return WeekSummarizer(
            self.database,
            self.vault,
            days.model,
            self.settings,
            days,
            self.keep_weeks,
        )


async def _audit_list(tx: Transaction, table: str, count: int) -> None:
    await accounts.insert_person(tx)
    tx.record_audit(Audit("access", table, tx.scope.user_id, "list", {"n": count}))
