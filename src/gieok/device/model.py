"""What a device knows of itself, and what it keeps of a conversation."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final
from uuid import UUID

from gieok.kernel.chain import Position
from gieok.kernel.clock import FIRST_SET

SESSION_PAIRS: Final = 8
"""Pairs that a session on a device holds; it goes on in another one (A09)."""
BEFORE_PAIRS: Final = 3
"""Pairs before it that may decide what is personal in what is said."""
RETAIN_MS: Final = 7 * 24 * 60 * 60 * 1000
"""How long what the cloud has taken is retained, in case the cloud is restored."""

FIRST_SET_MS: Final = int(FIRST_SET.timestamp() * 1000)
"""A clock that tells an earlier time, in ms since 1970, was never set."""


class DeviceStatus(StrEnum):
    """Where a device stands, as it sees it itself (A08)."""

    OK = "ok"
    PENDING = "pending"
    CONFLICT = "conflict"
    ERROR = "error"


class DeviceFault(StrEnum):
    """Why a device cannot exchange; `resolve` is the way out."""

    GONE = "gone"
    """It was erased or shut out, and has emptied itself."""
    TOKEN = "token"  # noqa: S105 - the name of a fault
    """The cloud does not accept the credential; a new one is tried by itself."""
    PROTOCOL = "protocol"
    """The cloud speaks another version: update."""
    REFUSED = "refused"
    """The cloud refuses what this device asks, or answers what makes no sense."""


class PairState(StrEnum):
    """What became of a pair that was said here."""

    RECORDED = "recorded"
    REJECTED = "rejected"
    """The cloud did not keep it; its words were put aside."""
    ERASED = "erased"


@dataclass(frozen=True, slots=True)
class DeviceCursor:
    """Where a device stands with the cloud (A08).

    `last_pair_seq` and `chain` are what the cloud has taken, `newest_seq` and
    `newest_chain` what was said here, `last_cloud_update_seq` what was applied.
    """

    device_id: str
    incarnation: UUID
    epoch: str | None
    last_pair_seq: int
    chain: bytes = field(repr=False)
    newest_seq: int
    newest_chain: bytes = field(repr=False)
    last_cloud_update_seq: int = 0
    last_sync_ms: int | None = None
    sync_status: DeviceStatus = DeviceStatus.PENDING
    conflict_state: Mapping[str, Any] | None = None
    error: DeviceFault | None = None
    is_withheld: bool = False
    """Nothing may come down: the person does not agree to sync."""
    clock_offset_ms: int = 0
    """What was added to the device's clock at the last hello to get the cloud's."""
    swept_ms: int = 0
    """The latest time by that clock at which something expired, until the cloud says
    that it is past; 0 for none."""
    staged_epoch: str | None = None
    staged_seq: int | None = None
    staged_page: str | None = None
    staged_up: int | None = None
    """What the cloud had taken when the copy that is being fetched began."""

    @property
    def up(self) -> Position:
        """Return the last pair that the cloud has taken."""
        return Position(self.last_pair_seq, self.chain)

    @property
    def newest(self) -> Position:
        """Return the last pair that was said."""
        return Position(self.newest_seq, self.newest_chain)

    def to_cloud_ms(self, at_ms: int) -> int:
        """Return the cloud's time at a time by the device's clock, as far as known.

        A clock that begins at 1970 is set later, or loses its time with its power: what
        it was wrong by at the last hello holds for the times that it tells likewise,
        set or never set. Beside that a clock that was set is taken as right.
        """
        greeted_ms = (self.last_sync_ms or 0) - self.clock_offset_ms
        was_set = greeted_ms >= FIRST_SET_MS
        is_alike = (at_ms >= FIRST_SET_MS) == was_set
        return at_ms + self.clock_offset_ms if is_alike else at_ms

    @property
    def needs_person(self) -> bool:
        """Whether a conflict waits for somebody to `resolve` it."""
        state = self.conflict_state
        return bool(state) and state["resolution"] == "needs_user"


@dataclass(frozen=True, slots=True)
class LocalPair:
    """A pair that was said on this device."""

    seq: int
    pair_id: UUID
    session_id: str
    turn_index: int
    chain: bytes = field(repr=False)
    at_ms: int
    body: Mapping[str, Any] = field(repr=False)
    """`user_text`, `assistant_text`, `route_family`, `planner_summary`, `persona`;
    `speaker` where somebody else spoke; `said` until the cloud has taken it, where a
    number was said over several pairs of which it may have the first: the texts with
    nothing but that number open."""

    @property
    def outgoing_body(self) -> dict[str, Any]:
        """Return the body as the cloud takes it, which masks what `said` holds."""
        body = dict(self.body)
        return body | body.pop("said", {})

    @property
    def local_body(self) -> dict[str, Any]:
        """Return the body without what is only kept to be sent."""
        return {name: value for name, value in self.body.items() if name != "said"}

    def mask(
        self, user_text: str, assistant_text: str, *, sends_said: bool
    ) -> "LocalPair":
        """Return the pair with texts in which more is masked.

        With `sends_said` the cloud is still sent what was here before.
        """
        shown = {"user_text": user_text, "assistant_text": assistant_text}
        said = self.body.get("said") or {name: self.body[name] for name in shown}
        body = self.local_body | shown
        return replace(self, body=body | {"said": said} if sends_said else body)


@dataclass(frozen=True, slots=True)
class DownloadedItem:
    """One thing that came down, or with no body one that is to be erased."""

    entity: str
    item_id: str
    body: Mapping[str, Any] | None = field(repr=False)
    until_ms: int | None = None
    """The cloud's time at which it is erased without being told."""
