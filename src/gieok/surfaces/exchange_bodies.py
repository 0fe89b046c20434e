"""The exchange around one utterance of a device (A11, A12), as document A has it."""

import re
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import Field, JsonValue, StringConstraints

from gieok.exchange import (
    CursorState,
    ExchangeAnswer,
    ExchangeRequest,
    ExchangeTurn,
    HintStrength,
    PlannerInput,
    RecentTurn,
    SentHint,
    SentSummary,
    render_planner_input,
)
from gieok.kernel.errors import InvalidInputError
from gieok.kernel.language import Category
from gieok.kernel.planning import (
    MOST_MID_TERM,
    MOST_PROFILE_HINTS,
    MOST_SHORT_TERM,
    PlannerDecision,
)
from gieok.memories import CandidateStatus
from gieok.sessions import Turn
from gieok.surfaces.bodies import RequestModel, ResponseModel

Text = Annotated[str, StringConstraints(max_length=20_000)]
Name = Annotated[str, StringConstraints(max_length=512)]
Number = Annotated[int, Field(ge=0, le=2**63 - 1)]
CursorName = Annotated[str, StringConstraints(pattern=r"^(pair_seq_)?[0-9]{1,18}$")]
DEVICE_ID = "device_id"
"""The member of `device_context` that names the device."""


class SpokenTurnBody(RequestModel):
    """A turn that the device still holds."""

    user_text: Text
    assistant_text: Text = ""
    route_family: Name | None = None


class VoiceContext(RequestModel):
    """What was said before, as the device knows it."""

    session_id: Name | None = None
    recent_turns: list[SpokenTurnBody] = Field(
        default=[], max_length=50, description="Oldest first."
    )
    history_hint_strength: HintStrength = HintStrength.WEAK
    active_workflow_id: Name | None = Field(
        default=None,
        description="Empty or null: the cloud's, if any is under way.",
    )


class ShortTermBody(RequestModel):
    """The summary of a day, as it came down."""

    date_key: Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}-\d{2}$")]
    summary_text: Text = ""


class MidTermBody(RequestModel):
    """The summary of a week, as it came down."""

    week_key: Annotated[str, StringConstraints(pattern=r"^\d{4}-W\d{2}$")]
    summary_text: Text = ""


class ProfileHintBody(RequestModel):
    """A confirmed memory, as it came down."""

    id: UUID | None = None
    category: Name | None = None
    claim: Text = ""


class MemorySnapshot(RequestModel):
    """The compact copy that the device sends along."""

    session_summary: Text | None = None
    short_term: list[ShortTermBody] = Field(default=[], max_length=MOST_SHORT_TERM)
    mid_term: list[MidTermBody] = Field(default=[], max_length=MOST_MID_TERM)
    profile_hints: list[ProfileHintBody] = Field(
        default=[], max_length=MOST_PROFILE_HINTS
    )


class MemorySyncBody(RequestModel):
    """Where the device stands."""

    device_cursor: CursorName | Number | None = Field(
        default=None, description='Its last pair: 42, or "pair_seq_42".'
    )
    last_cloud_update_seq: Number = 0


class ExchangeRequestBody(RequestModel):
    """What was said, and the device's snapshot (document A, 5.1)."""

    recognized_text: Text
    voice_context: VoiceContext = VoiceContext()
    memory_snapshot: MemorySnapshot = MemorySnapshot()
    memory_sync: MemorySyncBody = MemorySyncBody()
    device_context: dict[str, JsonValue] = Field(
        default={},
        max_length=100,
        description="Whatever your planner needs; `device_id` names the device.",
    )

    def to_request(self) -> ExchangeRequest:
        """Return the request.

        Raises:
            InvalidInputError: a device id that is no text.
        """
        voice, snapshot = self.voice_context, self.memory_snapshot
        device = self.device_context.get(DEVICE_ID)
        if not (device is None or isinstance(device, str)):
            field = f"device_context.{DEVICE_ID}"
            raise InvalidInputError(field, "it must be a string")
        return ExchangeRequest(
            recognized_text=self.recognized_text,
            session=voice.session_id or None,
            recent_turns=tuple(
                RecentTurn(each.user_text, each.assistant_text, each.route_family)
                for each in voice.recent_turns
            ),
            hint_strength=voice.history_hint_strength,
            active_workflow_id=voice.active_workflow_id or None,
            session_summary=snapshot.session_summary or None,
            short_term=tuple(
                SentSummary(each.date_key, each.summary_text)
                for each in snapshot.short_term
            ),
            mid_term=tuple(
                SentSummary(each.week_key, each.summary_text)
                for each in snapshot.mid_term
            ),
            profile_hints=tuple(
                SentHint(each.id, each.claim) for each in snapshot.profile_hints
            ),
            device_cursor=_parse_cursor(self.memory_sync.device_cursor),
            last_cloud_update_seq=self.memory_sync.last_cloud_update_seq,
            device=device,
            device_context=self.device_context,
        )


def _parse_cursor(cursor: int | str | None) -> int | None:
    if cursor is None or isinstance(cursor, int):
        return cursor
    return int(re.sub(r"\D", "", cursor))


class ConversationStateView(ResponseModel):
    """Where the conversation stands."""

    session_id: str
    workflow_context: dict[str, Any]


class ProfileCandidateView(ResponseModel):
    """What may become a memory; never one yet."""

    candidate_id: UUID
    category: Category
    claim: str
    confidence: float
    status: CandidateStatus


class MemoryUpdateView(ResponseModel):
    """What the cloud has learned since."""

    cloud_update_seq: int
    session_summary_delta: str
    profile_candidates: list[ProfileCandidateView]


class PlannerLineView(ResponseModel):
    """A line, where it comes from, and the id or key of what it shows."""

    text: str
    source: str
    about: str | None


class PlannerPartView(ResponseModel):
    """A part of what a planner goes by."""

    name: str
    lines: list[PlannerLineView]


class OmissionView(ResponseModel):
    """What was left out, and why."""

    part: str
    reason: str
    about: str | None
    detail: str | None


class PlannerInputView(ResponseModel):
    """What a planner goes by, in the order in which it counts (A13)."""

    recognized_text: str
    parts: list[PlannerPartView]
    device_context: dict[str, JsonValue]
    text: str = Field(description="All of it for a prompt; what is remembered, fenced.")
    tokens: int = Field(description="An estimate on the safe side.")
    left_out: list[OmissionView]

    @classmethod
    def from_input(cls, planner_input: PlannerInput) -> Self:
        """Return the input."""
        return cls.model_validate(render_planner_input(planner_input))


class DecisionView(ResponseModel):
    """What the planner decided."""

    route_family: str | None
    planner_summary: dict[str, JsonValue] | None
    assistant_text: str | None
    active_workflow_id: str | None

    @classmethod
    def from_decision(cls, decision: PlannerDecision) -> Self:
        """Return the decision."""
        summary = decision.planner_summary
        return cls(
            route_family=decision.route_family,
            planner_summary=None if summary is None else dict(summary),
            assistant_text=decision.assistant_text,
            active_workflow_id=decision.active_workflow_id,
        )


class ExchangeAnswerBody(ResponseModel):
    """The answer (document A, 5.2), and beside it what was decided."""

    session_state: ConversationStateView
    memory_update: MemoryUpdateView
    request_id: UUID = Field(
        description="Under which the turn is kept as a pair; results name it."
    )
    sync_status: CursorState = Field(
        description="How the device's numbers compare with the cloud's; after a "
        "conflict it says hello."
    )
    planner_input: PlannerInputView | None
    decision: DecisionView | None = Field(
        description="Null where no planner is configured: run yours, and send results."
    )
    recorded: bool = Field(description="Whether the turn is kept.")

    @classmethod
    def from_answer(cls, answer: ExchangeAnswer) -> Self:
        """Return the answer."""
        update, found = answer.memory_update, answer.planner_input
        return cls(
            session_state=ConversationStateView(
                session_id=answer.session_state.session,
                workflow_context=dict(answer.session_state.workflow_context),
            ),
            memory_update=MemoryUpdateView(
                cloud_update_seq=update.cloud_update_seq,
                session_summary_delta=update.session_summary_delta,
                profile_candidates=[
                    ProfileCandidateView.model_validate(each, from_attributes=True)
                    for each in update.profile_candidates
                ],
            ),
            request_id=answer.request_id,
            sync_status=answer.cursor,
            planner_input=found and PlannerInputView.from_input(found),
            decision=answer.decision and DecisionView.from_decision(answer.decision),
            recorded=answer.is_recorded,
        )


class ExchangeResultBody(RequestModel):
    """What a caller's own planner decided about an utterance."""

    request_id: UUID = Field(description="As the answer gave it.")
    session_id: Name = Field(description="As the answer gave it.")
    recognized_text: Text
    assistant_text: Text
    route_family: Name | None = None
    planner_summary: dict[str, JsonValue] = Field(default={}, max_length=100)
    active_workflow_id: Name | None = None
    device_id: Name | None = None

    def to_turn(self) -> ExchangeTurn:
        """Return the turn."""
        turn = Turn(
            self.recognized_text,
            self.assistant_text,
            self.route_family,
            self.planner_summary,
        )
        return ExchangeTurn(
            self.request_id,
            self.session_id,
            self.device_id,
            turn,
            self.active_workflow_id or None,
        )


class ExchangeRecorded(ResponseModel):
    """Whether the turn is kept: not where the person does not agree, or erased it."""

    request_id: UUID
    recorded: bool
    status: Literal["kept", "not_kept"]
