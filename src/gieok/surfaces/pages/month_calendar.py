"""The months in which days and weeks were summed up, each as a calendar shows it."""

from calendar import Calendar
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from gieok.summaries.periods import format_week

WEEK: Final = timedelta(days=6)


@dataclass(frozen=True, slots=True)
class CalendarWeek:
    """One line of a month: its ISO week, and its seven days from Monday on."""

    key: str
    days: Sequence[date]


@dataclass(frozen=True, slots=True)
class CalendarMonth:
    """A month, what in it has a summary, and the months beside it that have any."""

    first: date
    days: Sequence[date] = ()
    weeks: Sequence[str] = ()
    older: str = ""
    newer: str = ""

    @property
    def next(self) -> date:
        """Return the first day of the month after it."""
        return (self.first + timedelta(days=31)).replace(day=1)

    @property
    def next_week(self) -> str:
        """Return the first week that has no day of this month or an earlier one."""
        return format_week(self.next + WEEK)

    @property
    def name(self) -> str:
        """Return the month as an address has it."""
        return format_month(self.first)

    @property
    def lines(self) -> list[CalendarWeek]:
        """Return the lines of the calendar; days of other months are among them."""
        return [
            CalendarWeek(format_week(days[0]), days)
            for days in Calendar().monthdatescalendar(self.first.year, self.first.month)
        ]


def format_month(day: date) -> str:
    """Return the month of a day, such as 2026-11."""
    return f"{day:%Y-%m}"


def select_month(
    wanted: str, today: date, days: Iterable[date], weeks: Iterable[date]
) -> CalendarMonth:
    """Return the month that was asked for, or else the newest with a summary.

    A week is told by its Monday, and belongs to every month in which a day of it lies.
    """
    by_day = {day: format_month(day) for day in days}
    by_week = {
        start: {format_month(start), format_month(start + WEEK)} for start in weeks
    }
    names = {*by_day.values()}.union(*by_week.values())
    name = wanted if wanted in names else max(names, default=format_month(today))
    return CalendarMonth(
        date.fromisoformat(f"{name}-01"),
        [day for day, month in by_day.items() if month == name],
        [format_week(start) for start, months in by_week.items() if name in months],
        max((each for each in names if each < name), default=""),
        min((each for each in names if each > name), default=""),
    )
