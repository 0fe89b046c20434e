"""Days and weeks of a person: in their time zone, whatever its clocks do."""

from bisect import bisect_left
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from gieok.kernel.errors import InvalidInputError

FIRST: Final = date(1970, 1, 5)
LAST: Final = date(9000, 1, 5)
"""Mondays: the days between are those that can be summed up."""
DAY: Final = timedelta(days=1)


def compute_day_start(day: date, zone: ZoneInfo) -> datetime:
    """Return the instant, in UTC, from which it is that day or a later one.

    Where clocks are turned back over midnight, the day begins at the second one; where
    they skip it, at the skip.
    """
    midnight = datetime.combine(day, time(), zone)
    earlier, later = (midnight.replace(fold=fold).astimezone(UTC) for fold in (0, 1))
    if earlier <= later:
        return later
    # Skipped: `later` lies before the skip and `earlier` after it.
    seconds = int((earlier - later).total_seconds())
    skip = bisect_left(
        range(seconds),
        day,
        key=lambda second: (later + timedelta(seconds=second)).astimezone(zone).date(),
    )
    return later + timedelta(seconds=skip)


def compute_day_end(day: date, zone: ZoneInfo) -> datetime:
    """Return the instant, in UTC, at which a day is over."""
    return compute_day_start(day + DAY, zone)


def resolve_day(at: datetime, zone: ZoneInfo) -> date:
    """Return the day to which an instant belongs."""
    day = at.astimezone(zone).date()
    return day if compute_day_start(day, zone) <= at else day - DAY


def format_week(day: date) -> str:
    """Return the ISO week of a day, such as 2026-W47."""
    year, week, _ = day.isocalendar()
    return f"{year}-W{week:02}"


def parse_week(week_key: str, field: str = "week_key") -> date:
    """Return the first day of an ISO week.

    Raises:
        InvalidInputError: it is no week such as 2026-W47; names the field.
    """
    try:
        year, _, week = str(week_key).partition("-W")
        monday = date.fromisocalendar(int(year), int(week), 1)
    except ValueError:
        monday = None
    if monday is None or format_week(monday) != week_key:
        raise InvalidInputError(field, "it must be an ISO week such as 2026-W47")
    return validate_day(field, monday)


def compute_week_end(monday: date, zone: ZoneInfo) -> datetime:
    """Return the instant, in UTC, at which the week of that Monday is over."""
    return compute_day_start(monday + 7 * DAY, zone)


def validate_day(field: str, day: object) -> date:
    """Return a day that can be summed up.

    Raises:
        InvalidInputError: it is no date, too long ago or too far away.
    """
    if not isinstance(day, date) or isinstance(day, datetime):
        raise InvalidInputError(field, "it must be a date")
    if not FIRST <= day < LAST:
        raise InvalidInputError(field, "it must lie between the years 1970 and 9000")
    return day
