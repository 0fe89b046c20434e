"""What is claimed of a person before it is a memory, and what became of it."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple, Self
from uuid import UUID

from gieok.kernel.language import Basis, Category, FindingOperation, SourcedMemory
from gieok.memories.model import Embedding, QuarantineReason, Trust


class ForgetWish(NamedTuple):
    """A wish to forget, as everything said is searched for it."""

    text: str
    """What the person said, in one line."""
    erased: tuple[str, ...] = ()
    """What memories said that were erased for it, a line each."""

    @classmethod
    def from_claim(cls, claim: str) -> Self:
        """Return the wish that a candidate keeps as its claim."""
        text, *erased = claim.split("\n")
        return cls(text, tuple(erased))

    def to_claim(self) -> str:
        """Return it as a candidate keeps it: the wish, then a line for each memory."""
        lines = (" ".join(part.split()) for part in (self.text, *self.erased))
        return "\n".join(filter(None, lines))


class CandidateStatus(StrEnum):
    """Where a candidate stands (A05)."""

    PENDING = "pending"
    CONFIRMED = "confirmed"
    REJECTED = "rejected"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A claim that may become a memory; never used as if it were one (A07)."""

    candidate_id: UUID
    category: Category
    claim: str
    confidence: float
    basis: Basis
    operation: FindingOperation
    target_id: UUID | None
    session_ids: tuple[UUID, ...]
    message_ids: tuple[UUID, ...]
    extractor: str
    status: CandidateStatus
    memory_id: UUID | None
    created_at: datetime
    reviewed_at: datetime | None
    held_reason: QuarantineReason | None = None
    wished_at: datetime | None = None
    """When it was wished, if the person asks to forget something."""
    wish_id: UUID | None = None
    """The message in which it was wished."""

    @property
    def is_message_question(self) -> bool:
        """Whether the person is to be asked if they want what they said forgotten."""
        deletes = self.operation is FindingOperation.DELETE and self.target_id is None
        return deletes and self.held_reason is QuarantineReason.AMBIGUOUS


@dataclass(frozen=True, slots=True)
class ForgetQuestion:
    """What the person may have asked to forget, and is to be asked about.

    It is a memory, or something said of which there is none. What one wish may have
    meant has the same `wish`. Confirming the candidate forgets it, rejecting it keeps
    it.
    """

    candidate_id: UUID
    memory_id: UUID | None
    """The memory; None where it is something said, whose beginning `content` is."""
    content: str
    wished_at: datetime
    wish_id: UUID | None = None
    """The message in which it was wished, where it was wished in a session."""

    @property
    def wish(self) -> tuple[datetime, UUID | None]:
        """What tells one wish from others, also from those that were read with it."""
        return self.wished_at, self.wish_id


@dataclass(frozen=True, slots=True)
class Claim:
    """A finding that has been tied to the messages it rests on."""

    content: str
    category: Category
    confidence: float
    basis: Basis
    operation: FindingOperation
    target_id: UUID | None
    session_id: UUID | None
    message_ids: tuple[UUID, ...]
    preview: str | None
    extractor: str
    embedding: Embedding | None
    is_suspicious: bool = False
    is_reviewed: bool = False
    is_target_named: bool = False
    """Whether the person named the memory that it replaces, by its id."""
    is_category_given: bool = False
    """Whether the person chose the category, also of what says the same already."""
    is_asked_for: bool = False
    """Whether an app asked for it to be found: what comes of it is as what it asks to
    keep, though it settles as what was said."""
    is_directive: bool | None = None
    """Whether it orders an assistant more than manners; None if nobody judged."""
    spoken_at: datetime | None = None
    """When it was said; None if that is now."""
    wish_id: UUID | None = None
    """The message in which it was wished, if it asks to forget something."""
    message: str = field(default="", repr=False)
    """What the person said that it rests on, where that was just read."""
    previous_reply: str = field(default="", repr=False)
    """What the assistant had said just before."""

    @property
    def trust(self) -> Trust:
        """How far a memory that rests on it alone is trusted."""
        if self.is_reviewed:
            return Trust.CONFIRMED
        if self.is_asked_for:
            return Trust.REQUESTED
        return Trust(self.basis.value)

    @property
    def is_wish(self) -> bool:
        """Whether the person asks to forget something."""
        deletes = self.operation is FindingOperation.DELETE
        return deletes and self.basis is Basis.REQUESTED

    def compute_time(self, now: datetime) -> datetime:
        """Return when it was said; not after now, whatever a clock said."""
        return min(now, self.spoken_at or now)

    def add_source(self, memory: SourcedMemory) -> SourcedMemory:
        """Return the memory that it makes with what was said around it."""
        return replace(memory, message=self.message, previous_reply=self.previous_reply)


@dataclass(frozen=True, slots=True)
class MemoryEdit:
    """Something to say, to say instead of memories, or to forget (no `content`)."""

    content: str | None
    category: Category = Category.CONTEXT
    memory_ids: tuple[UUID, ...] = ()
    """What it is said instead of, or what is forgotten."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one claim: the candidate, and the memory it touched if any.

    A wish to forget that is carried out at once leaves no candidate.
    `content` names it to the person: what was erased, or else what was claimed.
    """

    operation: FindingOperation
    candidate_id: UUID | None
    memory_id: UUID | None
    target_id: UUID | None
    confirmed: bool
    content: str = ""
