"""What the followers of a session are told (B10)."""

from decimal import Decimal
from typing import Literal, Self
from uuid import UUID

from pydantic import Field

from gieok.kernel.language import Role
from gieok.sessions import Message, Session, Status
from gieok.surfaces.rest.schemas.shared import ResponseModel, Time


class SessionSnapshot(ResponseModel):
    """Where the session stands when a follower arrives; always first."""

    type: Literal["session"] = "session"
    id: UUID
    status: Status
    layer: str | None
    message_count: int
    total_turns: int
    total_tokens: int
    total_cost: Decimal = Field(description="Exact, hence a string.")
    updated_at: Time
    clients: int = Field(description="How many follow the session, this one included.")
    after: int = Field(description="Messages follow from the position after this one.")

    @classmethod
    def from_session(cls, session: Session, *, clients: int, after: int) -> Self:
        """Return where a session stands."""
        return cls.from_fields(
            session,
            id=session.session_id,
            layer=session.current_layer,
            clients=clients,
            after=after,
        )


class StatusChanged(ResponseModel):
    """The session has another status."""

    type: Literal["status"] = "status"
    status: Status


class LayerChanged(ResponseModel):
    """The run of the agent has come to another layer."""

    type: Literal["layer"] = "layer"
    layer: str | None


class AnswerWord(ResponseModel):
    """A piece of an answer that is under way; the whole follows as a message."""

    type: Literal["token"] = "token"
    text: str


class TokensUsed(ResponseModel):
    """The sums of the session have grown."""

    type: Literal["tokens"] = "tokens"
    total_turns: int
    total_tokens: int
    total_cost: Decimal = Field(description="Exact, hence a string.")

    @classmethod
    def from_session(cls, session: Session) -> Self:
        """Return the sums of a session."""
        return cls.from_fields(session)


class MessageAdded(ResponseModel):
    """A message, in order; `position` is where to resume after."""

    type: Literal["message"] = "message"
    id: UUID
    position: int
    role: Role
    content: str
    layer: str | None
    created_at: Time

    @classmethod
    def from_message(cls, message: Message) -> Self:
        """Return a message."""
        return cls.from_fields(message, id=message.message_id)


class SessionEnded(ResponseModel):
    """The session is over, and everything that was said in it has been told."""

    type: Literal["ended"] = "ended"
    status: Status
    reason: str | None
    continued_by: UUID | None = Field(
        description="The session in which the conversation goes on."
    )

    @classmethod
    def from_session(cls, session: Session) -> Self:
        """Return the end of a session."""
        return cls.from_fields(session, reason=session.ended_reason)


class SessionDeleted(ResponseModel):
    """The session was erased."""

    type: Literal["deleted"] = "deleted"


class Pong(ResponseModel):
    """The answer to `{"type": "ping"}`."""

    type: Literal["pong"] = "pong"


SessionEvent = (
    SessionSnapshot
    | StatusChanged
    | LayerChanged
    | AnswerWord
    | TokensUsed
    | MessageAdded
    | SessionEnded
    | SessionDeleted
    | Pong
)
