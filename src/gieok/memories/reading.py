"""How far what was said in a session has been read."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Self
from uuid import UUID

from gieok.database import ConversationPaused, SessionClosed, Transaction
from gieok.kernel.language import Category
from gieok.sessions import Session

EXTRACTION_EVENTS: Final = (ConversationPaused.name, SessionClosed.name)
"""The events that extraction follows."""


class ReadingState(StrEnum):
    """Whether what was said in a session has been read."""

    PENDING = "pending"
    """Some of it waits to be read."""
    READ = "read"
    FAILED = "failed"
    """Some of it waits, and every try failed: the jobs say why. It is tried hourly."""
    OFF = "off"
    """The person does not let anything be extracted."""


@dataclass(frozen=True, slots=True)
class ReadingProgress:
    """How far what was said in a session has been read.

    `not_kept` counts findings of categories that the person's settings do not allow.
    """

    state: ReadingState
    unread_count: int
    not_kept: Mapping[Category, int]

    @classmethod
    def from_session(cls, session: Session, *, is_on: bool, gave_up: bool) -> Self:
        """Return how far a session has been read; `gave_up` where every try failed."""
        state = ReadingState.READ
        if not is_on:
            state = ReadingState.OFF
        elif session.unread_count:
            state = ReadingState.FAILED if gave_up else ReadingState.PENDING
        counts = {Category(name): count for name, count in session.not_kept.items()}
        return cls(state, session.unread_count, counts)


async def has_extraction_failed(tx: Transaction, session_id: UUID) -> bool:
    """Tell whether a job that would read a session failed for good and none is left."""
    row = await tx.fetch_one(
        """
        SELECT bool_or(status = 'failed') AND NOT bool_or(status IN ('todo', 'doing'))
        FROM procrastinate_jobs
        WHERE status IN ('todo', 'doing', 'failed') AND task_name = ANY(%s)
          AND args = jsonb_build_object('user_id', %s::uuid, 'about', %s::uuid)
        """,
        [list(EXTRACTION_EVENTS), tx.scope.user_id, session_id],
    )
    return bool(row and row[0])
