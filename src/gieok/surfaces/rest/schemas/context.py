"""Blocks of memory for prompts."""

from typing import Self
from uuid import UUID

from pydantic import Field, StrictInt

from gieok.context import Block
from gieok.surfaces.rest.schemas.shared import (
    Language,
    RequestModel,
    ResponseModel,
    Time,
)


class ContextQuestion(RequestModel):
    """The utterance that the prompt will answer."""

    query: str
    language: Language | None = Field(
        default=None, description="Of the block; by default the person's."
    )
    token_budget: StrictInt | None = Field(
        default=None,
        ge=1,
        le=1_000_000,
        description="By default 800, with ten lines; lines follow a given budget.",
    )
    excerpts: StrictInt | None = Field(
        default=None,
        ge=0,
        le=20,
        description="Most of what was once said; by default the installation's.",
    )
    persona: str | None = Field(
        default=None,
        description="Whose prompt it goes into: what was said to another persona is "
        "not quoted. Up to 128 characters, yours.",
    )


class ContextLine(ResponseModel):
    """One line of a block, and the memory it shows."""

    text: str
    memory_id: UUID
    at: Time


class ContextExcerpt(ResponseModel):
    """What the person once said, word for word with its message, or what is told of it.

    Without a message it is an episode's words or a session's summary, shortened.
    """

    text: str
    message_id: UUID | None
    session_id: UUID | None
    episode_id: UUID | None
    at: Time


class ForgetQuestionView(ResponseModel):
    """What the person may have asked to forget: ask them.

    The answer is understood when it is read; or confirm the candidate, which forgets
    it, or reject it.
    """

    candidate_id: UUID
    memory_id: UUID | None = Field(
        description="The memory; null where it is something said, of which there is "
        "none."
    )
    content: str
    wished_at: Time


class ContextBlock(ResponseModel):
    """What to add to the prompt; an empty text when nothing is known."""

    text: str
    lines: list[ContextLine]
    excerpts: list[ContextExcerpt]
    questions: list[ForgetQuestionView]
    tokens: int = Field(description="An estimate on the safe side.")

    @classmethod
    def from_block(cls, block: Block) -> Self:
        """Return the block."""
        return cls.from_fields(block)
