"""Sessions, messages and turns."""

from decimal import Decimal
from typing import Self
from uuid import UUID

from pydantic import Field, JsonValue, StrictInt

from gieok.kernel.language import Role
from gieok.sessions import Message, Pair, Session, Status, Transcript, Turn
from gieok.surfaces.rest.schemas.shared import Asked, Language, Time, Told

MOST_COUNTED = 2**53
MOST_COST = 1_000_000


class NewSession(Asked):
    """A conversation that starts."""

    language: Language = "ko"


class SessionView(Told):
    """A conversation (A02, B02)."""

    id: UUID
    status: Status
    language: str
    current_layer: str | None
    active_workflow_id: str | None
    last_route: str | None
    message_count: int
    pair_count: int
    total_turns: int
    total_tokens: int
    total_cost: Decimal = Field(description="Exact, hence a string.")
    created_at: Time
    updated_at: Time
    expires_at: Time | None
    completed_at: Time | None

    @classmethod
    def of(cls, session: Session) -> Self:
        """Return the session."""
        return cls.model_validate(_session(session))


class SessionList(Told):
    """Conversations, newest first."""

    sessions: list[SessionView]


class MessageView(Told):
    """One message as it was said; `position` counts from 0."""

    id: UUID
    position: int
    role: Role
    content: str
    created_at: Time

    @classmethod
    def of(cls, message: Message) -> Self:
        """Return the message."""
        return cls(
            id=message.message_id,
            position=message.position,
            role=message.role,
            content=message.content,
            created_at=message.created_at,
        )


class SessionDetail(SessionView):
    """A conversation with its messages in order."""

    messages: list[MessageView]

    @classmethod
    def told(cls, transcript: Transcript) -> Self:
        """Return the session and what was said in it."""
        messages = [MessageView.of(message) for message in transcript.messages]
        return cls.model_validate(
            {**_session(transcript.session), "messages": messages}
        )


class NewTurn(Asked):
    """What the user said and what the assistant answered (A01)."""

    user_text: str = Field(description="Up to 1 MB of UTF-8.")
    assistant_text: str = Field(description="Up to 1 MB of UTF-8.")
    route_family: str | None = Field(default=None, max_length=128)
    planner_summary: dict[str, JsonValue] = Field(
        default_factory=dict[str, JsonValue],
        description="Notes of the planner: route, steps, confidence.",
    )
    tokens: StrictInt = Field(default=0, ge=0, le=MOST_COUNTED)
    cost: Decimal = Field(
        default=Decimal(0), ge=0, lt=MOST_COST, max_digits=16, decimal_places=10
    )

    def turn(self) -> Turn:
        """Return the turn."""
        return Turn(
            self.user_text,
            self.assistant_text,
            self.route_family,
            self.planner_summary,
            self.tokens,
            self.cost,
        )


class PairView(Told):
    """A turn that is safely on disk (A01); `turn_index` counts from 0."""

    pair_id: UUID
    session_id: UUID
    turn_index: int
    user_message_id: UUID
    assistant_message_id: UUID
    created_at: Time
    retention_until: Time

    @classmethod
    def of(cls, pair: Pair) -> Self:
        """Return the pair."""
        return cls.model_validate(pair, from_attributes=True)


class NewMessage(Asked):
    """One message."""

    role: Role
    content: str = Field(description="Up to 1 MB of UTF-8.")


def _session(session: Session) -> dict[str, object]:
    names = SessionView.model_fields.keys() - {"id"}
    return {
        "id": session.session_id,
        **{name: getattr(session, name) for name in names},
    }
