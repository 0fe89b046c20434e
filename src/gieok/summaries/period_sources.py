"""What days and weeks are summed up from, and what is noted of their summaries."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from gieok.accounts import store as accounts
from gieok.database import (
    Audit,
    Change,
    SummariesExpired,
    Transaction,
    schedule_event,
)
from gieok.kernel.entities import Entity
from gieok.privacy import PersonKey
from gieok.search.summary_entry_store import delete_outdated
from gieok.settings import SettingsService
from gieok.summaries import session_store
from gieok.summaries.model import (
    DaySummary,
    SessionSources,
    SessionSummary,
    WeekSummary,
)
from gieok.summaries.periods import compute_day_start


class PeriodSources(NamedTuple):
    """What was said in a period, and how its person has things."""

    zone: ZoneInfo
    language: str
    is_enabled: bool
    sessions: Sequence[SessionSources]

    @property
    def session_summaries(self) -> list[SessionSummary]:
        """The summaries of the sessions that have one."""
        return [one.usable_summary for one in self.sessions if one.usable_summary]


async def read_period(
    tx: Transaction, key: PersonKey, settings: SettingsService, first: date, days: int
) -> PeriodSources:
    """Return what was said on some days in a row."""
    person = await accounts.get_person(tx)
    zone = ZoneInfo(person.time_zone)
    start = compute_day_start(first, zone)
    end = compute_day_start(first + timedelta(days), zone)
    return PeriodSources(
        zone,
        person.language,
        (await settings.read_settings(tx)).is_enabled,
        await session_store.list_begun(tx, key, start, end),
    )


@dataclass(frozen=True, slots=True)
class PeriodTable:
    """Where the summaries of one kind of period are, and why one is written."""

    entity: Entity
    table: str
    reason: str

    def record_removal(
        self, tx: Transaction, summary: DaySummary | WeekSummary
    ) -> None:
        """Note that a summary went, because what it rested on did."""
        tx.record_changes(Change(self.entity, summary.summary_id, "delete"))
        tx.record_audit(
            Audit("delete", self.table, summary.summary_id, "sources_changed")
        )

    async def record_summary(
        self, tx: Transaction, summary: DaySummary | WeekSummary
    ) -> None:
        """Note that a summary was written; recall loses what it had of an older one."""
        await delete_outdated(tx, summary.summary_id, summary.revision)
        tx.record_changes(Change(self.entity, summary.summary_id))
        event = "update" if summary.revision > 1 else "create"
        tx.record_audit(Audit(event, self.table, summary.summary_id, self.reason))
        await schedule_event(tx, SummariesExpired, summary.expires_at)


DAYS: Final = PeriodTable(
    "short_term_summary", "short_term_summaries", "day_summarized"
)
WEEKS: Final = PeriodTable("mid_term_summary", "mid_term_summaries", "week_summarized")
