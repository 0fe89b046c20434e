"""Candidates, and what became of one that was confirmed."""

from typing import Self
from uuid import UUID

from pydantic import Field

from gieok.kernel.language import Category
from gieok.memories import Candidate, CandidateStatus, QuarantineReason
from gieok.surfaces.rest.schemas.memories import UserMemory
from gieok.surfaces.rest.schemas.shared import ResponseModel, Time


class MemoryCandidate(ResponseModel):
    """A claim that waits for corroboration or review (A05)."""

    id: UUID
    category: Category
    claim: str
    confidence: float
    status: CandidateStatus
    operation: str = Field(description="What confirming it does to what is known.")
    held_reason: QuarantineReason | None = Field(
        description="Why only a review confirms it, if so."
    )
    memory_id: UUID | None = Field(description="The memory it became.")
    source_session_ids: list[UUID]
    created_at: Time
    reviewed_at: Time | None

    @classmethod
    def from_candidate(cls, candidate: Candidate) -> Self:
        """Return the candidate."""
        return cls.from_fields(
            candidate,
            id=candidate.candidate_id,
            operation=candidate.operation.value,
            source_session_ids=candidate.session_ids,
        )


class CandidateList(ResponseModel):
    """Candidates, newest first."""

    candidates: list[MemoryCandidate]


class Confirmed(ResponseModel):
    """What confirming a candidate did."""

    memory: UserMemory | None = Field(
        description="The memory that holds it now; null when it was to forget one."
    )
