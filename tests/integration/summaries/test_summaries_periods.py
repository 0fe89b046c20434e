"""Days and weeks in the person's time zone, summed up when they are over."""

import asyncio
from collections.abc import Generator
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import Any, LiteralString
from uuid import UUID, uuid4

import pytest
from psycopg.sql import SQL, Identifier

from gieok import Gieok, Scope, Turn
from gieok.kernel.errors import InvalidInputError
from gieok.summaries import withdraw_messages, withdraw_sessions
from gieok.summaries.periods import parse_week
from gieok.testing import FixedClock
from support.database import Owner
from support.scripted_model import Script, fact
from support.summary_days import Summer, summer_of, talked

pytestmark = [pytest.mark.req("A03"), pytest.mark.req("A04")]
MONDAY = date(2026, 1, 5)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture(autouse=True)
def monday_noon(clock: FixedClock) -> Generator[None]:
    """It is Monday noon in Seoul, and the clock is put back afterwards."""
    before = clock()
    clock.set(datetime(2026, 1, 5, 3, 0, tzinfo=UTC))
    yield
    clock.set(before)


@pytest.fixture
def summer(memory: Gieok) -> Summer:
    return summer_of(memory)


async def due(owner: Owner, me: Scope, task: str) -> datetime | None:
    found = await owner.execute(
        "SELECT due FROM agenda WHERE user_id = %s AND task = %s", [me.user_id, task]
    )
    row = await found.fetchone()
    return row[0].astimezone(UTC) if row else None


async def kept(owner: Owner, me: Scope, table: LiteralString) -> list[tuple[Any, ...]]:
    found = await owner.execute(
        SQL("SELECT * FROM {} WHERE user_id = %s ORDER BY created_at").format(
            Identifier(table)
        ),
        [me.user_id],
    )
    return await found.fetchall()


async def remembered(memory: Gieok, me: Scope, session: UUID, script: Script) -> UUID:
    """Return what is known from the first thing the person said in a session."""
    script.says(fact("잊을 것"))
    (outcome,) = await memory.memories.extract(me, session)
    assert outcome.memory_id
    return outcome.memory_id


async def forgotten(memory: Gieok, me: Scope, session: UUID, script: Script) -> None:
    """Have the person forget the first thing they said in a session."""
    await memory.memories.forget(me, await remembered(memory, me, session, script))


async def test_a_day_is_made_of_the_sums_of_its_sessions(
    memory: Gieok, me: Scope, summer: Summer
) -> None:
    phone = uuid4()
    first = await memory.sessions.start(me, device_id=phone)
    await talked(
        memory, me, "운동했어\ntopic:운동\ntask:우유 사기", session_id=first.session_id
    )
    second = await memory.sessions.start(me, device_id=phone)
    await talked(
        memory,
        me,
        "우유를 샀어\ntopic:장보기\ntopic:운동\nlikes:두유",
        session_id=second.session_id,
    )
    day = await summer.summaries.day(me, MONDAY)
    assert day is not None
    assert day.date_key == MONDAY
    assert day.text == "User said: 운동했어 User said: 우유를 샀어"
    assert day.topics == ("운동", "장보기")
    assert day.recent_preferences == ("두유",)
    assert day.open_tasks == (), "the milk was bought"
    assert day.source_session_ids == (first.session_id, second.session_id)
    assert day.device_id == phone
    assert (day.importance, day.revision) == (7, 1)
    assert day.expires_at == datetime(2026, 2, 4, 15, 0, tzinfo=UTC)
    assert summer.condensed == ["ko"]
    assert await summer.summaries.day(me, MONDAY) == day
    assert summer.asked == 3, "an unchanged day costs no model call"


async def test_sessions_of_two_devices_make_a_day_of_none(
    memory: Gieok, me: Scope, summer: Summer
) -> None:
    for _ in range(2):
        session = await memory.sessions.start(me, device_id=uuid4())
        await talked(memory, me, "I moved to Busan", session_id=session.session_id)
    day = await summer.summaries.day(me, MONDAY)
    assert day is not None
    assert day.device_id is None
    assert summer.condensed == ["en"], "the conversations were English"


async def test_a_day_without_a_word_has_no_summary(
    memory: Gieok, me: Scope, summer: Summer, owner: Owner
) -> None:
    await memory.sessions.start(me)
    assert await summer.summaries.day(me, MONDAY) is None
    assert await summer.summaries.week(me, "2026-W02") is None
    assert await kept(owner, me, "short_term_summaries") == []


@pytest.mark.parametrize("bad", [date.min, date.max, "2026-01-05", None])
async def test_no_day_is_refused(me: Scope, summer: Summer, bad: Any) -> None:
    with pytest.raises(InvalidInputError):
        await summer.summaries.day(me, bad)


@pytest.mark.parametrize("bad", ["", "2026-W60", "9999-W01", "x" * 10_000])
async def test_no_week_is_refused(me: Scope, summer: Summer, bad: str) -> None:
    with pytest.raises(InvalidInputError):
        await summer.summaries.week(me, bad)


@pytest.mark.parametrize(
    ("zone", "began", "day"),
    [
        ("Asia/Seoul", datetime(2026, 3, 29, 15, 0, tzinfo=UTC), date(2026, 3, 30)),
        ("Asia/Seoul", datetime(2026, 3, 29, 14, 59, tzinfo=UTC), date(2026, 3, 29)),
        ("Europe/Berlin", datetime(2026, 3, 29, 22, 0, tzinfo=UTC), date(2026, 3, 30)),
        ("America/New_York", datetime(2026, 3, 9, 3, 59, tzinfo=UTC), date(2026, 3, 8)),
        ("Africa/Cairo", datetime(2026, 4, 23, 22, 0, tzinfo=UTC), date(2026, 4, 24)),
        (
            "Australia/Lord_Howe",
            datetime(2026, 4, 5, 13, 29, tzinfo=UTC),
            date(2026, 4, 5),
        ),
    ],
)
async def test_a_session_belongs_to_the_day_on_which_it_began(  # noqa: PLR0913, PLR0917
    memory: Gieok,
    me: Scope,
    summer: Summer,
    clock: FixedClock,
    zone: str,
    began: datetime,
    day: date,
) -> None:
    await memory.accounts.update(me, time_zone=zone)
    clock.set(began)
    session = await talked(memory, me, "여기 있어")
    clock.advance(HOUR / 3)
    await talked(memory, me, "아직 있어", session_id=session)
    made = await summer.summaries.day(me, day)
    assert made is not None
    assert made.source_session_ids == (session,)
    for near in (day - DAY, day + DAY):
        assert await summer.summaries.day(me, near) is None


async def test_days_and_weeks_are_summed_up_when_they_are_over(
    memory: Gieok, me: Scope, summer: Summer, owner: Owner, clock: FixedClock
) -> None:
    session = await talked(memory, me, "운동했어")
    await summer.summaries.session(me, session)
    end_of_day = datetime(2026, 1, 5, 15, 0, tzinfo=UTC)
    assert await due(owner, me, "period_ended") == end_of_day
    await summer.summaries.close_due(me)
    assert await summer.summaries.days(me) == (), "the day is not over"
    await owner.execute("DELETE FROM agenda WHERE user_id = %s", [me.user_id])
    clock.set(end_of_day)
    await summer.summaries.close_due(me)
    (day,) = await summer.summaries.days(me)
    assert day.date_key == MONDAY
    assert await summer.summaries.weeks(me) == ()
    end_of_week = datetime(2026, 1, 11, 15, 0, tzinfo=UTC)
    assert await due(owner, me, "period_ended") == end_of_week
    assert await due(owner, me, "summaries_expired") == day.expires_at
    await owner.execute("DELETE FROM agenda WHERE user_id = %s", [me.user_id])
    clock.set(end_of_week)
    await summer.summaries.close_due(me)
    (week,) = await summer.summaries.weeks(me)
    assert week.week_key == "2026-W02"
    assert week.source_summary_ids == (day.summary_id,)
    assert await due(owner, me, "period_ended") is None, "nothing was said since"


async def test_every_day_and_week_that_is_kept_is_reached(
    memory: Gieok, me: Scope, summer: Summer, clock: FixedClock
) -> None:
    for said in ("하나", "둘", "셋"):
        await talked(memory, me, f"{said} 했어")
        clock.advance(7 * DAY)
    await summer.summaries.close_due(me)
    days = await summer.summaries.days(me)
    weeks = await summer.summaries.weeks(me)
    assert (len(days), len(weeks)) == (3, 3)
    for older, newer in pairwise(reversed(days)):
        found = await summer.summaries.days(me, limit=1, before=newer.date_key)
        assert found == (older,)
    for older, newer in pairwise(reversed(weeks)):
        found = await summer.summaries.weeks(me, limit=1, before=newer.week_key)
        assert found == (older,)
    assert await summer.summaries.days(me, before=days[-1].date_key) == ()
    assert await summer.summaries.weeks(me, before=weeks[-1].week_key) == ()
    keys = [day.date_key for day in days], [parse_week(w.week_key) for w in weeks]
    assert tuple(map(sorted, await summer.summaries.periods(me))) == tuple(
        map(sorted, keys)
    )
    clock.advance(31 * DAY)
    assert (await summer.summaries.periods(me))[0] == [], "days are kept for 30"


async def test_whatever_was_missed_is_made_up_for(
    memory: Gieok, me: Scope, summer: Summer, clock: FixedClock, owner: Owner
) -> None:
    for said in ("하나", "둘", "셋"):
        await talked(memory, me, f"{said} 했어")
        clock.advance(2 * DAY)
    clock.advance(14 * DAY)
    await summer.summaries.close_due(me)
    days = await summer.summaries.days(me)
    assert [day.date_key.day for day in days] == [9, 7, 5]
    (week,) = await summer.summaries.weeks(me)
    assert week.text.count("User said") == 3
    asked = summer.asked
    changes = await memory.maintenance.database.wait_for_writers(me)
    await summer.summaries.close_due(me)
    assert summer.asked == asked, "closing again changes nothing"
    assert await memory.maintenance.database.wait_for_writers(me) == changes
    clock.advance(-30 * DAY)
    await summer.summaries.close_due(me)
    assert len(await kept(owner, me, "short_term_summaries")) == 3


async def test_another_time_zone_cuts_again_only_the_days_it_moves(
    memory: Gieok, me: Scope, summer: Summer, clock: FixedClock, owner: Owner
) -> None:
    await talked(memory, me, "월요일 정오")
    clock.advance(DAY + 9 * HOUR)
    same_day = await talked(memory, me, "화요일 밤")
    clock.advance(3 * DAY)
    await summer.summaries.close_due(me)
    before = {each.date_key.day: each for each in await summer.summaries.days(me)}
    assert sorted(before) == [5, 6]

    await memory.accounts.update(me, time_zone="America/New_York")
    assert await due(owner, me, "period_ended") == clock(), "it is looked at now"
    await summer.summaries.close_due(me)
    after = {each.date_key.day: each for each in await summer.summaries.days(me)}
    assert sorted(after) == [4, 6], "Monday noon in Seoul was Sunday night there"
    assert after[6] == before[6]
    assert after[6].source_session_ids == (same_day,)
    weeks = {each.week_key: each.text for each in await summer.summaries.weeks(me)}
    assert sorted(weeks) == ["2026-W01"], "this week goes on"
    assert "월요일" in weeks["2026-W01"]


async def test_a_week_outlives_its_days(
    memory: Gieok, me: Scope, summer: Summer, clock: FixedClock, owner: Owner
) -> None:
    await talked(memory, me, "운동했어")
    clock.advance(60 * DAY)
    await summer.summaries.close_due(me)
    assert await summer.summaries.days(me) == ()
    (week,) = await summer.summaries.weeks(me)
    assert "운동" in week.text
    await summer.summaries.expire(me)
    assert await kept(owner, me, "short_term_summaries") == []
    await summer.summaries.close_due(me)
    assert await summer.summaries.weeks(me) == (week,)
    assert await summer.summaries.day(me, MONDAY) is None, "it has expired"


@pytest.mark.req("A20")
async def test_what_is_no_longer_kept_goes(
    memory: Gieok, me: Scope, summer: Summer, clock: FixedClock, owner: Owner
) -> None:
    await talked(memory, me, "운동했어")
    clock.advance(8 * DAY)
    await summer.summaries.close_due(me)
    (day,) = await summer.summaries.days(me)
    (week,) = await summer.summaries.weeks(me)
    clock.set(day.expires_at)
    assert await summer.summaries.days(me) == ()
    await owner.execute("DELETE FROM agenda WHERE user_id = %s", [me.user_id])
    assert await summer.summaries.expire(me) == 1
    assert await due(owner, me, "summaries_expired") == week.expires_at
    clock.set(week.expires_at)
    before = await memory.maintenance.database.wait_for_writers(me)
    assert await summer.summaries.expire(me) == 1
    assert await memory.maintenance.database.wait_for_writers(me) == before + 1
    assert await kept(owner, me, "mid_term_summaries") == []
    assert await summer.summaries.expire(me) == 0
    await summer.summaries.close_due(me)
    assert await kept(owner, me, "mid_term_summaries") == [], "it is not made again"


async def test_a_week_says_what_came_back_and_what_is_open(
    memory: Gieok, me: Scope, summer: Summer, clock: FixedClock
) -> None:
    phone = uuid4()
    talks = [
        "헬스장에 갔어\ntopic:운동\ntask:보고서를 제출해야 함\ntask:치과 예약하기",
        "보고서를 제출했어\ntopic:일\ntopic:운동",
        "쉬었어\ntopic:휴식",
    ]
    for text in talks:
        session = await memory.sessions.start(me, device_id=phone)
        turn = Turn(text, "네", route_family="FRG")
        await memory.sessions.record(me, session.session_id, turn)
        clock.advance(DAY)
    week = await summer.summaries.week(me, "2026-W02")
    assert week is not None
    assert week.repeated_topics == ("운동",)
    assert week.unresolved_items == ("치과 예약하기",)
    (pattern,) = week.device_usage_patterns
    assert (pattern.device_id, pattern.route_family) == (phone, "FRG")
    assert (pattern.band, pattern.count, pattern.days) == ("afternoon", 3, 3)
    assert "FRG" in pattern.text
    assert await summer.summaries.week(me, "2026-W02") == week


@pytest.mark.req("A14")
async def test_an_erased_turn_leaves_the_day_and_the_week(
    memory: Gieok,
    me: Scope,
    summer: Summer,
    script: Script,
    clock: FixedClock,
    owner: Owner,
) -> None:
    session = await talked(memory, me, "부산으로 이사했어", "고양이를 키워")
    await talked(memory, me, "운동했어")
    clock.advance(8 * DAY)
    await summer.summaries.close_due(me)
    (day,) = await summer.summaries.days(me)
    (week,) = await summer.summaries.weeks(me)
    assert "부산" in day.text
    assert "부산" in week.text
    await forgotten(memory, me, session, script)
    await summer.summaries.refresh(me, session)
    (day_after,) = await summer.summaries.days(me)
    (week_after,) = await summer.summaries.weeks(me)
    for after in (day_after, week_after):
        assert "부산" not in after.text
        assert "고양이" in after.text
        assert "운동" in after.text
    if len(await kept(owner, me, "short_term_summaries")) == 1:
        assert week_after.source_summary_ids == (day_after.summary_id,)


@pytest.mark.req("A14")
async def test_a_day_whose_only_session_was_forgotten_is_gone(
    memory: Gieok, me: Scope, summer: Summer, script: Script, clock: FixedClock
) -> None:
    session = await memory.sessions.start(me)
    await memory.sessions.record(me, session.session_id, Turn("부산에 살아", "네"))
    clock.advance(8 * DAY)
    await summer.summaries.close_due(me)
    assert len(await summer.summaries.weeks(me)) == 1
    await forgotten(memory, me, session.session_id, script)
    await summer.summaries.refresh(me, me.user_id)
    assert await summer.summaries.days(me) == ()
    assert await summer.summaries.weeks(me) == ()


@pytest.mark.req("A14")
async def test_what_is_forgotten_while_the_day_is_condensed_is_not_in_it(
    memory: Gieok, me: Scope, summer: Summer, script: Script
) -> None:
    first = await talked(memory, me, "부산으로 이사했어", "고양이를 키워")
    second = await talked(memory, me, "운동했어")
    for session in (first, second):
        await summer.summaries.session(me, session)

    async def forget() -> None:
        await forgotten(memory, me, first, script)

    summer.before_condensing.append(forget)
    day = await summer.summaries.day(me, MONDAY)
    assert day is not None
    assert "부산" not in day.text
    assert len(summer.condensed) == 2


@pytest.mark.req("A14")
async def test_what_rests_on_erased_words_is_taken_back_at_once(
    memory: Gieok, me: Scope, summer: Summer, clock: FixedClock, owner: Owner
) -> None:
    session = await talked(memory, me, "부산으로 이사했어")
    clock.advance(8 * DAY)
    await summer.summaries.close_due(me)
    transcript = await memory.sessions.read(me, session)
    async with memory.maintenance.database.begin(me) as tx:
        await tx.lock_person()
        await withdraw_messages(tx, [transcript.messages[0].message_id])
    assert await kept(owner, me, "short_term_summaries") == []
    assert await kept(owner, me, "mid_term_summaries") == []
    found = await owner.execute(
        "SELECT count(*) FROM procrastinate_jobs WHERE task_name = 'sources_changed'"
        " AND args->>'about' = %s",
        [str(me.user_id)],
    )
    assert await found.fetchone() == (1,)
    await summer.summaries.refresh(me, session)
    assert len(await kept(owner, me, "mid_term_summaries")) == 1


async def test_what_rests_on_an_erased_session_is_taken_back_at_once(
    memory: Gieok, me: Scope, summer: Summer, clock: FixedClock, owner: Owner
) -> None:
    session = await talked(memory, me, "부산으로 이사했어")
    await talked(memory, me, "운동했어")
    clock.advance(8 * DAY)
    await summer.summaries.close_due(me)
    async with memory.maintenance.database.begin(me) as tx:
        await tx.lock_person()
        await withdraw_sessions(tx, [session])
        await tx.execute("DELETE FROM sessions WHERE session_id = %s", [session])
    await summer.summaries.refresh(me, session)
    (day,) = await summer.summaries.days(me)
    assert day.text == "User said: 운동했어"
    assert len(await kept(owner, me, "mid_term_summaries")) == 1


async def test_words_that_come_late_change_what_is_summed_up(
    memory: Gieok, me: Scope, summer: Summer, clock: FixedClock, owner: Owner
) -> None:
    session = await talked(memory, me, "부산으로 이사했어")
    clock.advance(8 * DAY)
    await summer.summaries.close_due(me)
    (before,) = await summer.summaries.days(me)
    await owner.execute(
        "UPDATE sessions SET updated_at = %s WHERE session_id = %s", [clock(), session]
    )
    await talked(memory, me, "topic:고양이", session_id=session)
    assert not await summer.summaries.refresh_if_stale(me, session), "it goes on"
    await memory.sessions.close(me, session)
    assert await summer.summaries.refresh_if_stale(me, session)
    (day,) = await summer.summaries.days(me)
    assert day.topics == ("고양이",)
    assert (day.summary_id, day.revision) == (before.summary_id, 2)
    assert day.created_at == before.created_at
    (week,) = await summer.summaries.weeks(me)
    assert week.revision == 2
    asked = summer.asked
    assert not await summer.summaries.refresh_if_stale(me, session)
    assert not await summer.summaries.refresh_if_stale(me, uuid4())
    assert summer.asked == asked


@pytest.mark.req("E15")
async def test_a_day_made_while_the_model_was_away_is_made_anew(
    memory: Gieok, me: Scope, summer: Summer, clock: FixedClock, owner: Owner
) -> None:
    summer.is_away = True
    await talked(memory, me, "부산으로 이사했어")
    await talked(memory, me, "운동했어")
    clock.advance(8 * DAY)
    await summer.summaries.close_due(me)
    (day,) = await summer.summaries.days(me)
    (week,) = await summer.summaries.weeks(me)
    assert day.is_fallback
    assert week.is_fallback
    assert day.text.startswith("user: 부산으로")
    assert len(summer.conversations) == 1, "an absent model is asked once a run"
    assert await due(owner, me, "period_ended") == clock() + HOUR
    changes = await memory.maintenance.database.wait_for_writers(me)
    await summer.summaries.close_due(me)
    assert await memory.maintenance.database.wait_for_writers(me) == changes
    summer.is_away = False
    await summer.summaries.close_due(me)
    (day,) = await summer.summaries.days(me)
    (week,) = await summer.summaries.weeks(me)
    assert not day.is_fallback
    assert not week.is_fallback
    assert day.text == "User said: 부산으로 이사했어 User said: 운동했어"


@pytest.mark.req("E15")
async def test_a_session_that_the_model_refuses_holds_up_no_other(
    memory: Gieok, me: Scope, summer: Summer, clock: FixedClock, owner: Owner
) -> None:
    summer.refuses = "총"
    refused = await talked(memory, me, "장난감 총을 샀어")
    for _ in range(2):
        clock.advance(DAY)
        await talked(memory, me, "운동했어")
        await talked(memory, me, "책을 읽었어")
    clock.advance(8 * DAY)
    await summer.summaries.close_due(me)
    told = await summer.summaries.find_session(me, refused)
    assert told
    assert told.is_fallback
    assert told.gist.summary.startswith("user: 장난감 총")
    *later, first = await summer.summaries.days(me)
    (week,) = await summer.summaries.weeks(me)
    assert first.is_fallback
    assert [day.is_fallback for day in later] == [False, False]
    assert "책을 읽었어" in week.text
    asked = summer.asked
    await summer.summaries.close_due(me)
    assert summer.asked == asked, "what is refused once is not sent again"
    assert await due(owner, me, "period_ended") != clock() + HOUR


@pytest.mark.req("E15")
async def test_a_part_that_stands_in_outlives_the_words_that_it_stands_for(
    memory: Gieok, me: Scope, summer: Summer, clock: FixedClock
) -> None:
    summer.is_away = True
    session = await talked(memory, me, "부산으로 이사했어")
    clock.advance(8 * DAY)
    await summer.summaries.close_due(me)
    clock.advance(24 * DAY)
    assert await memory.retention.expire(me)
    summer.is_away = False
    await summer.summaries.close_due(me)
    told = await summer.summaries.session(me, session)
    assert told
    assert told.is_fallback
    assert told.gist.summary.startswith("user: 부산으로 이사했어")
    (week,) = await summer.summaries.weeks(me)
    assert "부산으로 이사했어" in week.text
    asked = summer.asked
    await summer.summaries.close_due(me)
    assert summer.asked == asked


async def test_only_the_condensing_fails_and_is_made_up_for(
    memory: Gieok, me: Scope, summer: Summer
) -> None:
    for said in ("부산으로 이사했어", "운동했어"):
        await summer.summaries.session(me, await talked(memory, me, said))
    summer.is_away = True
    day = await summer.summaries.day(me, MONDAY)
    assert day
    assert day.is_fallback
    assert "운동" in day.text
    summer.is_away = False
    again = await summer.summaries.day(me, MONDAY)
    assert again
    assert not again.is_fallback


async def test_a_model_without_a_word_is_answered_by_the_notes(
    memory: Gieok, me: Scope, summer: Summer
) -> None:
    for said in ("부산으로 이사했어", "운동했어"):
        await talked(memory, me, said)
    summer.text = " \x00 "
    day = await summer.summaries.day(me, MONDAY)
    assert day
    assert day.text == "User said: 부산으로 이사했어 User said: 운동했어"
    assert not day.is_fallback


async def test_a_model_that_breaks_leaves_no_half_day(
    memory: Gieok, me: Scope, summer: Summer, owner: Owner
) -> None:
    for said in ("부산으로 이사했어", "운동했어"):
        await summer.summaries.session(me, await talked(memory, me, said))
    summer.breaks = True
    with pytest.raises(ZeroDivisionError):
        await summer.summaries.day(me, MONDAY)
    assert await kept(owner, me, "short_term_summaries") == []


async def test_two_at_once_make_one_row_each(
    memory: Gieok, me: Scope, summer: Summer, clock: FixedClock
) -> None:
    for said in ("부산으로 이사했어", "운동했어"):
        await talked(memory, me, said)
        clock.advance(DAY)
    clock.advance(8 * DAY)
    await asyncio.gather(*(summer.summaries.close_due(me) for _ in range(4)))
    days, weeks = await summer.summaries.days(me), await summer.summaries.weeks(me)
    assert [day.revision for day in days] == [1, 1]
    assert [week.revision for week in weeks] == [1]
    assert weeks[0].source_summary_ids == tuple(d.summary_id for d in reversed(days))


async def test_moving_to_another_zone_moves_the_sessions(
    memory: Gieok, me: Scope, summer: Summer, clock: FixedClock
) -> None:
    await talked(memory, me, "부산으로 이사했어")
    clock.advance(DAY)
    await summer.summaries.close_due(me)
    await memory.accounts.update(me, time_zone="Pacific/Pago_Pago")
    clock.advance(DAY)
    await summer.summaries.close_due(me)
    (day,) = await summer.summaries.days(me)
    assert day.date_key == MONDAY - DAY


@pytest.mark.req("D04")
async def test_nothing_is_made_while_memory_is_off_and_what_is_true_stays(
    memory: Gieok,
    me: Scope,
    summer: Summer,
    script: Script,
    clock: FixedClock,
    owner: Owner,
) -> None:
    first = await talked(memory, me, "부산으로 이사했어")
    known = await remembered(memory, me, first, script)
    clock.advance(DAY)
    await summer.summaries.close_due(me)
    await memory.settings.update(me, {"is_enabled": False})
    await talked(memory, me, "비밀이야")
    clock.advance(8 * DAY)
    asked = summer.asked
    await summer.summaries.close_due(me)
    assert await summer.summaries.day(me, MONDAY + DAY) is None
    assert await summer.summaries.week(me, "2026-W02") is None
    assert len(await summer.summaries.days(me)) == 1
    await memory.memories.forget(me, known)
    await summer.summaries.refresh(me, first)
    assert await kept(owner, me, "short_term_summaries") == []
    assert summer.asked == asked


@pytest.mark.req("D16")
async def test_days_and_weeks_are_sealed_and_do_not_open_elsewhere(
    memory: Gieok, me: Scope, summer: Summer, clock: FixedClock, owner: Owner
) -> None:
    await talked(memory, me, "부산으로 이사했어\ntopic:이사\ntask:짐 풀기")
    clock.advance(8 * DAY)
    await summer.summaries.close_due(me)
    for table in ("short_term_summaries", "mid_term_summaries"):
        (row,) = await kept(owner, me, table)
        for value in row:
            shown = value if isinstance(value, bytes) else str(value).encode()
            assert not any(word.encode() in shown for word in ("부산", "이사", "짐"))
    await owner.execute(
        "UPDATE short_term_summaries SET revision = 2 WHERE user_id = %s", [me.user_id]
    )
    assert await summer.summaries.days(me) == ()


@pytest.mark.req("D16")
async def test_listing_is_audited(
    memory: Gieok, me: Scope, summer: Summer, owner: Owner
) -> None:
    await talked(memory, me, "부산으로 이사했어")
    await summer.summaries.day(me, MONDAY)
    assert len(await summer.summaries.days(me, limit=1)) == 1
    found = await owner.execute(
        "SELECT target_table FROM memory_audit_log WHERE user_id = %s"
        " AND event_type = 'access' ORDER BY seq DESC LIMIT 1",
        [me.user_id],
    )
    assert await found.fetchone() == ("short_term_summaries",)
    for limit in (0, -1, 201):
        with pytest.raises(InvalidInputError):
            await summer.summaries.days(me, limit=limit)


async def test_nobody_sees_somebody_else_s_days(
    memory: Gieok, me: Scope, other: Scope, summer: Summer, clock: FixedClock
) -> None:
    await talked(memory, me, "내 비밀")
    await talked(memory, other, "남의 비밀")
    clock.advance(8 * DAY)
    for person in (me, other):
        await summer.summaries.close_due(person)
    (mine,) = await summer.summaries.days(me)
    (theirs,) = await summer.summaries.days(other)
    assert mine.text == "User said: 내 비밀"
    assert theirs.text == "User said: 남의 비밀"
    (week,) = await summer.summaries.weeks(other)
    assert "내" not in week.text
