"""PostgreSQL: transactions with row security, the change feed, audit and jobs."""

from gieok.database.events import (
    ConversationPaused,
    Event,
    SessionClosed,
    TurnsRecorded,
    VectorMissing,
)
from gieok.database.jobs import Job, Jobs
from gieok.database.journal import Audit, Change
from gieok.database.transaction import Cursor, Database, NoRowError, Transaction

__all__ = [
    "Audit",
    "Change",
    "ConversationPaused",
    "Cursor",
    "Database",
    "Event",
    "Job",
    "Jobs",
    "NoRowError",
    "SessionClosed",
    "Transaction",
    "TurnsRecorded",
    "VectorMissing",
]
