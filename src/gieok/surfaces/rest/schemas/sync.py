"""The exchange between a device and the cloud (A08, A16, A17)."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import Field, SerializeAsAny, StrictInt, StringConstraints

from gieok.accounts import Person
from gieok.memories import Candidate, Memory
from gieok.sessions import RecordedPair
from gieok.settings import Settings
from gieok.summaries import DaySummary, WeekSummary
from gieok.surfaces.rest.schemas.accounts import PersonView
from gieok.surfaces.rest.schemas.candidates import MemoryCandidate
from gieok.surfaces.rest.schemas.consents import ConsentList, ConsentState
from gieok.surfaces.rest.schemas.memories import UserMemory
from gieok.surfaces.rest.schemas.settings import MemorySettings
from gieok.surfaces.rest.schemas.shared import (
    Devices,
    RequestModel,
    ResponseModel,
    Time,
    get_device_name,
)
from gieok.surfaces.rest.schemas.summaries import (
    DaySummaryView,
    SessionSummaryView,
    WeekSummaryView,
)
from gieok.sync import (
    MAX_PAIRS,
    MAX_WAIT_S,
    PROTOCOL,
    DeviceResolution,
    Greeting,
    Installation,
    Item,
    ItemChange,
    Page,
    Position,
    SessionState,
    Snapshot,
    SyncCursor,
    SyncStatus,
)

Sequence64 = Annotated[int, Field(ge=0, le=2**63 - 1, strict=True)]
"""Never a text or a truth value that could be read as a number."""
Chain = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
DEVICE_ID = "Your id of the device, up to 128 characters."
INCARNATION = "Made by the device when it starts empty."
SPEAKER = "Name of who spoke, where it was not the person."
WAITING = (
    "Pairs that wait for somebody to resolve a conflict; sent only where "
    "limits.resolutions was offered. null: nobody is waited for."
)
EPOCH = "As hello gave it; null before the first snapshot."


class SyncPosition(RequestModel):
    """A place in what a device has sent: its last number, and the chain up to it."""

    seq: Sequence64
    chain: Chain

    @classmethod
    def from_position(cls, position: Position) -> Self:
        """Return the position."""
        return cls(seq=position.seq, chain=position.chain.hex())

    def to_position(self) -> Position:
        """Return the position."""
        return Position(self.seq, bytes.fromhex(self.chain))


class SyncHello(RequestModel):
    """Who a device is and where it stands."""

    device_id: str = Field(description=DEVICE_ID)
    incarnation: UUID = Field(description=INCARNATION)
    epoch: str | None = Field(default=None, max_length=64, description=EPOCH)
    up: SyncPosition = Field(description="The last pair it knows the cloud has taken.")
    down: Sequence64 = Field(default=0, description="The last change it has applied.")
    waiting: Sequence64 | None = Field(default=None, description=WAITING)
    proto: StrictInt = Field(default=PROTOCOL, description="The version it speaks.")

    @property
    def installation(self) -> Installation:
        """Return which installation speaks."""
        return Installation(self.device_id, self.incarnation, self.epoch)


class SyncLimits(ResponseModel):
    """The most of one push, and the longest wait of a pull."""

    pairs: int = MAX_PAIRS
    bytes: int = Field(description="Of one push of several pairs, not compressed.")
    wait_s: int = Field(
        default=MAX_WAIT_S, description="The most seconds that a pull may wait."
    )
    encodings: list[Literal["gzip"]] = Field(
        default=["gzip"], description="Content-Encoding that a body may have."
    )
    resolutions: list[DeviceResolution] = Field(
        default=list(DeviceResolution),
        description="What hello may ask of a device that says what waits for somebody.",
    )


class SyncGreeting(ResponseModel):
    """Where a device stands."""

    epoch: str
    up: SyncPosition = Field(description="Push what follows this.")
    head: int = Field(description="The number of the last change there is.")
    server_ms: int = Field(description="The cloud's clock, in ms since 1970.")
    limits: SyncLimits
    actions: list[Literal["wipe", "snapshot", "send", "discard"]] = Field(
        description="wipe: erase what came down, nothing may be held here. snapshot: "
        "take a whole copy before anything else. send: somebody resolved the conflict; "
        "become a new incarnation and send all that is still here. discard: put that "
        "aside first."
    )

    @classmethod
    def from_greeting(cls, greeting: Greeting, max_bytes: int) -> Self:
        """Return the greeting; a body may hold so many bytes."""
        asked = {"wipe": greeting.wipe, "snapshot": greeting.snapshot}
        asked |= {each.value: each is greeting.resolution for each in DeviceResolution}
        return cls.from_fields(
            greeting,
            up=SyncPosition.from_position(greeting.up),
            server_ms=int(greeting.at.timestamp() * 1000),
            limits=SyncLimits(bytes=max_bytes),
            actions=[name for name, is_asked in asked.items() if is_asked],
        )


class SyncedPair(ResponseModel):
    """A pair with its words (A01)."""

    pair_id: UUID
    session_id: UUID
    device_id: str | None
    turn_index: int
    user_text: str
    assistant_text: str
    route_family: str | None
    planner_summary: dict[str, Any]
    sensitive_flags: dict[str, int]
    created_at: Time
    said_at: Time
    retention_until: Time = Field(description="The device erases it then.")
    speaker: str | None = Field(description=SPEAKER)


class SyncedSession(ResponseModel):
    """A session without its words (A02)."""

    session_id: UUID
    device_id: str | None
    status: Literal["active", "paused", "completed", "failed", "expired"]
    started_at: Time
    ended_at: Time | None
    pair_count: int
    active_workflow_id: str | None
    last_route: str | None
    continues: UUID | None
    continued_by: UUID | None
    session_summary: SessionSummaryView | None


class SyncedMemory(UserMemory):
    """A confirmed memory (A06)."""

    expires_at: Time | None = Field(description="The device erases it then.")
    source_message_ids: list[UUID]


SyncedItem = (
    SyncedPair
    | SyncedSession
    | DaySummaryView
    | WeekSummaryView
    | SyncedMemory
    | MemoryCandidate
    | MemorySettings
    | ConsentList
    | PersonView
)


class SyncChange(ResponseModel):
    """One thing as it is now."""

    entity: str = Field(
        description="conversation_pair, session, short_term_summary, "
        "mid_term_summary, user_memory, memory_candidate, memory_settings, consent or "
        "user."
    )
    id: UUID | None = Field(description="null of what a person has one of.")
    operation: Literal["put", "delete"]
    # As what it is: a union is written twice, first as a dictionary.
    item: SerializeAsAny[SyncedItem] | None = Field(
        description="null of what is to be erased."
    )


class SyncPage(ResponseModel):
    """What changed: applied wholly or not at all, and only where `since` is reached."""

    epoch: str
    since: int
    to: int = Field(description="Where the next pull goes on.")
    head: int
    more: bool
    wipe: bool = Field(description="Nothing may be held: erase what came down.")
    changes: list[SyncChange]

    @classmethod
    def from_page(cls, page: Page, now: datetime) -> Self:
        """Return the page."""
        changes = _list_changes(page.changes, page.devices, now)
        return cls.from_fields(page, more=page.has_more, changes=changes)


class SyncSnapshot(ResponseModel):
    """A part of everything a device may hold."""

    epoch: str
    seq: int = Field(description="Pull from here once the last part is in place.")
    next_page: str | None = Field(description="null with the last part.")
    wipe: bool
    items: list[SyncChange]

    @classmethod
    def from_snapshot(cls, part: Snapshot, now: datetime) -> Self:
        """Return the part."""
        return cls.from_fields(part, items=_list_changes(part.items, part.devices, now))


class SyncAck(RequestModel):
    """How far a device has applied what came down."""

    device_id: str = Field(description=DEVICE_ID)
    incarnation: UUID = Field(description=INCARNATION)
    epoch: str = Field(max_length=64)
    down: Sequence64

    @property
    def installation(self) -> Installation:
        """Return which installation speaks."""
        return Installation(self.device_id, self.incarnation, self.epoch)


class SyncCursorView(ResponseModel):
    """Where a device stands (A08)."""

    cursor_id: UUID
    device_id: str
    last_pair_seq: int
    last_cloud_update_seq: int
    last_sync_at: Time
    sync_status: SyncStatus
    conflict_state: dict[str, Any] | None

    @classmethod
    def from_cursor(cls, cursor: SyncCursor, device: str) -> Self:
        """Return the cursor."""
        return cls.from_fields(cursor, device_id=device)


def _list_changes(
    changes: Sequence[ItemChange], devices: Devices, now: datetime
) -> list[dict[str, Any]]:
    """Return changes for the model of the whole page to validate at once."""
    return [
        {
            "entity": each.entity,
            "id": each.item_id,
            "operation": "delete" if each.item is None else "put",
            "item": None if each.item is None else _to_view(each.item, devices, now),
        }
        for each in changes
    ]


def _to_view(  # noqa: C901, PLR0911 - one line for each kind
    item: Item, devices: Devices, now: datetime
) -> SyncedItem:
    match item:
        case RecordedPair():
            return _to_pair_view(item, devices)
        case SessionState():
            return _to_session_view(item, devices)
        case DaySummary():
            return DaySummaryView.from_summary(item, devices)
        case WeekSummary():
            return WeekSummaryView.from_summary(item, devices)
        case Memory():
            return SyncedMemory.from_memory(item, now)
        case Candidate():
            return MemoryCandidate.from_candidate(item)
        case Settings():
            return MemorySettings.from_settings(item)
        case Person():
            return PersonView.from_person(item)
        case _:
            return ConsentList(
                consents=[ConsentState.from_consent(each) for each in item]
            )


def _to_pair_view(pair: RecordedPair, devices: Devices) -> SyncedPair:
    device = get_device_name(pair.device_id, devices)
    return SyncedPair.from_fields(pair, device_id=device)


def _to_session_view(state: SessionState, devices: Devices) -> SyncedSession:
    about = state.summary and SessionSummaryView.from_summary(state.summary)
    device = get_device_name(state.device_id, devices)
    return SyncedSession.from_fields(state, device_id=device, session_summary=about)
