"""The port of the cache, and the names and lifetimes of what it keeps (B09).

The database is the truth. A cache that is away, slow, emptied or full of nonsense
answers as one that knows nothing, and never raises.
"""

import json
from asyncio import Event
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple, Protocol
from uuid import UUID

from pydantic import AwareDatetime, TypeAdapter, ValidationError

SESSION_TTL: Final = timedelta(hours=24)
STATUS_TTL: Final = timedelta(hours=1)
"""Of the status, and of the layer, to which the documents give no lifetime."""
CLIENTS_TTL: Final = timedelta(minutes=5)
CLIENT_SILENT: Final = timedelta(seconds=90)
"""Silence after which a client is counted no longer: its process has died."""
MAX_VALUE_BYTES: Final = 256 * 2**10
"""Longest value kept; what is longer costs more to carry than to make."""


class SessionKeys(NamedTuple):
    """Names of the keys of one session.

    A session's id is unique only among one person's. `clients` is the number the
    documents ask for; `seen` is what it is counted from: a bare number cannot know
    which of its clients died with their process.
    """

    session: str
    status: str
    layer: str
    clients: str
    seen: str


def build_session_keys(user_id: UUID, session_id: UUID) -> SessionKeys:
    """Return the names of a session's keys."""
    name = f"session:{session_id}"
    clients = f"{name}:ws_clients"
    return SessionKeys(
        name, f"{name}:status", f"{name}:layer", clients, f"{clients}:{user_id}"
    )


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """A session's plain fields, as far as recording a turn leaves them alone.

    Counts are not among them: capture does not wait for a cache, so they would lag.
    """

    session_id: UUID
    user_id: UUID
    status: str
    current_layer: str | None
    language: str
    device_id: UUID | None
    persona_id: UUID | None
    created_at: AwareDatetime
    updated_at: AwareDatetime
    expires_at: AwareDatetime | None
    completed_at: AwareDatetime | None

    @property
    def version(self) -> int:
        """Microseconds from 1970 to the last change."""
        since = self.updated_at - datetime(1970, 1, 1, tzinfo=UTC)
        return since // timedelta(microseconds=1)

    def to_json(self) -> bytes:
        """Return the value of `session:{id}`."""
        fields = {"version": self.version}
        fields |= {name: getattr(self, name) for name in self.__slots__}
        return _JSON.encode(fields).encode()

    @classmethod
    def from_json(cls, value: bytes | None, user_id: UUID) -> "SessionRecord | None":
        """Return the record a value holds, unless it is nonsense or somebody else's."""
        if value is None:
            return None
        try:
            record = _RECORD.validate_json(value)
        except ValidationError:
            return None
        return record if record.user_id == user_id else None


class Cache(Protocol):
    """Keeps what can be had from the database too; no method raises."""

    async def get(self, key: str) -> bytes | None:
        """Return a value, or None."""
        ...

    async def put(self, key: str, value: bytes, ttl: timedelta) -> None:
        """Keep a value of up to `MAX_VALUE_BYTES` for a while."""
        ...

    async def drop(self, *keys: str) -> bool:
        """Remove keys; False if they may be there until their time is over."""
        ...

    async def keep_session(self, record: SessionRecord) -> None:
        """Keep a session's record, status and layer.

        Where a later state is held, two writers met in the wrong order or a clock ran
        back: then nothing is held afterwards.
        """
        ...

    async def get_session(
        self, user_id: UUID, session_id: UUID
    ) -> SessionRecord | None:
        """Return what is held of a person's session."""
        ...

    async def drop_session(self, user_id: UUID, session_id: UUID) -> bool:
        """Remove all keys of a session, and hint; returns as `drop`."""
        ...

    async def add_client(self, user_id: UUID, session_id: UUID, client: str) -> int:
        """Note that a client follows a session, now and then; return how many do.

        Without an answer from other processes, it is how many do in this one.
        """
        ...

    async def remove_client(self, user_id: UUID, session_id: UUID, client: str) -> None:
        """Note that a client follows a session no longer."""
        ...

    async def spend(self, name: str, per_minute: int) -> float:
        """Take one from a bucket that holds a minute's worth and fills as it runs out.

        Returns 0, or the seconds until there is one to take. Where other processes
        cannot be asked, this one counts alone.
        """
        ...

    def hint(self, user_id: UUID, session_id: UUID) -> None:
        """Wake whoever follows a session, in any process; returns at once."""
        ...

    def publish_hint(self, user_id: UUID, session_id: UUID) -> None:
        """Hint that something was said, which also makes a created session active."""
        ...

    def listen(
        self, user_id: UUID, session_id: UUID
    ) -> AbstractAsyncContextManager[Event]:
        """Lend an event that every hint sets.

        A hint may be lost, so its listener looks by itself now and then.
        """
        ...


_RECORD: Final = TypeAdapter(SessionRecord)


def _encode_plain(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


_JSON: Final = json.JSONEncoder(default=_encode_plain, separators=(",", ":"))
