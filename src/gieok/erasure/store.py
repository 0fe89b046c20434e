"""SQL of what goes with sessions: one function, one statement."""

from collections.abc import Sequence
from typing import LiteralString
from uuid import UUID

from gieok.database import (
    ConversationPaused,
    SessionClosed,
    Transaction,
    TurnsRecorded,
)

ABOUT_SESSIONS = (TurnsRecorded.name, ConversationPaused.name, SessionClosed.name)
"""Jobs that only make sense while their session is there."""


async def lock_sessions(tx: Transaction, session_ids: Sequence[UUID]) -> set[UUID]:
    """Lock sessions and those that they continue or are continued by.

    Returns which there are.
    """
    rows = await tx.fetch_all(
        """
        SELECT session_id FROM sessions
        WHERE user_id = %(user_id)s AND session_id IN (
            SELECT unnest(ARRAY[session_id, continues, continued_by]) FROM sessions
            WHERE user_id = %(user_id)s AND session_id = ANY(%(ids)s)
        )
        ORDER BY session_id FOR UPDATE
        """,
        {"user_id": tx.scope.user_id, "ids": list(session_ids)},
    )
    return {row[0] for row in rows}


async def list_persona_sessions(tx: Transaction, persona_id: UUID) -> list[UUID]:
    """Return the person's sessions with a persona."""
    return await _fetch_ids(
        tx,
        "SELECT session_id FROM sessions WHERE user_id = %(user_id)s "
        "AND persona_id = %(persona_id)s",
        {"persona_id": persona_id},
    )


async def list_device_sessions(tx: Transaction, device_id: UUID) -> list[UUID]:
    """Return the person's sessions on a device."""
    return await _fetch_ids(
        tx,
        "SELECT session_id FROM sessions WHERE user_id = %(user_id)s "
        "AND device_id = %(device_id)s",
        {"device_id": device_id},
    )


async def list_messages(tx: Transaction, session_ids: Sequence[UUID]) -> list[UUID]:
    """Return the messages of sessions."""
    return await _fetch_ids(
        tx,
        "SELECT message_id FROM session_messages WHERE user_id = %(user_id)s "
        "AND session_id = ANY(%(session_ids)s)",
        {"session_ids": list(session_ids)},
    )


async def list_pairs(tx: Transaction, session_ids: Sequence[UUID]) -> list[UUID]:
    """Return the pairs of sessions."""
    return await _fetch_ids(
        tx,
        "SELECT pair_id FROM conversation_pairs WHERE user_id = %(user_id)s "
        "AND session_id = ANY(%(session_ids)s)",
        {"session_ids": list(session_ids)},
    )


async def list_episodes(tx: Transaction, message_ids: Sequence[UUID]) -> list[UUID]:
    """Return the episodes that rest on any of these messages."""
    return await _fetch_ids(
        tx,
        "SELECT episode_id FROM episodes WHERE user_id = %(user_id)s "
        "AND source_message_ids && %(message_ids)s::uuid[]",
        {"message_ids": list(message_ids)},
    )


async def list_all_episodes(tx: Transaction) -> list[UUID]:
    """Return all of the person's episodes."""
    return await _fetch_ids(
        tx, "SELECT episode_id FROM episodes WHERE user_id = %(user_id)s", {}
    )


async def relink_sessions(tx: Transaction, session_ids: Sequence[UUID]) -> None:
    """Let what a session continues be continued by what continues the session."""
    await tx.execute(
        """
        UPDATE sessions AS kept SET
            continued_by = CASE WHEN kept.continued_by = gone.session_id
                THEN gone.continued_by ELSE kept.continued_by END,
            continues = CASE WHEN kept.continues = gone.session_id
                THEN gone.continues ELSE kept.continues END
        FROM sessions AS gone
        WHERE kept.user_id = %(user_id)s AND gone.user_id = %(user_id)s
          AND gone.session_id = ANY(%(session_ids)s)
          AND kept.session_id IN (gone.continues, gone.continued_by)
        """,
        {"user_id": tx.scope.user_id, "session_ids": list(session_ids)},
    )


async def delete_sessions(tx: Transaction, session_ids: Sequence[UUID]) -> None:
    """Remove sessions with their messages, pairs and search entries."""
    await tx.execute(
        "DELETE FROM sessions WHERE user_id = %s AND session_id = ANY(%s)",
        [tx.scope.user_id, list(session_ids)],
    )


async def delete_jobs(tx: Transaction, session_ids: Sequence[UUID]) -> None:
    """Remove the jobs that wait for these sessions."""
    person = tx.scope.user_id
    await tx.execute(
        """
        DELETE FROM procrastinate_jobs
        WHERE status = 'todo' AND queueing_lock = ANY(%s)
        """,
        [
            [
                f"{name}:{person}:{each}"
                for name in ABOUT_SESSIONS
                for each in session_ids
            ]
        ],
    )


async def _fetch_ids(
    tx: Transaction, statement: LiteralString, values: dict[str, object]
) -> list[UUID]:
    rows = await tx.fetch_all(statement, {"user_id": tx.scope.user_id} | values)
    return [row[0] for row in rows]
