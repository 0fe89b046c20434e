"""A cache in this process: bounded, and gone with it."""

from asyncio import Event
from collections import OrderedDict
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from gieok.cache.buckets import TokenBuckets
from gieok.cache.hints import ListenerRegistry, Presence, SessionTopic
from gieok.cache.model import (
    MAX_VALUE_BYTES,
    SESSION_TTL,
    STATUS_TTL,
    SessionRecord,
    build_session_keys,
)
from gieok.kernel.clock import Clock, read_system_clock

MAX_BYTES = 16 * 2**20
"""Room for values; what was used longest ago makes way."""


class LocalCache:
    """A `Cache` of one process, by the given clock."""

    def __init__(
        self, clock: Clock = read_system_clock, *, max_bytes: int = MAX_BYTES
    ) -> None:
        self._clock = clock
        self._most = max_bytes
        self._held: OrderedDict[str, tuple[bytes, datetime]] = OrderedDict()
        self._bytes = 0
        self._hints = ListenerRegistry()
        self._presence = Presence()
        self._buckets = TokenBuckets()

    async def get(self, key: str) -> bytes | None:
        """Return a value, or None."""
        return self._get_value(key)

    async def put(self, key: str, value: bytes, ttl: timedelta) -> None:
        """Keep a value for a while."""
        self._put_value(key, value, ttl)

    async def drop(self, *keys: str) -> bool:
        """Remove keys."""
        self._drop_keys(*keys)
        return True

    async def keep_session(self, record: SessionRecord) -> None:
        """Keep a session, or drop it where a later state is held."""
        keys = build_session_keys(record.user_id, record.session_id)
        held = SessionRecord.from_json(self._get_value(keys.session), record.user_id)
        self._drop_keys(keys.session, keys.status, keys.layer)
        if held is not None and held.version > record.version:
            return
        self._put_value(keys.session, record.to_json(), SESSION_TTL)
        self._put_value(keys.status, record.status.encode(), STATUS_TTL)
        if record.current_layer is not None:
            self._put_value(keys.layer, record.current_layer.encode(), STATUS_TTL)

    async def get_session(
        self, user_id: UUID, session_id: UUID
    ) -> SessionRecord | None:
        """Return what is held of a person's session."""
        name = build_session_keys(user_id, session_id).session
        return SessionRecord.from_json(self._get_value(name), user_id)

    async def drop_session(self, user_id: UUID, session_id: UUID) -> bool:
        """Remove all keys of a session, and hint."""
        self._drop_keys(*build_session_keys(user_id, session_id))
        self.hint(user_id, session_id)
        return True

    async def add_client(self, user_id: UUID, session_id: UUID, client: str) -> int:
        """Note a client and return how many there are."""
        topic = SessionTopic(user_id, session_id)
        return self._presence.record_client(topic, client, self._clock())

    async def remove_client(self, user_id: UUID, session_id: UUID, client: str) -> None:
        """Note that a client follows a session no longer."""
        self._presence.remove_client(SessionTopic(user_id, session_id), client)

    async def spend(self, name: str, per_minute: int) -> float:
        """Take one from a bucket; return the seconds to wait for it."""
        return self._buckets.take_token(name, per_minute)

    def hint(self, user_id: UUID, session_id: UUID) -> None:
        """Wake whoever follows a session."""
        self._hints.wake_listeners(SessionTopic(user_id, session_id))

    def publish_hint(self, user_id: UUID, session_id: UUID) -> None:
        """Hint, and make a created session active."""
        keys = build_session_keys(user_id, session_id)
        held = SessionRecord.from_json(self._get_value(keys.session), user_id)
        if held is not None and held.status == "created":
            self._put_value(
                keys.session, replace(held, status="active").to_json(), SESSION_TTL
            )
            self._put_value(keys.status, b"active", STATUS_TTL)
        self.hint(user_id, session_id)

    @asynccontextmanager
    async def listen(self, user_id: UUID, session_id: UUID) -> AsyncGenerator[Event]:
        """Lend an event that every hint sets."""
        topic, event = SessionTopic(user_id, session_id), Event()
        self._hints.add_listener(topic, event)
        try:
            yield event
        finally:
            self._hints.remove_listener(topic, event)

    def _get_value(self, key: str) -> bytes | None:
        value, until = self._held.get(key, (None, None))
        if value is None or until is None:
            return None
        if self._clock() >= until:
            self._drop_keys(key)
            return None
        self._held.move_to_end(key)
        return value

    def _put_value(self, key: str, value: bytes, ttl: timedelta) -> None:
        self._drop_keys(key)
        if len(value) > MAX_VALUE_BYTES:
            return
        self._held[key] = (value, self._clock() + ttl)
        self._bytes += len(value)
        while self._bytes > self._most:
            self._drop_keys(next(iter(self._held)))

    def _drop_keys(self, *keys: str) -> None:
        for key in keys:
            value, _ = self._held.pop(key, (b"", None))
            self._bytes -= len(value)
