"""What happened, in the past tense; each becomes one job in the same transaction.

`gieok.worker` says in one table what follows each of them. An event names people and
things by id, never by content.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to one person's data; at most one waits for the same."""

    name: ClassVar[str]

    user_id: UUID
    about: UUID
    """The session it happened in; the person, if it is about no session."""
    due: datetime | None = None
    """When to act on it; None means as soon as a worker is free."""


@dataclass(frozen=True, slots=True)
class AgendaEvent(Event):
    """Something that comes due for a person: it is entered in the agenda.

    Nothing but its job enters the next one.
    """


@dataclass(frozen=True, slots=True)
class TurnsRecorded(Event):
    """Messages were recorded that nobody has made searchable yet."""

    name = "turns_recorded"


@dataclass(frozen=True, slots=True)
class ConversationPaused(Event):
    """Messages wait for extraction and the conversation may have come to rest."""

    name = "conversation_paused"


@dataclass(frozen=True, slots=True)
class VectorMissing(Event):
    """A memory was kept without its vector, as nobody could make one then."""

    name = "vector_missing"


@dataclass(frozen=True, slots=True)
class SessionClosed(Event):
    """A session came to its end."""

    name = "session_closed"


@dataclass(frozen=True, slots=True)
class SummaryPending(Event):
    """Somebody who waited for a summary got a part of the original instead."""

    name = "summary_pending"


@dataclass(frozen=True, slots=True)
class SourcesChanged(Event):
    """Something that summaries rest on came late, was changed or was erased."""

    name = "sources_changed"


@dataclass(frozen=True, slots=True)
class ReadingFailed(AgendaEvent):
    """Every try to read what was said in a session failed: it is read later."""

    name = "reading_failed"


@dataclass(frozen=True, slots=True)
class SessionsMayBeIdle(AgendaEvent):
    """The time came at which a session may have been idle long enough to be over."""

    name = "sessions_may_be_idle"


@dataclass(frozen=True, slots=True)
class PeriodEnded(AgendaEvent):
    """A day or a week of the person's, in their time zone, came to its end."""

    name = "period_ended"


@dataclass(frozen=True, slots=True)
class SummariesExpired(AgendaEvent):
    """The time came at which a summary of a day or week is no longer kept."""

    name = "summaries_expired"


@dataclass(frozen=True, slots=True)
class RetentionEnded(AgendaEvent):
    """The time came at which something raw or a memory is no longer kept."""

    name = "retention_ended"


@dataclass(frozen=True, slots=True)
class DefaultsChanged(AgendaEvent):
    """Other spans hold by default than those by which what is kept ends."""

    name = "defaults_changed"


@dataclass(frozen=True, slots=True)
class DefaultCategoriesChanged(AgendaEvent):
    """Other categories hold by default: devices may hold more or less than before."""

    name = "default_categories_changed"


@dataclass(frozen=True, slots=True)
class ConsentWithdrawn(AgendaEvent):
    """The person no longer agrees to a purpose: what was kept for it goes."""

    name = "consent_withdrawn"


@dataclass(frozen=True, slots=True)
class ItemsExpired(AgendaEvent):
    """The time came at which an item of the person's store is no longer kept."""

    name = "items_expired"


@dataclass(frozen=True, slots=True)
class MemoryLimitLowered(Event):
    """The person allows fewer memories in use than before."""

    name = "memory_limit_lowered"


@dataclass(frozen=True, slots=True)
class MemoriesForgotten(Event):
    """Memories were erased that have no receipt yet."""

    name = "memories_forgotten"


@dataclass(frozen=True, slots=True)
class ForgettingRequested(AgendaEvent):
    """The person asked to forget something; what they said of it has to be found.

    It comes again when memory is switched on, as nothing is found while it is off.
    """

    name = "forgetting_requested"


@dataclass(frozen=True, slots=True)
class KeyOutdated(AgendaEvent):
    """The person's key still opens, in backups, what was erased."""

    name = "key_outdated"


@dataclass(frozen=True, slots=True)
class ExportsExpired(AgendaEvent):
    """The time came at which an export is no longer kept."""

    name = "exports_expired"


@dataclass(frozen=True, slots=True)
class ErasurePending(AgendaEvent):
    """A person is being erased, and a store outside the database did not answer."""

    name = "erasure_pending"


@dataclass(frozen=True, slots=True)
class AnonymousEnded(AgendaEvent):
    """The time came at which an anonymous session goes, and its person with it."""

    name = "anonymous_ended"
