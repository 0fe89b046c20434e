"""What a session, a day or a week was about (A02, A03, A04)."""

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Final
from uuid import UUID

from gieok.kernel.language import Gist

FALLBACK: Final = "fallback/1"
"""The summarizer of a fallback that is kept while the model is away."""
ORIGINAL: Final = "original/1"
"""The summarizer of a fallback that is kept for good: the model refuses to summarize
it, or what was said is no longer kept."""
_FALLBACKS: Final = {FALLBACK, ORIGINAL}


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """What one session was about.

    It rests on the messages before `end_position`; `message_ids` are those that were
    read, and the gist's evidence counts in them from 0. A fallback is the beginning of
    the original (E15), kept while the model is away, or for good where it refuses.
    """

    session_id: UUID
    gist: Gist
    summarizer: str
    message_ids: tuple[UUID, ...]
    first_position: int
    end_position: int
    updated_at: datetime
    revision: int

    @property
    def is_fallback(self) -> bool:
        """Whether it is a part of the original, as no model summarized it."""
        return self.summarizer in _FALLBACKS

    @property
    def needs_model(self) -> bool:
        """Whether the model was away when it was made, and is to be asked again."""
        return self.summarizer == FALLBACK


@dataclass(frozen=True, slots=True)
class DaySummary:
    """What one day was about: the sessions that began on it (A03).

    `device_id` is set when all of them came from one device; `importance` is that of
    the most important one.
    """

    summary_id: UUID
    date_key: date
    device_id: UUID | None
    text: str
    open_tasks: tuple[str, ...]
    recent_preferences: tuple[str, ...]
    topics: tuple[str, ...]
    importance: int
    source_session_ids: tuple[UUID, ...]
    summarizer: str
    created_at: datetime
    updated_at: datetime
    expires_at: datetime
    revision: int
    source_digest: bytes = field(default=b"", repr=False)
    """Digest of the summaries of sessions it rests on."""

    @property
    def is_fallback(self) -> bool:
        """Whether it, or a summary that it rests on, is a part of the original."""
        return self.summarizer in _FALLBACKS

    @property
    def needs_model(self) -> bool:
        """Whether the model was away when it, or a summary it rests on, was made."""
        return self.summarizer == FALLBACK


@dataclass(frozen=True, slots=True)
class UsagePattern:
    """What was asked for again and again at one time of day; `text` says it."""

    device_id: UUID | None
    route_family: str | None
    band: str
    """"night" (0 to 6 o'clock), "morning", "afternoon" or "evening" (18 to 24)."""
    count: int
    days: int
    text: str


@dataclass(frozen=True, slots=True)
class WeekSummary:
    """What one ISO week was about (A04)."""

    summary_id: UUID
    week_key: str
    text: str
    repeated_topics: tuple[str, ...]
    device_usage_patterns: tuple[UsagePattern, ...]
    unresolved_items: tuple[str, ...]
    source_summary_ids: tuple[UUID, ...]
    summarizer: str
    created_at: datetime
    updated_at: datetime
    expires_at: datetime
    revision: int
    source_digest: bytes = field(default=b"", repr=False)
    """Digest of the summaries of sessions it rests on."""

    @property
    def is_fallback(self) -> bool:
        """Whether it, or a summary that it rests on, is a part of the original."""
        return self.summarizer in _FALLBACKS

    @property
    def needs_model(self) -> bool:
        """Whether the model was away when it, or a summary it rests on, was made."""
        return self.summarizer == FALLBACK


@dataclass(frozen=True, slots=True)
class SessionSources:
    """What a session's summary rests on: what there is, and what was summarized."""

    session_id: UUID
    created_at: datetime
    device_id: UUID | None
    is_open: bool
    withheld: range
    """Positions of what was said while memory was off."""
    message_count: int
    summarized_count: int
    revision: int
    summary: SessionSummary | None
    forgotten: frozenset[UUID]

    @property
    def is_erased(self) -> bool:
        """Whether the summary rests on a message that was forgotten since."""
        read = self.summary.message_ids if self.summary else ()
        return not self.forgotten.isdisjoint(read)

    @property
    def is_current(self) -> bool:
        """Whether the summary still says what the session holds."""
        if self.message_count != self.summarized_count or self.is_erased:
            return False
        return self.summary is None or not self.summary.needs_model

    @property
    def usable_summary(self) -> SessionSummary | None:
        """The summary, if it says something that may still be said."""
        if self.summary is None or self.is_erased:
            return None
        return self.summary if self.summary.gist.summary else None


@dataclass(frozen=True, slots=True)
class PeriodFingerprint:
    """What a kept day or week rests on, without its content."""

    fingerprint: bytes
    needs_model: bool


def is_up_to_date(
    kept: DaySummary | WeekSummary | None, source_digest: bytes, *, asks: bool
) -> bool:
    """Tell whether what is kept still says all there is of its sources.

    What needs the model does as long as that is away, that is without `asks`.
    """
    if kept is None or kept.source_digest != source_digest:
        return False
    return not (asks and kept.needs_model)
