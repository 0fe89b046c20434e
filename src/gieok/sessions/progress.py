"""What is new in a session, and what of it a cache may hold (B09, B10)."""

from dataclasses import fields
from typing import TYPE_CHECKING, Final
from uuid import UUID

from gieok.cache import SessionRecord
from gieok.database import Audit, Transaction
from gieok.kernel.scope import Scope
from gieok.sessions import store, transitions
from gieok.sessions.model import Session, Transcript

if TYPE_CHECKING:
    from gieok.sessions.service import Sessions

AT_ONCE: Final = 20
"""Most messages given at once, each of up to 1 MB."""
_SHARED: Final = {field.name for field in fields(SessionRecord)} - {"user_id"}


async def read_new_messages(
    sessions: "Sessions", scope: Scope, session_id: UUID, after: int
) -> Transcript:
    """Return a session and its messages after a position, at most the next 20.

    Raises:
        NotFoundError: the person has no such session.
        DatabaseUnavailableError: PostgreSQL does not answer.
    """
    key = await sessions.vault.get_key(scope)
    async with sessions.database.begin(scope, durable=False) as tx:
        session = await transitions.get_session(tx, session_id)
        start = after + 1
        stop = min(start + AT_ONCE, session.message_count)
        if start >= stop:
            return Transcript(session, ())
        messages = await store.list_messages(
            tx, key, session_id, start=start, stop=stop
        )
        audit_access(tx, session_id, "follow", len(messages))
    return Transcript(session, tuple(messages))


def build_record(user_id: UUID, session: Session) -> SessionRecord:
    """Return what a cache holds of a session."""
    shared = {name: getattr(session, name) for name in _SHARED}
    return SessionRecord(user_id=user_id, **shared)


def audit_access(tx: Transaction, session_id: UUID, reason: str, count: int) -> None:
    """Note in the audit log that what was said in a session was read (D16)."""
    tx.record_audit(
        Audit("access", "session_messages", session_id, reason, {"n": count})
    )
