"""SQL of sessions with personas and of their names: one function, one statement."""

import json
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from gieok.database import Transaction
from gieok.privacy import PersonKey, read_rows
from gieok.sessions import Session
from gieok.sessions.session_store import CONFIG, SELECT, parse_session

NAME = "name"
"""Where a session's config keeps the name by which the app knows it."""


async def find_last_open(tx: Transaction, persona_id: UUID) -> Session | None:
    """Return the last session used with a persona that nobody ended."""
    row = await tx.fetch_one(
        SELECT
        + """
        WHERE user_id = %s AND persona_id = %s AND status IN ('created', 'active')
        ORDER BY updated_at DESC, session_id DESC LIMIT 1
        """,
        [tx.scope.user_id, persona_id],
    )
    return parse_session(row) if row else None


async def list_named(
    tx: Transaction, named: UUID, session_id: UUID | None, limit: int
) -> list[Session]:
    """Return the sessions of a name, newest first, and the one of an id."""
    rows = await tx.fetch_all(
        SELECT
        + """
        WHERE user_id = %s AND (named = %s OR session_id = %s)
        ORDER BY created_at DESC, session_id DESC LIMIT %s
        """,
        [tx.scope.user_id, named, session_id, limit],
    )
    return [parse_session(row) for row in rows]


async def count_removed(
    tx: Transaction, named: UUID, session_id: UUID | None, limit: int
) -> tuple[int, datetime | None]:
    """Return how many messages those sessions count that cannot be read any more.

    Those are what retention removed, and all of sessions that `list_named` leaves out.
    The time is when the last of their sessions was over, or used last.
    """
    row = await tx.fetch_one(
        """
        SELECT coalesce(sum(lost), 0)::int8, max(over_at) FILTER (WHERE lost > 0)
        FROM (
            SELECT least(updated_at, completed_at) AS over_at, message_count - CASE
                WHEN row_number() OVER (ORDER BY created_at DESC, session_id DESC)
                    <= %(limit)s
                THEN (
                    SELECT count(*) FROM session_messages AS said
                    WHERE said.user_id = sessions.user_id
                      AND said.session_id = sessions.session_id
                )
                ELSE 0 END AS lost
            FROM sessions WHERE user_id = %(user_id)s
              AND (named = %(named)s OR session_id = %(session_id)s)
        ) AS counted
        """,
        {
            "user_id": tx.scope.user_id,
            "named": named,
            "session_id": session_id,
            "limit": limit,
        },
    )
    return (row[0], row[1]) if row else (0, None)


async def is_saved(tx: Transaction, session_id: UUID) -> bool:
    """Tell whether somebody asked to keep what a session was about."""
    row = await tx.fetch_one(
        "SELECT is_saved FROM sessions WHERE user_id = %s AND session_id = %s",
        [tx.scope.user_id, session_id],
    )
    return bool(row and row[0])


async def list_names(
    tx: Transaction, key: PersonKey, session_ids: Sequence[UUID]
) -> dict[UUID, str]:
    """Return the app's names of those sessions that have one."""
    rows = await tx.fetch_all(
        """
        SELECT session_id, config FROM sessions
        WHERE user_id = %s AND session_id = ANY(%s) AND named IS NOT NULL
          AND config IS NOT NULL
        """,
        [tx.scope.user_id, list(session_ids)],
    )
    return dict(
        read_rows(
            "sessions",
            rows,
            lambda row: (row[0], json.loads(key.open_text(CONFIG, *row))[NAME]),
        )
    )
