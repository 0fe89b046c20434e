"""What a cache may hold of a session (B09), and the note that one was read."""

from dataclasses import fields
from typing import Final
from uuid import UUID

from gieok.cache import SessionRecord
from gieok.database import Audit, Transaction
from gieok.sessions.model import Session

_SHARED: Final = {field.name for field in fields(SessionRecord)} - {"user_id"}


def build_record(user_id: UUID, session: Session) -> SessionRecord:
    """Return what a cache holds of a session."""
    shared = {name: getattr(session, name) for name in _SHARED}
    return SessionRecord(user_id=user_id, **shared)


def audit_access(tx: Transaction, session_id: UUID, reason: str, count: int) -> None:
    """Note in the audit log that what was said in a session was read (D16)."""
    tx.record_audit(
        Audit("access", "session_messages", session_id, reason, {"n": count})
    )
