"""What a cache keeps, in this process or in a real Redis (B09)."""

import asyncio
import json
from collections.abc import AsyncGenerator, Generator
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from redis.asyncio import Redis

from gieok.cache import Cache, LocalCache, SessionRecord, open_cache
from gieok.cache.circuit import CachePatience
from gieok.cache.model import MAX_VALUE_BYTES, build_session_keys
from gieok.cache.redis import RedisCache
from gieok.kernel.clock import read_system_clock
from gieok.kernel.errors import ConfigurationError
from gieok.testing import FixedClock
from support.redis_server import RedisServer, redis_server

HOUR = timedelta(hours=1)
NOW = datetime(2026, 2, 6, 9, 0, tzinfo=UTC)
ME, OTHER = UUID(int=1), UUID(int=2)
PATIENT = CachePatience(patience=5.0, rest=0.05)
"""So that a busy machine does not look like a dead Redis."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[RedisServer]:
    directory: Path = tmp_path_factory.mktemp("redis")
    with redis_server(directory) as running:
        yield running


@pytest.fixture
async def redis(server: RedisServer) -> AsyncGenerator[Any]:
    """A client of the same Redis, for looking at what is really there."""
    async with Redis.from_url(server.url) as client:
        await client.flushall()
        yield client


@pytest.fixture(params=["local", "redis"])
async def cache(request: pytest.FixtureRequest) -> AsyncGenerator[Cache]:
    if request.param == "local":
        yield LocalCache(FixedClock())
        return
    server: RedisServer = request.getfixturevalue("server")
    async with RedisCache.connect(server.url, FixedClock(), PATIENT) as cache:
        yield cache


def record(session_id: UUID | None = None, **changes: Any) -> SessionRecord:
    plain = SessionRecord(
        session_id=session_id or uuid4(),
        user_id=ME,
        status="active",
        current_layer="planning",
        language="ko",
        device_id=None,
        persona_id=uuid4(),
        created_at=NOW,
        updated_at=NOW,
        expires_at=None,
        completed_at=None,
    )
    return replace(plain, **changes)


async def test_a_value_is_kept_replaced_and_dropped(cache: Cache) -> None:
    key = f"k-{uuid4()}"
    assert await cache.get(key) is None
    await cache.put(key, b"\x00\xff one", HOUR)
    assert await cache.get(key) == b"\x00\xff one"
    await cache.put(key, b"two", HOUR)
    assert await cache.get(key) == b"two"
    assert await cache.drop(key)
    assert await cache.get(key) is None


async def test_what_is_too_long_is_not_kept_and_replaces_what_was(cache: Cache) -> None:
    key = f"k-{uuid4()}"
    await cache.put(key, b"before", HOUR)
    await cache.put(key, b"x" * (MAX_VALUE_BYTES + 1), HOUR)
    assert await cache.get(key) is None


@pytest.mark.req("B09")
async def test_a_session_is_kept_for_its_person_alone(cache: Cache) -> None:
    mine = record()
    assert await cache.get_session(ME, mine.session_id) is None
    await cache.keep_session(mine)
    assert await cache.get_session(ME, mine.session_id) == mine
    assert await cache.get_session(OTHER, mine.session_id) is None


@pytest.mark.req("B09")
async def test_two_people_with_the_same_session_id_never_see_each_other(
    cache: Cache,
) -> None:
    mine = record()
    await cache.keep_session(mine)
    theirs = replace(mine, user_id=OTHER, status="paused")
    await cache.keep_session(theirs)
    assert await cache.get_session(ME, mine.session_id) is None
    assert await cache.get_session(OTHER, mine.session_id) == theirs


async def test_an_older_state_never_replaces_a_newer_one(cache: Cache) -> None:
    newer = record(status="completed", updated_at=NOW + timedelta(microseconds=1))
    await cache.keep_session(newer)
    await cache.keep_session(replace(newer, status="active", updated_at=NOW))
    assert await cache.get_session(ME, newer.session_id) is None
    await cache.keep_session(newer)
    assert await cache.get_session(ME, newer.session_id) == newer


@pytest.mark.req("B11")
async def test_dropping_a_session_leaves_no_key(cache: Cache) -> None:
    mine = record()
    await cache.keep_session(mine)
    await cache.add_client(ME, mine.session_id, "a")
    assert await cache.drop_session(ME, mine.session_id)
    for key in build_session_keys(ME, mine.session_id):
        assert await cache.get(key) is None


async def test_what_is_said_makes_a_created_session_active(cache: Cache) -> None:
    mine = record(status="created", current_layer=None)
    await cache.keep_session(mine)
    cache.publish_hint(OTHER, mine.session_id)
    cache.publish_hint(ME, mine.session_id)
    async with asyncio.timeout(5):
        while await cache.get_session(ME, mine.session_id) == mine:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert await cache.get_session(ME, mine.session_id) == replace(
        mine, status="active"
    )
    keys = build_session_keys(ME, mine.session_id)
    assert await cache.get(keys.status) == b"active"


async def test_a_hint_wakes_those_who_listen_to_this_session(cache: Cache) -> None:
    session, another = uuid4(), uuid4()
    async with (
        cache.listen(ME, session) as first,
        cache.listen(ME, session) as second,
        cache.listen(OTHER, session) as theirs,
        cache.listen(ME, another) as elsewhere,
    ):
        cache.hint(ME, session)
        assert first.is_set()
        assert second.is_set()
        assert not theirs.is_set()
        assert not elsewhere.is_set()
    cache.hint(ME, session)


@pytest.mark.req("B10")
async def test_clients_are_counted_as_they_come_and_go(cache: Cache) -> None:
    session = uuid4()
    assert await cache.add_client(ME, session, "a") == 1
    assert await cache.add_client(ME, session, "a") == 1
    assert await cache.add_client(ME, session, "b") == 2
    assert await cache.add_client(OTHER, session, "c") == 1
    await cache.remove_client(ME, session, "a")
    assert await cache.add_client(ME, session, "b") == 1
    await cache.remove_client(ME, session, "b")
    await cache.remove_client(ME, session, "nobody")


async def test_a_local_value_lives_as_long_as_it_was_given() -> None:
    clock = FixedClock()
    cache = LocalCache(clock)
    await cache.put("k", b"v", HOUR)
    clock.advance(HOUR - timedelta(seconds=1))
    assert await cache.get("k") == b"v"
    clock.advance(timedelta(seconds=1))
    assert await cache.get("k") is None


async def test_a_local_cache_makes_room_for_what_is_used() -> None:
    cache = LocalCache(FixedClock(), max_bytes=300)
    for name in ("a", "b", "c"):
        await cache.put(name, bytes(100), HOUR)
    await cache.get("a")
    await cache.put("d", bytes(100), HOUR)
    held = [name for name in "abcd" if await cache.get(name) is not None]
    assert held == ["a", "c", "d"]


async def test_a_local_client_that_falls_silent_is_counted_no_longer() -> None:
    clock = FixedClock()
    cache, session = LocalCache(clock), uuid4()
    await cache.add_client(ME, session, "a")
    clock.advance(timedelta(seconds=90))
    assert await cache.add_client(ME, session, "b") == 1


@pytest.mark.req("B09")
async def test_redis_holds_the_documents_keys_with_their_lifetimes(
    server: RedisServer, redis: Any
) -> None:
    mine = record()
    async with RedisCache.connect(server.url, read_system_clock, PATIENT) as cache:
        await cache.keep_session(mine)
        await cache.add_client(ME, mine.session_id, "a")
        await cache.add_client(ME, mine.session_id, "b")
    name = f"session:{mine.session_id}"
    assert json.loads(await redis.get(name)) == {
        "version": int(NOW.timestamp() * 1_000_000),
        "session_id": str(mine.session_id),
        "user_id": str(ME),
        "status": "active",
        "current_layer": "planning",
        "language": "ko",
        "device_id": None,
        "persona_id": str(mine.persona_id),
        "created_at": NOW.isoformat(),
        "updated_at": NOW.isoformat(),
        "expires_at": None,
        "completed_at": None,
    }
    assert await redis.get(f"{name}:status") == b"active"
    assert await redis.get(f"{name}:layer") == b"planning"
    assert await redis.get(f"{name}:ws_clients") == b"2"
    lives = {"": 86_400, ":status": 3_600, ":layer": 3_600, ":ws_clients": 300}
    for ending, seconds in lives.items():
        assert seconds - 60 < await redis.ttl(f"{name}{ending}") <= seconds
    assert 240 < await redis.ttl(f"{name}:ws_clients:{ME}") <= 300
    assert len(await redis.keys("*")) == 5


async def test_a_layer_that_is_left_is_no_key_any_more(
    server: RedisServer, redis: Any
) -> None:
    mine = record()
    async with RedisCache.connect(server.url, read_system_clock, PATIENT) as cache:
        await cache.keep_session(mine)
        await cache.keep_session(replace(mine, current_layer=None))
    assert not await redis.exists(f"session:{mine.session_id}:layer")


@pytest.mark.req("B10")
async def test_clients_of_a_process_that_died_are_counted_no_longer(
    server: RedisServer, redis: Any
) -> None:
    session = uuid4()
    keys = build_session_keys(ME, session)
    async with RedisCache.connect(server.url, read_system_clock, PATIENT) as cache:
        await cache.add_client(ME, session, "died")
        now, _ = await redis.time()
        await redis.zadd(keys.seen, {"died": now - 91})
        assert await cache.add_client(ME, session, "alive") == 1
        await cache.remove_client(ME, session, "alive")
    assert await redis.keys("*") == []


async def test_hints_reach_other_processes(server: RedisServer, redis: Any) -> None:
    session = uuid4()
    async with AsyncExitStack() as stack:
        here, there = [
            await stack.enter_async_context(
                RedisCache.connect(server.url, read_system_clock, PATIENT)
            )
            for _ in range(2)
        ]
        hinted = await stack.enter_async_context(there.listen(ME, session))
        unasked = await stack.enter_async_context(there.listen(OTHER, session))
        async with asyncio.timeout(10):
            while not hinted.is_set():
                here.hint(ME, session)
                await asyncio.sleep(0.02)
        assert not unasked.is_set()
        (channel,) = [
            name
            for name in await redis.pubsub_channels("*")
            if name.endswith(f"{ME}:{session}".encode())
        ]
        assert channel.startswith(b"gieok:session/")


async def test_without_an_address_the_cache_is_this_process() -> None:
    async with open_cache(None, read_system_clock) as cache:
        assert isinstance(cache, LocalCache)


async def test_with_an_address_it_is_that_redis(server: RedisServer) -> None:
    async with open_cache(server.url, read_system_clock) as cache:
        assert isinstance(cache, RedisCache)


@pytest.mark.parametrize("url", ["http://h", "redis://h:port", "nonsense", "redis://["])
async def test_an_address_of_no_redis_is_a_wrong_set_up(url: str) -> None:
    with pytest.raises(ConfigurationError, match="GIEOK_REDIS_URL"):
        async with open_cache(url, read_system_clock):
            pass


async def test_the_address_is_not_repeated_in_the_error() -> None:
    with pytest.raises(ConfigurationError) as raised:
        async with open_cache("redis://:secret@h:port", read_system_clock):
            pass
    assert "secret" not in str(raised.value)
