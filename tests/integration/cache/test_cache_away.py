"""A Redis that dies, stalls, forgets or talks nonsense costs time, never an error."""

import asyncio
from collections.abc import AsyncGenerator, Generator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
import structlog
from redis.asyncio import Redis

from gieok.cache import Cache, SessionRecord
from gieok.cache.circuit import NORMAL, CachePatience, Circuit
from gieok.cache.model import build_session_keys
from gieok.cache.redis import RedisCache
from gieok.kernel.clock import read_system_clock
from support.redis_server import RedisServer, redis_server, stalling_proxy

HOUR = timedelta(hours=1)
ME = UUID(int=1)
PATIENT = CachePatience(patience=5.0, rest=0.05)
HURRIED = CachePatience(patience=0.1, rest=0.05)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[RedisServer]:
    directory: Path = tmp_path_factory.mktemp("redis")
    with redis_server(directory) as running:
        yield running


@pytest.fixture
async def cache(server: RedisServer) -> AsyncGenerator[RedisCache]:
    async with RedisCache.connect(server.url, read_system_clock, PATIENT) as cache:
        yield cache


def record() -> SessionRecord:
    now = datetime(2026, 2, 6, tzinfo=UTC)
    return SessionRecord(
        uuid4(), ME, "active", None, "ko", None, None, now, now, None, None
    )


async def answers_like_an_empty_one(cache: Cache) -> None:
    """Call everything there is."""
    mine = record()
    await cache.put("k", b"v", HOUR)
    assert await cache.get("k") is None
    assert not await cache.drop("k")
    await cache.keep_session(mine)
    assert await cache.get_session(ME, mine.session_id) is None
    async with cache.listen(ME, mine.session_id) as hinted:
        cache.hint(ME, mine.session_id)
        assert hinted.is_set(), "in this process hints need no Redis"
    cache.publish_hint(ME, mine.session_id)
    assert await cache.add_client(ME, mine.session_id, "a") == 1
    assert await cache.add_client(ME, mine.session_id, "b") == 2
    await cache.remove_client(ME, mine.session_id, "a")
    assert not await cache.drop_session(ME, mine.session_id)


async def works_again(cache: Cache) -> None:
    async with asyncio.timeout(10):
        while await cache.get("k") != b"v":
            await cache.put("k", b"v", HOUR)
            await asyncio.sleep(0.02)


def logged(logs: list[Any], what: str) -> list[str]:
    return [line["event"] for line in logs if line.get("what") == what]


@pytest.mark.req("B09")
async def test_a_redis_that_dies_in_mid_flight_is_missed_and_found_again(
    server: RedisServer, cache: RedisCache
) -> None:
    await works_again(cache)
    with structlog.testing.capture_logs() as logs:
        under_way = [asyncio.create_task(cache.get("k")) for _ in range(200)]
        await asyncio.sleep(0)
        server.kill()
        assert set(await asyncio.gather(*under_way)) <= {b"v", None}
        await answers_like_an_empty_one(cache)
        server.start()
        await works_again(cache)
    assert logged(logs, "values") == ["cache_away", "cache_back"]
    assert all(line.keys() <= {"event", "what", "error", "log_level"} for line in logs)


async def test_hints_come_again_after_an_outage(
    server: RedisServer, cache: RedisCache
) -> None:
    session = uuid4()
    async with (
        RedisCache.connect(server.url, read_system_clock, PATIENT) as there,
        there.listen(ME, session) as hinted,
    ):
        server.kill()
        server.start()
        async with asyncio.timeout(10):
            while not hinted.is_set():
                cache.hint(ME, session)
                await asyncio.sleep(0.02)


async def test_whoever_listens_while_it_comes_back_opens_no_second_connection(
    server: RedisServer, cache: RedisCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    under_way, most, opened = 0, 0, 0
    connect = asyncio.open_connection

    async def open_slowly(*where: Any, **options: Any) -> Any:
        nonlocal under_way, most, opened
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.05)
        try:
            streams = await connect(*where, **options)
        finally:
            under_way -= 1
        opened += 1
        return streams

    await works_again(cache)
    monkeypatch.setattr(asyncio, "open_connection", open_slowly)
    server.kill()
    server.start()

    async def listen_for_a_while() -> None:
        async with asyncio.timeout(10):
            while not opened:
                async with cache.listen(ME, uuid4()):
                    await asyncio.sleep(0.005)

    await asyncio.gather(*(listen_for_a_while() for _ in range(10)))
    assert most == 1, "the receiver's"


async def test_a_redis_that_was_never_there_stops_nothing(server: RedisServer) -> None:
    server.kill()
    async with RedisCache.connect(server.url, read_system_clock, HURRIED) as cache:
        await answers_like_an_empty_one(cache)
        server.start()
        await works_again(cache)


async def test_a_redis_that_stalls_is_waited_for_once_and_then_left_alone(
    server: RedisServer,
) -> None:
    loop = asyncio.get_running_loop()
    async with (
        stalling_proxy(server.port) as proxy,
        RedisCache.connect(
            proxy.url, read_system_clock, CachePatience(0.2, 60.0)
        ) as cache,
    ):
        await works_again(cache)
        proxy.flows.clear()
        began = loop.time()
        assert await cache.get("k") is None
        waited = loop.time() - began
        began = loop.time()
        for _ in range(100):
            assert await cache.get("k") is None
        assert waited >= 0.15
        assert loop.time() - began < waited, "nobody waits a second time"


async def test_a_stalled_answer_is_never_taken_for_a_later_question(
    server: RedisServer,
) -> None:
    async with (
        stalling_proxy(server.port) as proxy,
        RedisCache.connect(proxy.url, read_system_clock, HURRIED) as cache,
    ):
        async with asyncio.timeout(10):
            for name in ("a", "b"):
                while await cache.get(name) != name.encode():
                    await cache.put(name, name.encode(), HOUR)
        proxy.flows.clear()
        assert await cache.get("a") is None
        proxy.flows.set()
        async with asyncio.timeout(10):
            while (found := await cache.get("b")) is None:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        assert found == b"b"


async def test_a_flushed_redis_has_nothing_and_works(
    server: RedisServer, cache: RedisCache
) -> None:
    mine = record()
    await works_again(cache)
    await cache.keep_session(mine)
    async with Redis.from_url(server.url) as redis:
        await redis.flushall()
        await redis.script_flush()
    assert await cache.get("k") is None
    assert await cache.get_session(ME, mine.session_id) is None
    await cache.keep_session(mine)
    assert await cache.get_session(ME, mine.session_id) == mine


@pytest.mark.parametrize(
    "value",
    [
        b"",
        b"\xff\xfe",
        b"null",
        b"[]",
        b"{}",
        b'"text"',
        b'{"user_id":1,"version":{}}',
        b'{"user_id":"00000000-0000-0000-0000-000000000001","version":"x"}',
        b'{"user_id":"00000000-0000-0000-0000-000000000001","status":"created"}',
        b"[" * 100_000,
    ],
    ids=lambda value: repr(value[:40]),
)
async def test_a_poisoned_session_is_a_miss_and_is_written_over(
    server: RedisServer, cache: RedisCache, value: bytes
) -> None:
    mine = record()
    keys = build_session_keys(ME, mine.session_id)
    async with Redis.from_url(server.url) as redis:
        await redis.set(keys.session, value)
    assert await cache.get_session(ME, mine.session_id) is None
    cache.publish_hint(ME, mine.session_id)
    await cache.keep_session(mine)
    assert await cache.get_session(ME, mine.session_id) == mine


async def test_keys_of_a_wrong_type_are_misses_and_are_written_over(
    server: RedisServer, cache: RedisCache
) -> None:
    mine = record()
    async with Redis.from_url(server.url) as redis:
        for key in ("wrong", *build_session_keys(ME, mine.session_id)):
            await redis.rpush(key, "a list")  # pyright: ignore[reportGeneralTypeIssues]
    with structlog.testing.capture_logs() as logs:
        assert await cache.get("wrong") is None
        assert await cache.get_session(ME, mine.session_id) is None
        await cache.put("wrong", b"right", HOUR)
        await cache.keep_session(mine)
        assert await cache.add_client(ME, mine.session_id, "a") == 1
        assert await cache.get("wrong") == b"right"
        assert await cache.get_session(ME, mine.session_id) == mine
    assert logs == [], "it is no outage"


async def test_a_full_outbox_drops_hints_and_keeps_the_caller_going(
    server: RedisServer,
) -> None:
    async with (
        stalling_proxy(server.port) as proxy,
        RedisCache.connect(proxy.url, read_system_clock, HURRIED) as cache,
    ):
        proxy.flows.clear()
        for _ in range(5_000):
            cache.publish_hint(ME, uuid4())
        assert len(cache._outbox) <= 1_000  # noqa: SLF001 - what is bounded
        proxy.flows.set()
        await works_again(cache)


async def test_while_it_is_down_one_caller_tries_and_the_others_do_not() -> None:
    circuit, tries = Circuit("values", CachePatience(patience=5.0, rest=0.05)), 0

    async def fail() -> bytes:
        nonlocal tries
        tries += 1
        await asyncio.sleep(0)
        raise OSError

    assert await circuit.call_or_default(fail, b"otherwise") == b"otherwise"
    await asyncio.sleep(0.06)
    asked = await asyncio.gather(
        *(circuit.call_or_default(fail, b"otherwise") for _ in range(50))
    )
    assert set(asked) == {b"otherwise"}
    assert tries == 2


def test_a_caller_waits_a_tenth_of_a_second_at_most() -> None:
    assert CachePatience(patience=0.1, rest=2.0) == NORMAL
