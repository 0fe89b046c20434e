"""Episodes: what one conversation was about (E06)."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from gieok.kernel.language import Emotion, Gist


class ArchivedReason(StrEnum):
    """Why an episode is no longer among those a prompt may get."""

    REQUEST = "user_request"
    PLAN = "plan_limit"
    TOPIC = "same_topic"


@dataclass(frozen=True, slots=True)
class Episode:
    """What one conversation was about, of one persona or of none.

    `importance` is 1 to 10. `edited` names the fields a person wrote: a newer summary
    of the session leaves those alone. "archived_at" is among them once it was
    put back. `first_position` (included) to `end_position` (excluded) are the messages
    it sums up; None where a person wrote all of it. `said_at` is when the last of them
    was said.
    """

    episode_id: UUID
    persona_id: UUID | None
    session_id: UUID | None
    revision: int
    summary: str
    topics: tuple[str, ...]
    tags: tuple[str, ...]
    emotion: Emotion
    importance: int
    source_message_ids: tuple[UUID, ...]
    first_position: int | None
    end_position: int | None
    summarizer: str
    is_fallback: bool
    edited: tuple[str, ...]
    said_at: datetime
    created_at: datetime
    updated_at: datetime
    archived_at: datetime | None = None
    archived_reason: ArchivedReason | None = None

    @property
    def is_active(self) -> bool:
        """Whether a prompt may get it."""
        return self.archived_at is None

    @property
    def is_edited(self) -> bool:
        """Whether its summary is a person's own words."""
        return "summary" in self.edited

    @property
    def is_restored(self) -> bool:
        """Whether a person put it back: it stays beside what is about the same."""
        return "archived_at" in self.edited

    @property
    def words(self) -> tuple[str, ...]:
        """All texts in it."""
        return (self.summary, *self.topics, *self.tags)


@dataclass(frozen=True, slots=True)
class EpisodeDraft:
    """What an episode is to say, and what it rests on."""

    persona_id: UUID | None
    session_id: UUID | None
    gist: Gist
    summarizer: str
    is_fallback: bool
    said_at: datetime | None = None
    edited: tuple[str, ...] = ()
    source_message_ids: tuple[UUID, ...] = ()
    first_position: int | None = None
    end_position: int | None = None


@dataclass(frozen=True, slots=True)
class SavedEpisode:
    """An episode that was kept, and those that gave way to it (E16).

    `format_notice` is what to tell the person, in their language, if there is anything.
    """

    episode: Episode
    archived: tuple[Episode, ...] = ()
    notice: str | None = None


@dataclass(frozen=True, slots=True)
class EpisodePage:
    """Some episodes, and how many there are in all (E11)."""

    episodes: tuple[Episode, ...]
    total: int
    has_more: bool
