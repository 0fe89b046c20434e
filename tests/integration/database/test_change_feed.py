"""The change feed: a reader who asks for what is newer misses nothing."""

import asyncio
from uuid import UUID

import pytest

from gieok import Gieok, Scope, Turn

WRITERS = 8
TURNS = 20


async def newer(memory: Gieok, me: Scope, last: int) -> list[tuple[int, UUID]]:
    async with memory.maintenance.database.begin(me) as tx:
        rows = await tx.fetch_all(
            """
            SELECT seq, entity_id FROM memory_updates
            WHERE user_id = %s AND seq > %s ORDER BY seq
            """,
            [me.user_id, last],
        )
    return [(seq, entity_id) for seq, entity_id in rows]


async def test_nothing_is_lost_and_nothing_skipped_under_eight_writers(
    memory: Gieok, me: Scope
) -> None:
    """A sequence would lose rows here: numbers in it do not follow commit order."""
    sessions = [await memory.sessions.start(me) for _ in range(WRITERS)]
    read: list[tuple[int, UUID]] = []
    writing = True

    async def follow() -> None:
        while writing:
            read.extend(await newer(memory, me, read[-1][0] if read else 0))
            await asyncio.sleep(0)

    async def write(session_id: UUID) -> list[UUID]:
        pairs = [
            await memory.sessions.record(me, session_id, Turn(f"{n}", "네"))
            for n in range(TURNS)
        ]
        return [pair.pair_id for pair in pairs]

    reader = asyncio.create_task(follow())
    written = await asyncio.gather(*(write(s.session_id) for s in sessions))
    writing = False
    await reader
    read.extend(await newer(memory, me, read[-1][0]))
    assert [seq for seq, _ in read] == list(range(1, len(read) + 1))
    ids = [entity_id for _, entity_id in read]
    expected = {s.session_id for s in sessions} | {p for one in written for p in one}
    assert len(ids) == len(expected) == WRITERS * (TURNS + 1)
    assert set(ids) == expected


async def test_a_transaction_that_breaks_off_takes_no_number(
    memory: Gieok, me: Scope
) -> None:
    session = await memory.sessions.start(me)
    before = await newer(memory, me, 0)

    async def broken() -> None:
        async with memory.maintenance.database.begin(me) as tx:
            await tx.execute(
                "UPDATE user_counters SET head_seq = head_seq + 5 WHERE user_id = %s",
                [me.user_id],
            )
            raise TimeoutError

    with pytest.raises(TimeoutError):
        await broken()
    turn = Turn("나 강남구 살아", "네")
    pair = await memory.sessions.record(me, session.session_id, turn)
    assert (await newer(memory, me, 0))[len(before) :] == [(2, pair.pair_id)]


async def test_recording_indexing_and_extracting_at_once_never_wait_for_each_other(
    memory: Gieok, me: Scope
) -> None:
    """Whoever takes the same locks in another order is told of a deadlock here."""
    sessions = [(await memory.sessions.start(me)).session_id for _ in range(3)]

    async def write(session_id: UUID) -> None:
        for number in range(25):
            await memory.sessions.record(me, session_id, Turn(f"{number}", "네"))

    async def follow() -> None:
        for _ in range(25):
            await memory.recall.index(me)
            await memory.recall.search(me, "무엇")

    async def read(session_id: UUID) -> None:
        for _ in range(15):
            await memory.memories.extract(me, session_id)
            await memory.sessions.claim_extraction_or_reschedule(me, session_id)

    await asyncio.gather(
        *map(write, sessions), follow(), follow(), *map(read, sessions)
    )
    await memory.settled(me)
    assert await memory.recall.index(me) == 0


async def test_each_person_has_numbers_of_their_own(
    memory: Gieok, me: Scope, other: Scope
) -> None:
    mine = [await memory.sessions.start(me) for _ in range(3)]
    theirs = await memory.sessions.start(other)
    assert await newer(memory, me, 0) == [
        (n, session.session_id) for n, session in enumerate(mine, start=1)
    ]
    assert await newer(memory, other, 0) == [(1, theirs.session_id)]
