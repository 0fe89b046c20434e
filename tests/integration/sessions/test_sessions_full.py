"""A session on a device holds eight pairs, and the ninth goes on in another."""

import asyncio
from collections import Counter
from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from gieok import Gieok, Role, Scope, Turn
from gieok.kernel.errors import ConflictError
from gieok.sessions import Layer, Pair, Session, Status
from gieok.sessions.writer import SessionWriter
from gieok.testing import FixedClock
from support.database import Owner
from support.session_talk import announced, later


def turn(number: int) -> Turn:
    return Turn(f"user {number}", f"assistant {number}", "DEF")


async def recorded(
    memory: Gieok, me: Scope, session_id: UUID, turns: range
) -> list[Pair]:
    return [await memory.sessions.record(me, session_id, turn(n)) for n in turns]


async def one(memory: Gieok, me: Scope, session_id: UUID) -> Session:
    return (await memory.sessions.read(me, session_id)).session


async def chain(memory: Gieok, me: Scope, first: UUID) -> list[Session]:
    """Return a session and those that continue it, checked in both directions."""
    found = [await one(memory, me, first)]
    while (following := found[-1].continued_by) is not None:
        found.append(await one(memory, me, following))
        assert found[-1].continues == found[-2].session_id
    return found


@pytest.mark.req("A02")
async def test_the_ninth_pair_opens_a_session_that_continues_the_workflow(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    sessions = memory.sessions
    first = await sessions.start(
        me,
        language="en",
        device_id=uuid4(),
        persona_id=uuid4(),
        config={"tone": "짧게"},
    )
    await sessions.advance(me, first.session_id, Layer.COGNITIVE)
    await sessions.set_workflow(me, first.session_id, "clean-the-bedroom")
    eight = await recorded(memory, me, first.session_id, range(8))
    assert [pair.turn_index for pair in eight] == list(range(8))
    assert {pair.session_id for pair in eight} == {first.session_id}
    (ninth,) = await recorded(memory, me, first.session_id, range(8, 9))
    full, following = await chain(memory, me, first.session_id)
    assert (ninth.session_id, ninth.turn_index) == (following.session_id, 0)
    assert (full.status, full.ended_reason) == (Status.COMPLETED, "full")
    assert (full.pair_count, full.completed_at) == (8, full.updated_at)
    assert await announced(owner, "session_closed", full.session_id) == 1
    assert (following.status, following.pair_count) == (Status.ACTIVE, 1)
    assert following.active_workflow_id == "clean-the-bedroom"
    for name in (
        "device_id",
        "persona_id",
        "language",
        "active_workflow_id",
        "last_route",
        "max_pairs",
        "current_layer",
    ):
        assert getattr(following, name) == getattr(full, name), name
        assert getattr(following, name) is not None, name
    read = await sessions.read(me, following.session_id)
    assert read.config == {"tone": "짧게"}
    assert [m.content for m in read.messages] == ["user 8", "assistant 8"]


@pytest.mark.req("A02")
async def test_whoever_keeps_using_the_first_id_is_led_to_the_last_session(
    memory: Gieok, me: Scope
) -> None:
    sessions = memory.sessions
    first = (await sessions.start(me, max_pairs=2)).session_id
    pairs = await recorded(memory, me, first, range(7))
    line = await chain(memory, me, first)
    assert [session.pair_count for session in line] == [2, 2, 2, 1]
    assert pairs[-1].session_id == line[-1].session_id
    message = await sessions.append(me, first, role=Role.USER, content="그리고")
    assert message.session_id == line[-1].session_id
    recent = await sessions.recent(me, first, limit=5)
    assert [m.content for m in recent] == [
        "user 5",
        "assistant 5",
        "user 6",
        "assistant 6",
        "그리고",
    ], "working memory outlives the change of sessions"
    assert (await sessions.pause(me, first)).session_id == line[-1].session_id
    assert (await sessions.resume(me, first)).session_id == line[-1].session_id
    assert (await sessions.close(me, first)).session_id == line[-1].session_id
    for session in line:
        with pytest.raises(ConflictError, match="completed"):
            await sessions.record(me, session.session_id, turn(8))
    assert await sessions.recent(me, first) == ()


@pytest.mark.req("A02")
async def test_without_a_device_a_session_has_no_end_of_pairs(
    memory: Gieok, me: Scope
) -> None:
    session = await memory.sessions.start(me)
    pairs = await recorded(memory, me, session.session_id, range(12))
    assert {pair.session_id for pair in pairs} == {session.session_id}


@pytest.mark.req("A02")
async def test_single_messages_find_room_in_a_full_session(
    memory: Gieok, me: Scope
) -> None:
    session_id = (await memory.sessions.start(me, max_pairs=1)).session_id
    await recorded(memory, me, session_id, range(1))
    message = await memory.sessions.append(
        me, session_id, role=Role.ASSISTANT, content="또 있어요?"
    )
    assert (message.session_id, message.position) == (session_id, 2)


@pytest.mark.req("A02")
async def test_a_full_session_that_is_paused_or_over_is_not_continued(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    paused = (await memory.sessions.start(me, max_pairs=1)).session_id
    await recorded(memory, me, paused, range(1))
    await memory.sessions.pause(me, paused)
    with pytest.raises(ConflictError, match="paused"):
        await recorded(memory, me, paused, range(1))
    rested = (await memory.sessions.start(me, max_pairs=1)).session_id
    await recorded(memory, me, rested, range(1))
    with later(clock, timedelta(minutes=30)):
        with pytest.raises(ConflictError, match="expired"):
            await recorded(memory, me, rested, range(1))
        assert len(await chain(memory, me, rested)) == 1


@pytest.mark.req("A02")
async def test_a_successor_rests_and_ends_like_any_session(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    end = clock() + timedelta(minutes=10)
    first = await memory.sessions.start(me, max_pairs=1, expires_at=end)
    (_, pair) = await recorded(memory, me, first.session_id, range(2))
    assert (await one(memory, me, pair.session_id)).expires_at == end
    with later(clock, timedelta(minutes=10)):
        assert await memory.sessions.expire_idle(me) == (pair.session_id,)


@pytest.mark.req("A02")
@pytest.mark.parametrize("most", [1, 8])
async def test_eight_writers_share_one_chain_and_every_pair_lands_once(
    memory: Gieok, me: Scope, owner: Owner, most: int
) -> None:
    first = (
        await memory.sessions.start(me, device_id=uuid4(), max_pairs=most)
    ).session_id
    turns = 6

    async def write(writer: int) -> list[Pair]:
        start = writer * turns
        return await recorded(memory, me, first, range(start, start + turns))

    pairs = [
        pair
        for written in await asyncio.gather(*(write(writer) for writer in range(8)))
        for pair in written
    ]
    line = await chain(memory, me, first)
    sessions, total = await memory.sessions.page(me, limit=200)
    assert {each.session_id for each in sessions} == {each.session_id for each in line}
    assert total == len(line) == 8 * turns // most
    assert {session.pair_count for session in line} == {most}
    assert {s.status for s in line[:-1]} <= {Status.COMPLETED}
    placed = Counter((pair.session_id, pair.turn_index) for pair in pairs)
    assert set(placed.values()) == {1}
    said: list[str] = []
    for session in line:
        read = await memory.sessions.read(me, session.session_id)
        assert [m.position for m in read.messages] == list(range(2 * most))
        said += [m.content for m in read.messages if m.role is Role.USER]
    assert sorted(said) == sorted(f"user {number}" for number in range(8 * turns))
    for session in line[:-1]:
        assert await announced(owner, "session_closed", session.session_id) == 1
    await memory.audit.verify(me)


async def test_a_change_to_the_next_session_is_heard_of(
    memory: Gieok, me: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[tuple[UUID, Status]] = []

    async def changed(_self: object, _scope: Scope, session: Session) -> None:
        heard.append((session.session_id, session.status))

    first = (await memory.sessions.start(me, max_pairs=1)).session_id
    monkeypatch.setattr(SessionWriter, "publish_change", changed)
    _, second = await recorded(memory, me, first, range(2))
    assert heard == [(first, Status.COMPLETED), (second.session_id, Status.ACTIVE)]
