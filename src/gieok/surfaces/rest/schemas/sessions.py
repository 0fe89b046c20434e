"""Sessions, messages and turns."""

from decimal import Decimal
from typing import Annotated, Self
from uuid import UUID

from pydantic import AwareDatetime, Field, JsonValue, StrictInt

from gieok.kernel.language import Category, Role
from gieok.memories.reading import ReadingProgress, ReadingState
from gieok.sessions import Layer, Message, Pair, Session, Status, Transcript, Turn
from gieok.sessions.inputs import MAX_COST, MAX_COUNTED, MAX_PAIRS
from gieok.surfaces.rest.schemas.shared import (
    Devices,
    Language,
    RequestModel,
    ResponseModel,
    Time,
    get_device_name,
)

TokenCount = Annotated[StrictInt, Field(ge=0, le=MAX_COUNTED)]
Cost = Annotated[Decimal, Field(ge=0, le=MAX_COST, max_digits=15, decimal_places=10)]


class NewSession(RequestModel):
    """A conversation that starts."""

    user_id: str | None = Field(
        default=None,
        description="Your id of the person, where your key may act as people and the "
        "headers name nobody.",
    )
    id: UUID | None = Field(
        default=None,
        description="Its id, if your app has one already: 409 where the person has a "
        "conversation of this id. By default a new one.",
    )
    language: Language | None = Field(
        default=None, description="The person's by default."
    )
    persona: str | None = Field(
        default=None, description="Your id of whom the person talks to."
    )
    device: str | None = Field(
        default=None, description="Your id of the device it takes place on."
    )
    config: dict[str, JsonValue] = Field(
        default_factory=dict[str, JsonValue],
        description="Kept sealed, and returned with the conversation.",
    )
    max_pairs: StrictInt | None = Field(
        default=None,
        ge=1,
        le=MAX_PAIRS,
        description="Most turns before another session continues it; on a device 8, "
        "whatever more is asked.",
    )
    expires_at: AwareDatetime | None = Field(
        default=None, description="When it is over, whatever happens."
    )


class SessionView(ResponseModel):
    """A conversation (A02, B02)."""

    id: UUID
    status: Status
    language: str
    persona_id: UUID | None
    device_id: str | None = Field(description="As you gave it.")
    current_layer: Layer | None
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
    completed_at: Time | None = Field(description="When it ended, however it did.")
    ended_reason: str | None
    max_pairs: int | None
    continues: UUID | None = Field(description="The full session before it.")
    continued_by: UUID | None = Field(description="Where it goes on, being full.")
    unread_count: int = Field(description="Messages that extraction has yet to read.")

    @classmethod
    def from_session(cls, session: Session, devices: Devices) -> Self:
        """Return the session."""
        return cls.from_fields(session, **_collect_session_names(session, devices))


class SessionList(ResponseModel):
    """Conversations, newest first, and how many there are in all."""

    sessions: list[SessionView]
    total: int
    has_more: bool


class MessageView(ResponseModel):
    """One message as it was said; `position` counts from 0."""

    id: UUID
    session_id: UUID
    position: int
    role: Role
    content: str
    layer: str | None
    metadata: dict[str, JsonValue]
    is_read: bool = Field(
        description="Whether extraction has read it, or passed over it."
    )
    created_at: Time

    @classmethod
    def from_message(cls, message: Message, *, is_read: bool = False) -> Self:
        """Return the message."""
        return cls.from_fields(message, id=message.message_id, is_read=is_read)


class ReadingView(ResponseModel):
    """How far what was said has been read."""

    state: ReadingState = Field(
        description="pending: ask again soon. failed: every try failed, and somebody "
        "has to look at the jobs. off: the person's settings let nothing be extracted."
    )
    unread_count: int = Field(description="Messages that wait to be read.")
    not_kept: dict[Category, int] = Field(
        description="Findings that were not kept, as `allowed_categories` in the "
        "person's memory-settings does not list their category."
    )

    @classmethod
    def from_reading(cls, reading: ReadingProgress) -> Self:
        """Return how far it is."""
        return cls.from_fields(reading)


class SessionDetail(SessionView):
    """A conversation with its messages in order, and what it was started with."""

    config: dict[str, JsonValue]
    reading: ReadingView
    messages: list[MessageView]
    has_more: bool = Field(description="Whether messages follow the last one.")

    @classmethod
    def from_transcript(
        cls, transcript: Transcript, reading: ReadingProgress, devices: Devices
    ) -> Self:
        """Return the session and what was said in it."""
        read = transcript.session.extracted_count
        messages = [
            MessageView.from_message(message, is_read=message.position < read)
            for message in transcript.messages
        ]
        return cls.from_fields(
            transcript.session,
            **_collect_session_names(transcript.session, devices),
            config=transcript.config,
            reading=ReadingView.from_reading(reading),
            messages=messages,
            has_more=transcript.has_more,
        )


class NewTurn(RequestModel):
    """What the user said and what the assistant answered (A01)."""

    user_text: str = Field(description="Up to 1 MB of UTF-8.")
    assistant_text: str = Field(description="Up to 1 MB of UTF-8.")
    route_family: str | None = Field(default=None, max_length=128)
    planner_summary: dict[str, JsonValue] = Field(
        default_factory=dict[str, JsonValue],
        description="Notes of the planner: route, steps, confidence.",
    )
    tokens: TokenCount = 0
    cost: Cost = Decimal(0)
    speaker: str | None = Field(
        default=None,
        max_length=128,
        description="Name of who spoke, where it was not the person: nothing in this "
        "turn is taken for a fact about them.",
    )

    def to_turn(self) -> Turn:
        """Return the turn."""
        return Turn(
            self.user_text,
            self.assistant_text,
            self.route_family,
            self.planner_summary,
            self.tokens,
            self.cost,
            speaker=self.speaker,
        )


class PairView(ResponseModel):
    """A turn that is safely on disk (A01); `turn_index` counts from 0."""

    pair_id: UUID
    session_id: UUID
    turn_index: int
    user_message_id: UUID
    assistant_message_id: UUID
    created_at: Time
    retention_until: Time

    @classmethod
    def from_pair(cls, pair: Pair) -> Self:
        """Return the pair."""
        return cls.from_fields(pair)


class NewMessage(RequestModel):
    """One message."""

    role: Role
    content: str = Field(description="Up to 1 MB of UTF-8.")
    layer: str | None = Field(default=None, max_length=128)
    metadata: dict[str, JsonValue] = Field(
        default_factory=dict[str, JsonValue],
        description='Attachments and the like; "speaker" names who spoke, '
        '"other_speaker" somebody who is not the person.',
    )
    tokens: TokenCount = 0
    cost: Cost = Decimal(0)


def _collect_session_names(session: Session, devices: Devices) -> dict[str, object]:
    """Return what a session and its device are called."""
    device = get_device_name(session.device_id, devices)
    return {"id": session.session_id, "device_id": device}
