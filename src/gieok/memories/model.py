"""Memories and candidates (D01, A05, A06) and what happened to them (D03)."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from gieok.kernel.language import Category, Vectors
from gieok.memories.decay import FLOOR, decay_confidence
from gieok.memories.lapse import (
    find_ages,
    find_plan_end,
    is_date_dependent,
    is_lapsed,
    is_over,
    render_as_of,
)


class SourceType(StrEnum):
    """How a memory came to be (D01)."""

    EXPLICIT = "explicit"
    """The person, or an app on their behalf, asked for it to be remembered."""
    INFERRED = "inferred"
    """Extraction found it in what they said."""
    SYSTEM = "system"
    """The system collected it."""


class Trust(StrEnum):
    """How far a memory is trusted, least first: what it rests on."""

    OBSERVED = "observed"
    IMPORT = "import"
    """It came in with a file, whatever the file says of it."""
    STATED = "stated"
    REQUESTED = "requested"
    """The person, or an app on their behalf, asked for it to be kept."""
    CONFIRMED = "confirmed"
    """The person reviewed it."""

    @property
    def rank(self) -> int:
        """Its place, 0 for the least."""
        return list(Trust).index(self)

    @property
    def is_high(self) -> bool:
        """Whether the person asked for it, or reviewed it."""
        return self.rank >= Trust.REQUESTED.rank

    def can_be_contradicted_by(self, other: "Trust") -> bool:
        """Tell whether what rests on less or more may say that it is not so any more.

        What the person asked for gives way to their own plain words, what they
        reviewed to their request alone.
        """
        if self is Trust.CONFIRMED:
            return other.is_high
        return other.rank >= Trust.STATED.rank or not self.is_high


def merge_trust(before: Trust, later: Trust) -> Trust:
    """Return how far a memory is trusted that is found again.

    What came in with a file stays an import until the person asks for or reviews it:
    its category is still the file's.
    """
    if before is Trust.IMPORT and not later.is_high:
        return before
    return max(before, later, key=lambda trust: trust.rank)


class QuarantineReason(StrEnum):
    """Why a candidate is confirmed by review alone, however often it is repeated."""

    SUSPICIOUS = "suspicious"
    """It, or what was said, reads as an instruction to the assistant."""
    HIGH_IMPACT = "high_impact"
    """It is about money, a dose, access or somebody else, and was not plainly said of
    oneself."""
    CONTRADICTION = "contradiction"
    """It contradicts what the person reviewed, or asked for without saying it."""
    INFLUENCE = "influence"
    """Its session has had its share of memories."""
    AMBIGUOUS = "ambiguous"
    """The person asked to forget or change something, and this may not be it."""


class Trigger(StrEnum):
    """What caused a step in the life of a memory (D03).

    Decay causes none: a confidence that fades is computed when it is asked for, and
    the memory it makes the weakest gives way by `capacity`.
    """

    LLM_EXTRACTION = "llm_extraction"
    RULES_EXTRACTION = "rules_extraction"
    USER_REQUEST = "user_request"
    USER_REVIEW = "user_review"
    RETENTION = "retention"
    CAPACITY = "capacity"
    ROLLBACK = "rollback"

    @classmethod
    def from_model(cls, model: str) -> "Trigger":
        """Return the trigger of what a model of this name found."""
        is_rules = model.partition("/")[0] == "rules"
        return cls.RULES_EXTRACTION if is_rules else cls.LLM_EXTRACTION


class DeletePolicy(StrEnum):
    """What becomes of a memory once its time is over (A06)."""

    USER_DELETE = "user_delete"
    """It is out of use, and stays until the person deletes it."""
    RETENTION_EXPIRE = "retention_expire"
    """It is erased."""
    MANUAL_REVIEW = "manual_review"
    """The person is asked, by a candidate."""

    @property
    def strictness(self) -> int:
        """How soon nothing is left of it, 0 for the least."""
        policies = DeletePolicy
        order = (
            policies.USER_DELETE,
            policies.MANUAL_REVIEW,
            policies.RETENTION_EXPIRE,
        )
        return order.index(self)


@dataclass(frozen=True, slots=True)
class Memory:
    """One confirmed fact about a person.

    `confidence` is as last confirmed; `confidence_at` says what time has left of it.
    `preview` is the first 100 characters of what was said. `subcategory` names the part
    of a person's life it is about (`home`, `work`, `pet` …), where that is plain.
    `relevance_score` is how far it bore on the question of the last prompt that had it:
    from 0 to 1, the share of a normal spread of memories that bear on it less; 0 until
    then. One that the person pinned (`is_pinned`) does not fade, and stands first in
    every prompt.
    """

    memory_id: UUID
    revision: int
    content: str
    category: Category
    confidence: float
    source_type: SourceType
    source_session_id: UUID | None
    source_message_ids: tuple[UUID, ...]
    source_candidate_ids: tuple[UUID, ...]
    preview: str | None
    extractor: str
    usage_count: int
    last_used_at: datetime | None
    last_confirmed_at: datetime
    """When it was last said or confirmed, which may be long before that was read."""
    expires_at: datetime | None
    superseded_by: UUID | None
    inactive_reason: str | None
    created_at: datetime
    updated_at: datetime
    is_active: bool
    trust: Trust = Trust.STATED
    delete_policy: DeletePolicy = DeletePolicy.USER_DELETE
    subcategory: str | None = None
    relevance_score: float = 0.0
    is_pinned: bool = False
    contradicted_by: UUID | None = None
    """A newer memory in use that says otherwise, or what took its place since, though
    nobody said that this one is over: both stand, and a prompt has the newer."""
    is_directive: bool | None = None
    """Whether it orders an assistant, as the guard judged when it was written; None
    where it did not."""
    time_zone: str = "UTC"
    """The person's IANA zone: which day something was said goes by it."""
    worded_at: datetime | None = None
    """When it was said in these words, where it was confirmed since; None if that is
    when it was last confirmed."""

    @property
    def is_learned(self) -> bool:
        """Whether talk alone led to it; else the person wrote or imported it."""
        return self.trust in (Trust.OBSERVED, Trust.STATED)

    def is_in_use(self, now: datetime) -> bool:
        """Tell whether it is in use and its time has not passed."""
        return self.is_active and (self.expires_at is None or self.expires_at > now)

    @property
    def last_touched(self) -> datetime:
        """When it was last used, confirmed or learned."""
        touched = max(self.last_confirmed_at, self.created_at)
        return max(self.last_used_at or touched, touched)

    @property
    def reference_time(self) -> datetime:
        """From when plans and ages in it count; of all else, when it was last said."""
        worded = self.worded_at
        if worded is None or not is_date_dependent(self.content, self._get_day(worded)):
            return self.last_confirmed_at
        return worded

    @property
    def reference_day(self) -> date:
        """The person's own day of `reference_time`: a prompt dates it so."""
        return self._get_day(self.reference_time)

    def find_worded_at(self, again: str, at: datetime) -> datetime | None:
        """Return `worded_at` once words of a time confirm it.

        None if they are the newest and say its ages anew; words that are read late are
        of the time at which they were said. A plan is of the day on which it was made,
        whoever repeats it.
        """
        worded = self.worded_at or self.last_confirmed_at
        ages, said = find_ages(self.content), self.reference_time
        is_plan = find_plan_end(self.content, self._get_day(said)) is not None
        if ages and not is_plan and ages <= find_ages(again):
            return None if at >= self.last_confirmed_at else max(worded, at)
        return worded

    def confidence_at(self, now: datetime) -> float:
        """Return what time has left of its confidence (D06): all of it if pinned.

        Of a plan whose day has long passed nothing is left but the least.
        """
        if self.is_pinned:
            return self.confidence
        if is_lapsed(self.content, self.reference_day, self._get_day(now)):
            return min(self.confidence, FLOOR)
        return decay_confidence(self.confidence, self.last_touched, now)

    def is_over_at(self, now: datetime) -> bool:
        """Tell whether it was of a time that has passed: what was before is true."""
        return is_over(self.content, self.reference_day, self._get_day(now))

    def render_at(self, now: datetime) -> str:
        """Return its content as it is to be told: plans past, ages with their year."""
        return render_as_of(self.content, self.reference_day, self._get_day(now))

    def _get_day(self, at: datetime) -> date:
        """Return the person's own day."""
        return at.astimezone(ZoneInfo(self.time_zone)).date()


class PossibleMention(NamedTuple):
    """Something said that a wish to forget may mean, and is to be asked about."""

    content: str
    confidence: float
    message_ids: tuple[UUID, ...]
    """The message, what repeats it, and the replies that repeat a word of it."""


class Embedding(NamedTuple):
    """A vector and the embedder it came from; only vectors of one kind compare."""

    embedder: str
    vector: Vectors


@dataclass(frozen=True, slots=True)
class Fact:
    """A memory with its vector, as consolidation and recall see it."""

    memory: Memory
    embedding: Embedding | None


@dataclass(frozen=True, slots=True)
class ListRequest:
    """Which memories are listed, and in which order."""

    only_active: bool
    limit: int
    offset: int
    category: Category | None = None
    """Only of this one."""
    by_use: bool = False
    """Those that prompts had most often first, instead of the newest."""

    @property
    def is_cacheable(self) -> bool:
        """Whether a cache may hold it: no number says that an order by use changed."""
        return not self.by_use


@dataclass(frozen=True, slots=True)
class MemoryGrowth:
    """How what is known came about, and what of it is used (D14)."""

    starts: tuple[datetime, ...]
    counts: tuple[int, ...]
    """How many in use came before the first start, and from each to the next."""
    most_used: tuple[Memory, ...]
    """Memories that prompts had most often."""

    def count_between(self, since: datetime | None, until: datetime | None) -> int:
        """Return how many came from one start on and before another; None is open."""
        first = 0 if since is None else self.starts.index(since) + 1
        last = None if until is None else self.starts.index(until) + 1
        return sum(self.counts[first:last])
