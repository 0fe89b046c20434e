"""PostgreSQL: transactions with row security, the change feed, audit and jobs."""

from gieok.database.agenda import Agenda, schedule_event
from gieok.database.events import (
    AnonymousEnded,
    ConsentWithdrawn,
    ConversationPaused,
    Event,
    ExportsExpired,
    ForgettingRequested,
    ItemsExpired,
    KeyOutdated,
    MemoriesForgotten,
    PeriodEnded,
    RetentionEnded,
    SessionClosed,
    SessionsMayBeIdle,
    SourcesChanged,
    SummariesExpired,
    SummaryOwed,
    TurnsRecorded,
    VectorMissing,
)
from gieok.database.jobs import Job, Jobs, QueueLine
from gieok.database.journal import Audit, Change
from gieok.database.transaction import Cursor, Database, NoRowError, Transaction

__all__ = [
    "Agenda",
    "AnonymousEnded",
    "Audit",
    "Change",
    "ConsentWithdrawn",
    "ConversationPaused",
    "Cursor",
    "Database",
    "Event",
    "ExportsExpired",
    "ForgettingRequested",
    "ItemsExpired",
    "Job",
    "Jobs",
    "KeyOutdated",
    "MemoriesForgotten",
    "NoRowError",
    "PeriodEnded",
    "QueueLine",
    "RetentionEnded",
    "SessionClosed",
    "SessionsMayBeIdle",
    "SourcesChanged",
    "SummariesExpired",
    "SummaryOwed",
    "Transaction",
    "TurnsRecorded",
    "VectorMissing",
    "schedule_event",
]
