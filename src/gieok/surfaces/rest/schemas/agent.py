"""Runs of the reference agent (B07, B08)."""

from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Self, cast
from uuid import UUID

from pydantic import AliasChoices, Field, JsonValue, StrictBool

from gieok.sessions import Layer, Status
from gieok.surfaces.rest.schemas.shared import Language, RequestModel, ResponseModel

if TYPE_CHECKING:
    from gieok.agent.runs import RunState

MAX_STEPS = 20


class AgentMessage(RequestModel):
    """What the user says to the agent."""

    message: str = Field(description="Up to 32,000 bytes of UTF-8.")
    session_id: UUID | None = Field(
        default=None,
        validation_alias=AliasChoices("session_id", "sessionId"),
        description="The conversation it goes on; by default a new one.",
    )
    interrupt: StrictBool = Field(
        default=True,
        description="Pause before planning until it is resumed; false answers at once.",
    )
    language: Language | None = Field(
        default=None, description="Of a new conversation; the person's by default."
    )


class AgentEdits(RequestModel):
    """What a person puts in place of what the layers so far came to."""

    understanding: str | None = Field(
        default=None, description="Up to 8,000 bytes of UTF-8."
    )
    plan: Annotated[list[str], Field(min_length=1, max_length=MAX_STEPS)] | None = (
        Field(default=None, description="Its steps; planning then keeps them.")
    )


class AgentResume(RequestModel):
    """How a paused run goes on."""

    edits: AgentEdits = Field(default_factory=AgentEdits)
    answer: JsonValue = Field(
        default=None, description="To what a tool asked; needed if one did."
    )


class AgentRun(ResponseModel):
    """Where a run stands.

    A run that is paused has no response yet, and says what it goes on with.
    """

    session_id: UUID
    status: Status = Field(
        description="Of the conversation: active when the answer is there, and it can "
        "go on; paused when somebody has to resume the run."
    )
    current_layer: Layer | None
    waits_before: str | None = Field(description="What the run goes on with.")
    message: str | None = Field(description="What the user said.")
    response: str | None
    understanding: str | None
    plan: list[str]
    memories: list[dict[str, JsonValue]] = Field(
        description="Facts about the user that the run was told."
    )
    questions: list[JsonValue] = Field(description="What tools asked.")
    total_tokens: int
    total_cost: Decimal = Field(description="Exact, hence a string.")
    ended_reason: str | None

    @classmethod
    def from_run(cls, run: "RunState") -> Self:
        """Return where the run stands."""
        return cls.from_fields(
            run.session,
            waits_before=run.waits_before,
            message=run.message,
            response=run.response,
            understanding=run.understanding,
            plan=run.plan,
            memories=run.memories,
            questions=[_to_json_value(each) for each in run.questions],
        )


def _to_json_value(value: object) -> JsonValue:
    plain = isinstance(value, str | int | float | bool | list | dict)
    return cast("JsonValue", value) if plain else str(value)
