"""What a session was about, kept true to what was said in it."""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from gieok import Gieok, Role, Scope
from gieok.kernel.errors import NotFoundError, TamperedError
from gieok.kernel.language import Emotion, Gist
from gieok.summaries import FALLBACK, SessionSummary
from gieok.testing import FixedClock
from support.database import Owner
from support.scripted_model import Script, fact
from support.summary_days import Summer, summer_of, talked

pytestmark = pytest.mark.req("A02")


@pytest.fixture
def summer(memory: Gieok) -> Summer:
    return summer_of(memory)


async def row(owner: Owner, session_id: UUID) -> tuple[Any, ...]:
    found = await owner.execute(
        "SELECT session_summary, coalesce(position, 0), summary_revision FROM sessions"
        " LEFT JOIN session_progress AS read ON read.session_id = sessions.session_id"
        " AND reader = 'summary'"
        " WHERE sessions.session_id = %s",
        [session_id],
    )
    values = await found.fetchone()
    assert values
    return values


@pytest.mark.req("E03")
@pytest.mark.req("E04")
async def test_a_session_is_summed_up_once(
    memory: Gieok, me: Scope, summer: Summer
) -> None:
    session = await talked(memory, me, "부산으로 이사했어", "고양이가 두 마리야")
    told = await summer.summaries.session(me, session)
    assert told is not None
    assert told.gist.summary == "User said: 부산으로 이사했어"
    assert (told.first_position, told.end_position) == (0, 4)
    transcript = await memory.sessions.read(me, session)
    assert told.message_ids == tuple(m.message_id for m in transcript.messages)
    assert told.gist.evidence == (0,)
    assert not told.is_fallback
    assert await summer.summaries.session(me, session) == told
    assert summer.asked == 1


async def test_a_session_that_went_on_is_summed_up_anew(
    memory: Gieok, me: Scope, summer: Summer
) -> None:
    session = await talked(memory, me, "커피를 끊었어")
    first = await summer.summaries.session(me, session)
    await talked(memory, me, "차를 마셔", session_id=session)
    second = await summer.summaries.session(me, session)
    assert first
    assert second
    assert (second.revision, second.end_position) == (first.revision + 1, 4)
    assert summer.asked == 2


async def test_an_empty_session_has_nothing_to_say(
    memory: Gieok, me: Scope, summer: Summer
) -> None:
    session = await memory.sessions.start(me)
    assert await summer.summaries.session(me, session.session_id) is None
    assert summer.asked == 0


async def test_small_talk_is_asked_about_once(
    memory: Gieok, me: Scope, summer: Summer
) -> None:
    summer.gist = Gist("")
    session = await talked(memory, me, "안녕")
    for _ in range(3):
        assert await summer.summaries.session(me, session) is None
    assert summer.asked == 1


async def test_memory_put_into_a_prompt_is_not_summed_up(
    memory: Gieok, me: Scope, summer: Summer
) -> None:
    session = await talked(
        memory, me, "<memory-00112233aabb>부산</memory-00112233aabb>"
    )
    told = await summer.summaries.session(me, session)
    (conversation,) = summer.conversations
    assert [m.content for m in conversation.messages] == ["네"]
    assert told is None


async def test_somebody_else_s_session_looks_like_none(
    memory: Gieok, me: Scope, other: Scope, summer: Summer
) -> None:
    session = await talked(memory, me, "비밀이야")
    for unknown in (session, uuid4()):
        with pytest.raises(NotFoundError):
            await summer.summaries.session(other, unknown)
    assert summer.asked == 0


async def test_a_sum_is_sealed_where_it_lies(
    memory: Gieok, me: Scope, summer: Summer, owner: Owner
) -> None:
    session = await talked(memory, me, "부산으로 이사했어")
    await summer.summaries.session(me, session)
    sealed, count, revision = await row(owner, session)
    assert "부산".encode() not in sealed
    assert b"summary" not in sealed
    assert (count, revision) == (2, 1)
    await owner.execute(
        "UPDATE sessions SET summary_revision = 7 WHERE session_id = %s", [session]
    )
    with pytest.raises(TamperedError):
        await summer.summaries.session(me, session)


@pytest.mark.req("E15")
async def test_the_original_stands_in_while_the_model_is_away(
    memory: Gieok, me: Scope, summer: Summer
) -> None:
    summer.is_away = True
    session = await talked(memory, me, "면접이 있어" * 100)
    told = await summer.summaries.session(me, session)
    assert told is not None
    assert told.is_fallback
    assert told.summarizer == FALLBACK
    assert told.gist.summary.startswith("user: 면접이 있어")
    assert len(told.gist.summary) == 500
    assert (told.gist.importance, told.gist.emotion) == (5, Emotion.CALM)
    assert await summer.summaries.session(me, session) == told
    summer.is_away = False
    again = await summer.summaries.session(me, session)
    assert again is not None
    assert not again.is_fallback


async def test_an_answer_out_of_bounds_is_brought_within_them(
    memory: Gieok, me: Scope, summer: Summer
) -> None:
    summer.gist = Gist("a\x00b\ud800" * 900, ("",) * 9, importance=99, evidence=(77, 0))
    session = await talked(memory, me, "면접이 있어")
    told = await summer.summaries.session(me, session)
    assert told is not None
    assert told.gist.summary.startswith("abab")
    assert (told.gist.importance, told.gist.evidence) == (10, (0,))
    assert told.gist.topics == ()


async def test_a_model_that_breaks_leaves_nothing_behind(
    memory: Gieok, me: Scope, summer: Summer, owner: Owner
) -> None:
    summer.breaks = True
    session = await talked(memory, me, "면접이 있어")
    with pytest.raises(ZeroDivisionError):
        await summer.summaries.session(me, session)
    assert await row(owner, session) == (None, 0, 0)


@pytest.mark.req("A14")
async def test_what_was_forgotten_is_in_no_sum(
    memory: Gieok, me: Scope, summer: Summer, script: Script
) -> None:
    script.says(fact("부산으로 이사함"))
    session = await talked(memory, me, "부산으로 이사했어", "고양이를 키워")
    first = await summer.summaries.session(me, session)
    (outcome,) = await memory.memories.extract(me, session)
    assert outcome.memory_id
    await memory.memories.forget(me, outcome.memory_id)
    told = await summer.summaries.session(me, session)
    assert first
    assert "부산" in first.gist.summary
    assert told
    assert told.gist.summary == "User said: 고양이를 키워"
    assert first.message_ids[0] not in told.message_ids


@pytest.mark.req("A14")
async def test_what_is_forgotten_while_the_model_reads_is_in_no_sum(
    memory: Gieok, me: Scope, summer: Summer, script: Script
) -> None:
    script.says(fact("부산으로 이사함"))
    session = await talked(memory, me, "부산으로 이사했어", "고양이를 키워")
    (outcome,) = await memory.memories.extract(me, session)
    assert outcome.memory_id
    forgotten = outcome.memory_id

    async def forget() -> None:
        await memory.memories.forget(me, forgotten)

    summer.meanwhile.append(forget)
    told = await summer.summaries.session(me, session)
    assert told
    assert told.gist.summary == "User said: 고양이를 키워"
    assert summer.asked == 2


async def test_what_is_said_while_the_model_reads_is_summed_up_next(
    memory: Gieok, me: Scope, summer: Summer
) -> None:
    session = await talked(memory, me, "부산으로 이사했어")

    async def say_more() -> None:
        await talked(memory, me, "고양이를 키워", session_id=session)

    summer.meanwhile.append(say_more)
    first = await summer.summaries.session(me, session)
    second = await summer.summaries.session(me, session)
    assert first
    assert second
    assert (first.end_position, second.end_position) == (2, 4)


async def test_two_at_once_make_one_sum(
    memory: Gieok, me: Scope, summer: Summer, owner: Owner
) -> None:
    session = await talked(memory, me, "부산으로 이사했어")
    told = await asyncio.gather(
        *(summer.summaries.session(me, session) for _ in range(5))
    )
    assert isinstance(told[0], SessionSummary)
    assert set(told) == {told[0]}
    assert (await row(owner, session))[2] == 1


@pytest.mark.req("D04")
async def test_nothing_is_summed_up_while_memory_is_off(
    memory: Gieok, me: Scope, summer: Summer, owner: Owner
) -> None:
    session = await talked(memory, me, "부산으로 이사했어")
    await memory.settings.update(me, {"is_enabled": False})
    assert await summer.summaries.session(me, session) is None
    assert summer.asked == 0
    assert (await row(owner, session))[0] is None


@pytest.mark.req("D04")
async def test_what_is_forgotten_while_memory_is_off_leaves_the_sum(
    memory: Gieok, me: Scope, summer: Summer, script: Script, owner: Owner
) -> None:
    script.says(fact("부산으로 이사함"))
    session = await talked(memory, me, "부산으로 이사했어")
    await summer.summaries.session(me, session)
    (outcome,) = await memory.memories.extract(me, session)
    await memory.settings.update(me, {"is_enabled": False})
    assert outcome.memory_id
    await memory.memories.forget(me, outcome.memory_id)
    await summer.summaries.refresh(me, session)
    assert (await row(owner, session))[0] is None


async def test_memory_switched_off_meanwhile_keeps_a_sum_from_being_kept(
    memory: Gieok, me: Scope, summer: Summer, owner: Owner
) -> None:
    session = await talked(memory, me, "부산으로 이사했어")

    async def switch_off() -> None:
        await memory.settings.update(me, {"is_enabled": False})

    summer.meanwhile.append(switch_off)
    assert await summer.summaries.session(me, session) is None
    assert (await row(owner, session))[0] is None


@pytest.mark.req("D04")
async def test_what_was_said_while_memory_was_off_is_never_summed_up(
    memory: Gieok, me: Scope, summer: Summer
) -> None:
    session = await talked(memory, me, "부산으로 이사했어")
    first = await summer.summaries.session(me, session)
    await memory.settings.update(me, {"is_enabled": False})
    await talked(memory, me, "비밀이야", session_id=session)
    whole = await talked(memory, me, "이것도 비밀이야")
    await memory.settings.update(me, {"is_enabled": True})
    assert await summer.summaries.session(me, session) == first
    assert await summer.summaries.session(me, whole) is None
    assert await summer.summaries.list_unsummarized_sessions(me) == []
    for said in ("고양이를 키워", "운동했어"):
        await talked(memory, me, said, session_id=session)
        await memory.settings.update(me, {"is_enabled": True})
    await summer.summaries.session(me, session)
    heard = [m.content for m in summer.conversations[-1].messages]
    assert heard == ["부산으로 이사했어", "네", "고양이를 키워", "네", "운동했어", "네"]


@pytest.mark.req("A13")
async def test_what_is_kept_of_a_session_costs_no_model_call(
    memory: Gieok, me: Scope, other: Scope, summer: Summer, script: Script
) -> None:
    script.says(fact("부산으로 이사함"))
    session = await talked(memory, me, "부산으로 이사했어")
    assert await summer.summaries.find_session(me, session) is None
    told = await summer.summaries.session(me, session)
    await talked(memory, me, "고양이를 키워", session_id=session)
    assert await summer.summaries.find_session(me, session) == told
    assert await summer.summaries.find_session(other, session) is None
    (outcome,) = await memory.memories.extract(me, session)
    assert outcome.memory_id
    await memory.memories.forget(me, outcome.memory_id)
    assert await summer.summaries.find_session(me, session) is None
    assert summer.asked == 1


@pytest.mark.req("A18")
async def test_a_sum_is_numbered_and_audited_without_its_content(
    memory: Gieok, me: Scope, summer: Summer, owner: Owner
) -> None:
    session = await talked(memory, me, "부산으로 이사했어")
    before = await memory.maintenance.database.wait_for_writers(me)
    await summer.summaries.session(me, session)
    assert await memory.maintenance.database.wait_for_writers(me) == before + 1
    found = await owner.execute(
        "SELECT event_type, target_table, reason, details::text FROM memory_audit_log"
        " WHERE user_id = %s ORDER BY seq DESC LIMIT 2",
        [me.user_id],
    )
    assert await found.fetchall() == [
        ("access", "sessions", "summary", "{}"),
        ("update", "sessions", "session_summarized", "{}"),
    ]


@pytest.mark.req("E17")
async def test_the_end_of_the_session_s_day_is_expected(
    memory: Gieok, me: Scope, summer: Summer, owner: Owner, clock: FixedClock
) -> None:
    session = await talked(memory, me, "부산으로 이사했어")
    began = clock()
    clock.advance(timedelta(hours=30))
    try:
        await summer.summaries.session(me, session)
    finally:
        clock.advance(-timedelta(hours=30))
    found = await owner.execute(
        "SELECT task, due FROM agenda WHERE user_id = %s AND task = 'period_ended'",
        [me.user_id],
    )
    ((_, due),) = await found.fetchall()
    assert began < due <= began + timedelta(days=1)


async def test_ended_sessions_without_a_sum_are_found(
    memory: Gieok, me: Scope, summer: Summer
) -> None:
    open_one = await talked(memory, me, "아직 얘기 중")
    ended = await talked(memory, me, "부산으로 이사했어")
    empty = (await memory.sessions.start(me)).session_id
    for session in (ended, empty):
        await memory.sessions.close(me, session)
    assert await summer.summaries.list_unsummarized_sessions(me) == [ended]
    await summer.summaries.session(me, ended)
    assert await summer.summaries.list_unsummarized_sessions(me) == []
    assert not await summer.summaries.refresh_if_stale(me, open_one)


async def test_who_said_nothing_has_no_sums(me: Scope, summer: Summer) -> None:
    await summer.summaries.close_due(me)
    await summer.summaries.refresh(me, me.user_id)
    assert await summer.summaries.expire(me) == 0
    assert await summer.summaries.days(me) == ()
    assert await summer.summaries.weeks(me) == ()
    assert await summer.summaries.list_unsummarized_sessions(me) == []


async def test_messages_of_the_system_alone_are_no_fallback_for_a_user(
    memory: Gieok, me: Scope, summer: Summer
) -> None:
    session = (await memory.sessions.start(me)).session_id
    await memory.sessions.append(me, session, role=Role.SYSTEM, content="규칙")
    assert await summer.summaries.session(me, session) is None
