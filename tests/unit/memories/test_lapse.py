"""Plans come true or lapse, and ages move."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.memories.decay import FLOOR
from gieok.memories.lapse import (
    AFTERWARDS,
    find_plan_end,
    is_lapsed,
    render_as_of,
)
from gieok.models.rules.dates.relative_dates import resolve_dates
from support.plain_memory import PLAIN

SAID = date(2026, 11, 24)  # a Tuesday
PASSED = "(that was the plan; the day has passed)"
PLAN = "사용자는 내일 면접이 있다"
TEXTS = st.text(alphabet="사용자 내일(2026-1년월일5살다부터)매주 on next", max_size=60)


def _say(words: str) -> str:
    """Return a fact as the rules write it on that day."""
    return resolve_dates(words, SAID)


@pytest.mark.parametrize(
    ("words", "end"),
    [
        (PLAN, date(2026, 11, 25)),
        ("사용자는 다음 주 화요일에 치과에 간다", date(2026, 12, 1)),
        ("사용자는 사흘 뒤 여행을 간다", date(2026, 11, 27)),
        ("사용자는 다음 달에 시험을 본다", date(2026, 12, 31)),
        ("사용자는 내년에 유럽에 간다", date(2027, 12, 31)),
        ("User has an interview tomorrow", date(2026, 11, 25)),
        ("User flies to Rome next month", date(2026, 12, 31)),
        ("User sees the dentist in two weeks", date(2026, 12, 8)),
        ("사용자는 어제 치과에 갔다", None),
        ("사용자는 작년에 결혼했다", None),
        ("사용자는 내일부터 수영을 배운다", None),
        ("User works in Leeds from next month", None),
        ("사용자는 다음 주 화요일부터 매주 요가를 한다", None),
        ("사용자는 일산에 산다", None),
        ("사용자의 주문 번호는 2099-77-99이다", None),
        ("사용자는 다음 주에 여행을 간다", date(2026, 12, 6)),
        ("User travels next week", date(2026, 12, 6)),
        ("사용자는 이번 주말에 김장을 한다", date(2026, 11, 29)),
        ("사용자는 이번 주에 담배를 끊었다", None),
        ("User quit smoking this week", None),
        ("사용자는 다음 주부터 수영을 배운다", None),
        ("User works in Leeds from next week", None),
        ("User is in Rome from 2026-12-01 to 2026-12-05", date(2026, 12, 5)),
        ("User is in Rome from 2026-11-20 to 2026-12-05", date(2026, 12, 5)),
        ("User was treasurer from 2020 to 2026", None),
        ("User is on crutches for six weeks (until 2027-01-05)", date(2027, 1, 5)),
        ("User is in Rome this week (ends 2026-11-24)", SAID),
        ("User worked in Leeds until 2026-11-24", None),
        ("User works in Leeds until the end of May (2027-05-31)", date(2027, 5, 31)),
        ("사용자는 2주 동안(2026-12-08까지) 깁스를 한다", date(2026, 12, 8)),
        ("사용자는 이번 달(2026-11-30까지)은 재택근무이다", date(2026, 11, 30)),
        ("사용자는 매주 금요일까지(2026-12-08까지) 보고한다", None),
        ("사용자는 2026년 12월 1일 ~ 2026년 12월 5일에 로마에 간다", date(2026, 12, 5)),
        (
            "사용자는 2026-11-20~2026-11-27 휴가 뒤 2026-12-01 출장을 간다",
            date(2026, 12, 1),
        ),
    ],
)
def test_the_day_of_a_plan_is_read_from_its_words(words: str, end: date | None) -> None:
    assert find_plan_end(_say(words), SAID) == end


@pytest.mark.parametrize(
    ("content", "end"),
    [
        ("User drives a 2027 Kia", None),
        ("User got it from the 2027 catalogue and plays 2048", None),
        ("User is training for the 2028 Olympics", None),
        ("User is in the class of 2028", None),
        ("사용자는 2027 카니발을 탄다", None),
        ("사용자는 2027년형 카니발을 탄다", None),
        ("사용자는 2048 게임을 한다", None),
        ("User plays 2048", None),
        ("User drives a Kia 2027", None),
        ("User plans to buy a Kia 2027.", None),
        ("User's car is a Kia, 2027", None),
        ("User's room number is 2027", None),
        ("User's target is 2027 steps", None),
        ("User saved around 2027 pounds", None),
        ("User wants parts for 2027 Kias", None),
        ("사용자의 현관 번호는 2027이다", None),
        ("사용자는 2027학번이다", None),
        ("사용자는 2027 수능 기출을 푼다", None),
        ("User graduates in 2027", date(2027, 12, 31)),
        ("User wants to be done by 2028.", date(2028, 12, 31)),
        ("User is in Leeds until 2027", date(2027, 12, 31)),
        ("User is in Rome for a while (2027 to 2029)", date(2029, 12, 31)),
        ("User flies to Rome in June 2027", date(2027, 12, 31)),
        ("User flies to Rome on June 14th, 2027", date(2027, 12, 31)),
        ("User finishes in mid-2027", date(2027, 12, 31)),
        ("User finishes at the end of 2027", date(2027, 12, 31)),
        ("User sits the exam on 14/3/2027", date(2027, 12, 31)),
        ("User flies to Rome next year (2027)", date(2027, 12, 31)),
        ("User's visa expires 2027", date(2027, 12, 31)),
        ("User's visa expires 2027, and the passport is fine", date(2027, 12, 31)),
        ("User will travel to Japan, 2027", date(2027, 12, 31)),
        ("User's exam is 2027", date(2027, 12, 31)),
        ("User wants to visit Japan around 2027", date(2027, 12, 31)),
        ("User wants to run a marathon for 2027.", date(2027, 12, 31)),
        ("User flies to Rome next year, 2027", date(2027, 12, 31)),
        ("사용자는 2027 수능을 본다", date(2027, 12, 31)),
        ("사용자는 2027학년도 수능을 본다", date(2027, 12, 31)),
        ("사용자는 2027쯤 일본에 간다", date(2027, 12, 31)),
        ("사용자는 2027 봄에 일본에 간다", date(2027, 12, 31)),
        ("사용자는 2027년에 졸업한다", date(2027, 12, 31)),
        ("사용자는 2027까지 로마에 있다", date(2027, 12, 31)),
        ("사용자는 내년(2027)에 로마에 간다", date(2027, 12, 31)),
    ],
)
def test_a_year_alone_is_a_plan_where_it_says_when(
    content: str, end: date | None
) -> None:
    assert find_plan_end(content, SAID) == end


@pytest.mark.parametrize(
    ("content", "is_plan"),
    [
        ("User has an exam tomorrow (2026-11-25), always nervous", True),
        ("User has an exam tomorrow (2026-11-25) and is always nervous", True),
        ("User has an exam tomorrow (2026-11-25). User swims every week.", True),
        ("User swims every week. User has an exam tomorrow (2026-11-25).", True),
        ("사용자는 내일(11월 25일, 2026-11-25) 시험이 있고 항상 긴장한다", True),
        ("사용자는 내일(2026-11-25) 면접이 있다, 매번 떤다", True),
        ("User swims every week, next on 2026-11-25", False),
        ("Every Monday, next on 2026-11-30, the user swims", False),
        ("User swims on 2026-11-25 and every Wednesday after", False),
        ("User has dialysis on 2026-11-25 and then every Wednesday", False),
        ("User has physio on 2026-11-25, and every Wednesday after that", False),
        ("User has yoga on 2026-11-25, every Wednesday", False),
        ("사용자는 내일(2026-11-25)에 투석을 받고 그 뒤로 매주 받는다", False),
        ("사용자는 내일(2026-11-25)에 요가를 하고, 매주 수요일에 간다", False),
        ("User usually has an exam on 2026-11-25", False),
        ("사용자는 내일(2026-11-25) 그리고 매주 수영을 한다", False),
    ],
)
def test_a_habit_beside_a_plan_leaves_it_a_plan(content: str, *, is_plan: bool) -> None:
    assert (find_plan_end(content, SAID) is not None) is is_plan


def test_a_plan_is_a_plan_until_its_day_is_over() -> None:
    content = _say(PLAN)
    assert render_as_of(content, SAID, SAID) == content
    assert render_as_of(content, SAID, SAID + timedelta(days=1)) == content
    past = "사용자는 2026-11-25 면접이 있다고 했다 (지난 일)"
    assert render_as_of(content, SAID, SAID + timedelta(days=2)) == past


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            "사용자는 다음 주 화요일에 치과에 간다",
            "사용자는 2026-12-01에 치과에 간다고 했다 (지난 일)",
        ),
        (
            "사용자는 다음 달에 시험을 본다",
            "사용자는 2026년 12월에 시험을 본다고 했다 (지난 일)",
        ),
        (
            "사용자는 한 달 뒤에 시험을 본다",
            "사용자는 2026년 12월에 시험을 본다고 했다 (지난 일)",
        ),
        (
            "사용자는 일주일 뒤에 시험을 본다",
            "사용자는 2026-12-01에 시험을 본다고 했다 (지난 일)",
        ),
        (
            "사용자는 내일 모레 시험을 본다",
            "사용자는 2026-11-26 시험을 본다고 했다 (지난 일)",
        ),
        (
            "User has an interview tomorrow.",
            f"User has an interview on 2026-11-25 {PASSED}",
        ),
        (
            "User sees the dentist the day after tomorrow",
            f"User sees the dentist on 2026-11-26 {PASSED}",
        ),
        (
            "User sees the dentist in two weeks' time",
            f"User sees the dentist on 2026-12-08 {PASSED}",
        ),
        (
            "User sees the dentist a week on Friday",
            f"User sees the dentist on 2026-12-04 {PASSED}",
        ),
        (
            "User is going away for two weeks on Friday",
            f"User is going away for two weeks on 2026-11-27 {PASSED}",
        ),
        (
            "User sees the dentist on Friday week",
            f"User sees the dentist on 2026-12-04 {PASSED}",
        ),
        (
            "User sees the dentist next Friday",
            f"User sees the dentist on 2026-12-04 {PASSED}",
        ),
    ],
)
def test_what_has_passed_is_told_with_its_date(words: str, told: str) -> None:
    assert render_as_of(_say(words), SAID, SAID + timedelta(days=60)) == told


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (
            "User is on crutches for six weeks (until 2027-01-05)",
            "User is on crutches for six weeks, until 2027-01-05 (that time is over)",
        ),
        (
            "User minds a dog for the next ten days (until 2026-12-04).",
            "User minds a dog until 2026-12-04 (that time is over)",
        ),
        (
            "This month (ends 2026-11-30) the user works at home",
            "Until 2026-11-30 the user works at home (that time is over)",
        ),
        (
            "User is off school until next Monday (2026-11-30)",
            "User is off school until 2026-11-30 (that time is over)",
        ),
        (
            "User is in Rome from 2026-11-20 to 2026-12-05",
            "User is in Rome from 2026-11-20 to 2026-12-05 (that time is over)",
        ),
        (
            "사용자는 앞으로 2주 동안(2026-12-08까지) 깁스를 한다",
            "사용자는 2주 동안(2026-12-08까지) 깁스를 한다고 했다 (지난 일)",
        ),
        (
            "사용자는 이번 달(2026-11-30까지)은 재택근무이다",
            "사용자는 2026-11-30까지 재택근무라고 했다 (지난 일)",
        ),
        (
            "사용자는 이번 주(2026-11-29까지)는 야근이라고 말했다",
            "사용자는 2026-11-29까지 야근이라고 말했다 (지난 일)",
        ),
        (
            "사용자는 금요일(11월 27일, 2026-11-27)까지 시험이다",
            "사용자는 2026-11-27까지 시험이라고 했다 (지난 일)",
        ),
        (
            "사용자는 이번 주(2026-11-29까지)에는 요리 담당이 아니다",
            "사용자는 2026-11-29까지 요리 담당이 아니라고 했다 (지난 일)",
        ),
    ],
)
def test_what_went_on_until_a_day_is_told_as_over(content: str, told: str) -> None:
    assert render_as_of(content, SAID, SAID) == content
    later = SAID + timedelta(days=60)
    assert render_as_of(content, SAID, later) == told
    assert is_lapsed(content, SAID, later)


@pytest.mark.parametrize(
    "words", ["사용자는 이번 주에 담배를 끊었다", "User quit smoking this week"]
)
def test_what_came_true_within_a_week_is_no_plan_for_its_sunday(words: str) -> None:
    content, later = _say(words), SAID + timedelta(days=300)
    assert render_as_of(content, SAID, later) == content
    assert not is_lapsed(content, SAID, later)


def test_a_plan_leaves_use_some_time_after_its_day() -> None:
    content, end = _say(PLAN), date(2026, 11, 25)
    assert not is_lapsed(content, SAID, end + AFTERWARDS)
    assert is_lapsed(content, SAID, end + AFTERWARDS + timedelta(days=1))


@pytest.mark.parametrize(
    ("zone", "said", "content", "stays"),
    [
        (
            "Asia/Seoul",
            datetime(2026, 11, 24, 22, 30, tzinfo=UTC),
            "사용자는 오늘(11월 25일, 2026-11-25) 담배를 끊었다",
            True,
        ),
        (
            "America/New_York",
            datetime(2026, 11, 25, 1, 0, tzinfo=UTC),
            "User has an interview tomorrow (2026-11-25)",
            False,
        ),
    ],
)
def test_the_day_on_which_something_was_said_is_the_persons_own(
    zone: str, said: datetime, content: str, *, stays: bool
) -> None:
    memory = replace(PLAIN, content=content, last_confirmed_at=said, time_zone=zone)
    left = memory.confidence_at(said + timedelta(days=20))
    assert (left >= memory.confidence / 2) is stays


def test_a_plan_leaves_use_when_the_persons_own_day_begins() -> None:
    said = datetime(2026, 11, 24, 9, 0, tzinfo=UTC)
    memory = replace(
        PLAIN, content=_say(PLAN), last_confirmed_at=said, time_zone="Asia/Seoul"
    )
    last = datetime(2026, 12, 9, 15, 0, tzinfo=UTC)
    assert memory.confidence_at(last - timedelta(seconds=1)) > FLOOR
    assert memory.confidence_at(last) == FLOOR


@pytest.mark.parametrize(
    "words",
    [
        "사용자는 다음 주 화요일에 일산으로 이사한다",
        "사용자는 내년에 결혼한다",
        "사용자의 어머니 생신은 다음 주 금요일이다",
        "User starts at a new school next month",
    ],
)
def test_a_plan_that_changes_what_is_true_stays_and_is_told_as_past(
    words: str,
) -> None:
    content, later = _say(words), SAID + timedelta(days=800)
    assert not is_lapsed(content, SAID, later)
    assert render_as_of(content, SAID, later) != content


@pytest.mark.parametrize(
    ("content", "days", "told"),
    [
        ("사용자의 아들은 5살이다", 300, "사용자의 아들은 5살이다"),
        (
            "사용자의 아들은 5살이다",
            400,
            "사용자의 아들은 5살(2026년에; 지금은 6살쯤)이다",
        ),
        (
            "사용자의 손녀는 일곱 살이다",
            800,
            "사용자의 손녀는 일곱 살(2026년에; 지금은 9살쯤)이다",
        ),
        (
            "사용자는 예순두 살이다",
            366,
            "사용자는 예순두 살(2026년에; 지금은 63살쯤)이다",
        ),
        ("사용자는 다섯 살 때 서울에 왔다", 800, "사용자는 다섯 살 때 서울에 왔다"),
        (
            "The user's daughter is 7 years old",
            400,
            "The user's daughter is 7 years old (in 2026; about 8 now)",
        ),
    ],
)
def test_an_age_moves_with_the_years(content: str, days: int, told: str) -> None:
    assert render_as_of(content, SAID, SAID + timedelta(days=days)) == told


@pytest.mark.parametrize(
    ("content", "again", "stays"),
    [
        ("User has an interview tomorrow (2026-11-25)", "interview", True),
        ("User has an interview (2026-11-25)", "User has an interview", True),
        ("User's son is 5 years old", "User has a son", True),
        ("User's son is 5 years old", "User's son is 6 years old", True),
        ("User's son is 5 years old", "User has a 5-year-old son", False),
        ("사용자의 손녀는 일곱 살이다", "사용자의 손녀는 7살이다", False),
        ("User lives in Leeds", "User lives in Leeds", False),
        ("User quit smoking today (2026-11-24)", "User quit smoking", False),
    ],
)
def test_plans_and_ages_stay_of_the_day_of_their_words(
    content: str, again: str, *, stays: bool
) -> None:
    said = datetime(2026, 11, 24, 9, 0, tzinfo=UTC)
    later = said + timedelta(days=1)
    memory = replace(PLAIN, content=content, last_confirmed_at=said)
    for _ in range(2):
        worded_at = memory.find_worded_at(again, later)
        memory = replace(memory, last_confirmed_at=later, worded_at=worded_at)
        assert memory.reference_time == (said if stays else later)
        assert memory.last_touched >= later, "it was confirmed all the same"


@pytest.mark.parametrize("days", [-300, 100])
def test_an_age_that_is_read_late_is_of_the_time_at_which_it_was_said(
    days: int,
) -> None:
    """It was said, confirmed in other words a year later, and then a device is on."""
    words, said = "User's son is 5 years old", datetime(2025, 11, 24, 9, tzinfo=UTC)
    confirmed, late = said + timedelta(days=365), said + timedelta(days=days)
    memory = replace(PLAIN, content=words, last_confirmed_at=confirmed, worded_at=said)
    worded_at = memory.find_worded_at(words, late)
    assert replace(memory, worded_at=worded_at).reference_time == max(said, late)


@given(TEXTS, st.integers(0, 4000))
def test_any_words_can_be_told_later(content: str, days: int) -> None:
    later = SAID + timedelta(days=days)
    told = render_as_of(content, SAID, later)
    end = find_plan_end(content, SAID)
    assert end is None or end >= SAID
    assert told == content or end is not None or days >= 365
