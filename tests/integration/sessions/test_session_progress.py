"""Readers of a session wait for each other, and go on where the other stopped."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

from gieok import Gieok, Scope, Turn
from gieok.database import Transaction
from gieok.sessions.reader_store import (
    build_behind_sql,
    claim_indexing,
    claim_unmasked,
    count_extracted,
    get_waiting_messages,
    set_position,
    skip_extraction,
    skip_summaries,
)
from support.database import Owner

Read = Callable[[Transaction], Awaitable[Any]]


async def talked(memory: Gieok, me: Scope) -> UUID:
    session = await memory.sessions.start(me)
    await memory.sessions.record(me, session.session_id, Turn("user", "assistant"))
    return session.session_id


async def read_late(memory: Gieok, me: Scope, first: Read, second: Read) -> Any:
    """Return what the second finds that began while the first was not committed."""

    async def read() -> Any:
        async with memory.maintenance.database.begin(me) as tx:
            return await second(tx)

    async with memory.maintenance.database.begin(me) as tx:
        await first(tx)
        late = asyncio.create_task(read())
        await asyncio.sleep(0.2)
        assert not late.done(), "it did not wait"
    return await late


async def read_positions(owner: Owner, session_id: UUID) -> dict[str, int]:
    found = await owner.execute(
        "SELECT reader, position FROM session_progress WHERE session_id = %s",
        [session_id],
    )
    return dict(await found.fetchall())


async def test_extraction_goes_on_where_another_process_stopped(
    memory: Gieok, me: Scope
) -> None:
    session = await talked(memory, me)

    async def extract(tx: Transaction) -> None:
        assert await count_extracted(tx, session) == 0
        await set_position(tx, session, "extraction", 2)

    assert await read_late(memory, me, extract, lambda tx: count_extracted(tx, session))
    async with memory.maintenance.database.begin(me) as tx:
        waiting = await get_waiting_messages(tx, session)
    assert waiting is not None
    assert waiting[0] == 0


async def test_messages_are_screened_together_once(memory: Gieok, me: Scope) -> None:
    session = await talked(memory, me)

    async def claim(tx: Transaction) -> None:
        assert [each.start for each in await claim_unmasked(tx, session)] == [0]

    assert await read_late(memory, me, claim, lambda tx: claim_unmasked(tx, None)) == []


async def test_what_is_skipped_ends_where_the_session_does(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    session = await talked(memory, me)
    async with memory.maintenance.database.begin(me) as tx:
        await skip_extraction(tx)
        await skip_summaries(tx)
    skipped = {
        "extraction": 2,
        "summary": 2,
        "unsummarized_start": 0,
        "unsummarized_end": 2,
    }
    assert await read_positions(owner, session) == skipped
    await memory.sessions.record(me, session, Turn("user", "assistant"))
    async with memory.maintenance.database.begin(me) as tx:
        await skip_summaries(tx)
    again = skipped | {"summary": 4, "unsummarized_end": 4}
    assert await read_positions(owner, session) == again


async def test_progress_of_a_session_that_is_gone_is_none(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    session = await talked(memory, me)
    await memory.settled(me)
    assert (await read_positions(owner, session))["search"] == 2
    await memory.erasure.session(me, session)
    async with memory.maintenance.database.begin(me) as tx:
        await set_position(tx, session, "summary", 2)
    assert await read_positions(owner, session) == {}


async def test_what_is_behind_is_looked_up_by_hash(memory: Gieok, me: Scope) -> None:
    """A thousand sessions take half a millisecond; as a join without statistics, 20."""
    await talked(memory, me)
    async with memory.maintenance.database.begin(me) as tx:
        plan = await tx.fetch_all(
            "EXPLAIN SELECT session_id FROM sessions WHERE user_id = %(user_id)s AND "
            + build_behind_sql("search"),
            {"user_id": me.user_id},
        )
    assert "hashed SubPlan" in "".join(row[0] for row in plan)


async def test_indexing_waits_for_a_turn_that_relies_on_its_job(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    """A turn that finds the job waiting queues none, though the job begins at once."""
    session = await talked(memory, me)
    await memory.recall.index(me)  # for another session; the turn's own job still waits

    async def index() -> None:
        async with memory.maintenance.database.begin(me) as tx:
            await claim_indexing(tx)

    async with owner.transaction():
        await owner.execute(
            "UPDATE sessions SET message_count = message_count + 2"
            " WHERE user_id = %s AND session_id = %s",
            [me.user_id, session],
        )
        indexing = asyncio.create_task(index())
        await asyncio.sleep(0.3)
        waited = not indexing.done()
    await indexing
    counts = await owner.execute(
        "SELECT searching_count, message_count FROM sessions WHERE session_id = %s",
        [session],
    )
    assert await counts.fetchone() == (4, 4)
    assert waited


async def test_indexing_locks_sessions_in_the_order_of_others(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    """Else a push of a device that locks an ended and an open session dies of it."""
    ended, active = sorted([await talked(memory, me), await talked(memory, me)])
    await memory.settled(me)
    await owner.execute(
        "UPDATE sessions SET status = 'completed', searching_count = 0"
        " WHERE session_id = %s",
        [ended],
    )
    lock = "SELECT FROM sessions WHERE session_id = %s FOR NO KEY UPDATE"

    async def index() -> None:
        async with memory.maintenance.database.begin(me) as tx:
            await claim_indexing(tx)

    async with owner.transaction():
        await owner.execute(lock, [ended])
        indexing = asyncio.create_task(index())
        await asyncio.sleep(0.3)
        await owner.execute(lock, [active])
    await indexing
