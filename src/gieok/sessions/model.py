"""Sessions, their messages and pairs (A01, A02, B02, B03)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import MAXYEAR, MINYEAR, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any, Final
from uuid import UUID

from gieok.kernel.language import Role

CLIENT_TIME: Final = "client_time"
"""Where a message's metadata keeps when the client says it was said."""
OTHER_SPEAKER: Final = "other_speaker"
"""Where a message's metadata names who spoke, if it was not the person."""


class Status(StrEnum):
    """Where a session stands (B04)."""

    CREATED = "created"
    ACTIVE = "active"
    PAUSED = "paused"
    COMPLETED = "completed"
    FAILED = "failed"
    EXPIRED = "expired"


class Layer(StrEnum):
    """Where the run of an agent stands (B05)."""

    COGNITIVE = "cognitive"
    PLANNING = "planning"
    EXECUTION = "execution"
    RESPONSE = "response"


@dataclass(frozen=True, slots=True)
class Session:
    """One conversation, without its messages.

    A turn is a recorded pair, or what nobody answered because a run failed; messages
    appended one by one add tokens and cost, but no turns. `completed_at` is when it
    ended, in whichever way, and `ended_reason` a code that says why. A full session
    names its successor in `continued_by`.
    """

    session_id: UUID
    status: Status
    language: str
    device_id: UUID | None
    persona_id: UUID | None
    current_layer: Layer | None
    active_workflow_id: str | None
    last_route: str | None
    message_count: int
    pair_count: int
    total_turns: int
    total_tokens: int
    total_cost: Decimal
    created_at: datetime
    updated_at: datetime
    expires_at: datetime | None
    completed_at: datetime | None
    max_pairs: int | None
    continues: UUID | None
    continued_by: UUID | None
    ended_reason: str | None
    extracted_count: int = 0
    """Messages that extraction has read, or passed over while memory was off."""
    not_kept: Mapping[str, int] = field(default_factory=dict[str, int])
    """Findings that the person's settings do not let be kept, counted by category."""

    @property
    def unread_count(self) -> int:
        """Messages that extraction has not read."""
        return max(0, self.message_count - self.extracted_count)


@dataclass(frozen=True, slots=True)
class Message:
    """One message as it was said; `position` counts from 0 within its session."""

    message_id: UUID
    session_id: UUID
    position: int
    role: Role
    content: str
    layer: str | None
    created_at: datetime
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def client_time(self) -> datetime | None:
        """When the client says that it was said, if it says so."""
        return parse_client_time(self.metadata)

    @property
    def spoken_at(self) -> datetime:
        """When it was said: by the client's time where it told one."""
        return self.client_time or self.created_at

    @property
    def speaker(self) -> str | None:
        """Name of who spoke, where the app gave one."""
        name = self.metadata.get("speaker")
        return name if isinstance(name, str) else self.other_speaker

    @property
    def other_speaker(self) -> str | None:
        """Name of who took part in the person's place; None for the person.

        Nothing in such a message is a fact about the person. An answer to somebody
        else bears their name too.
        """
        return parse_other_speaker(self.metadata)


def parse_client_time(metadata: Mapping[str, Any]) -> datetime | None:
    """Return when the client says that a message was said, if its metadata tells.

    What is no time with a zone, or none that every zone has a year for, is not told.
    """
    told = metadata.get(CLIENT_TIME)
    try:
        at = datetime.fromisoformat(told) if isinstance(told, str) else None
    except ValueError:
        return None
    return at if at and at.tzinfo and MINYEAR < at.year < MAXYEAR else None


def parse_other_speaker(metadata: Mapping[str, Any]) -> str | None:
    """Return who spoke in the person's place, if a message's metadata tells."""
    name = metadata.get(OTHER_SPEAKER)
    return name if isinstance(name, str) and name else None


@dataclass(frozen=True, slots=True)
class Transcript:
    """A session with its messages in order, and what it was started with."""

    session: Session
    messages: tuple[Message, ...]
    config: Mapping[str, Any] = field(default_factory=dict[str, Any])
    has_more: bool = False
    """Whether messages follow that were not asked for."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What the user said and what the assistant answered, with the planner's notes."""

    user_text: str
    assistant_text: str
    route_family: str | None = None
    planner_summary: Mapping[str, Any] = field(default_factory=dict[str, Any])
    tokens: int = 0
    cost: Decimal = Decimal(0)
    user_layer: Layer | None = None
    assistant_layer: Layer | None = None
    """In which layers of a run the two messages came about (B03)."""
    told_at: datetime | None = None
    """When the client says that it was said; it orders nothing."""
    speaker: str | None = None
    """Name of who spoke, where it was not the person: nothing is a fact about them."""


@dataclass(frozen=True, slots=True)
class RecordedPair:
    """A pair with its words, as they were kept (A01)."""

    pair_id: UUID
    session_id: UUID
    device_id: UUID | None
    turn_index: int
    user_text: str
    assistant_text: str
    route_family: str | None
    planner_summary: Mapping[str, Any]
    sensitive_flags: Mapping[str, int]
    created_at: datetime
    said_at: datetime
    retention_until: datetime
    speaker: str | None = None
    """Who spoke, where it was not the person."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A turn that is safely on disk (A01); `turn_index` counts from 0."""

    pair_id: UUID
    session_id: UUID
    turn_index: int
    user_message_id: UUID
    assistant_message_id: UUID
    created_at: datetime
    retention_until: datetime
    is_repeated: bool = field(default=False, compare=False)
    """Whether the turn was sent again, and is kept as it was sent first."""
