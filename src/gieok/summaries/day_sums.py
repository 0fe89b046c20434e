"""Sums up days, from the sums of the sessions that began on them (A03)."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
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
from gieok.kernel.errors import NotFoundError
from gieok.kernel.language import Model, SummaryNote
from gieok.kernel.scope import Scope
from gieok.privacy import PersonKey, Vault
from gieok.settings import SettingsService
from gieok.summaries import period_store as store
from gieok.summaries import session_store
from gieok.summaries.condensing import Condensed, condense
from gieok.summaries.gathering import by_frequency, language_of, united, unresolved
from gieok.summaries.grounds import day_ground
from gieok.summaries.model import (
    FALLBACK,
    DaySummary,
    SessionGround,
    SessionSummary,
    stays,
)
from gieok.summaries.periods import day_end, day_start
from gieok.summaries.session_sums import SessionSums

ENTITY = "short_term_summary"
TABLE = "short_term_summaries"


class _Day(NamedTuple):
    """A day, what was said on it and what is kept of it."""

    day: date
    zone: ZoneInfo
    language: str
    is_enabled: bool
    sessions: Sequence[SessionGround]
    kept: DaySummary | None

    @property
    def told(self) -> list[SessionSummary]:
        return [one.told for one in self.sessions if one.told]


@dataclass(frozen=True, slots=True)
class DaySums:
    """Makes what `Summaries.day` returns."""

    database: Database
    vault: Vault
    model: Model
    settings: SettingsService
    sessions: SessionSums
    keep: timedelta

    async def make(
        self, scope: Scope, day: date, *, asks: bool = True
    ) -> DaySummary | None:
        """Return a day's sum, made anew unless it is current; None without a word.

        Without `asks` the model is known to be away, and is not asked.
        """
        key = await self.vault.key(scope)
        while True:
            async with self.database.begin(scope) as tx:
                read = await self._read(tx, key, day)
            if not all(session.is_current for session in read.sessions):
                asks = await self._sum_up(scope, read.sessions, asks=asks)
                async with self.database.begin(scope) as tx:
                    read = await self._read(tx, key, day)
            ground = day_ground(read.sessions)
            made = None
            if read.told and read.is_enabled:
                if stays(read.kept, ground, asks=asks):
                    return read.kept
                made = await self._condensed(read, asks=asks)
            async with self.database.begin(scope) as tx:
                await tx.lock_person()
                now = await self._read(tx, key, day)
                if now.is_enabled == read.is_enabled and (
                    not now.is_enabled or day_ground(now.sessions) == ground
                ):
                    return await self._settle(tx, key, now, made)

    async def _sum_up(
        self, scope: Scope, sessions: Sequence[SessionGround], *, asks: bool
    ) -> bool:
        """Bring the sums of sessions up to date; False if the model is away.

        A session that is erased meanwhile has none.
        """
        for session in sessions:
            if not session.is_current:
                with suppress(NotFoundError):
                    made = await self.sessions.make(
                        scope, session.session_id, asks=asks
                    )
                    asks = asks and not (made and made.is_fallback)
        return asks

    async def _read(self, tx: Transaction, key: PersonKey, day: date) -> _Day:
        person = await accounts.get(tx)
        zone = ZoneInfo(person.time_zone)
        start, end = day_start(day, zone), day_end(day, zone)
        return _Day(
            day,
            zone,
            person.language,
            (await self.settings.within(tx)).is_enabled,
            await session_store.begun(tx, key, start, end),
            await store.day(tx, key, day),
        )

    async def _condensed(self, read: _Day, *, asks: bool) -> Condensed:
        language = language_of((one.gist.summary for one in read.told), read.language)
        made = await condense(self.model, _notes(read), language, asks=asks)
        away = any(one.is_fallback for one in read.told)
        return Condensed(made.text, FALLBACK) if away else made

    async def _settle(
        self, tx: Transaction, key: PersonKey, read: _Day, made: Condensed | None
    ) -> DaySummary | None:
        """Keep a sum, unless somebody was faster, or remove one that is no longer true.

        Where memory is off nothing is made, and what is still true stays.
        """
        kept, ground = read.kept, day_ground(read.sessions)
        if made is None or not read.is_enabled:
            if kept and (kept.ground != ground or read.is_enabled):
                await store.delete_day(tx, read.day)
                tx.number(Change(ENTITY, kept.summary_id, "delete"))
                tx.audit(Audit("delete", TABLE, kept.summary_id, "ground_moved"))
            return None
        if stays(kept, ground, asks=made.summarizer != FALLBACK):
            return kept
        summary = self._summary(tx, read, made)
        await store.put_day(tx, key, summary)
        tx.number(Change(ENTITY, summary.summary_id))
        event = "update" if kept else "create"
        tx.audit(Audit(event, TABLE, summary.summary_id, "day_summarized"))
        await expect(tx, SummariesExpired, summary.expires_at)
        return summary

    def _summary(self, tx: Transaction, read: _Day, made: Condensed) -> DaySummary:
        told, kept = read.told, read.kept
        gists = [one.gist for one in told]
        devices = {one.device_id for one in read.sessions if one.told}
        return DaySummary(
            summary_id=kept.summary_id if kept else tx.new_id(),
            date_key=read.day,
            device_id=devices.pop() if len(devices) == 1 else None,
            text=made.text,
            open_tasks=unresolved([(one.open_tasks, one.summary) for one in gists]),
            recent_preferences=united(one.preferences for one in gists),
            topics=by_frequency(one.topics for one in gists),
            importance=max(one.importance for one in gists),
            source_session_ids=tuple(one.session_id for one in told),
            summarizer=made.summarizer,
            created_at=kept.created_at if kept else tx.now,
            updated_at=tx.now,
            expires_at=day_end(read.day, read.zone) + self.keep,
            revision=kept.revision + 1 if kept else 1,
            ground=day_ground(read.sessions),
        )


def _notes(read: _Day) -> list[SummaryNote]:
    return [
        SummaryNote(
            one.created_at.astimezone(read.zone),
            one.told.gist.summary,
            one.told.gist.topics,
            one.told.gist.importance,
        )
        for one in read.sessions
        if one.told
    ]
