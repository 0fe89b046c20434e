"""The messages of the exchange: what is asked, and what an answer may say.

Whatever an answer lacks, or has in another form, is a `ValueError`: a device does
nothing on an answer that it does not understand.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, Literal, Self, cast
from uuid import UUID

from gieok.device.model import DeviceCursor, DownloadedItem, LocalPair
from gieok.kernel.chain import CHAIN_BYTES, Position

PROTOCOL: Final = 1
NO_ANSWER: Final = 0
"""The status of a reply that never came."""
ConflictChoice = Literal["send", "discard"]
RESOLUTIONS: Final[tuple[ConflictChoice, ...]] = ("send", "discard")
"""What somebody may decide in the cloud about a conflict of a device."""
MAX_NUMBER: Final = 2**63 - 1
"""The largest number that a device's file (SQLite) can hold."""
SINGLE: Final = ""
"""The id of what a person has one of."""
_UNTIL: Final = {
    "conversation_pair": "retention_until",
    "user_memory": "expires_at",
    "short_term_summary": "expires_at",
    "mid_term_summary": "expires_at",
}


class RequestKind(StrEnum):
    """What a device asks."""

    HELLO = "hello"
    PUSH = "push"
    SNAPSHOT = "snapshot"
    PULL = "pull"
    ACK = "ack"


@dataclass(frozen=True, slots=True)
class SyncRequest:
    """One question to the cloud; `fields` are its JSON body or its parameters."""

    kind: RequestKind
    incarnation: UUID
    fields: Mapping[str, Any] = field(repr=False)

    @property
    def is_read(self) -> bool:
        """Whether it only reads, by GET."""
        return self.kind in {RequestKind.PULL, RequestKind.SNAPSHOT}


@dataclass(frozen=True, slots=True)
class SyncReply:
    """What came back, when by the device's clock; status 0 if nothing did."""

    status: int
    body: Mapping[str, Any] = field(default_factory=dict[str, Any], repr=False)
    retry_after_s: float = 0.0
    at_ms: int = 0
    failure: str = ""
    """What kept an answer from coming back, in one word."""

    @classmethod
    def from_error(cls, error: Exception, at_ms: int) -> Self:
        """Return that nothing came back, for the first reason that is known."""
        reason: BaseException = error
        while reason.__cause__ is not None:
            reason = reason.__cause__
        return cls(NO_ANSWER, at_ms=at_ms, failure=type(reason).__name__)

    @property
    def code(self) -> str:
        """Return why something was refused, in one word."""
        return self._read_error("code")

    @property
    def field(self) -> str:
        """Return what of the request cannot be accepted, if that was said."""
        return self._read_error("field")

    def _read_error(self, name: str) -> str:
        error = self.body.get("error")
        if not isinstance(error, Mapping):
            return ""
        return str(cast("Mapping[str, Any]", error).get(name) or "")


@dataclass(frozen=True, slots=True)
class HelloAnswer:
    """Where the cloud says a device stands."""

    epoch: str
    up: Position
    head: int
    server_ms: int
    max_pairs: int
    max_bytes: int
    encodings: tuple[str, ...]
    wait_s: int
    hears_waiting: bool
    """Whether it may be told what waits for somebody to resolve a conflict."""
    resolution: ConflictChoice | None
    wipe: bool
    snapshot: bool

    @classmethod
    def from_body(cls, body: Mapping[str, Any]) -> Self:
        """Read it, with what later servers offer beside it."""
        limits = _read_mapping(body, "limits")
        actions = _read_list(body, "actions")
        return cls(
            epoch=_read_text(body, "epoch"),
            up=_read_position(body, "up"),
            head=_read_number(body, "head"),
            server_ms=_read_number(body, "server_ms"),
            max_pairs=max(1, _read_number(limits, "pairs")),
            max_bytes=max(1, _read_number(limits, "bytes")),
            encodings=tuple(map(str, limits.get("encodings") or ())),
            wait_s=int(limits.get("wait_s") or 0),
            hears_waiting=bool(limits.get("resolutions")),
            resolution=next((each for each in RESOLUTIONS if each in actions), None),
            wipe="wipe" in actions,
            snapshot="snapshot" in actions,
        )


@dataclass(frozen=True, slots=True)
class PushAnswer:
    """How far the cloud has taken what was said."""

    up: Position
    head: int
    rejected: tuple[tuple[int, str], ...]

    @classmethod
    def from_body(cls, body: Mapping[str, Any]) -> Self:
        """Read it."""
        rejected = [
            (_read_number(each, "seq"), _read_text(each, "code"))
            for each in _read_list(body, "rejected")
        ]
        return cls(
            _read_position(body, "up"), _read_number(body, "head"), tuple(rejected)
        )


@dataclass(frozen=True, slots=True)
class PageAnswer:
    """What changed, from one number to another."""

    epoch: str
    since: int
    to: int
    head: int
    wipe: bool
    items: tuple[DownloadedItem, ...]

    @classmethod
    def from_body(cls, body: Mapping[str, Any]) -> Self:
        """Read it."""
        return cls(
            _read_text(body, "epoch"),
            _read_number(body, "since"),
            _read_number(body, "to"),
            _read_number(body, "head"),
            body.get("wipe") is True,
            _read_items(body, "changes"),
        )


@dataclass(frozen=True, slots=True)
class PartAnswer:
    """A part of a whole copy."""

    epoch: str
    seq: int
    next_page: str | None
    wipe: bool
    items: tuple[DownloadedItem, ...]

    @classmethod
    def from_body(cls, body: Mapping[str, Any]) -> Self:
        """Read it."""
        page = body["next_page"]
        return cls(
            _read_text(body, "epoch"),
            _read_number(body, "seq"),
            None if page is None else str(page),
            body.get("wipe") is True,
            _read_items(body, "items"),
        )


def encode_hello(
    cursor: DeviceCursor, *, tells_waiting: bool = False
) -> dict[str, Any]:
    """Return who the device is and where it stands, and what waits for somebody."""
    waiting = cursor.newest_seq - cursor.last_pair_seq
    told = {"waiting": waiting} if tells_waiting and cursor.needs_person else {}
    return told | {
        "device_id": cursor.device_id,
        "incarnation": str(cursor.incarnation),
        "epoch": cursor.epoch,
        "up": encode_position(cursor.up),
        "down": cursor.last_cloud_update_seq,
        "proto": PROTOCOL,
    }


def encode_push(cursor: DeviceCursor, pairs: Sequence[LocalPair]) -> dict[str, Any]:
    """Return pairs to keep, after what the cloud has taken."""
    return encode_identity(cursor, cursor.epoch) | {
        "base": encode_position(cursor.up),
        "pairs": [encode_pair(pair, cursor.to_cloud_ms(pair.at_ms)) for pair in pairs],
    }


def encode_identity(cursor: DeviceCursor, epoch: str | None) -> dict[str, Any]:
    """Return who asks."""
    return {
        "device_id": cursor.device_id,
        "incarnation": str(cursor.incarnation),
        "epoch": epoch,
    }


def encode_pair(pair: LocalPair, said_ms: int) -> dict[str, Any]:
    """Return a pair as the cloud takes it, said at a time by the cloud's clock."""
    return {
        "seq": pair.seq,
        "pair_id": str(pair.pair_id),
        "session": pair.session_id,
        "client_ms": said_ms,
        **pair.outgoing_body,
    }


def encode_position(position: Position) -> dict[str, Any]:
    """Return a number and the chain up to it."""
    return {"seq": position.seq, "chain": position.chain.hex()}


def _read_number(body: Mapping[str, Any], name: str) -> int:
    value = body[name]
    if type(value) is not int or not 0 <= value <= MAX_NUMBER:
        raise ValueError(name)
    return value


def _read_text(body: Mapping[str, Any], name: str) -> str:
    value = body[name]
    if not isinstance(value, str):
        raise TypeError(name)
    return value


def _read_mapping(body: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = body[name]
    if not isinstance(value, Mapping):
        raise TypeError(name)
    return cast("Mapping[str, Any]", value)


def _read_list(body: Mapping[str, Any], name: str) -> list[Any]:
    value = body[name]
    if not isinstance(value, list):
        raise TypeError(name)
    return cast("list[Any]", value)


def _read_position(body: Mapping[str, Any], name: str) -> Position:
    found = _read_mapping(body, name)
    chain = bytes.fromhex(_read_text(found, "chain"))
    if len(chain) != CHAIN_BYTES:
        raise ValueError(name)
    return Position(_read_number(found, "seq"), chain)


def _read_items(body: Mapping[str, Any], name: str) -> tuple[DownloadedItem, ...]:
    return tuple(_read_item(each) for each in _read_list(body, name))


def _read_item(change: Mapping[str, Any]) -> DownloadedItem:
    entity = _read_text(change, "entity")
    item_id = SINGLE if change["id"] is None else _read_text(change, "id")
    if change["operation"] == "delete":
        return DownloadedItem(entity, item_id, None)
    body = _read_mapping(change, "item")
    until = body.get(_UNTIL.get(entity, ""))
    if until is None:
        return DownloadedItem(entity, item_id, body)
    until_ms = int(datetime.fromisoformat(until).timestamp() * 1000)
    return DownloadedItem(entity, item_id, body, until_ms)
