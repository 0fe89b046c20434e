"""What is new in a session (B10)."""

from typing import TYPE_CHECKING, Final
from uuid import UUID

from gieok.kernel.scope import Scope
from gieok.sessions import message_store, transitions
from gieok.sessions.model import Transcript
from gieok.sessions.progress import audit_access

if TYPE_CHECKING:
    from gieok.sessions.service import Sessions

AT_ONCE: Final = 20
"""Most messages given at once, each of up to 1 MB."""


async def read_new_messages(
    sessions: "Sessions", scope: Scope, session_id: UUID, after: int
) -> Transcript:
    """Return a session and its messages after a position, at most the next 20.

    Raises:
        NotFoundError: the person has no such session.
        DatabaseUnavailableError: PostgreSQL does not answer.
    """
    key = await sessions.vault.get_reading_key(scope)
    async with sessions.database.begin(scope, durable=False) as tx:
        session = await transitions.get_session(tx, session_id)
        start = after + 1
        stop = min(start + AT_ONCE, session.message_count)
        if start >= stop:
            return Transcript(session, ())
        messages = await message_store.list_messages(
            tx, key, session_id, start=start, stop=stop
        )
        audit_access(tx, session_id, "follow", len(messages))
    return Transcript(session, tuple(messages))
