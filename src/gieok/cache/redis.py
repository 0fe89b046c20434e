"""A cache in Redis, shared by processes; whatever fails there is a miss here."""

import asyncio
from asyncio import Event
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import Any, Final, NamedTuple, Self, cast
from uuid import UUID

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from gieok.cache.buckets import MINUTE, TokenBuckets
from gieok.cache.circuit import NORMAL, CachePatience, Circuit
from gieok.cache.hints import ListenerRegistry, Presence, SessionTopic
from gieok.cache.model import (
    CLIENT_SILENT,
    CLIENTS_TTL,
    MAX_VALUE_BYTES,
    SESSION_TTL,
    STATUS_TTL,
    SessionRecord,
    build_session_keys,
)
from gieok.kernel.clock import Clock
from gieok.kernel.errors import ConfigurationError

CONNECTIONS: Final = 16
QUIET_SECONDS: Final = 15.0
"""Silence after which the connection that hears hints is asked whether it lives."""
MAX_HINTS: Final = 1_000
"""Hints that wait to be sent; further ones are not worth waiting for."""
CHANNELS: Final = "gieok:session"

_HELD: Final = """
    local held = redis.pcall('GET', KEYS[1])
    held = type(held) == 'string' and held or 'null'
    local read, old = pcall(cjson.decode, held)
    local mine = read and type(old) == 'table' and old.user_id == ARGV[1]
"""
KEEP: Final = (
    _HELD
    + f"""
    redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
    if mine and type(old.version) == 'number' and old.version > tonumber(ARGV[2]) then
        return 0
    end
    redis.call('SET', KEYS[1], ARGV[3], 'EX', {SESSION_TTL // timedelta(seconds=1)})
    redis.call('SET', KEYS[2], ARGV[4], 'EX', {STATUS_TTL // timedelta(seconds=1)})
    if ARGV[5] ~= '' then
        redis.call('SET', KEYS[3], ARGV[5], 'EX', {STATUS_TTL // timedelta(seconds=1)})
    end
    return 1
"""
)
SAID: Final = (
    _HELD
    + f"""
    if mine and old.status == 'created' then
        local now = held:gsub('"status":"created"', '"status":"active"', 1)
        redis.call('SET', KEYS[1], now, 'EX', {SESSION_TTL // timedelta(seconds=1)})
        redis.call('SET', KEYS[2], 'active', 'EX', {STATUS_TTL // timedelta(seconds=1)})
    end
"""
)
COUNT: Final = f"""
    if redis.call('TYPE', KEYS[1]).ok ~= 'zset' then redis.call('DEL', KEYS[1]) end
    local now = tonumber(redis.call('TIME')[1])
    local silent = now - {CLIENT_SILENT // timedelta(seconds=1)}
    redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', silent)
    redis.call(ARGV[1] == 'here' and 'ZADD' or 'ZREM', KEYS[1], unpack(
        ARGV[1] == 'here' and {{now, ARGV[2]}} or {{ARGV[2]}}
    ))
    local count = redis.call('ZCARD', KEYS[1])
    if count == 0 then redis.call('DEL', KEYS[1], KEYS[2]) return 0 end
    redis.call('EXPIRE', KEYS[1], {CLIENTS_TTL // timedelta(seconds=1)})
    redis.call('SET', KEYS[2], count, 'EX', {CLIENTS_TTL // timedelta(seconds=1)})
    return count
"""
SPEND: Final = f"""
    local time = redis.call('TIME')
    local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
    local each = {MINUTE} / tonumber(ARGV[1])
    local held = redis.pcall('GET', KEYS[1])
    local full_at = type(held) == 'string' and tonumber(held) or now
    full_at = math.min(math.max(now, full_at), now + {MINUTE}) + each
    local wait = full_at - now - {MINUTE}
    if wait >= each / 1000 then return string.format('%.6f', wait) end
    redis.call('SET', KEYS[1], string.format('%.6f', full_at), 'EX', {2 * MINUTE:.0f})
    return '0'
"""


class _PendingHint(NamedTuple):
    """A hint on its way out."""

    topic: SessionTopic
    is_speech: bool


class RedisCache:
    """A `Cache` for as long as `connect` runs."""

    def __init__(self, client: Redis, clock: Clock, pace: CachePatience) -> None:
        self._client = client
        self._clock = clock
        self._pace = pace
        self._circuit = Circuit("values", pace)
        self._hearing = Circuit("hints", pace)
        self._hints = ListenerRegistry()
        self._presence = Presence()
        self._buckets = TokenBuckets()
        self._outbox: deque[_PendingHint] = deque(maxlen=MAX_HINTS)
        self._has_news = Event()
        self._is_open = True
        self._pubsub: Any = None

    @classmethod
    @asynccontextmanager
    async def connect(
        cls, url: str, clock: Clock, pace: CachePatience = NORMAL
    ) -> AsyncGenerator[Self]:
        """Use the Redis at an address for as long as the block runs.

        Raises:
            ConfigurationError: the address cannot be one of a Redis.
        """
        client = _create_client(url, pace.patience)
        cache = cls(client, clock, pace)
        running = [
            asyncio.create_task(cache._send_hints()),
            asyncio.create_task(cache._receive_hints()),
        ]
        try:
            yield cache
        finally:
            cache._is_open = False
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            with suppress(Exception):
                await client.aclose(close_connection_pool=True)

    async def get(self, key: str) -> bytes | None:
        """Return a value, or None."""

        async def get() -> bytes | None:
            # Unlike GET, it answers nothing for a key of another type.
            (value,) = await self._client.mget([key])
            return value if isinstance(value, bytes) else None

        return await self._circuit.call_or_default(get, None)

    async def put(self, key: str, value: bytes, ttl: timedelta) -> None:
        """Keep a value for a while."""
        if len(value) > MAX_VALUE_BYTES:
            await self.drop(key)
            return
        await self._circuit.call_or_default(
            lambda: self._client.set(key, value, ex=ttl), None
        )

    async def drop(self, *keys: str) -> bool:
        """Remove keys; False when Redis did not answer."""

        async def drop() -> bool:
            await self._client.delete(*keys)
            return True

        return await self._circuit.call_or_default(drop, otherwise=False)

    async def keep_session(self, record: SessionRecord) -> None:
        """Keep a session, or drop it where a later state is held."""
        keys = build_session_keys(record.user_id, record.session_id)
        values = (
            str(record.user_id),
            record.version,
            record.to_json(),
            record.status,
            record.current_layer or "",
        )
        await self._run_script(KEEP, keys[:3], values)

    async def get_session(
        self, user_id: UUID, session_id: UUID
    ) -> SessionRecord | None:
        """Return what is held of a person's session."""
        value = await self.get(build_session_keys(user_id, session_id).session)
        return SessionRecord.from_json(value, user_id)

    async def drop_session(self, user_id: UUID, session_id: UUID) -> bool:
        """Remove all keys of a session, and hint."""
        dropped = await self.drop(*build_session_keys(user_id, session_id))
        self.hint(user_id, session_id)
        return dropped

    async def add_client(self, user_id: UUID, session_id: UUID, client: str) -> int:
        """Note a client and return how many there are."""
        here = self._presence.record_client(
            SessionTopic(user_id, session_id), client, self._clock()
        )
        keys = build_session_keys(user_id, session_id)
        count = await self._run_script(
            COUNT, (keys.seen, keys.clients), ("here", client)
        )
        return count if isinstance(count, int) else here

    async def remove_client(self, user_id: UUID, session_id: UUID, client: str) -> None:
        """Note that a client follows a session no longer."""
        self._presence.remove_client(SessionTopic(user_id, session_id), client)
        keys = build_session_keys(user_id, session_id)
        await self._run_script(COUNT, (keys.seen, keys.clients), ("left", client))

    async def spend(self, name: str, per_minute: int) -> float:
        """Take one from a bucket; return the seconds to wait for it."""
        wait = await self._run_script(SPEND, (name,), (per_minute,))
        try:
            return float(cast("bytes", wait))
        except (TypeError, ValueError):
            return self._buckets.take_token(name, per_minute)

    def hint(self, user_id: UUID, session_id: UUID) -> None:
        """Wake whoever follows a session, in any process; returns at once."""
        self._queue_hint(
            _PendingHint(SessionTopic(user_id, session_id), is_speech=False)
        )

    def publish_hint(self, user_id: UUID, session_id: UUID) -> None:
        """Hint, and make a created session active."""
        self._queue_hint(
            _PendingHint(SessionTopic(user_id, session_id), is_speech=True)
        )

    @asynccontextmanager
    async def listen(self, user_id: UUID, session_id: UUID) -> AsyncGenerator[Event]:
        """Lend an event that every hint sets."""
        topic, event = SessionTopic(user_id, session_id), Event()
        is_first = self._hints.add_listener(topic, event)
        try:
            if is_first:
                await self._subscribe_topic("subscribe", topic)
            yield event
        finally:
            if self._hints.remove_listener(topic, event):
                await self._subscribe_topic("unsubscribe", topic)

    async def _subscribe_topic(self, command: str, topic: SessionTopic) -> None:
        pubsub = self._pubsub
        if pubsub is None:
            return

        async def send() -> bool:
            if not pubsub.connection.is_connected:
                raise ConnectionError  # only the receiver connects
            await getattr(pubsub, command)(_build_channel(topic))
            return True

        sent = await self._hearing.call_or_default(send, otherwise=False)
        if not sent and self._pubsub is pubsub:
            # The receiver begins again at once, with every topic.
            self._pubsub = None
            with suppress(Exception):
                await pubsub.connection.disconnect(nowait=True)

    async def _run_script(
        self, script: str, keys: tuple[str, ...], values: tuple[str | bytes | int, ...]
    ) -> object:
        run = cast("Any", self._client).eval  # typed as if it could be synchronous
        return await self._circuit.call_or_default(
            lambda: run(script, len(keys), *keys, *values), None
        )

    def _queue_hint(self, news: _PendingHint) -> None:
        self._hints.wake_listeners(news.topic)
        self._outbox.append(news)
        self._has_news.set()

    async def _send_hints(self) -> None:
        """Send hints as they come, many at once."""
        while self._is_open:
            await self._has_news.wait()
            self._has_news.clear()
            news = dict.fromkeys(self._outbox)
            self._outbox.clear()
            await self._circuit.call_or_default(
                lambda news=news: self._publish_hints(news), None
            )

    async def _publish_hints(self, news: dict[_PendingHint, None]) -> None:
        pipeline: Any
        async with self._client.pipeline(transaction=False) as pipeline:
            for topic, is_speech in news:
                if is_speech:
                    keys = build_session_keys(*topic)
                    person = str(topic.user_id)
                    pipeline.eval(SAID, 2, keys.session, keys.status, person)
                pipeline.publish(_build_channel(topic), "")
            await pipeline.execute()

    async def _receive_hints(self) -> None:
        """Wake this process's listeners for what other processes hint."""
        while True:
            try:
                await self._wait_subscribed()
            except Exception as error:  # noqa: BLE001 - hints may be lost
                self._hearing.record_failure(error)
            if not self._is_open:
                return
            await asyncio.sleep(self._pace.rest)

    async def _wait_subscribed(self) -> None:
        pubsub: Any
        async with cast("Any", self._client).pubsub() as pubsub:
            await pubsub.subscribe(CHANNELS)
            self._pubsub = pubsub
            try:
                for topic in self._hints.topics:
                    await pubsub.subscribe(_build_channel(topic))
                await self._receive_messages(pubsub)
            finally:
                self._pubsub = None

    async def _receive_messages(self, pubsub: Any) -> None:
        is_asked = False
        # redis-py may keep a cancellation to itself
        while self._is_open and self._pubsub is pubsub:
            message = await pubsub.get_message(timeout=QUIET_SECONDS)
            if message is not None:
                is_asked = False
                self._hearing.record_success()
                self._wake_for_message(message)
            elif is_asked:
                raise TimeoutError
            else:
                is_asked = True
                await pubsub.ping()

    def _wake_for_message(self, message: dict[str, Any]) -> None:
        if message["type"] == "message":
            _, _, ids = message["channel"].decode().partition("/")
            user_id, _, session_id = ids.partition(":")
            self._hints.wake_listeners(SessionTopic(UUID(user_id), UUID(session_id)))


def _create_client(url: str, patience: float) -> Redis:
    try:
        pool: BlockingConnectionPool = cast("Any", BlockingConnectionPool).from_url(
            url,
            max_connections=CONNECTIONS,
            timeout=patience,
            socket_timeout=patience,
            socket_connect_timeout=patience,
            socket_keepalive=True,
            # A failed call raises at once: redis-py would connect again before it
            # does, in two tasks at a time where hints are heard, and lose a socket.
            retry=Retry(NoBackoff(), 0, supported_errors=()),
        )
    except (ValueError, TypeError):
        raise ConfigurationError(
            "GIEOK_REDIS_URL must be an address like redis://host:6379/0."
        ) from None
    return Redis.from_pool(pool)


def _build_channel(topic: SessionTopic) -> str:
    return f"{CHANNELS}/{topic.user_id}:{topic.session_id}"
