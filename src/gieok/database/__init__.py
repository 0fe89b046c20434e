"""PostgreSQL: transactions with row security, the change feed, audit and jobs."""

from gieok.database.agenda import Agenda, expect
from gieok.database.events import (
    AnonymousEnded,
    ConsentWithdrawn,
    ConversationPaused,
    Event,
    ExportsExpired,
    ForgettingRequested,
    GroundMoved,
    ItemsExpired,
    KeyOutdated,
    MemoriesForgotten,
    PeriodEnded,
    RetentionEnded,
    SessionClosed,
    SessionsRested,
    SummariesExpired,
    SummaryOwed,
    TurnsRecorded,
    VectorMissing,
)
from gieok.database.jobs import Job, Jobs
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
    "GroundMoved",
    "ItemsExpired",
    "Job",
    "Jobs",
    "KeyOutdated",
    "MemoriesForgotten",
    "NoRowError",
    "PeriodEnded",
    "RetentionEnded",
    "SessionClosed",
    "SessionsRested",
    "SummariesExpired",
    "SummaryOwed",
    "Transaction",
    "TurnsRecorded",
    "VectorMissing",
    "expect",
]
