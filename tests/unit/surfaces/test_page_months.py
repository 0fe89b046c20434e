"""Months as the pages show them: calendars of summaries, and episodes in figures."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from gieok.kernel.language import Emotion
from gieok.summaries.periods import format_week, parse_week
from gieok.surfaces.pages.month_calendar import WEEK, format_month, select_month
from gieok.surfaces.pages.moods import group_by_month
from support.plain_episode import PLAIN

NOW = datetime(2026, 3, 5, 9, tzinfo=UTC)
DATES = st.dates(date(2025, 1, 1), date(2026, 3, 5))


@given(st.sets(DATES, max_size=5), st.sets(DATES, max_size=5))
def test_every_day_and_week_is_reached_from_the_newest_month(
    days: set[date], weeks: set[date]
) -> None:
    mondays = {parse_week(format_week(day)) for day in weeks}
    month = select_month("", NOW.date(), days, mondays)
    assert month.newer == ""
    seen_days, seen_weeks = {*month.days}, {*month.weeks}
    while month.older:
        newer, month = month, select_month(month.older, NOW.date(), days, mondays)
        assert month.newer == newer.name
        seen_days |= {*month.days}
        seen_weeks |= {*month.weeks}
    assert (seen_days, seen_weeks) == (days, {format_week(day) for day in weeks})


@given(DATES)
def test_a_week_stands_in_every_month_it_reaches_into(day: date) -> None:
    week = format_week(day)
    start = parse_week(week)
    for each in (start, start + WEEK):
        month = select_month(format_month(each), NOW.date(), [], [start])
        assert month.weeks == [week]
        assert week in {line.key for line in month.lines}
        assert all(len(line.days) == 7 for line in month.lines)


@given(DATES)
def test_what_comes_after_a_month_is_no_part_of_it(day: date) -> None:
    month = select_month(format_month(day), NOW.date(), [day], [])
    assert format_month(month.next) > month.name
    last = month.next - timedelta(days=1)
    assert format_month(last) == month.name
    assert format_week(last) < month.next_week == format_week(last + timedelta(days=7))


def test_an_address_that_names_no_month_shows_the_newest() -> None:
    told = [date(2026, 2, 1)]
    for wanted in ("", "x", "2020-01", "2026-13"):
        assert select_month(wanted, NOW.date(), told, []).name == "2026-02"
    assert select_month("", NOW.date(), [], []).name == "2026-03"


def test_episodes_are_counted_in_the_person_s_own_months() -> None:
    """Late on the last of March in UTC is April in Seoul."""
    late = datetime(2026, 3, 31, 20, tzinfo=UTC)
    told = [
        replace(PLAIN, said_at=late, importance=9, topics=("bees",)),
        replace(PLAIN, said_at=late, importance=6, emotion=Emotion.JOY),
        replace(PLAIN, said_at=late - timedelta(days=20), topics=("a", "b", "c", "d")),
    ]
    march, april = group_by_month(told, ZoneInfo("Asia/Seoul"))
    assert (march.name, march.topics) == ("2026-03", ["a", "b", "c"])
    assert (april.name, april.importance, april.topics) == ("2026-04", 7.5, ["bees"])
    assert april.emotions == {Emotion.STRESS: 1, Emotion.JOY: 1}
    assert [m.name for m in group_by_month(told, ZoneInfo("UTC"))] == ["2026-03"]
