"""SQL of what goes with sessions and messages: one function, one statement."""

from collections.abc import Sequence
from datetime import datetime
from typing import LiteralString
from uuid import UUID

from gieok.database import Transaction


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


async def relink_sessions(tx: Transaction, session_ids: Sequence[UUID]) -> None:
    """Link what stays of conversations from which sessions go, past all of those."""
    await tx.execute(
        """
        WITH RECURSIVE gone AS (
            SELECT session_id, continues, continued_by FROM sessions
            WHERE user_id = %(user_id)s AND session_id = ANY(%(session_ids)s)
        ), later AS (
            SELECT session_id, continued_by AS next FROM gone
            UNION
            SELECT later.session_id, gone.continued_by
            FROM later JOIN gone ON gone.session_id = later.next
        ), earlier AS (
            SELECT session_id, continues AS previous FROM gone
            UNION
            SELECT earlier.session_id, gone.continues
            FROM earlier JOIN gone ON gone.session_id = earlier.previous
        )
        UPDATE sessions AS kept SET
            continued_by = CASE WHEN kept.continued_by = ANY(%(session_ids)s)
                THEN (SELECT next FROM later WHERE session_id = kept.continued_by
                      AND next <> ALL(%(session_ids)s))
                ELSE kept.continued_by END,
            continues = CASE WHEN kept.continues = ANY(%(session_ids)s)
                THEN (SELECT previous FROM earlier WHERE session_id = kept.continues
                      AND previous <> ALL(%(session_ids)s))
                ELSE kept.continues END
        WHERE user_id = %(user_id)s AND session_id <> ALL(%(session_ids)s)
          AND session_id IN (SELECT unnest(ARRAY[continues, continued_by]) FROM gone)
        """,
        {"user_id": tx.scope.user_id, "session_ids": list(session_ids)},
    )


async def delete_sessions(tx: Transaction, session_ids: Sequence[UUID]) -> None:
    """Remove sessions with their messages, pairs and search entries."""
    await tx.execute(
        "DELETE FROM sessions WHERE user_id = %s AND session_id = ANY(%s)",
        [tx.scope.user_id, list(session_ids)],
    )


async def lock_sessions_before(
    tx: Transaction, before: datetime, until: datetime, most: int
) -> list[UUID]:
    """Lock sessions that hold messages from before a time; return which.

    What belongs to a pair that was to be kept `until` then, or longer, does not count.
    """
    return await tx.fetch_column(
        """
        SELECT session_id FROM sessions
        WHERE user_id = %(user_id)s AND session_id IN (
            SELECT session_id FROM session_messages AS said
            WHERE user_id = %(user_id)s AND created_at <= %(before)s AND NOT EXISTS (
                SELECT FROM conversation_pairs AS kept
                WHERE kept.user_id = said.user_id
                  AND kept.session_id = said.session_id
                  AND said.message_id IN (user_message_id, assistant_message_id)
                  AND retention_until > %(until)s
            )
            LIMIT %(most)s
        )
        ORDER BY session_id FOR UPDATE
        """,
        {
            "user_id": tx.scope.user_id,
            "before": before,
            "until": until,
            "most": most,
        },
    )


async def delete_pairs(
    tx: Transaction, session_ids: list[UUID], until: datetime
) -> list[UUID]:
    """Remove the pairs of these sessions that were kept until then; return them."""
    return await tx.fetch_column(
        """
        DELETE FROM conversation_pairs
        WHERE user_id = %s AND session_id = ANY(%s) AND retention_until <= %s
        RETURNING pair_id
        """,
        [tx.scope.user_id, session_ids, until],
    )


async def delete_messages(
    tx: Transaction, session_ids: list[UUID], before: datetime
) -> list[UUID]:
    """Remove messages from before a time, but for those of a pair that is kept."""
    rows = await tx.fetch_all(
        """
        DELETE FROM session_messages AS said
        WHERE user_id = %(user_id)s AND session_id = ANY(%(session_ids)s)
          AND created_at <= %(before)s AND NOT EXISTS (
              SELECT FROM conversation_pairs AS kept
              WHERE kept.user_id = said.user_id AND kept.session_id = said.session_id
                AND said.message_id IN (user_message_id, assistant_message_id)
          )
        RETURNING message_id
        """,
        {"user_id": tx.scope.user_id, "session_ids": session_ids, "before": before},
    )
    gone = [row[0] for row in rows]
    tx.record_removed_rows("session_messages", gone)
    return gone


_THREADS: LiteralString = """
    RECURSIVE line AS (
        SELECT session_id, named, continues FROM sessions
        WHERE user_id = %(user_id)s AND session_id = ANY(%(session_ids)s)
        UNION
        SELECT before.session_id, before.named, before.continues
        FROM sessions AS before JOIN line ON before.session_id = line.continues
        WHERE before.user_id = %(user_id)s
    ), threads AS (
        SELECT session_id AS thread FROM line
        UNION SELECT named FROM line WHERE named IS NOT NULL
    )
"""
"""The threads of LangGraph's that sessions may belong to, as SQL."""


async def list_threads(tx: Transaction, session_ids: Sequence[UUID]) -> list[UUID]:
    """Return the threads of LangGraph's that these sessions may belong to."""
    return await _fetch_ids(
        tx,
        "WITH " + _THREADS + "SELECT thread FROM threads",
        {"session_ids": list(session_ids)},
    )


async def list_ended_threads(
    tx: Transaction, session_ids: Sequence[UUID]
) -> list[UUID]:
    """Return those of `list_threads` all of whose sessions are over and empty."""
    return await _fetch_ids(
        tx,
        "WITH "
        + _THREADS
        + """
        , members AS (
            SELECT thread, session_id FROM threads JOIN sessions
            ON user_id = %(user_id)s AND thread IN (session_id, named)
            UNION
            SELECT thread, after.session_id FROM members
            JOIN sessions AS after ON after.continues = members.session_id
            WHERE after.user_id = %(user_id)s
        )
        SELECT thread FROM threads WHERE NOT EXISTS (
            SELECT FROM members JOIN sessions AS used USING (session_id)
            WHERE members.thread = threads.thread AND used.user_id = %(user_id)s
              AND (
                  used.status NOT IN ('completed', 'failed', 'expired')
                  OR EXISTS (
                      SELECT FROM session_messages AS said
                      WHERE said.user_id = used.user_id
                        AND said.session_id = used.session_id
                  )
              )
        )
        """,
        {"session_ids": list(session_ids)},
    )


async def delete_summaries_before(
    tx: Transaction, before: datetime, most: int
) -> list[UUID]:
    """Remove the summaries of sessions begun before a time; return which had one."""
    return await tx.fetch_column(
        """
        UPDATE sessions SET session_summary = NULL
        WHERE user_id = %(user_id)s AND session_id IN (
            SELECT session_id FROM sessions
            WHERE user_id = %(user_id)s AND created_at <= %(before)s
              AND session_summary IS NOT NULL
            ORDER BY session_id LIMIT %(most)s FOR UPDATE
        )
        RETURNING session_id
        """,
        {"user_id": tx.scope.user_id, "before": before, "most": most},
    )


async def delete_summaries(tx: Transaction, session_ids: Sequence[UUID]) -> list[UUID]:
    """Remove the summaries of sessions; return which had one."""
    return await tx.fetch_column(
        """
        UPDATE sessions SET session_summary = NULL
        WHERE user_id = %s AND session_id = ANY(%s) AND session_summary IS NOT NULL
        RETURNING session_id
        """,
        [tx.scope.user_id, list(session_ids)],
    )


async def hide_messages(tx: Transaction, message_ids: Sequence[UUID]) -> None:
    """Keep messages from ever being read again."""
    await tx.execute(
        """
        UPDATE session_messages SET forgotten_at = %s
        WHERE user_id = %s AND message_id = ANY(%s) AND forgotten_at IS NULL
        """,
        [tx.now, tx.scope.user_id, list(message_ids)],
    )


async def list_pairs_of(tx: Transaction, message_ids: Sequence[UUID]) -> list[UUID]:
    """Return the pairs that hold any of these messages."""
    return await tx.fetch_column(
        """
        SELECT pair_id FROM conversation_pairs
        WHERE user_id = %(user_id)s AND (
            user_message_id = ANY(%(ids)s) OR assistant_message_id = ANY(%(ids)s)
        )
        """,
        {"user_id": tx.scope.user_id, "ids": list(message_ids)},
    )


async def _fetch_ids(
    tx: Transaction, statement: LiteralString, values: dict[str, object]
) -> list[UUID]:
    return await tx.fetch_column(statement, {"user_id": tx.scope.user_id} | values)
