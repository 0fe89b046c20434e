"""An export that waits to be fetched goes with whatever is erased meanwhile."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

import pytest

from gieok import Gieok, Scope, Turn
from gieok.database import Transaction
from gieok.items import Put
from gieok.kernel.errors import ConflictError, NotFoundError
from gieok.portability import Archive, service, store
from gieok.testing import FixedClock
from support.database import Owner
from support.scripted_model import Script, fact
from support.session_talk import later

HOME: Final = "사용자는 강남구에 산다"
ILLNESS: Final = "사용자는 우울증 약을 먹음"
Erase = Callable[[Gieok, Scope, UUID], Awaitable[object]]


@pytest.fixture
async def session_id(memory: Gieok, me: Scope, script: Script) -> UUID:
    """A session with a persona on a device, of which everything was learned."""
    begun = await memory.sessions.start(
        me,
        persona_id=await memory.accounts.persona(me, "루나"),
        device_id=await memory.accounts.device(me, "거실 스피커"),
    )
    script.says(fact(HOME), fact(ILLNESS))
    await memory.sessions.record(me, begun.session_id, Turn("나 강남구 살아", "네."))
    await memory.sessions.close(me, begun.session_id)
    await memory.settled(me)
    await memory.items.batch(me, [Put(("notes",), "key", {"text": "화분"})])
    return begun.session_id


async def count_rows(owner: Owner, me: Scope) -> int:
    found = await owner.execute(
        "SELECT count(*) FROM exports WHERE user_id = %s", [me.user_id]
    )
    row = await found.fetchone()
    return row[0] if row else 0


async def fetch(memory: Gieok, me: Scope, archive: Archive) -> str:
    chunks = [chunk async for chunk in memory.portability.fetch(me, archive.token)]
    return b"".join(chunks).decode()


async def forget_one(memory: Gieok, me: Scope, _: UUID) -> None:
    memories = (await memory.memories.page(me))[0]
    await memory.memories.forget(me, memories[0].memory_id)


async def erase_episode(memory: Gieok, me: Scope, _: UUID) -> None:
    found = await memory.episodes.page(me)
    await memory.episodes.delete(me, found.episodes[0].episode_id)


async def withdraw(memory: Gieok, me: Scope, purpose: str) -> None:
    await memory.settings.consent(me, {purpose: False})
    await memory.maintenance.erase_withdrawn(me)


ERASURES: Final[dict[str, Erase]] = {
    "one memory": forget_one,
    "every memory": lambda memory, me, _: memory.memories.forget_all(me),
    "a session": lambda memory, me, session: memory.erasure.session(me, session),
    "a persona": lambda memory, me, _: memory.erasure.persona(
        me, memory.accounts.persona_id(me, "루나")
    ),
    "a device": lambda memory, me, _: memory.erasure.device(
        me, memory.accounts.device_id(me, "거실 스피커")
    ),
    "an episode": erase_episode,
    "an item": lambda memory, me, _: memory.items.batch(
        me, [Put(("notes",), "key", None)]
    ),
    "special categories": lambda memory, me, _: withdraw(memory, me, "sensitive"),
    "the profile": lambda memory, me, _: withdraw(memory, me, "profile"),
    "everything": lambda memory, me, _: withdraw(memory, me, "storage"),
}


@pytest.mark.parametrize("what", ERASURES)
async def test_a_waiting_export_goes_with_whatever_is_erased(
    memory: Gieok, me: Scope, other: Scope, session_id: UUID, owner: Owner, what: str
) -> None:
    await memory.memories.remember(other, HOME)
    archive, theirs = [await memory.portability.prepare(each) for each in (me, other)]
    assert HOME in await fetch(memory, me, archive)
    await ERASURES[what](memory, me, session_id)
    with pytest.raises(NotFoundError):
        await fetch(memory, me, archive)
    assert await count_rows(owner, me) == 0
    assert not await memory.portability.is_waiting(me, archive.token)
    assert HOME in await fetch(memory, other, theirs), "another person's stays"


async def test_what_is_erased_while_an_export_is_made_is_not_in_it(
    memory: Gieok, me: Scope, owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = await memory.memories.remember(me, HOME)
    insert = store.insert_chunk

    async def forget_first(*given: Any) -> None:
        monkeypatch.setattr(store, "insert_chunk", insert)
        await memory.memories.forget(me, kept.memory_id)
        await insert(*given)

    async def insert_mark(*given: Any) -> None:
        await insert(given[0], given[1], store.MARK, b"", given[2])
        monkeypatch.setattr(store, "insert_mark", mark)
        monkeypatch.setattr(store, "insert_chunk", forget_first)

    mark = store.insert_mark
    monkeypatch.setattr(store, "insert_mark", insert_mark)
    archive = await memory.portability.prepare(me)
    assert HOME not in await fetch(memory, me, archive)
    found = await owner.execute(
        "SELECT count(DISTINCT export_id) FROM exports WHERE user_id = %s",
        [me.user_id],
    )
    assert await found.fetchone() == (1,), "what was made first is gone"


async def test_what_only_expires_leaves_a_waiting_export(
    memory: Gieok, me: Scope, session_id: UUID, clock: FixedClock
) -> None:
    assert session_id
    with later(clock, timedelta(days=29, hours=12)):
        archive = await memory.portability.prepare(me)
    with later(clock, timedelta(days=30)):
        assert await memory.retention.expire(me) > 0
        assert HOME in await fetch(memory, me, archive)


async def test_a_new_export_takes_the_place_of_the_one_that_waits(
    memory: Gieok, me: Scope, other: Scope, owner: Owner
) -> None:
    await memory.memories.remember(me, HOME)
    theirs = await memory.portability.prepare(other)
    first = await memory.portability.prepare(me)
    size = await count_rows(owner, me)
    last = await memory.portability.prepare(me)
    with pytest.raises(NotFoundError):
        await fetch(memory, me, first)
    assert HOME in await fetch(memory, me, last)
    assert await count_rows(owner, me) == size
    assert "manifest" in await fetch(memory, other, theirs), "another person's stays"


@pytest.mark.parametrize("way", ["replaced", "erased", "expired"])
async def test_a_download_whose_export_is_gone_midway_fails(
    memory: Gieok,
    me: Scope,
    clock: FixedClock,
    monkeypatch: pytest.MonkeyPatch,
    way: str,
) -> None:
    monkeypatch.setattr(service, "CHUNK_BYTES", 100)
    kept = await memory.memories.remember(me, HOME)
    archive = await memory.portability.prepare(me)
    chunks = memory.portability.fetch(me, archive.token)
    assert await anext(chunks)
    match way:
        case "replaced":
            await memory.portability.prepare(me)
        case "erased":
            await memory.memories.forget(me, kept.memory_id)
        case _:
            clock.advance(timedelta(days=1))
    with pytest.raises(NotFoundError):
        [chunk async for chunk in chunks]


async def test_one_export_is_made_at_a_time(
    memory: Gieok,
    me: Scope,
    other: Scope,
    owner: Owner,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await memory.memories.remember(me, HOME)
    insert, begun, may_go_on = store.insert_chunk, asyncio.Event(), asyncio.Event()

    async def insert_slowly(tx: Transaction, *given: Any) -> None:
        if tx.scope == me and given[1] != store.MARK:
            begun.set()
            await may_go_on.wait()
        await insert(tx, *given)

    monkeypatch.setattr(store, "insert_chunk", insert_slowly)
    first = asyncio.create_task(memory.portability.prepare(me))
    async with asyncio.timeout(10):
        await begun.wait()
        with pytest.raises(ConflictError, match="still being made"):
            await memory.portability.prepare(me)
    assert await memory.portability.prepare(other), "nobody else waits for it"
    may_go_on.set()
    archive = await first
    assert HOME in await fetch(memory, me, archive)
    found = await owner.execute(
        "SELECT count(DISTINCT export_id) FROM exports WHERE user_id = %s",
        [me.user_id],
    )
    assert await found.fetchone() == (1,)
