"""Which days and weeks are summed up, now and next."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.kernel.language import Gist
from gieok.summaries.fingerprints import (
    compute_day_fingerprint,
    compute_week_fingerprint,
    merge_fingerprints,
)
from gieok.summaries.model import (
    FALLBACK,
    PeriodFingerprint,
    SessionSources,
    SessionSummary,
)
from gieok.summaries.period_schedule import PeriodSchedule, group_by_day, group_by_week
from gieok.summaries.periods import DAY, compute_day_end, format_week, resolve_day

pytestmark = [pytest.mark.req("A03"), pytest.mark.req("A04")]
SEOUL = ZoneInfo("Asia/Seoul")
NOON = datetime(2026, 1, 5, 3, 0, tzinfo=UTC)
MONDAY = date(2026, 1, 5)
MONTH = timedelta(days=30)
MESSAGE = UUID(int=9)


def session(number: int, at: datetime = NOON, text: str = "운동함") -> SessionSources:
    made = SessionSummary(
        UUID(int=number), Gist(text), "rules/1", (MESSAGE,), 0, 2, at, revision=1
    )
    return SessionSources(
        session_id=UUID(int=number),
        created_at=at,
        device_id=None,
        is_open=False,
        withheld=range(0),
        message_count=2,
        summarized_count=2,
        revision=1,
        summary=made,
        forgotten=frozenset(),
    )


def days(
    sessions: Sequence[SessionSources],
    kept: dict[date, PeriodFingerprint] | None = None,
) -> PeriodSchedule:
    end = partial(compute_day_end, zone=SEOUL)
    return PeriodSchedule(
        group_by_day(sessions, SEOUL), kept or {}, end, compute_day_fingerprint, MONTH
    )


def current(*sessions: SessionSources) -> dict[date, PeriodFingerprint]:
    return {
        MONDAY: PeriodFingerprint(compute_day_fingerprint(sessions), needs_model=False)
    }


TUESDAY = NOON + timedelta(days=1)


def test_a_day_is_due_when_it_is_over_and_not_before() -> None:
    end = compute_day_end(MONDAY, SEOUL)
    assert days([session(1)]).list_stale(end, makes=True) == [MONDAY]
    assert days([session(1)]).list_stale(end - timedelta(seconds=1), makes=True) == []


def test_a_day_that_has_expired_is_left_alone() -> None:
    assert (
        days([session(1)]).list_stale(
            compute_day_end(MONDAY, SEOUL) + MONTH, makes=True
        )
        == []
    )


def test_nothing_new_is_due_where_nothing_may_be_made() -> None:
    assert days([session(1)]).list_stale(TUESDAY, makes=False) == []
    gone = days([], current(session(1)))
    assert gone.list_stale(TUESDAY, makes=False) == [MONDAY]


def test_a_day_that_says_what_there_is_is_not_due() -> None:
    assert days([session(1)], current(session(1))).list_stale(TUESDAY, makes=True) == []


@pytest.mark.parametrize(
    "other",
    [
        replace(session(1), message_count=4),
        replace(session(1), forgotten=frozenset({MESSAGE})),
        replace(session(1), summary=replace(session(1).summary, revision=2)),  # pyright: ignore[reportArgumentType] - it has one
        replace(session(1), summary=replace(session(1).summary, summarizer=FALLBACK)),  # pyright: ignore[reportArgumentType] - it has one
        replace(session(1), summary=None),
        session(2),
    ],
)
def test_a_day_whose_sources_changed_is_due(other: SessionSources) -> None:
    assert days([other], current(session(1))).list_stale(TUESDAY, makes=True) == [
        MONDAY
    ]


def test_a_fallback_is_due_again() -> None:
    saved = {
        MONDAY: PeriodFingerprint(
            compute_day_fingerprint([session(1)]), needs_model=True
        )
    }
    assert days([session(1)], saved).list_stale(TUESDAY, makes=True) == [MONDAY]


def test_a_day_with_nothing_to_say_is_not_due_for_ever() -> None:
    silent = replace(session(1), summary=None)
    assert days([silent]).list_stale(TUESDAY, makes=True) == []


def test_what_was_forgotten_is_not_told() -> None:
    assert replace(session(1), forgotten=frozenset({MESSAGE})).usable_summary is None
    assert (
        replace(session(1), forgotten=frozenset({UUID(int=1)})).usable_summary
        is not None
    )


def test_the_next_end_is_that_of_the_first_running_day() -> None:
    talked = [session(1), session(2, TUESDAY), session(3, TUESDAY + 3 * DAY)]
    assert days(talked).find_next_end(TUESDAY) == compute_day_end(MONDAY + DAY, SEOUL)
    assert days(talked).find_next_end(NOON + 30 * DAY) is None


def test_the_digest_of_a_week_is_that_of_its_days() -> None:
    one, two, three = session(1), session(2), session(3, TUESDAY)
    silent = replace(session(4, TUESDAY + DAY), summary=None)
    whole = compute_week_fingerprint([one, two, three, silent], SEOUL)
    assert whole == merge_fingerprints(
        [compute_day_fingerprint([one, two]), compute_day_fingerprint([three])]
    )
    assert whole != compute_week_fingerprint([one, two], SEOUL)


@given(
    st.lists(st.integers(0, 400 * 24).map(lambda hours: NOON + timedelta(hours=hours))),
    st.sampled_from(["Asia/Seoul", "America/New_York", "Australia/Lord_Howe"]).map(
        ZoneInfo
    ),
)
def test_every_session_is_in_one_day_and_in_its_week(
    times: list[datetime], zone: ZoneInfo
) -> None:
    sessions = [session(number, at) for number, at in enumerate(sorted(times))]
    found = group_by_day(sessions, zone)
    assert sum(map(len, found.values())) == len(sessions)
    for day, told in found.items():
        assert all(resolve_day(one.created_at, zone) == day for one in told)
    weeks = group_by_week(found)
    assert [one for monday in sorted(weeks) for one in weeks[monday]] == sessions
    for monday, told in weeks.items():
        assert monday.weekday() == 0
        assert {format_week(resolve_day(one.created_at, zone)) for one in told} == {
            format_week(monday)
        }
