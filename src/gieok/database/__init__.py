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
from gieok.database.transaction import Database, Transaction

__all__ = [
    "Audit",
    "Change",
    "ConversationPaused",
    "Database",
    "Event",
    "Job",
    "Jobs",
    "SessionClosed",
    "Transaction",
    "TurnsRecorded",
    "VectorMissing",
]
