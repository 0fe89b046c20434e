"""How sessions are paused, resumed, taken through a run, and how they end."""

import asyncio
from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from gieok import Gieok, Role, Scope, Turn
from gieok.kernel.errors import (
    ConflictError,
    InvalidInputError,
    NotFoundError,
    SessionExpiredError,
)
from gieok.sessions import Layer, Session, Status
from gieok.sessions.writer import SessionWriter
from gieok.testing import FixedClock
from support.database import Owner
from support.session_talk import HOME, active, announced, expected, later, status

HALF_AN_HOUR, DAY = timedelta(minutes=30), timedelta(days=1)
INSTANT = timedelta(microseconds=1)


@pytest.mark.req("B04", "B07")
async def test_a_paused_session_takes_nothing_until_it_is_resumed(
    memory: Gieok, me: Scope
) -> None:
    session_id = await active(memory, me)
    paused = await memory.sessions.pause(me, session_id)
    assert paused.status is Status.PAUSED
    with pytest.raises(ConflictError, match="paused"):
        await memory.sessions.record(me, session_id, HOME)
    with pytest.raises(ConflictError, match="paused"):
        await memory.sessions.append(me, session_id, role=Role.USER, content="안녕")
    with pytest.raises(ConflictError, match="paused"):
        await memory.sessions.advance(me, session_id, Layer.COGNITIVE)
    resumed = await memory.sessions.resume(me, session_id)
    assert resumed.status is Status.ACTIVE
    pair = await memory.sessions.record(me, session_id, HOME)
    assert (pair.session_id, pair.turn_index) == (session_id, 1)


@pytest.mark.req("B04")
async def test_moves_the_table_does_not_know_are_refused_by_name(
    memory: Gieok, me: Scope
) -> None:
    sessions = memory.sessions
    created = (await sessions.start(me)).session_id
    with pytest.raises(ConflictError, match="created cannot become paused"):
        await sessions.pause(me, created)
    session_id = await active(memory, me)
    with pytest.raises(ConflictError, match="active cannot become active"):
        await sessions.resume(me, session_id)
    await sessions.close(me, session_id)
    for move in (sessions.pause, sessions.resume, sessions.close):
        with pytest.raises(ConflictError, match="completed cannot become"):
            await move(me, session_id)
    with pytest.raises(ConflictError, match="completed cannot become failed"):
        await sessions.fail(me, session_id, "late")
    assert await status(memory, me, session_id) is Status.COMPLETED


@pytest.mark.req("B04")
async def test_a_failed_session_keeps_the_code_of_its_fault(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    session_id = await active(memory, me)
    for sentence in ("", "나 강남구 살아", "it broke", "a\nb", "x" * 200):
        with pytest.raises(InvalidInputError) as caught:
            await memory.sessions.fail(me, session_id, sentence)
        assert caught.value.field == "reason"
    failed = await memory.sessions.fail(me, session_id, "model_unavailable")
    assert failed.status is Status.FAILED
    assert failed.ended_reason == "model_unavailable"
    assert failed.completed_at is not None
    assert await announced(owner, "session_closed", session_id) == 1


@pytest.mark.req("B05")
async def test_a_run_is_followed_through_its_layers(memory: Gieok, me: Scope) -> None:
    sessions = memory.sessions
    session_id = (await sessions.start(me)).session_id
    with pytest.raises(ConflictError, match="begins at cognitive, not at planning"):
        await sessions.advance(me, session_id, Layer.PLANNING)
    assert await status(memory, me, session_id) is Status.CREATED
    for layer in (*Layer, Layer.COGNITIVE, Layer.COGNITIVE, Layer.PLANNING):
        session = await sessions.advance(me, session_id, layer)
        assert (session.current_layer, session.status) == (layer, Status.ACTIVE)
    with pytest.raises(ConflictError, match="from planning to response"):
        await sessions.advance(me, session_id, Layer.RESPONSE)
    read = (await sessions.read(me, session_id)).session
    assert read.current_layer is Layer.PLANNING


@pytest.mark.req("E01", "E17")
async def test_a_session_that_rested_is_found_expired_and_followed_up(
    memory: Gieok, me: Scope, clock: FixedClock, owner: Owner
) -> None:
    session_id = await active(memory, me)
    with later(clock, HALF_AN_HOUR - INSTANT):
        assert await memory.sessions.expire_idle(me) == ()
    with later(clock, HALF_AN_HOUR) as end:
        assert await memory.sessions.expire_idle(me) == (session_id,)
        assert await memory.sessions.expire_idle(me) == ()
        read = (await memory.sessions.read(me, session_id)).session
        assert (read.status, read.ended_reason) == (Status.EXPIRED, "rested")
        assert read.completed_at == end
        assert await announced(owner, "session_closed", session_id) == 1
        with pytest.raises(SessionExpiredError):
            await memory.sessions.resume(me, session_id)


@pytest.mark.req("E01")
async def test_an_end_long_past_is_dated_when_it_was(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    session_id = await active(memory, me)
    last = (await memory.sessions.read(me, session_id)).session.updated_at
    with later(clock, 3 * DAY):
        await memory.sessions.expire_idle(me)
        read = (await memory.sessions.read(me, session_id)).session
    assert read.completed_at == last + HALF_AN_HOUR


@pytest.mark.req("E01")
async def test_activity_puts_the_end_off(
    memory: Gieok, me: Scope, clock: FixedClock, owner: Owner
) -> None:
    session_id = await active(memory, me)
    with later(clock, timedelta(minutes=20)):
        await memory.sessions.record(me, session_id, HOME)
        with later(clock, timedelta(minutes=20)):
            assert await memory.sessions.expire_idle(me) == ()
        due = clock() + HALF_AN_HOUR
        with later(clock, HALF_AN_HOUR):
            assert await memory.sessions.expire_idle(me) == (session_id,)
    entered = await expected(owner, me)
    assert entered is not None
    assert entered <= due


@pytest.mark.req("E17")
async def test_the_agenda_leads_to_the_end_and_then_to_the_next(
    memory: Gieok, me: Scope, clock: FixedClock, owner: Owner
) -> None:
    first = await active(memory, me)
    start = clock()
    assert await expected(owner, me) == start + HALF_AN_HOUR
    with later(clock, timedelta(minutes=10)):
        second = await active(memory, me)
    assert await expected(owner, me) == start + HALF_AN_HOUR
    with later(clock, HALF_AN_HOUR):
        await memory.agenda.enqueue_due()
        assert await announced(owner, "sessions_may_be_idle", me.user_id) == 1
        assert await expected(owner, me) is None
        assert await memory.sessions.expire_idle(me) == (first,)
        assert await expected(owner, me) == start + timedelta(minutes=40)
    with later(clock, timedelta(minutes=40)):
        await memory.agenda.enqueue_due()
        assert await memory.sessions.expire_idle(me) == (second,)
        assert await expected(owner, me) is None


@pytest.mark.req("B04")
async def test_a_paused_session_waits_a_day(
    memory: Gieok, me: Scope, clock: FixedClock, owner: Owner
) -> None:
    session_id = await active(memory, me)
    await memory.sessions.pause(me, session_id)
    with later(clock, DAY - INSTANT):
        await memory.agenda.enqueue_due()
        assert await memory.sessions.expire_idle(me) == ()
        assert await expected(owner, me) == clock() + INSTANT
        await memory.sessions.resume(me, session_id)
        assert await status(memory, me, session_id) is Status.ACTIVE
        await memory.sessions.pause(me, session_id)
        with later(clock, DAY):
            assert await memory.sessions.expire_idle(me) == (session_id,)


@pytest.mark.req("B07", "B04")
async def test_nobody_resumes_what_waited_too_long_even_before_the_sweep(
    memory: Gieok, me: Scope, clock: FixedClock, owner: Owner
) -> None:
    session_id = await active(memory, me)
    await memory.sessions.pause(me, session_id)
    with later(clock, DAY):
        with pytest.raises(SessionExpiredError):
            await memory.sessions.resume(me, session_id)
        assert await status(memory, me, session_id) is Status.EXPIRED
        assert await memory.sessions.expire_idle(me) == ()
    assert await announced(owner, "session_closed", session_id) == 1


@pytest.mark.req("E01", "B02")
@pytest.mark.parametrize("ends", ["idle", "expires_at"])
async def test_what_comes_after_the_end_is_refused_even_before_the_sweep(
    memory: Gieok, me: Scope, clock: FixedClock, ends: str
) -> None:
    soon = clock() + timedelta(minutes=5)
    options = {"expires_at": soon} if ends == "expires_at" else {}
    session_id = await active(memory, me, **options)
    with later(clock, timedelta(minutes=5) if options else HALF_AN_HOUR):
        assert await memory.sessions.recent(me, session_id) == ()
        with pytest.raises(ConflictError, match="expired"):
            await memory.sessions.record(me, session_id, HOME)
        read = await memory.sessions.read(me, session_id)
    assert read.session.status is Status.EXPIRED
    assert read.session.ended_reason == ("expires_at" if options else "rested")
    assert len(read.messages) == 2


async def test_a_session_may_be_closed_after_it_rested_if_nobody_came_before(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    session_id = await active(memory, me)
    with later(clock, DAY):
        closed = await memory.sessions.close(me, session_id)
        assert closed.status is Status.COMPLETED
        assert await memory.sessions.expire_idle(me) == ()


@pytest.mark.req("E17")
async def test_two_workers_expire_a_session_once(
    memory: Gieok, me: Scope, clock: FixedClock, owner: Owner
) -> None:
    ids = {await active(memory, me) for _ in range(4)}
    with later(clock, HALF_AN_HOUR):
        found = await asyncio.gather(
            *(memory.sessions.expire_idle(me) for _ in range(4))
        )
    expired = [session_id for each in found for session_id in each]
    assert sorted(expired) == sorted(ids)
    for session_id in ids:
        assert await announced(owner, "session_closed", session_id) == 1
    await memory.audit.verify(me)


@pytest.mark.req("E17")
async def test_a_clock_that_jumps_back_ends_nothing_early_or_twice(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    session_id = await active(memory, me)
    with later(clock, -365 * DAY):
        assert await memory.sessions.expire_idle(me) == ()
        await memory.sessions.record(me, session_id, HOME)
    with later(clock, HALF_AN_HOUR):
        assert await memory.sessions.expire_idle(me) == (session_id,)
        with later(clock, -DAY):
            assert await memory.sessions.expire_idle(me) == ()
            with pytest.raises(ConflictError, match="expired"):
                await memory.sessions.record(me, session_id, HOME)


@pytest.mark.req("E01")
async def test_working_memory_is_the_last_ten_messages_of_a_session_that_goes_on(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    session_id = (await memory.sessions.start(me)).session_id
    assert await memory.sessions.recent(me, session_id) == ()
    for number in range(7):
        turn = Turn(f"user {number}", f"assistant {number}")
        await memory.sessions.record(me, session_id, turn)
    recent = await memory.sessions.recent(me, session_id)
    assert [m.position for m in recent] == list(range(4, 14))
    assert recent[-1].content == "assistant 6"
    await owner.execute(
        "UPDATE session_messages SET forgotten_at = now() WHERE message_id = %s",
        [recent[-2].message_id],
    )
    fewer = await memory.sessions.recent(me, session_id, limit=2)
    assert [m.content for m in fewer] == ["assistant 5", "assistant 6"]
    await memory.sessions.close(me, session_id)
    assert await memory.sessions.recent(me, session_id) == ()
    for limit in (0, 201, -1):
        with pytest.raises(InvalidInputError, match="limit"):
            await memory.sessions.recent(me, session_id, limit=limit)


@pytest.mark.req("E20")
async def test_another_persons_session_cannot_be_touched(
    memory: Gieok, me: Scope, other: Scope
) -> None:
    sessions = memory.sessions
    theirs = await active(memory, other)
    before = await sessions.read(other, theirs)
    for session_id in (theirs, uuid4()):
        for attempt in (
            sessions.pause(me, session_id),
            sessions.resume(me, session_id),
            sessions.fail(me, session_id, "x"),
            sessions.advance(me, session_id, Layer.COGNITIVE),
            sessions.set_workflow(me, session_id, "w"),
            sessions.recent(me, session_id),
        ):
            with pytest.raises(NotFoundError, match="no session"):
                await attempt
    assert await sessions.expire_idle(me) == ()
    assert await sessions.read(other, theirs) == before


async def test_every_turn_of_a_life_is_heard_of_after_its_commit(
    memory: Gieok, me: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[Status] = []
    said: list[UUID] = []

    async def changed(_self: object, scope: Scope, session: Session) -> None:
        read = await memory.sessions.read(scope, session.session_id)
        assert read.session == session, "it is committed"
        heard.append(session.status)

    monkeypatch.setattr(SessionWriter, "publish_change", changed)
    monkeypatch.setattr(
        SessionWriter,
        "publish_message",
        lambda _self, _scope, _asked, about, _texts: said.append(about),
    )
    session_id = await active(memory, me)
    await memory.sessions.pause(me, session_id)
    await memory.sessions.resume(me, session_id)
    await memory.sessions.advance(me, session_id, Layer.COGNITIVE)
    await memory.sessions.append(me, session_id, role=Role.USER, content="안녕")
    await memory.sessions.close(me, session_id)
    assert [each.value for each in heard] == [
        "created",
        "paused",
        "active",
        "active",
        "completed",
    ]
    assert said == [session_id, session_id]
