"""Memories are of the day on which they were said, whenever they are read."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

from gieok import Gieok, Memory, Scope, Turn
from gieok.kernel.language import Basis, Conversation, Finding, FindingOperation
from gieok.memories import CandidateStatus
from gieok.models.rules.dates.relative_dates import resolve_dates
from gieok.testing import FixedClock
from support.memory_talk import list_memories
from support.scripted_model import Script, fact

WEEK = timedelta(days=7)
HOME = "사용자는 강남구에 거주"


async def _say(
    memory: Gieok, me: Scope, text: str = "그래", told_at: datetime | None = None
) -> UUID:
    session = await memory.sessions.start(me)
    turn = Turn(text, "네.", told_at=told_at)
    await memory.sessions.record(me, session.session_id, turn)
    return session.session_id


async def _tell(
    memory: Gieok, me: Scope, script: Script, content: str, told_at: datetime | None
) -> Memory:
    """Say something that a device or an app tells the time of; return the memory."""
    script.says(fact(content))
    await _say(memory, me, told_at=told_at)
    await memory.settled(me)
    return next(m for m in await list_memories(memory, me) if m.content == content)


async def test_a_plan_that_arrives_late_is_over_when_its_day_is(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock
) -> None:
    told = clock() - WEEK
    plan = resolve_dates("사용자는 내일 면접이 있다", told.date())
    kept = await _tell(memory, me, script, plan, told)
    assert (kept.last_confirmed_at, kept.created_at) == (told, clock())
    block = await memory.context.build(me, "면접")
    assert "면접이 있다고 했다 (지난 일)" in block.text
    clock.advance(2 * WEEK)
    assert not (await memory.context.build(me, "면접")).lines


async def test_what_is_read_long_after_it_was_said_is_of_then(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock
) -> None:
    said = clock()
    session_id = await _say(memory, me)
    clock.advance(timedelta(days=400))
    script.says(fact("사용자의 아들 민준이는 5살이다"))
    await memory.memories.extract(me, session_id)
    (kept,) = await list_memories(memory, me)
    assert kept.last_confirmed_at == said
    assert kept.confidence_at(clock()) == kept.confidence, "it is known since now"
    assert "지금은 6살쯤" in (await memory.context.build(me, "민준이")).text


@pytest.mark.parametrize("told", [True, False])
async def test_a_message_of_another_day_than_the_last_says_so(
    memory: Gieok,
    me: Scope,
    script: Script,
    clock: FixedClock,
    told: bool,  # noqa: FBT001
) -> None:
    """ "Tomorrow" said before midnight is of that day, by the person's own clock."""
    await memory.accounts.update(me, time_zone="Asia/Seoul")
    clock.advance(datetime(2026, 11, 25, 14, 50, tzinfo=UTC) - clock())
    read: list[Conversation] = []

    def answer(conversation: Conversation) -> tuple[Finding, ...]:
        read.append(conversation)
        return ()

    script.computes(answer)
    session = await memory.sessions.start(me)
    for text in ("내일 면접 있어", "이제 자야지"):
        turn = Turn(text, "네.", told_at=clock() if told else None)
        await memory.sessions.record(me, session.session_id, turn)
        clock.advance(timedelta(minutes=25))
    await memory.memories.extract(me, session.session_id)
    ((evening, _, night, _),) = (each.messages for each in read)
    assert evening.at == datetime(2026, 11, 25, 23, 50, tzinfo=ZoneInfo("Asia/Seoul"))
    assert (night.at is None) is not told, "it is of the conversation's day"
    assert read[0].at.date().day == 26
    await memory.sessions.close(me, session.session_id)


async def test_nothing_was_said_after_now(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock
) -> None:
    kept = await _tell(memory, me, script, HOME, clock() + WEEK)
    assert kept.last_confirmed_at == clock()


@pytest.mark.parametrize("again", [HOME, f"{HOME}."])
async def test_a_late_repeat_keeps_the_day_and_renews_retention(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock, again: str
) -> None:
    await memory.settings.update(me, {"retention_days": 10})
    first = await memory.memories.remember(me, HOME)
    clock.advance(timedelta(days=2))
    script.says(fact(again))
    await _say(memory, me, told_at=clock() - WEEK)
    await memory.settled(me)
    (kept,) = await list_memories(memory, me)
    assert kept.last_confirmed_at == first.last_confirmed_at
    assert kept.usage_count == first.usage_count + 1
    assert kept.expires_at == clock() + timedelta(days=10)


async def test_putting_back_in_use_says_nothing_anew(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    plan = resolve_dates("사용자는 내일 면접이 있다", clock().date())
    kept = await memory.memories.remember(me, plan)
    home = await memory.memories.remember(me, HOME)
    await memory.memories.deactivate(me, kept.memory_id)
    await memory.memories.deactivate(me, home.memory_id)
    clock.advance(timedelta(days=400))
    again = await memory.memories.reactivate(me, kept.memory_id)
    assert again.last_confirmed_at == kept.last_confirmed_at
    assert again.confidence_at(clock()) < again.confidence / 2, "the plan is over"
    other = await memory.memories.reactivate(me, home.memory_id)
    assert other.confidence_at(clock()) == other.confidence


async def test_a_rollback_says_nothing_anew(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    old = await memory.memories.remember(me, HOME)
    clock.advance(WEEK)
    since = clock()
    await memory.memories.correct(me, old.memory_id, "사용자는 부산에 거주")
    await memory.memories.rollback(me, since=since)
    (kept,) = await list_memories(memory, me)
    assert kept.memory_id == old.memory_id
    assert kept.last_confirmed_at == old.last_confirmed_at


async def test_a_new_span_counts_from_when_something_was_kept(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock
) -> None:
    home = await _tell(memory, me, script, HOME, clock() - timedelta(days=400))
    cat = await memory.memories.remember(me, "사용자는 고양이를 키움")
    await memory.memories.deactivate(me, cat.memory_id)
    clock.advance(WEEK)
    await memory.memories.reactivate(me, cat.memory_id)
    await memory.settings.update(me, {"retention_days": 30})
    ends = {m.memory_id: m.expires_at for m in await list_memories(memory, me)}
    assert ends == {
        home.memory_id: home.created_at + timedelta(days=30),
        cat.memory_id: clock() + timedelta(days=30),
    }


async def test_what_is_confirmed_by_review_is_of_when_it_was_said(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock
) -> None:
    told = clock() - WEEK
    script.says(fact(HOME, basis=Basis.OBSERVED))
    await _say(memory, me, told_at=told)
    await memory.settled(me)
    (waiting,) = await memory.memories.candidates(me, status=CandidateStatus.PENDING)
    clock.advance(WEEK)
    kept = await memory.memories.confirm(me, waiting.candidate_id)
    assert kept is not None
    assert kept.last_confirmed_at == told
    assert kept.created_at == clock()


DAY = timedelta(days=1)
MOVED = "사용자는 부산에 거주"


def about(memory_id: UUID, operation: FindingOperation, content: str) -> Finding:
    return replace(fact(content), operation=operation, target=str(memory_id))


@pytest.mark.parametrize("late", [True, False])
async def test_a_change_that_arrives_late_ends_nothing_that_was_said_since(
    memory: Gieok,
    me: Scope,
    script: Script,
    clock: FixedClock,
    late: bool,  # noqa: FBT001
) -> None:
    home = await _tell(memory, me, script, HOME, clock() - 2 * DAY)
    script.says(about(home.memory_id, FindingOperation.UPDATE, MOVED))
    await _say(memory, me, "부산으로 이사했어", clock() - (4 if late else 1) * DAY)
    await memory.settled(me)
    everything = await list_memories(memory, me, include_inactive=True)
    moved = next(each for each in everything if each.content == MOVED)
    home = await memory.memories.get(me, home.memory_id)
    assert (home.is_active, moved.is_active) == (late, not late)
    old, new = (moved, home) if late else (home, moved)
    assert old.superseded_by == new.memory_id
    last = (await memory.memories.history(me, old.memory_id))[-1]
    assert (last.old_content, last.new_content) == (old.content, new.content)


async def test_a_late_change_to_what_is_known_beside_it_ends_nothing(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock
) -> None:
    home = await _tell(memory, me, script, HOME, clock() - 2 * DAY)
    other = await _tell(memory, me, script, MOVED, clock() - 3 * DAY)
    script.says(about(home.memory_id, FindingOperation.UPDATE, MOVED))
    await _say(memory, me, "이제 부산에만 살아", clock() - 4 * DAY)
    await memory.settled(me)
    kept = {each.memory_id for each in await list_memories(memory, me)}
    assert kept == {home.memory_id, other.memory_id}


@pytest.mark.parametrize("basis", [Basis.STATED, Basis.REQUESTED])
async def test_what_was_said_again_outlives_a_late_denial_or_wish(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock, basis: Basis
) -> None:
    old = await _tell(memory, me, script, HOME, clock() - 5 * DAY)
    script.says(about(old.memory_id, FindingOperation.UPDATE, MOVED))
    await _say(memory, me, "부산으로 이사했어", clock() - 2 * DAY)
    await memory.settled(me)
    (new,) = await list_memories(memory, me)
    gone = about(new.memory_id, FindingOperation.DELETE, MOVED)
    script.says(replace(gone, basis=basis))
    await _say(memory, me, "내 주소는 잊어 줘", clock() - 4 * DAY)
    await memory.settled(me)
    kept = await list_memories(memory, me, include_inactive=True)
    assert new.memory_id in {each.memory_id for each in kept if each.is_active}
    left = old.memory_id in {each.memory_id for each in kept}
    assert left == (basis is Basis.STATED), "a wish takes what was known before it"


async def test_something_is_of_the_last_message_that_says_it(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock
) -> None:
    session = await memory.sessions.start(me)
    for days, text in ((2, "이사했어"), (1, "강남구로")):
        turn = Turn(text, "네.", told_at=clock() - days * DAY)
        await memory.sessions.record(me, session.session_id, turn)
    script.says(fact(HOME, evidence=(0, 2)))
    await memory.memories.extract(me, session.session_id)
    (kept,) = await list_memories(memory, me)
    assert kept.last_confirmed_at == clock() - DAY
