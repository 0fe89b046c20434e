"""Days and weeks tile time in every zone, whatever its clocks do."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.kernel.errors import InvalidInputError
from gieok.summaries.periods import (
    DAY,
    FIRST,
    LAST,
    compute_day_end,
    compute_day_start,
    compute_week_end,
    format_week,
    parse_week,
    resolve_day,
    validate_day,
)

pytestmark = [pytest.mark.req("A03"), pytest.mark.req("A04")]
ZONES = sorted(available_timezones())
zones = st.sampled_from(ZONES).map(ZoneInfo)
known_days = st.dates(FIRST, date(2040, 1, 1))
instants = st.integers(600_000, 2_208_988_800).map(
    lambda seconds: datetime.fromtimestamp(seconds, UTC)
)
MOMENT = timedelta(microseconds=1)


@given(known_days, zones)
def test_a_day_ends_where_the_next_one_begins(day: date, zone: ZoneInfo) -> None:
    assert compute_day_end(day, zone) == compute_day_start(day + DAY, zone)
    assert compute_day_start(day, zone) <= compute_day_end(day, zone)


@given(instants, zones)
def test_every_instant_lies_in_its_day_and_in_no_other(
    at: datetime, zone: ZoneInfo
) -> None:
    day = resolve_day(at, zone)
    assert compute_day_start(day, zone) <= at < compute_day_end(day, zone)


@given(known_days, zones)
def test_the_moment_before_a_day_belongs_to_an_earlier_one(
    day: date, zone: ZoneInfo
) -> None:
    start = compute_day_start(day, zone)
    assert resolve_day(start, zone) >= day
    assert resolve_day(start - MOMENT, zone) < day


@given(st.dates(FIRST, date(2040, 1, 1)))
def test_the_week_of_a_day_is_its_iso_week(day: date) -> None:
    year, week, _ = day.isocalendar()
    assert format_week(day) == f"{year}-W{week:02d}"
    monday = parse_week(format_week(day))
    assert monday.weekday() == 0
    assert monday <= day < monday + 7 * DAY


@given(known_days, zones)
def test_a_week_ends_with_its_sunday(day: date, zone: ZoneInfo) -> None:
    monday = parse_week(format_week(day))
    assert compute_week_end(monday, zone) == compute_day_end(monday + 6 * DAY, zone)


def test_the_year_of_a_week_is_not_always_the_day_s() -> None:
    assert format_week(date(2024, 12, 30)) == "2025-W01"
    assert format_week(date(2027, 1, 3)) == "2026-W53"


@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        ("Asia/Seoul", date(2026, 3, 29), 24),
        ("Europe/Berlin", date(2026, 3, 29), 23),
        ("Europe/Berlin", date(2026, 10, 25), 25),
        ("America/New_York", date(2026, 3, 8), 23),
        ("America/New_York", date(2026, 11, 1), 25),
        ("Australia/Lord_Howe", date(2026, 4, 5), 24.5),
        ("Australia/Lord_Howe", date(2026, 10, 4), 23.5),
        # The clocks go from 24:00 to 1:00: the day has no midnight.
        ("Africa/Cairo", date(2026, 4, 24), 23),
        ("America/Havana", date(2026, 3, 8), 23),
        # Samoa left the 30th of December 2011 out.
        ("Pacific/Apia", date(2011, 12, 30), 0),
    ],
)
def test_a_day_is_as_long_as_its_clocks_say(zone: str, day: date, hours: float) -> None:
    length = compute_day_end(day, ZoneInfo(zone)) - compute_day_start(
        day, ZoneInfo(zone)
    )
    assert length == timedelta(hours=hours)


def test_a_day_does_not_come_back_where_clocks_are_turned_back_over_midnight() -> None:
    newfoundland = ZoneInfo("America/St_Johns")
    first_midnight = datetime(2010, 11, 7, 2, 30, tzinfo=UTC)  # 0:00:00, then 0:01
    assert first_midnight.astimezone(newfoundland).date() == date(2010, 11, 7)
    assert resolve_day(first_midnight, newfoundland) == date(2010, 11, 6)
    assert compute_day_start(date(2010, 11, 7), newfoundland) == datetime(
        2010, 11, 7, 3, 30, tzinfo=UTC
    )


@pytest.mark.parametrize(
    "text",
    ["", "2026", "2026-47", "2026-W54", "2026-W7", "2026-W00", "W47", "2026-W47 ",
     "٢٠٢٦-W47", "9999-W52", "1969-W01", "-2026-W47", "2026-W47\x00"],
)  # fmt: skip
def test_what_is_no_week_is_refused(text: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        parse_week(text)
    assert refused.value.field == "week_key"


@pytest.mark.parametrize(
    "day", [date.min, date.max, LAST, FIRST - DAY, "2026-01-05", None, 5,
            datetime(2026, 1, 5, tzinfo=UTC)]
)  # fmt: skip
def test_what_is_no_day_to_sum_up_is_refused(day: object) -> None:
    with pytest.raises(InvalidInputError):
        validate_day("day", day)
