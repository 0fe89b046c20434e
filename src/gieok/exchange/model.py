"""What a device asks with an utterance, and what it hears (A11, A12, A13)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any
from uuid import UUID

from gieok.kernel.planning import PlannerDecision
from gieok.memories import Candidate


class HintStrength(StrEnum):
    """How far what went before bears on an utterance, as the device sees it."""

    NONE = "none"
    WEAK = "weak"
    STRONG = "strong"


class PartName(StrEnum):
    """The parts of a planner's input after the utterance, the most important first."""

    ACTIVE_WORKFLOW = "active_workflow"
    RECENT_TURNS = "recent_turns"
    SESSION_SUMMARY = "session_summary"
    SHORT_TERM = "short_term"
    MID_TERM = "mid_term"
    PROFILE_HINTS = "profile_hints"


class PartSource(StrEnum):
    """Where a line of a planner's input comes from."""

    SNAPSHOT = "snapshot"
    """What the device sent, where the cloud cannot know better."""
    CLOUD = "cloud"


class OmissionReason(StrEnum):
    """Why a line is not in a planner's input."""

    BUDGET = "budget"
    HINT_STRENGTH = "hint_strength"
    """The device says that what went before does not bear on the utterance."""
    MEMORY_OFF = "memory_off"
    ERASED = "erased"
    """The session or person was erased; the device has not heard of it yet."""
    SENSITIVE = "sensitive"
    NOT_CONFIRMED = "not_confirmed"
    """The cloud holds no such memory in use: a candidate, erased, faded or outdated."""
    NOT_IN_CLOUD = "not_in_cloud"
    """A summary that the cloud does not hold any more."""
    INSTRUCTION = "instruction"
    """It could be taken for an instruction."""
    CONTRADICTS_UTTERANCE = "contradicts_utterance"


@dataclass(frozen=True, slots=True)
class RecentTurn:
    """A turn that the device still holds."""

    user_text: str = field(repr=False)
    assistant_text: str = field(repr=False)
    route_family: str | None = None


@dataclass(frozen=True, slots=True)
class SentSummary:
    """The summary of a day or week, by its key, as the device holds it."""

    key: str
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class SentHint:
    """A confirmed memory, as the device holds it; `memory_id` is None if it lacks."""

    memory_id: UUID | None
    claim: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ExchangeRequest:
    """An utterance, and the compact snapshot that came with it (5.1)."""

    recognized_text: str = field(repr=False)
    session: str | None = None
    """The app's id of the session; a new one begins without it."""
    recent_turns: tuple[RecentTurn, ...] = ()
    hint_strength: HintStrength = HintStrength.WEAK
    active_workflow_id: str | None = None
    session_summary: str | None = field(default=None, repr=False)
    short_term: tuple[SentSummary, ...] = ()
    mid_term: tuple[SentSummary, ...] = ()
    profile_hints: tuple[SentHint, ...] = ()
    device_cursor: int | None = None
    last_cloud_update_seq: int = 0
    device: str | None = None
    """The app's id of the device."""
    device_context: Mapping[str, Any] = field(
        default_factory=dict[str, Any], repr=False
    )


@dataclass(frozen=True, slots=True)
class PlannerLine:
    """One line of a planner's input; `about` is the id or key of what it shows."""

    text: str = field(repr=False)
    source: PartSource
    about: str | None = None


@dataclass(frozen=True, slots=True)
class Omission:
    """A line that was left out; `detail` says which words of the utterance won."""

    part: PartName
    reason: OmissionReason
    about: str | None = None
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class PlannerInput:
    """What a planner goes by, in the order in which it counts (A13)."""

    recognized_text: str = field(repr=False)
    parts: Mapping[PartName, tuple[PlannerLine, ...]]
    """In order; a part without lines is not there."""
    text: str = field(repr=False)
    """All of it for a prompt: the utterance, then the rest fenced as data."""
    tokens: int
    """An estimate on the safe side."""
    omissions: tuple[Omission, ...] = ()
    device_context: Mapping[str, Any] = field(
        default_factory=dict[str, Any], repr=False
    )


@dataclass(frozen=True, slots=True)
class ConversationState:
    """Where the conversation stands."""

    session: str
    """The app's id of the session."""
    workflow_context: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class MemoryUpdate:
    """What the cloud has learned since the device heard of it last."""

    cloud_update_seq: int
    session_summary_delta: str = field(repr=False)
    """What the session is about where the device does not hold that yet; else ""."""
    profile_candidates: tuple[Candidate, ...]


class CursorState(StrEnum):
    """How the numbers a device sent compare with those of the cloud."""

    OK = "ok"
    PENDING = "pending"
    """Something waits to be sent on either side."""
    CONFLICT = "conflict"
    """The device knows of more than there is; a hello settles it."""


@dataclass(frozen=True, slots=True)
class ExchangeAnswer:
    """The answer to an utterance (5.2)."""

    request_id: UUID
    """Under which the turn is kept as a pair, however often it is sent."""
    session_state: ConversationState
    memory_update: MemoryUpdate
    cursor: CursorState
    planner_input: PlannerInput | None
    decision: PlannerDecision | None
    """None where no planner is configured: the caller runs its own."""
    is_recorded: bool
    """Whether the turn is kept; the device sends it again under the same id or not."""
