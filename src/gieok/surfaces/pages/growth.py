"""The spans of time for which memories are counted: ages, and months."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

AGES: Final[Sequence[tuple[str, timedelta]]] = (
    ("week", timedelta(days=7)),
    ("month", timedelta(days=30)),
    ("quarter", timedelta(days=91)),
    ("year", timedelta(days=365)),
)
OLDER: Final = "older"
MONTHS_SHOWN: Final = 6
MONTHS_A_YEAR: Final = 12


class CountedSpan(NamedTuple):
    """A named span of time; None is open."""

    name: str
    since: datetime | None
    until: datetime | None

    @property
    def span(self) -> tuple[datetime | None, datetime | None]:
        """Return both ends."""
        return self.since, self.until

    @property
    def starts(self) -> list[datetime]:
        """Return the ends that are not open."""
        return [end for end in self.span if end is not None]


def list_ages(now: datetime) -> list[CountedSpan]:
    """Return the ages a memory may have, youngest first; together they are all time."""
    ends = [None, *(now - most for _, most in AGES)]
    names = [*(name for name, _ in AGES), OLDER]
    return [
        CountedSpan(name, since, until)
        for name, since, until in zip(names, [*ends[1:], None], ends, strict=True)
    ]


def list_months(now: datetime, zone: ZoneInfo) -> list[CountedSpan]:
    """Return the last months as a person has them, oldest first."""
    local = now.astimezone(zone)
    last = local.year * MONTHS_A_YEAR + local.month - 1
    months = [_start_month(last - back, zone) for back in range(MONTHS_SHOWN)][::-1]
    return [
        CountedSpan(f"{start:%Y-%m}", start, until)
        for start, until in zip(months, [*months[1:], None], strict=True)
    ]


def _start_month(month: int, zone: ZoneInfo) -> datetime:
    """Return when a month begins, counted from the year 0."""
    year, index = divmod(month, MONTHS_A_YEAR)
    return datetime(year, index + 1, 1, tzinfo=zone)
