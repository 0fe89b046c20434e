"""What a device and the cloud tell each other (A08, A12, A16, A17)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, Self
from uuid import UUID

from gieok.accounts import Person
from gieok.kernel.chain import Position
from gieok.memories import Candidate, Memory
from gieok.sessions import RecordedPair, Session, Status, Turn
from gieok.settings import Consent, Settings
from gieok.summaries import DaySummary, SessionSummary, WeekSummary

PROTOCOL: Final = 1
"""The version of the exchange that is spoken here."""
MAX_PAIRS: Final = 50
"""Pairs that one push may hold."""
MAX_CHANGES: Final = 500
"""Changes that one page may hold."""
PAGE_BYTES: Final = 8_000_000
"""What the words of a page's pairs have at most, as they are kept; one pair may have
more."""


NO_INSTALLATION: Final = UUID(int=0)
"""Of the cursor that keeps out a device that never said hello."""


class SyncStatus(StrEnum):
    """Where a device stands, as the cloud sees it (A08)."""

    OK = "ok"
    PENDING = "pending"
    CONFLICT = "conflict"
    ERROR = "error"


class ConflictKind(StrEnum):
    """Why a device is not in step."""

    FORK = "fork"
    """Two installations sent other words under the same numbers."""
    CLOUD_BEHIND = "cloud_behind"
    """The device was told of more than the cloud has: it sends that again."""
    ERASED = "erased"
    """The device was erased: this installation of it empties itself."""
    REVOKED = "revoked"
    """The device was shut out."""
    NEEDS_PERSON = "needs_person"
    """The device forked again and again: somebody has to say what it does with what it
    still has."""


class DeviceResolution(StrEnum):
    """What somebody decided about a conflict of a device (A17)."""

    SEND = "send"
    """The device sends all it still has, under new numbers."""
    DISCARD = "discard"
    """The device puts aside what has not been taken."""


class RejectionCode(StrEnum):
    """Why a pair was not kept; its number is used up all the same."""

    INVALID = "invalid"
    """A text or note that cannot be kept."""
    CONSENT = "consent"
    """The person does not agree that what they say is kept."""
    ERASED = "erased"
    """It, its session or its persona was erased, or its time was over: drop it."""
    SESSION_PAUSED = "session_paused"
    SESSION_ELSEWHERE = "session_elsewhere"
    """The session is another device's, or none's."""
    NOT_KEPT = "not_kept"
    """An earlier push was told why."""


@dataclass(frozen=True, slots=True)
class Installation:
    """One installation of a device, and which life of the memory its copy is of.

    `device` is the app's id; `incarnation` is made by the device when it starts empty;
    `epoch` is what the cloud called the memory then, None before the first snapshot.
    """

    device: str
    incarnation: UUID
    epoch: str | None = None


@dataclass(frozen=True, slots=True)
class SyncCursor:
    """Where an installation of a device stands (A08)."""

    cursor_id: UUID
    device_id: UUID
    incarnation: UUID
    last_pair_seq: int
    last_cloud_update_seq: int
    epoch: str | None
    last_sync_at: datetime
    sync_status: SyncStatus
    conflict_state: Mapping[str, Any] | None
    chain: bytes = field(default=b"", repr=False)

    @property
    def position(self) -> Position:
        """Return the last pair that was taken of it."""
        return Position(self.last_pair_seq, self.chain)

    @property
    def conflict(self) -> ConflictKind | None:
        """Return why it is not in step, if so."""
        return (
            ConflictKind(self.conflict_state["kind"]) if self.conflict_state else None
        )

    @property
    def resolution(self) -> DeviceResolution | None:
        """Return what was decided about that, and the device has not heard yet."""
        found = (self.conflict_state or {}).get("resolution")
        return None if found is None else DeviceResolution(found)


@dataclass(frozen=True, slots=True)
class PushedPair:
    """A pair as a device sends it; `session` and `persona` are the app's ids."""

    seq: int
    pair_id: UUID
    session: str
    turn: Turn
    persona: str | None = None
    client_ms: int | None = None
    """When it was said by the device's clock, in ms since 1970; it orders nothing."""


@dataclass(frozen=True, slots=True)
class Rejection:
    """A pair that was not kept."""

    seq: int
    code: RejectionCode


@dataclass(frozen=True, slots=True)
class Greeting:
    """The answer to a hello.

    With `wipe`, nothing may be held on the device: it erases what came down. With
    `snapshot`, its copy is of another epoch: it takes a whole one. With `resolution`,
    somebody decided about its conflict: it does so as a new installation.
    """

    epoch: str
    up: Position
    head: int
    at: datetime
    wipe: bool
    snapshot: bool
    resolution: DeviceResolution | None = None


@dataclass(frozen=True, slots=True)
class Pushed:
    """The answer to a push: how far the cloud has taken what the device said."""

    up: Position
    head: int
    rejected: tuple[Rejection, ...]


@dataclass(frozen=True, slots=True)
class SessionState:
    """A session without its words, and what it was about, as devices know it (A02)."""

    session_id: UUID
    device_id: UUID | None
    persona_id: UUID | None
    status: Status
    """Never created: a session that has not begun is active."""
    started_at: datetime
    ended_at: datetime | None
    pair_count: int
    active_workflow_id: str | None
    last_route: str | None
    continues: UUID | None
    continued_by: UUID | None
    summary: SessionSummary | None

    @classmethod
    def from_session(cls, session: Session, summary: SessionSummary | None) -> Self:
        """Return what a device hears of a session."""
        is_new = session.status is Status.CREATED
        return cls(
            session_id=session.session_id,
            device_id=session.device_id,
            persona_id=session.persona_id,
            status=Status.ACTIVE if is_new else session.status,
            started_at=session.created_at,
            ended_at=session.completed_at,
            pair_count=session.pair_count,
            active_workflow_id=session.active_workflow_id,
            last_route=session.last_route,
            continues=session.continues,
            continued_by=session.continued_by,
            summary=summary,
        )


Item = (
    RecordedPair
    | SessionState
    | DaySummary
    | WeekSummary
    | Memory
    | Candidate
    | Settings
    | tuple[Consent, ...]
    | Person
)
"""What a device may hold."""


@dataclass(frozen=True, slots=True)
class ItemChange:
    """One thing as it is now; without an item it is gone, and a device erases it.

    `item_id` is None of what a person has one of: settings, consents, the person.
    """

    entity: str
    item_id: UUID | None
    item: Item | None


@dataclass(frozen=True, slots=True)
class Page:
    """What changed after one change number up to another; applied wholly or not at all.

    With `wipe` nothing comes down, and the device erases what came before.
    """

    epoch: str
    since: int
    to: int
    head: int
    changes: tuple[ItemChange, ...]
    wipe: bool
    devices: Mapping[UUID, str] = field(default_factory=dict[UUID, str], repr=False)
    """The app's names of the person's devices, by id."""

    @property
    def has_more(self) -> bool:
        """Return whether more changes wait."""
        return self.to < self.head and not self.wipe


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A part of everything that a device may hold.

    It is put in place of the device's copy once the part came that has no `next_page`;
    from then on the device pulls what changed since `seq`.
    """

    epoch: str
    seq: int
    items: tuple[ItemChange, ...]
    next_page: str | None
    wipe: bool
    devices: Mapping[UUID, str] = field(default_factory=dict[UUID, str], repr=False)
    """The app's names of the person's devices, by id."""
