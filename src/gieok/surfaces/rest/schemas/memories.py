"""Memories; D12's bodies are those of its document, §6.2."""

from datetime import datetime
from typing import Self
from uuid import UUID

from pydantic import AwareDatetime, Field

from gieok.erasure import Forgotten
from gieok.kernel.language import Category
from gieok.memories import (
    DeletePolicy,
    HistoryAction,
    HistoryEntry,
    Memory,
    SourceType,
    Trust,
)
from gieok.surfaces.rest.schemas.shared import RequestModel, ResponseModel, Time


class UserMemory(ResponseModel):
    """One thing remembered about a person (D12)."""

    id: UUID
    content: str
    category: Category
    subcategory: str | None = Field(
        description="The part of a person's life it is about, such as home, work or "
        "pet; null where that is not plain."
    )
    confidence: float = Field(description="0 to 1, after time has faded it.")
    relevance_score: float = Field(
        description="How far it bore on the question of the last prompt that had it, "
        "from 0 to 1; 0 before."
    )
    source_type: SourceType = Field(
        description="explicit: somebody asked for it to be remembered; inferred: it "
        "was found in what the person said."
    )
    created_at: Time
    last_used_at: Time | None
    usage_count: int

    @classmethod
    def from_memory(cls, memory: Memory, now: datetime) -> Self:
        """Return the memory as it stands now."""
        return cls.from_fields(memory, **_collect_faded_fields(memory, now))


class MemoryList(ResponseModel):
    """A page of memories, newest first, and how many there are in all (D12)."""

    memories: list[UserMemory]
    total: int


class AnswerSource(ResponseModel):
    """A memory that an answer rests on."""

    id: UUID
    content: str
    category: Category
    is_active: bool = Field(description="Whether it is still in use.")
    preview: str | None = Field(description="First 100 characters of what was said.")
    created_at: Time
    path: str = Field(description="Its page, for the person once they are signed in.")

    @classmethod
    def from_memory(cls, memory: Memory) -> Self:
        """Return the source."""
        path = build_page_path(memory.memory_id)
        return cls.from_fields(memory, id=memory.memory_id, path=path)


class AnswerSources(ResponseModel):
    """What an answer rests on, in the order asked for."""

    sources: list[AnswerSource]


class MemoryEvent(ResponseModel):
    """Something that happened to a memory."""

    memory_id: UUID
    action: HistoryAction
    old_content: str | None
    new_content: str | None
    created_at: Time
    path: str = Field(description="Its page, for the person once they are signed in.")

    @classmethod
    def from_entry(cls, entry: HistoryEntry) -> Self:
        """Return the update."""
        return cls.from_fields(entry, path=build_page_path(entry.memory_id))


class MemoryEventList(ResponseModel):
    """What happened to memories, oldest first."""

    updates: list[MemoryEvent]
    cursor: str = Field(description="Send it as `after`, for the rest or what is new.")
    has_more: bool


def build_page_path(memory_id: UUID) -> str:
    """Return where the pages show a memory."""
    return f"/me/memories/{memory_id}"


class MemorySource(ResponseModel):
    """Where a memory comes from."""

    type: SourceType
    session_id: UUID | None
    message_ids: list[UUID]
    preview: str | None = Field(description="First 100 characters of what was said.")
    extractor: str = Field(description="What found it, with its version.")
    candidate_ids: list[UUID] = Field(description="The candidates it was.")

    @classmethod
    def from_memory(cls, memory: Memory) -> Self:
        """Return where it comes from."""
        return cls.from_fields(
            memory,
            type=memory.source_type,
            session_id=memory.source_session_id,
            message_ids=memory.source_message_ids,
            candidate_ids=memory.source_candidate_ids,
        )


class HistoryStep(ResponseModel):
    """One step in the life of a memory (D03)."""

    action: HistoryAction
    old_content: str | None
    new_content: str | None
    old_confidence: float | None
    new_confidence: float | None
    session_id: UUID | None
    trigger: str
    created_at: Time

    @classmethod
    def from_entry(cls, entry: HistoryEntry) -> Self:
        """Return the step."""
        return cls.from_fields(entry)


class MemoryDetail(UserMemory):
    """A memory with its source and its history, oldest step first."""

    trust: Trust = Field(description="How far it is trusted: what it rests on.")
    is_active: bool
    inactive_reason: str | None
    expires_at: Time | None
    delete_policy: DeletePolicy
    is_pinned: bool = Field(
        description="Whether it stands first in every prompt and does not fade."
    )
    superseded_by: UUID | None
    updated_at: Time
    source: MemorySource
    history: list[HistoryStep]

    @classmethod
    def from_history(
        cls, memory: Memory, history: tuple[HistoryEntry, ...], now: datetime
    ) -> Self:
        """Return everything about a memory."""
        return cls.from_fields(
            memory,
            **_collect_faded_fields(memory, now),
            source=MemorySource.from_memory(memory),
            history=[HistoryStep.from_entry(entry) for entry in history],
        )


class MemoryChange(RequestModel):
    """What may be changed of a memory; what is left out or null stays as it is."""

    content: str | None = Field(
        default=None,
        description="What is true instead, up to 4,000 bytes of UTF-8: a new memory "
        "says it, and the old one is out of use.",
    )
    category: Category | None = Field(
        default=None, description="Of the new content; else as it was."
    )
    delete_policy: DeletePolicy | None = Field(
        default=None, description="What becomes of it once its time is over (A06)."
    )


class NewMemory(RequestModel):
    """Something to remember."""

    content: str = Field(description="One fact, up to 4,000 bytes of UTF-8.")
    category: Category | None = Field(
        default=None,
        description="One that the person's settings allow. Null: `context` for what is "
        "new, and what is known keeps its own.",
    )


class WishToForget(RequestModel):
    """What somebody wants forgotten."""

    about: str = Field(
        description='The wish ("forget where I live") or the thing ("my job"), '
        "up to 4,000 bytes of UTF-8."
    )


class PossiblyMeant(ResponseModel):
    """Something that may be meant: confirm its candidate to erase it."""

    candidate_id: UUID
    memory_id: UUID | None = Field(
        description="The memory; null where it is something said, of which there is "
        "none."
    )
    content: str


class WishFulfilled(ResponseModel):
    """What was erased, named as it was known, and what the person should be asked."""

    forgotten: list[str]
    unsure: list[PossiblyMeant]
    messages: int = Field(description="Messages about it, never found or read again.")

    @classmethod
    def from_forgotten(cls, forgotten: Forgotten) -> Self:
        """Return the answer to a wish."""
        return cls(
            forgotten=list(forgotten.memories),
            unsure=[
                PossiblyMeant(
                    candidate_id=one.candidate_id,
                    memory_id=one.target_id,
                    content=one.content,
                )
                for one in forgotten.unsure
                if one.candidate_id is not None
            ],
            messages=forgotten.messages,
        )


class Rollback(RequestModel):
    """What to take back: what was learned since then, from there, or both."""

    since: AwareDatetime | None = None
    session_id: UUID | None = None
    dry_run: bool = Field(default=False, description="Only say what would go.")


class RolledBack(ResponseModel):
    """The memories that are out of use now, or would be; oldest first."""

    memory_ids: list[UUID]
    dry_run: bool


def _collect_faded_fields(memory: Memory, now: datetime) -> dict[str, object]:
    """Return what is told of a memory in another way than it is kept."""
    return {
        "id": memory.memory_id,
        "confidence": round(memory.confidence_at(now), 4),
        "relevance_score": round(memory.relevance_score, 4),
    }
