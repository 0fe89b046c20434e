"""What the exchange around one utterance of a device answers, as document A has it."""

from typing import Any, Literal, Self
from uuid import UUID

from pydantic import Field, JsonValue

from gieok.exchange import (
    CursorState,
    ExchangeAnswer,
    PlannerInput,
    render_planner_input,
)
from gieok.kernel.language import Category
from gieok.kernel.planning import PlannerDecision
from gieok.memories import CandidateStatus
from gieok.surfaces.bodies import ResponseModel


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


class ExchangeRecorded(ResponseModel):
    """Whether the turn is kept: not where the person does not agree, or erased it."""

    request_id: UUID
    recorded: bool
    status: Literal["kept", "not_kept"]
