"""A list of memories from the cache is the list the database would give (D15)."""

from collections.abc import AsyncGenerator, Generator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis

from gieok import Gieok, Scope
from gieok.cache import Cache, LocalCache
from gieok.cache.circuit import CachePatience
from gieok.cache.redis import RedisCache
from gieok.memories import Memories
from gieok.memories.list_cache import build_list_key
from gieok.sessions import Turn
from gieok.testing import FixedClock
from support.database import Owner
from support.redis_server import RedisServer, redis_server
from support.scripted_model import Script, fact
from support.session_talk import with_parts

PATIENT = CachePatience(patience=5.0, rest=0.05)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[RedisServer]:
    directory: Path = tmp_path_factory.mktemp("redis")
    with redis_server(directory) as running:
        yield running


@pytest.fixture
async def redis(server: RedisServer) -> AsyncGenerator[Any]:
    async with Redis.from_url(server.url) as client:
        await client.flushall()
        yield client


@pytest.fixture(params=["local", "redis"])
async def cache(
    request: pytest.FixtureRequest, clock: FixedClock
) -> AsyncGenerator[Cache]:
    if request.param == "local":
        yield LocalCache(clock)
        return
    server: RedisServer = request.getfixturevalue("server")
    async with RedisCache.connect(server.url, clock, PATIENT) as cache:
        yield cache


@pytest.fixture
def cached(memory: Gieok, cache: Cache) -> Memories:
    """The memories of everyone, listed through this cache."""
    return replace(memory.memories, cache=cache)


class Uncached(LocalCache):
    async def get(self, key: str) -> None:
        del key


async def remove_unseen(owner: Owner, me: Scope) -> None:
    """Change the table behind the cache's back, as nothing in the product does."""
    await owner.execute("DELETE FROM user_memories WHERE user_id = %s", [me.user_id])


@pytest.mark.req("D15")
async def test_a_list_is_read_once_while_nothing_changes(
    cached: Memories, owner: Owner, me: Scope
) -> None:
    await cached.remember(me, "산책을 좋아해요")
    first = await cached.page(me)
    assert await cached.page(me) == first
    await owner.execute(
        "UPDATE user_memories SET expires_at = '2100-01-01' WHERE user_id = %s",
        [me.user_id],
    )
    assert await cached.page(me) == first
    other_limit, _ = await cached.page(me, limit=50)
    assert [memory.expires_at and memory.expires_at.year for memory in other_limit] == [
        2100
    ]


@pytest.mark.req("D15")
async def test_after_every_change_the_list_is_the_databases(
    memory: Gieok, cached: Memories, script: Script, me: Scope
) -> None:
    uncached = replace(memory.memories, cache=Uncached())

    async def lists_agree() -> None:
        for inactive in (False, True):
            for _ in range(2):
                now = await cached.page(me, include_inactive=inactive)
                assert now == await uncached.page(me, include_inactive=inactive)

    async def extracts() -> None:
        session = await memory.sessions.start(me)
        await memory.sessions.record(me, session.session_id, Turn("차도 좋아해", "네"))
        script.says(fact("차를 좋아해요"))
        await cached.extract(me, session.session_id)

    async def uses() -> None:
        async with memory.maintenance.database.begin(me) as tx:
            await cached.used(tx, {second.memory_id: 0.75})

    await lists_agree()
    first = await cached.remember(me, "커피를 좋아해요")
    await lists_agree()
    second = await cached.remember(me, "부산에 살아요")
    for change in (
        lambda: cached.remember(me, "커피를 좋아해요"),
        lambda: cached.deactivate(me, first.memory_id),
        lambda: cached.reactivate(me, first.memory_id),
        extracts,
        uses,
        lambda: memory.settings.update(me, {"max_memories": 1, "retention_days": 1}),
        lambda: cached.remember(me, "이제 하나만 남아요"),
        lambda: cached.embed(me),
        lambda: cached.forget(me, second.memory_id),
        lambda: cached.forget_all(me),
    ):
        await lists_agree()
        await change()
    await lists_agree()


@pytest.mark.req("D09", "D15")
async def test_a_use_is_seen_in_a_list_that_is_kept(
    memory: Gieok, cached: Memories, me: Scope, clock: FixedClock
) -> None:
    kept = await cached.remember(me, "산책을 좋아해요")
    await cached.page(me)
    clock.advance(timedelta(days=1))
    async with memory.maintenance.database.begin(me) as tx:
        await cached.used(tx, {kept.memory_id: None})
    ((shown,), _) = await cached.page(me)
    assert (shown.usage_count, shown.last_used_at) == (1, clock())


async def test_what_expires_leaves_the_list_by_time_alone(
    memory: Gieok, cached: Memories, me: Scope, clock: FixedClock
) -> None:
    await memory.settings.update(me, {"retention_days": 1})
    await cached.remember(me, "하루만 기억해요")
    assert (await cached.page(me))[1] == 1
    clock.advance(timedelta(days=1))
    assert await cached.page(me) == ((), 0)


async def test_a_clock_that_ran_back_makes_the_list_anew(
    memory: Gieok, cached: Memories, me: Scope, clock: FixedClock
) -> None:
    await memory.settings.update(me, {"retention_days": 1})
    await cached.remember(me, "하루만 기억해요")
    clock.advance(timedelta(days=1))
    assert await cached.page(me) == ((), 0)
    clock.advance(-timedelta(hours=1))
    assert (await cached.page(me))[1] == 1
    clock.advance(timedelta(hours=1))


@pytest.mark.req("D15")
async def test_a_list_put_back_from_earlier_is_not_shown(
    cached: Memories, cache: Cache, me: Scope
) -> None:
    gone = await cached.remember(me, "잊을 것")
    await cached.page(me)
    key = build_list_key(me.user_id, only_active=True)
    earlier = await cache.get(key)
    assert earlier is not None
    await cached.forget(me, gone.memory_id)
    await cached.page(me)
    await cache.put(key, earlier, timedelta(hours=1))
    assert await cached.page(me) == ((), 0)


async def test_another_change_of_the_same_number_is_another_list(
    memory: Gieok, cached: Memories, owner: Owner, me: Scope, clock: FixedClock
) -> None:
    """A backup that is restored brings numbers back, to be given to other changes."""
    await cached.remember(me, "되돌릴 것")
    assert (await cached.page(me))[1] == 1
    await remove_unseen(owner, me)
    for table in ("memory_updates", "memory_candidates"):
        await owner.execute(f"DELETE FROM {table} WHERE user_id = %s", [me.user_id])  # pyright: ignore[reportArgumentType]
    await owner.execute(
        "UPDATE user_counters SET head_seq = 0 WHERE user_id = %s", [me.user_id]
    )
    clock.advance(timedelta(seconds=1))
    await cached.remember(me, "다른 것")
    ((shown,), total) = await cached.page(me)
    assert (shown.content, total) == ("다른 것", 1)
    assert memory.maintenance.database


@pytest.mark.req("D15")
async def test_another_persons_list_does_not_open(
    cached: Memories, cache: Cache, me: Scope, other: Scope
) -> None:
    await cached.remember(other, "남의 비밀")
    await cached.page(other)
    await cached.remember(me, "내 것")
    theirs = await cache.get(build_list_key(other.user_id, only_active=True))
    assert theirs is not None
    key = build_list_key(me.user_id, only_active=True)
    await cache.put(key, theirs, timedelta(hours=1))
    ((shown,), total) = await cached.page(me)
    assert (shown.content, total) == ("내 것", 1)


@pytest.mark.parametrize("value", [b"", b"\x01", bytes(700)], ids=len)
async def test_a_poisoned_list_is_made_anew(
    cached: Memories, cache: Cache, me: Scope, value: bytes
) -> None:
    await cached.remember(me, "산책을 좋아해요")
    page = await cached.page(me)
    key = build_list_key(me.user_id, only_active=True)
    await cache.put(key, value, timedelta(hours=1))
    assert await cached.page(me) == page
    assert await cache.get(key) != value


@pytest.mark.req("D15", "D16")
async def test_redis_holds_nothing_anyone_can_read(
    memory: Gieok, server: RedisServer, redis: Any, clock: FixedClock, me: Scope
) -> None:
    async with RedisCache.connect(server.url, clock, PATIENT) as cache:
        sessions = with_parts(memory.sessions, cache=cache)
        cached = replace(memory.memories, cache=cache)
        session = await sessions.start(me, config={"note": "등대지기의 메모"})
        turn = Turn("나는 등대지기예요", "등대지기시군요")
        await sessions.record(me, session.session_id, turn)
        await cached.remember(me, "사용자는 등대지기예요")
        await cached.page(me)
        await sessions.close(me, session.session_id)
    keys = await redis.keys("*")
    assert build_list_key(me.user_id, only_active=True).encode() in keys
    assert f"session:{session.session_id}".encode() in keys
    for key in keys:
        held = await redis.dump(key) + (await redis.get(key) or b"")
        for form in ("등대지기", "등대지기".encode("unicode_escape").decode()):
            assert form.encode() not in held


@pytest.mark.req("D15")
async def test_a_redis_that_dies_or_is_flushed_changes_no_list(
    memory: Gieok, server: RedisServer, redis: Any, clock: FixedClock, me: Scope
) -> None:
    async with RedisCache.connect(server.url, clock, PATIENT) as cache:
        cached = replace(memory.memories, cache=cache)
        await cached.remember(me, "산책을 좋아해요")
        page = await cached.page(me)
        await redis.flushall()
        assert await cached.page(me) == page
        server.kill()
        assert await cached.page(me) == page
        await cached.remember(me, "커피도 좋아해요")
        server.start()
        assert (await cached.page(me))[1] == 2
