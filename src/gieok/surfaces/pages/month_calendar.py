"""The months in which days and weeks were summed up, each as a calendar shows it."""

from calendar import Calendar
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from gieok.summaries.model import DaySummary, WeekSummary
from gieok.summaries.periods import format_week, parse_week

WEEK: Final = timedelta(days=6)


@dataclass(frozen=True, slots=True)
class CalendarWeek:
    """One line of a month: its ISO week, and its seven days from Monday on."""

    key: str
    days: Sequence[date]


@dataclass(frozen=True, slots=True)
class CalendarMonth:
    """A month with the summaries that belong to it, and the months beside it."""

    first: date
    days: Sequence[DaySummary] = ()
    weeks: Sequence[WeekSummary] = ()
    older: str = ""
    newer: str = ""

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
    wanted: str, today: date, days: Iterable[DaySummary], weeks: Iterable[WeekSummary]
) -> CalendarMonth:
    """Return the month that was asked for, or else the newest with a summary.

    A week belongs to every month in which one of its days lies.
    """
    by_day = {each.date_key: each for each in days}
    by_week = {parse_week(each.week_key): each for each in weeks}
    held = {day.replace(day=1) for day in by_day}
    held |= {day.replace(day=1) for start in by_week for day in (start, start + WEEK)}
    names = {format_month(first): first for first in held}
    first = names.get(wanted) or max(held, default=today.replace(day=1))
    name = format_month(first)
    return CalendarMonth(
        first,
        [day for key, day in by_day.items() if format_month(key) == name],
        [
            week
            for start, week in by_week.items()
            if name in (format_month(start), format_month(start + WEEK))
        ],
        max((each for each in names if each < name), default=""),
        min((each for each in names if each > name), default=""),
    )
