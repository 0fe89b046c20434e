"""A day of an appointment gets its year; what comes again or was does not."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.memories.lapse import find_plan_end
from gieok.models.rules.dates.calendar_days import (
    find_coming_day,
    resolve_calendar_days,
)
from gieok.models.rules.dates.relative_dates import resolve_dates

TODAY = date(2026, 11, 29)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("The user has got their driving theory on the 27th", "2026-12-27"),
        ("The user's driving test is on 14th May", "2027-05-14"),
        (
            "The user has a dentist appointment on Thursday the 3rd of December",
            "2026-12-03",
        ),
        ("The user is flying to Rome on December 2", "2026-12-02"),
        ("The user's MRI is booked for 30 January at 9", "2027-01-30"),
        ("The user's interview is on the 3rd at 9", "2026-12-03"),
        ("The user has an exam on Friday the 4th", "2026-12-04"),
        ("I've a scan on the 20th for my back", "2026-12-20"),
        ("I see the vet on the 20th again", "2026-12-20"),
        ("The user has an exam on the 20th if the car works", "2026-12-20"),
        ("The user booked the dentist on the 20th", "2026-12-20"),
        ("시험은 4월 25일 필기이다", "2027-04-25"),
        ("사용자는 12월 3일에 제주도 여행을 간다", "2026-12-03"),
        ("발표는 12월 1일이다", "2026-12-01"),
    ],
)
def test_an_appointment_ahead_is_over_with_its_day(text: str, day: str) -> None:
    told = resolve_dates(text, TODAY)
    assert f"({day})" in told
    assert find_plan_end(told, TODAY) == date.fromisoformat(day)
    assert resolve_dates(told, TODAY) == told


@pytest.mark.parametrize(
    "text",
    [
        "The user's birthday is on the 27th of May",
        "The user's rent is due on the 1st",
        "The user passed their driving test on 14th May",
        "The user had an interview on the 3rd",
        "I saw the doctor on the 5th",
        "The user met their doctor on 5th May",
        "The user's exam is on May 14, 2028",
        "The user has a meeting on the 5th of every month",
        "The user's flat is on the 4th floor",
        "The user's interview is on the 3rd floor",
        "The user has an appointment for the 2nd time",
        "The user's exam is for the 2nd in a row",
        "The user's appointment is on the 1st Monday of the month",
        "The user has a class on Monday the 4th",
        "The user has a scan on Monday 14th May",
        "사용자의 생일은 4월 25일이다",
        "월급날은 25일이다",
        "사용자는 4월 25일에 시험을 봤다",
        "2028년 4월 25일에 시험이 있다",
        "사용자는 매달 3월 1일에 검진을 받는다",
        "사용자는 12월 3일부터 출장을 간다",
        "사용자는 12월 3일~5일 여행을 간다",
    ],
)
def test_what_comes_again_was_or_is_no_appointment_stays(text: str) -> None:
    assert resolve_calendar_days(text, TODAY) == text


def test_this_month_is_no_end_behind_a_day_of_it() -> None:
    said = "The party's on the 20th this month"
    told = resolve_dates(said, date(2026, 3, 11))
    assert "on the 20th (2026-03-20) this month" in told
    assert "ends" not in told
    assert "-20)" not in resolve_dates(said, TODAY)
    told = resolve_dates("The user is at their mum's this month", TODAY)
    assert told.endswith("this month (ends 2026-11-30)")


@given(
    st.dates(date(2020, 1, 1), date(2090, 1, 1)),
    st.none() | st.integers(1, 12),
    st.integers(-1, 40),
)
def test_a_coming_day_is_the_first_of_its_name(
    today: date, month: int | None, day: int
) -> None:
    found = find_coming_day(month, day, today)
    if found is None:
        assert month is not None or not 1 <= day <= 31
    else:
        assert found >= today
        assert found.day == day
        assert month in {None, found.month}
        assert (found - today).days <= 366
