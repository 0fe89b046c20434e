"""What is asked of recall and what it finds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from gieok.kernel.language import Category, Role
from gieok.memories import Trust
from gieok.memories.decay import MIN_CONFIDENCE


class HitKind(StrEnum):
    """What was found."""

    MESSAGE = "message"
    MEMORY = "memory"
    SESSION_SUMMARY = "session_summary"
    DAY_SUMMARY = "day_summary"
    WEEK_SUMMARY = "week_summary"
    EPISODE = "episode"


@dataclass(frozen=True, slots=True)
class Filters:
    """Which items may be found at all; what is None does not narrow.

    Nothing is found twice: of what was said in a session, its messages as long as they
    are kept, else its active episode, else its summary; a day or a week where the
    summaries of its sessions are not asked for. What sums up talks with a persona is
    found for that persona alone, as `persona_id` or `listener`, unless `any_persona`.
    `since` (included) and `until` (excluded) are about when something was said.
    `min_confidence` is about memories, after time has faded them (D06, D07).
    """

    kinds: Sequence[HitKind] | None = None
    categories: Sequence[Category] | None = None
    session_id: UUID | None = None
    persona_id: UUID | None = None
    since: datetime | None = None
    until: datetime | None = None
    min_confidence: float = MIN_CONFIDENCE
    only_pinned: bool = False
    """Of memories, only those that the person pinned."""
    listener: UUID | None = None
    """The persona who is told: nothing is found of a session with another."""
    any_persona: bool = False
    """What sums up talks is found with whomever they were."""
    unless_kept: Sequence[HitKind] = ()
    """Nothing is found that sums up what is kept as one of these kinds."""

    def has_kind(self, kind: HitKind) -> bool:
        """Tell whether things of a kind may be found."""
        return self.kinds is None or kind in self.kinds

    def can_hear(self, persona_id: UUID | None) -> bool:
        """Tell whether what sums up talks with a persona, or with none, is asked."""
        if self.persona_id is not None:
            return persona_id == self.persona_id
        return persona_id in {None, self.listener}


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing found; higher scores first, comparable within one answer only.

    `relevance` is to the question, in standard deviations above the mean of what was
    asked for, and 1 at least if it holds a word of it; None without vectors. `role` and
    `position` are a message's; `category`, `trust` and `confidence` (faded by time) a
    memory's; `session_id` is where it was said. The `position` of a summary or episode
    is that of its sentence that answers best, from 0.
    """

    kind: HitKind
    id: UUID
    content: str
    score: float
    at: datetime
    session_id: UUID | None = None
    position: int | None = None
    role: Role | None = None
    category: Category | None = None
    confidence: float | None = None
    trust: Trust | None = None
    relevance: float | None = None
    other_speaker: str | None = None
    """Who said a message, where it was not the person."""
    contradicted_by: UUID | None = None
    """The newer memory in use that says otherwise than this one, if any."""
    is_directive: bool | None = None
    """Whether a memory orders an assistant, as judged when it was written."""
    reference_time: datetime | None = None
    """From when a plan or an age in a memory counts, which was confirmed at `at`; None
    for what is no memory."""
    signals: Mapping[str, float] = field(default_factory=dict[str, float])
    """What the score is the sum of, by name; see `search.rank.RowScores`."""
