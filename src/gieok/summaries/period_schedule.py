"""Which days or weeks have to be summed up, now and next: pure rules."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from gieok.summaries.model import PeriodFingerprint, SessionSources
from gieok.summaries.periods import DAY, resolve_day

SessionGroup = Sequence[SessionSources]


@dataclass(frozen=True, slots=True)
class PeriodSchedule:
    """A person's days, or their weeks; each is called by its first day."""

    sessions: Mapping[date, SessionGroup]
    """The sessions that began in each."""
    saved: Mapping[date, PeriodFingerprint]
    compute_end: Callable[[date], datetime]
    compute_fingerprint: Callable[[SessionGroup], bytes]
    retention: timedelta
    """How long its summary is kept after its end."""

    def list_stale(self, now: datetime, *, makes: bool) -> list[date]:
        """Return those that are over or kept, and whose summary is not current.

        What has expired is left alone. Without `makes` only what is kept counts.
        """
        return [
            first
            for first in sorted(self.sessions.keys() | self.saved.keys())
            if self._is_due(first, now, makes=makes) and not self._is_current(first)
        ]

    def find_next_end(self, now: datetime) -> datetime | None:
        """Return when the next one ends in which something was said."""
        return min(
            (end for end in map(self.compute_end, self.sessions) if end > now),
            default=None,
        )

    def _is_due(self, first: date, now: datetime, *, makes: bool) -> bool:
        end = self.compute_end(first)
        if end + self.retention <= now:
            return False
        return first in self.saved or (makes and end <= now)

    def _is_current(self, first: date) -> bool:
        sessions, kept = self.sessions.get(first, ()), self.saved.get(first)
        if not all(session.is_current for session in sessions):
            return False
        if not any(session.usable_summary for session in sessions):
            return kept is None
        if kept is None or kept.needs_model:
            return False
        return kept.fingerprint == self.compute_fingerprint(sessions)


def group_by_day(
    sessions: Iterable[SessionSources], zone: ZoneInfo
) -> dict[date, SessionGroup]:
    """Return sessions by the day on which they began."""
    days = defaultdict[date, list[SessionSources]](list)
    for session in sessions:
        days[resolve_day(session.created_at, zone)].append(session)
    return dict(days)


def group_by_week(days: Mapping[date, SessionGroup]) -> dict[date, SessionGroup]:
    """Return the sessions of days by the Monday before them."""
    weeks = defaultdict[date, list[SessionSources]](list)
    for day in sorted(days):
        weeks[day - day.weekday() * DAY].extend(days[day])
    return dict(weeks)
