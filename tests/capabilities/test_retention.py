"""What is raw goes after a month; what was learned from it as its policy says."""

from datetime import datetime, timedelta
from uuid import UUID

import pytest
from session_talk import later

from conftest import Owner, Script, fact
from gieok import Gieok, Role, Scope, Turn
from gieok.memories import CandidateStatus
from gieok.testing import FixedClock

BEES = "사용자는 벌을 키움"
MONTH = timedelta(days=30)


async def talked(memory: Gieok, me: Scope, script: Script) -> UUID:
    """Return a session of a pair and a message from which a memory came."""
    session = await memory.sessions.start(me)
    script.says(fact(BEES))
    at = session.session_id
    await memory.sessions.record(me, at, Turn("벌을 키워요", "네."))
    await memory.sessions.append(me, at, role=Role.USER, content="벌통이 셋이에요")
    await memory.settled(me)
    return at


async def due(owner: Owner, me: Scope) -> datetime | None:
    found = await owner.execute(
        "SELECT due FROM agenda WHERE user_id = %s AND task = 'retention_ended'",
        [me.user_id],
    )
    row = await found.fetchone()
    return row[0] if row else None


@pytest.mark.req("A20")
async def test_what_was_said_goes_after_thirty_days_and_the_session_stays(
    memory: Gieok, me: Scope, script: Script, clock: FixedClock
) -> None:
    at = await talked(memory, me, script)
    with later(clock, MONTH - timedelta(seconds=1)):
        assert await memory.retention.expire(me) == 0
        assert len((await memory.sessions.read(me, at)).messages) == 3
    with later(clock, MONTH):
        assert await memory.retention.expire(me) == 3
        assert await memory.retention.expire(me) == 0
        read = await memory.sessions.read(me, at)
        assert read.messages == ()
        assert read.session.pair_count == 1
        ((kept,), _) = await memory.memories.page(me)
        assert (kept.content, kept.preview) == (BEES, None)
        hits = await memory.recall.search(me, "벌통이 셋이에요")
        assert all(hit.content == BEES for hit in hits)
        lines = await memory.audit.lines(me)
        assert ("session_messages", at, "retention") in {
            (line.target_table, line.target_id, line.reason) for line in lines
        }
        await memory.audit.verify(me)


@pytest.mark.req("A20")
async def test_the_agenda_knows_when_the_next_thing_is_due(
    memory: Gieok, me: Scope, script: Script, owner: Owner, clock: FixedClock
) -> None:
    at = await talked(memory, me, script)
    await memory.retention.plan(me)
    said = (await memory.sessions.read(me, at)).messages[0].created_at
    assert await due(owner, me) == said + MONTH
    with later(clock, timedelta(days=1)):
        await memory.retention.plan(me)
        assert await due(owner, me) == said + MONTH, "the earliest stays"


@pytest.mark.req("A20")
async def test_a_session_goes_on_after_its_beginning_is_gone(
    memory: Gieok, me: Scope, script: Script, owner: Owner
) -> None:
    at = await talked(memory, me, script)
    for table, column in (
        ("session_messages", "created_at"),
        ("conversation_pairs", "retention_until"),
    ):
        query = f"UPDATE {table} SET {column} = '2000-01-01' WHERE user_id = %s"
        await owner.execute(query.encode(), [me.user_id])
    assert await memory.retention.expire(me) == 3
    script.says(fact("사용자는 꿀을 팖"))
    pair = await memory.sessions.record(me, at, Turn("꿀을 팔아요", "네."))
    assert pair.turn_index == 1
    await memory.settled(me)
    assert len((await memory.sessions.read(me, at)).messages) == 2
    assert (await memory.memories.page(me))[1] == 2


@pytest.mark.req("A06", "A20")
@pytest.mark.parametrize(
    ("policy", "left", "asked"),
    [("user_delete", 1, 0), ("retention_expire", 0, 0), ("manual_review", 1, 1)],
)
async def test_a_memory_whose_time_is_over_goes_as_its_policy_says(
    memory: Gieok,
    me: Scope,
    owner: Owner,
    policy: str,
    left: int,
    asked: int,
) -> None:
    kept = await memory.memories.remember(me, BEES)
    await owner.execute(
        "UPDATE user_memories SET delete_policy = %s, expires_at = '2000-01-01'"
        " WHERE user_id = %s",
        [policy, me.user_id],
    )
    for _ in range(2):
        await memory.retention.expire(me)
    _, total = await memory.memories.page(me, include_inactive=True)
    assert total == left
    waiting = await memory.memories.candidates(me, status=CandidateStatus.PENDING)
    assert len(waiting) == asked
    if asked:
        assert waiting[0].target_id == kept.memory_id
        await memory.memories.confirm(me, waiting[0].candidate_id)
        await memory.retention.expire(me)
        assert (await memory.memories.page(me, include_inactive=True))[1] == 0
    await memory.audit.verify(me)


@pytest.mark.req("A20")
async def test_nobody_elses_words_go(
    memory: Gieok, me: Scope, other: Scope, script: Script, clock: FixedClock
) -> None:
    at = await talked(memory, other, script)
    with later(clock, MONTH):
        assert await memory.retention.expire(me) == 0
        assert len((await memory.sessions.read(other, at)).messages) == 3
