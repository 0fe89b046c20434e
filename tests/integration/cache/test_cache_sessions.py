"""A session's life as a real Redis has it, and its end (B09, B11)."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from redis.asyncio import Redis

from gieok import Gieok, Scope
from gieok.cache.circuit import CachePatience
from gieok.cache.model import build_session_keys
from gieok.cache.redis import RedisCache
from gieok.memories.list_cache import build_list_key
from gieok.sessions import Turn
from gieok.sessions.model import Layer
from gieok.sessions.progress import build_record
from gieok.testing import FixedClock
from support.redis_server import RedisServer, redis_server
from support.session_talk import with_parts

PATIENT = CachePatience(patience=5.0, rest=0.05)
HINTING = """
import asyncio, sys
from uuid import UUID
from gieok.cache.redis import RedisCache
from gieok.kernel.clock import read_system_clock

async def main(url, *ids):
    async with RedisCache.connect(url, read_system_clock) as cache:
        while True:
            cache.hint(*map(UUID, ids))
            await asyncio.sleep(0.05)

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.fixture(scope="module")
async def server(
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncGenerator[RedisServer]:
    directory: Path = tmp_path_factory.mktemp("redis")
    with redis_server(directory) as running:
        yield running


@pytest.fixture
async def redis(server: RedisServer) -> AsyncGenerator[Any]:
    async with Redis.from_url(server.url, decode_responses=True) as client:
        await client.flushall()
        yield client


@pytest.fixture
async def cached(
    memory: Gieok, server: RedisServer, clock: FixedClock
) -> AsyncGenerator[Gieok]:
    """Gieok as it is where GIEOK_REDIS_URL is set."""
    async with RedisCache.connect(server.url, clock, PATIENT) as cache:
        sessions = with_parts(memory.sessions, cache=cache)
        memories = replace(memory.memories, cache=cache)
        erasure = replace(memory.erasure, sessions=sessions, memories=memories)
        yield replace(memory, sessions=sessions, memories=memories, erasure=erasure)


async def held(redis: Any, session_id: UUID, status: str) -> tuple[str, str | None]:
    """Return status and layer once the status is what it should be."""
    name = f"session:{session_id}"
    async with asyncio.timeout(10):
        while await redis.get(f"{name}:status") != status:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    return status, await redis.get(f"{name}:layer")


@pytest.mark.req("B09")
async def test_redis_follows_the_life_of_a_session(
    cached: Gieok, redis: Any, me: Scope
) -> None:
    sessions = cached.sessions
    session = await sessions.start(me)
    new = session.session_id
    assert await held(redis, new, "created") == ("created", None)
    await sessions.record(me, new, Turn("안녕", "안녕하세요"))
    assert await held(redis, new, "active") == ("active", None)
    await sessions.advance(me, new, Layer.COGNITIVE)
    assert await held(redis, new, "active") == ("active", "cognitive")
    await sessions.pause(me, new)
    assert await held(redis, new, "paused") == ("paused", "cognitive")
    ended = await sessions.close(me, new)
    assert await held(redis, new, "completed") == ("completed", "cognitive")
    found = await sessions.writer.cache.get_session(me.user_id, new)
    assert found == build_record(me.user_id, ended)


@pytest.mark.req("B11")
async def test_an_erased_session_leaves_no_key_in_redis(
    cached: Gieok, redis: Any, me: Scope
) -> None:
    session = (await cached.sessions.start(me)).session_id
    await cached.sessions.record(me, session, Turn("안녕", "안녕하세요"))
    await held(redis, session, "active")
    await cached.sessions.writer.cache.add_client(me.user_id, session, "a")
    await cached.memories.remember(me, "산책을 좋아해요")
    await cached.memories.page(me)
    assert len(await redis.keys("*")) == 5
    await cached.erasure.session(me, session)
    assert await redis.keys("*") == []


@pytest.mark.req("D15")
async def test_a_forgotten_text_does_not_stay_in_redis_even_sealed(
    cached: Gieok, redis: Any, me: Scope
) -> None:
    memory = await cached.memories.remember(me, "산책을 좋아해요")
    key = build_list_key(me.user_id, only_active=True)
    for forget in (
        lambda: cached.memories.forget(me, memory.memory_id),
        lambda: cached.memories.forget_all(me),
    ):
        await cached.memories.page(me)
        assert await redis.exists(key)
        await forget()
        assert not await redis.exists(key)


async def test_two_people_with_one_session_id_keep_out_of_each_others_way(
    cached: Gieok, redis: Any, me: Scope, other: Scope
) -> None:
    session = uuid4()
    await cached.sessions.start(me, session_id=session)
    await cached.sessions.start(other, session_id=session)
    cache = cached.sessions.writer.cache
    assert await cache.get_session(me.user_id, session) is None
    found = await cache.get_session(other.user_id, session)
    assert found is not None
    assert found.user_id == other.user_id
    await cached.erasure.session(other, session)
    transcript = await cached.sessions.read(me, session)
    assert transcript.session.session_id == session
    assert not await redis.exists(build_session_keys(me.user_id, session).session)


@pytest.mark.req("B09")
async def test_a_dead_redis_changes_nothing_about_a_session(
    cached: Gieok, server: RedisServer, redis: Any, me: Scope
) -> None:
    assert await redis.ping()
    server.kill()
    session = (await cached.sessions.start(me)).session_id
    await cached.sessions.record(me, session, Turn("안녕", "안녕하세요"))
    await cached.sessions.pause(me, session)
    await cached.sessions.resume(me, session)
    assert (await cached.sessions.close(me, session)).message_count == 2
    await cached.erasure.session(me, session)
    server.start()


@pytest.mark.req("B09")
async def test_another_process_can_wake_a_listener_here(
    cached: Gieok, server: RedisServer, me: Scope
) -> None:
    session = uuid4()
    command = [sys.executable, "-c", HINTING, server.url, str(me.user_id), str(session)]
    async with cached.sessions.writer.cache.listen(me.user_id, session) as hinted:
        other = subprocess.Popen(command)  # noqa: ASYNC220, S603 - our own program
        try:
            async with asyncio.timeout(30):
                await hinted.wait()
        finally:
            other.kill()
            other.wait()
