"""What conversations were about, as the persona document writes it (E04 to E16)."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal, Self
from uuid import UUID

from fastapi import Query
from pydantic import AwareDatetime, Field, StrictInt

from gieok.chat import ClientMessage
from gieok.episodes import Episode
from gieok.kernel.language import Emotion, Role
from gieok.surfaces.rest.schemas.shared import (
    CamelRequestModel,
    CamelResponseModel,
    Time,
)

MAX_MESSAGES = 500
EmotionName = Literal["기쁨", "슬픔", "스트레스", "평온", "흥분"]
EMOTIONS: Final[Mapping[Emotion, EmotionName]] = {
    Emotion.JOY: "기쁨",
    Emotion.SADNESS: "슬픔",
    Emotion.STRESS: "스트레스",
    Emotion.CALM: "평온",
    Emotion.EXCITEMENT: "흥분",
}
"""The document's names of emotions on the wire."""
PersonaId = Annotated[
    str, Query(alias="personaId", description="Up to 128 characters, yours.")
]
AnyPersonaId = Annotated[
    str | None, Query(alias="personaId", description="By default, all of them.")
]
PersonaMemoryLimit = Annotated[int, Query(ge=1, le=100, description="Most to return.")]


class TranscriptMessage(CamelRequestModel):
    """One message as the client has it; `id` and `timestamp` are the client's."""

    id: str | None = Field(default=None, description="Up to 128 characters.")
    role: Role
    content: str = Field(description="An empty one is left out.")
    timestamp: AwareDatetime | None = Field(
        default=None,
        description="When it was said. It decides whether a message that is sent again "
        "counts once some of the conversation was erased or is no longer kept; where "
        "nothing else tells, it must be given.",
    )

    def to_message(self) -> ClientMessage:
        """Return the message."""
        return ClientMessage(self.role, self.content, self.id, self.timestamp)


class ConversationToKeep(CamelRequestModel):
    """A conversation to sum up and keep (E05).

    What the session holds already is not kept twice, so sending the whole conversation
    again is harmless, and with each message's `timestamp` nothing comes back that was
    erased. Messages are put in order of time where every one has a time.
    """

    session_id: str = Field(description="Up to 128 characters, yours.")
    persona_id: str = Field(description="Up to 128 characters, yours.")
    messages: list[TranscriptMessage] = Field(
        default_factory=list[TranscriptMessage], max_length=MAX_MESSAGES
    )


class MemoryToCreate(ConversationToKeep):
    """A conversation to keep, perhaps in the person's own words (E10)."""

    manual_summary: str | None = Field(
        default=None,
        max_length=2_000,
        description="Kept as it is instead of a summary.",
    )


class PersonaMemoryChange(CamelRequestModel):
    """What to change; what is left out or null stays as it is (E12, E23)."""

    summary: str | None = None
    importance: StrictInt | None = Field(default=None, ge=1, le=10)
    tags: list[str] | None = None


class PersonaMemory(CamelResponseModel):
    """What one conversation was about (E06)."""

    id: UUID
    persona_id: str | None
    session_id: str | None = Field(description="As you named it.")
    summary: str
    topics: list[str]
    tags: list[str]
    emotion: EmotionName
    importance: int = Field(description="1 to 10.")
    fallback: bool = Field(
        description="The conversation itself, as no model could sum it up."
    )
    created_at: Time
    updated_at: Time
    archived_at: Time | None

    @classmethod
    def from_episode(
        cls,
        episode: Episode,
        personas: Mapping[UUID, str],
        sessions: Mapping[UUID, str],
    ) -> Self:
        """Return an episode, given the app's names of personas and sessions."""
        return cls.from_fields(
            episode,
            id=episode.episode_id,
            persona_id=episode.persona_id and personas.get(episode.persona_id),
            session_id=episode.session_id and sessions.get(episode.session_id),
            emotion=EMOTIONS[episode.emotion],
            fallback=episode.is_fallback,
        )


class SavedMemoryResponse(CamelResponseModel):
    """A memory that was made."""

    success: Literal[True] = True
    memory: PersonaMemory
    fallback: bool
    archived: list[UUID] = Field(
        description="Memories that the plan's limit moved to the archive."
    )
    notice: str | None = Field(description="For people, in Korean or English.")


class MemoryAnswer(CamelResponseModel):
    """One memory."""

    success: Literal[True] = True
    memory: PersonaMemory


class MemoriesLoaded(CamelResponseModel):
    """The memories with which a conversation starts (E08)."""

    success: Literal[True] = True
    memories: list[PersonaMemory]


class MemoriesListed(CamelResponseModel):
    """A page of memories (E11)."""

    success: Literal[True] = True
    memories: list[PersonaMemory]
    total: int
    has_more: bool


class MemoryGone(CamelResponseModel):
    """The memory is erased."""

    success: Literal[True] = True


class MemoryArchived(CamelResponseModel):
    """The memory is in the archive (E14)."""

    success: Literal[True] = True
    archived_at: Time
