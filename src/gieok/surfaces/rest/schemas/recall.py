"""Questions to recall, and what it finds."""

from typing import Self
from uuid import UUID

from pydantic import AwareDatetime, Field, StrictInt

from gieok.kernel.language import Category, Role
from gieok.recall import Filters, Hit, HitKind
from gieok.surfaces.rest.schemas.shared import RequestModel, ResponseModel, Time


class RecallFilters(RequestModel):
    """Which items may be found at all; what is left out does not narrow."""

    kinds: list[HitKind] | None = None
    categories: list[Category] | None = None
    session_id: UUID | None = None
    since: AwareDatetime | None = Field(default=None, description="Included.")
    until: AwareDatetime | None = Field(default=None, description="Excluded.")
    min_confidence: float = Field(default=0.5, ge=0, le=1)

    def to_filters(self) -> Filters:
        """Return the filters."""
        return Filters(
            kinds=self.kinds,
            categories=self.categories,
            session_id=self.session_id,
            since=self.since,
            until=self.until,
            min_confidence=self.min_confidence,
        )


class RecallQuestion(RequestModel):
    """A question to everything a person said or is known for."""

    query: str
    limit: StrictInt = Field(default=10, description="1 to 200.")
    filters: RecallFilters = Field(default_factory=RecallFilters)


class HitView(ResponseModel):
    """One thing found; higher scores first, comparable within one answer only."""

    kind: HitKind
    id: UUID
    content: str
    score: float
    at: Time
    session_id: UUID | None
    position: int | None
    role: Role | None
    category: Category | None
    confidence: float | None


class RecallAnswer(ResponseModel):
    """What was found, best first."""

    hits: list[HitView]

    @classmethod
    def from_hits(cls, hits: tuple[Hit, ...]) -> Self:
        """Return the hits."""
        return cls(hits=[HitView.from_fields(hit) for hit in hits])
