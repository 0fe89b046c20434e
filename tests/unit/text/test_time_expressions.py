"""Time expressions in questions, in both languages, seen from one moment."""

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.search.factors import score_interval
from gieok.text.time_expressions import extract_time_span

SEOUL = ZoneInfo("Asia/Seoul")
NOW = datetime(2026, 3, 18, 21, 30, tzinfo=SEOUL)
"""A Wednesday evening."""

PIECES = (
    "지난주 화요일", "어제", "작년 5월", "3월에", "보름 전",
    "2023년 2월 30일", "99년 전",
    "9999년 전", "이번 주말",
    "최근 3일", "재작년 겨울", "12월 31일", "지난달", "다음 주",
    "last May", "on 7 May 2023", "two weeks ago", "in March",
    "last Tuesday", "1999-13-40",
    "29 February", "February 29, 2023", "last weekend", "next month",
    "a few days ago",
    "summer of 2019", "in 2022",
    "last year", "the past 9999 years", "오늘", "tonight",
    "?", "매주", "every spring", "가", "what", "0일 전", "0월", "13월", "2023",
)  # fmt: skip

moments = st.datetimes(
    datetime(1, 1, 1),  # noqa: DTZ001  (the zone is added by the strategy)
    datetime(9999, 12, 31),  # noqa: DTZ001  (as above)
    timezones=st.sampled_from(
        [UTC, SEOUL, ZoneInfo("America/Halifax"), timezone(timedelta(hours=-11))]
    ),
)
phrases = st.lists(st.sampled_from(PIECES), max_size=4).map(" ".join)


@pytest.mark.req("D07")
@given(phrases | st.text(max_size=40), moments)
def test_a_span_has_a_beginning_before_its_end(text: str, now: datetime) -> None:
    span = extract_time_span(text, now)
    if span is not None:
        assert span.start < span.end
        assert span.start.tzinfo is now.tzinfo
        assert span.end.tzinfo is now.tzinfo
        assert extract_time_span(text, now) == span


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("지난주 화요일에 뭐 했지?", (2026, 3, 10), (2026, 3, 10)),
        ("다음 주 금요일 약속", (2026, 3, 27), (2026, 3, 27)),
        ("지난 화요일에 만난 사람", (2026, 3, 17), (2026, 3, 17)),
        ("지난 수요일", (2026, 3, 11), (2026, 3, 11)),
        ("이번 토요일", (2026, 3, 21), (2026, 3, 21)),
        ("어제 먹은 거", (2026, 3, 17), (2026, 3, 17)),
        ("그저께", (2026, 3, 16), (2026, 3, 16)),
        ("모레 일정", (2026, 3, 20), (2026, 3, 20)),
        ("내일모레 뭐 하지", (2026, 3, 20), (2026, 3, 20)),
        ("내일 모레 일정", (2026, 3, 20), (2026, 3, 20)),
        ("낼모레 약속", (2026, 3, 20), (2026, 3, 20)),
        ("내일 일정", (2026, 3, 19), (2026, 3, 19)),
        ("이번 겨울", (2026, 12, 1), (2027, 2, 28)),
        ("지난 겨울", (2025, 12, 1), (2026, 2, 28)),
        ("last spring", (2025, 3, 1), (2025, 5, 31)),
        ("작년 5월에 간 곳", (2025, 5, 1), (2025, 5, 31)),
        ("작년 5월 7일", (2025, 5, 7), (2025, 5, 7)),
        ("2024년 12월", (2024, 12, 1), (2024, 12, 31)),
        ("2024년 12월 25일", (2024, 12, 25), (2024, 12, 25)),
        ("3월에 시작한 운동", (2026, 3, 1), (2026, 3, 31)),
        ("10월에 시작한 운동", (2025, 10, 1), (2025, 10, 31)),
        ("지난 3월", (2025, 3, 1), (2025, 3, 31)),
        ("5월 7일", (2025, 5, 7), (2025, 5, 7)),
        ("보름 전에 뭐라고 했지", (2026, 2, 28), (2026, 3, 6)),
        ("사흘 전", (2026, 3, 15), (2026, 3, 15)),
        ("3일 전", (2026, 3, 15), (2026, 3, 15)),
        ("두 주 전", (2026, 3, 1), (2026, 3, 7)),
        ("한 달 전에", (2026, 2, 1), (2026, 3, 3)),
        ("최근 2주", (2026, 3, 4), (2026, 3, 18)),
        ("지난주에 산 책", (2026, 3, 9), (2026, 3, 15)),
        ("지지난주", (2026, 3, 2), (2026, 3, 8)),
        ("이번 주말", (2026, 3, 21), (2026, 3, 22)),
        ("지난달", (2026, 2, 1), (2026, 2, 28)),
        ("재작년 여름", (2024, 6, 1), (2024, 8, 31)),
        ("작년 겨울", (2025, 12, 1), (2026, 2, 28)),
        ("작년에 이사한 집", (2025, 1, 1), (2025, 12, 31)),
        ("2022년", (2022, 1, 1), (2022, 12, 31)),
        ("What did I do last May?", (2025, 5, 1), (2025, 5, 31)),
        ("on 7 May 2023", (2023, 5, 7), (2023, 5, 7)),
        ("on May 7th, 2023", (2023, 5, 7), (2023, 5, 7)),
        ("the 7th of May", (2025, 5, 7), (2025, 5, 7)),
        ("on 2023-05-07", (2023, 5, 7), (2023, 5, 7)),
        ("in May 2023", (2023, 5, 1), (2023, 5, 31)),
        ("in March", (2026, 3, 1), (2026, 3, 31)),
        ("last March", (2025, 3, 1), (2025, 3, 31)),
        ("next March", (2027, 3, 1), (2027, 3, 31)),
        ("this October", (2026, 10, 1), (2026, 10, 31)),
        ("in June last year", (2025, 6, 1), (2025, 6, 30)),
        ("two weeks ago", (2026, 3, 1), (2026, 3, 7)),
        ("a couple of days ago", (2026, 3, 16), (2026, 3, 16)),
        ("yesterday", (2026, 3, 17), (2026, 3, 17)),
        ("the day before yesterday", (2026, 3, 16), (2026, 3, 16)),
        ("last night", (2026, 3, 17), (2026, 3, 17)),
        ("last Tuesday", (2026, 3, 17), (2026, 3, 17)),
        ("next Friday", (2026, 3, 20), (2026, 3, 20)),
        ("last weekend", (2026, 3, 14), (2026, 3, 15)),
        ("over the past 3 days", (2026, 3, 15), (2026, 3, 18)),
        ("last week", (2026, 3, 9), (2026, 3, 15)),
        ("this month", (2026, 3, 1), (2026, 3, 31)),
        ("last summer", (2025, 6, 1), (2025, 8, 31)),
        ("the summer of 2019", (2019, 6, 1), (2019, 8, 31)),
        ("in 2022", (2022, 1, 1), (2022, 12, 31)),
        ("last year", (2025, 1, 1), (2025, 12, 31)),
        ("30 February 2023", (2023, 2, 1), (2023, 2, 28)),
        ("2023년 2월 30일", (2023, 2, 1), (2023, 2, 28)),
        ("이 년 전에 산 차", (2023, 9, 18), (2024, 9, 16)),
    ],
)
def test_what_an_expression_means(
    text: str, first: tuple[int, int, int], last: tuple[int, int, int]
) -> None:
    span = extract_time_span(text, NOW)
    assert span is not None
    assert span.start.date() == date(*first)
    assert span.end.date() - timedelta(days=1) == date(*last)


@pytest.mark.parametrize(
    ("text", "today", "first", "last"),
    [
        ("이번 겨울에 뭐 했지", (2026, 1, 20), (2025, 12, 1), (2026, 2, 28)),
        ("this winter", (2026, 2, 28), (2025, 12, 1), (2026, 2, 28)),
        ("이번 겨울", (2025, 12, 5), (2025, 12, 1), (2026, 2, 28)),
        ("지난 겨울", (2026, 1, 20), (2024, 12, 1), (2025, 2, 28)),
        ("다음 겨울", (2026, 1, 20), (2026, 12, 1), (2027, 2, 28)),
        ("last summer", (2026, 7, 9), (2025, 6, 1), (2025, 8, 31)),
        ("this summer", (2026, 7, 9), (2026, 6, 1), (2026, 8, 31)),
    ],
)
def test_a_season_that_is_running_is_this_one(
    text: str,
    today: tuple[int, int, int],
    first: tuple[int, int, int],
    last: tuple[int, int, int],
) -> None:
    span = extract_time_span(text, datetime(*today, 9, tzinfo=SEOUL))
    assert span is not None
    assert span.start.date() == date(*first)
    assert span.end.date() - timedelta(days=1) == date(*last)


@pytest.mark.parametrize(
    "text",
    [
        "", "내 고양이 이름이 뭐였지?", "매주 화요일에 하는 거", "every spring",
        "오늘날",
        "May I ask something?", "9999년 전",
        "What march did they play?", "3개월 할부", "이 일 전에 하던 일",
        "Which days is my class held now?", "번호 2023", "a month's rent",
    ],
)  # fmt: skip
def test_what_is_no_time(text: str) -> None:
    assert extract_time_span(text, NOW) is None


def test_today_is_the_asker_s_today() -> None:
    late = datetime(2026, 3, 18, 23, 0, tzinfo=UTC)
    here, there = (
        extract_time_span("today", late),
        extract_time_span("today", late.astimezone(SEOUL)),
    )
    assert here is not None
    assert there is not None
    assert there.start - here.start == timedelta(hours=15)


def test_a_moment_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="now: a time zone is required"):
        extract_time_span("yesterday", NOW.replace(tzinfo=None))


@given(st.lists(st.floats(0, 2e9), max_size=5), st.floats(0, 2e9), st.floats(1, 1e7))
def test_the_boost_is_whole_inside_and_fades_after(
    at: list[float], start: float, length: float
) -> None:
    boost = score_interval(np.array(at), (start, start + length))
    for time, lift in zip(at, boost.tolist(), strict=True):
        assert 0 <= lift <= 1
        assert (lift == 0) if time < start else (time > start + length or lift == 1)
    assert not score_interval(np.array(at), None).any()
