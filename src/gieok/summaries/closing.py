"""Which days or weeks have to be summed up, now and next: pure rules."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from gieok.summaries.model import PeriodGround, SessionGround
from gieok.summaries.periods import DAY, day_of

Told = Sequence[SessionGround]


@dataclass(frozen=True, slots=True)
class Periods:
    """A person's days, or their weeks; each is called by its first day."""

    told: Mapping[date, Told]
    """The sessions that began in each."""
    kept: Mapping[date, PeriodGround]
    end: Callable[[date], datetime]
    ground: Callable[[Told], bytes]
    keep: timedelta
    """How long its sum is kept after its end."""

    def stale(self, now: datetime, *, makes: bool) -> list[date]:
        """Return those that are over or kept, and whose sum is not current.

        What has expired is left alone. Without `makes` only what is kept counts.
        """
        return [
            first
            for first in sorted(self.told.keys() | self.kept.keys())
            if self._is_due(first, now, makes=makes) and not self._is_current(first)
        ]

    def next_end(self, now: datetime) -> datetime | None:
        """Return when the next one ends in which something was said."""
        return min((end for end in map(self.end, self.told) if end > now), default=None)

    def _is_due(self, first: date, now: datetime, *, makes: bool) -> bool:
        end = self.end(first)
        if end + self.keep <= now:
            return False
        return first in self.kept or (makes and end <= now)

    def _is_current(self, first: date) -> bool:
        sessions, kept = self.told.get(first, ()), self.kept.get(first)
        if not all(session.is_current for session in sessions):
            return False
        if not any(session.told for session in sessions):
            return kept is None
        if kept is None or kept.is_fallback:
            return False
        return kept.ground == self.ground(sessions)


def by_day(sessions: Iterable[SessionGround], zone: ZoneInfo) -> dict[date, Told]:
    """Return sessions by the day on which they began."""
    days = defaultdict[date, list[SessionGround]](list)
    for session in sessions:
        days[day_of(session.created_at, zone)].append(session)
    return dict(days)


def by_week(days: Mapping[date, Told]) -> dict[date, Told]:
    """Return the sessions of days by the Monday before them."""
    weeks = defaultdict[date, list[SessionGround]](list)
    for day in sorted(days):
        weeks[day - day.weekday() * DAY].extend(days[day])
    return dict(weeks)
