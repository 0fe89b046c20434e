"""Turns with a chat model, as the persona document writes them (E02)."""

from typing import Literal, Self
from uuid import UUID

from pydantic import AwareDatetime, Field

from gieok.chat import Answer, ClientMessage
from gieok.kernel.language import Role
from gieok.surfaces.rest.schemas.shared import (
    CamelRequestModel,
    CamelResponseModel,
    Time,
)

MAX_RECENT = 100


class RecentMessage(CamelRequestModel):
    """One message as the client shows it; `id` and `timestamp` are the client's."""

    id: str | None = None
    role: Literal["user", "assistant"]
    content: str
    timestamp: AwareDatetime | None = None

    def to_message(self) -> ClientMessage:
        """Return the message."""
        return ClientMessage(Role(self.role), self.content, self.id, self.timestamp)


class ChatContext(CamelRequestModel):
    """What the client still knows of the conversation."""

    recent_messages: list[RecentMessage] = Field(
        default_factory=list[RecentMessage],
        max_length=MAX_RECENT,
        description="Oldest first. They fill in what the session does not hold; the "
        "model sees ten messages at most.",
    )


class ChatMessage(CamelRequestModel):
    """What the user says to a persona."""

    persona_id: str = Field(description="Up to 128 characters, yours.")
    message: str = Field(description="Up to 32,000 bytes of UTF-8.")
    context: ChatContext = Field(default_factory=ChatContext)
    session_id: str | None = Field(
        default=None,
        description="Yours, or one from an earlier answer; by default the person's "
        "open session with the persona. One that is over is followed by another.",
    )
    instructions: str | None = Field(
        default=None, description="Who the persona is: the base of the system prompt."
    )


class ChatReply(CamelResponseModel):
    """The persona's reply, kept with what it replies to."""

    success: Literal[True] = True
    reply: str
    session_id: str = Field(description="Where the turn was kept.")
    message_id: UUID = Field(description="Of the reply.")
    created_at: Time
    memories_used: list[UUID] = Field(
        description="Memories of earlier conversations that the model was told."
    )
    facts_used: list[UUID] = Field(
        description="Facts about the user that the model was told."
    )
    memory_saved: UUID | None = Field(
        default=None,
        description="The memory that was made of the conversation, where the message "
        "asked to save it.",
    )

    @classmethod
    def from_answer(cls, answer: Answer, session_id: str) -> Self:
        """Return the reply."""
        return cls(
            reply=answer.text,
            session_id=session_id,
            message_id=answer.message_id,
            created_at=answer.created_at,
            memories_used=list(answer.episodes),
            facts_used=list(answer.memories),
            memory_saved=answer.saved,
        )


class ChatToClose(CamelRequestModel):
    """Which conversation is over."""

    persona_id: str = Field(description="Up to 128 characters, yours.")
    session_id: str | None = Field(
        default=None, description="By default the open session with the persona."
    )


class ChatClosed(CamelResponseModel):
    """The conversation is over; what it was about follows by itself."""

    success: Literal[True] = True
    session_id: str | None = Field(
        description="The session that ended now; null when none was open."
    )
