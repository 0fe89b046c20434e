"""SQL of sessions with personas and of their names: one function, one statement."""

import json
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import LiteralString
from uuid import UUID

from gieok.database import Transaction
from gieok.privacy import PersonKey, read_rows
from gieok.sessions import Message, Session
from gieok.sessions.message_store import open_message
from gieok.sessions.session_store import CONFIG, SELECT, parse_session

NAME = "name"
"""Where a session's config keeps the name by which the app knows it."""


_LINE: LiteralString = """
    WITH RECURSIVE line AS (
        SELECT session_id, continued_by FROM sessions
        WHERE user_id = %(user_id)s
          AND (named = %(named)s OR session_id = %(session_id)s)
        UNION
        SELECT after.session_id, after.continued_by
        FROM sessions AS after JOIN line ON after.session_id = line.continued_by
        WHERE after.user_id = %(user_id)s
    )
"""
"""The sessions of a name or of an id, and those that continue them, as SQL."""


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


async def find_last_named(
    tx: Transaction, named: UUID, session_id: UUID | None
) -> Session | None:
    """Return the newest session of a name or of an id, and of what continues those."""
    row = await tx.fetch_one(
        _LINE
        + SELECT
        + """
        WHERE user_id = %(user_id)s AND session_id IN (SELECT session_id FROM line)
        ORDER BY created_at DESC, session_id DESC LIMIT 1
        """,
        {"user_id": tx.scope.user_id, "named": named, "session_id": session_id},
    )
    return parse_session(row) if row else None


async def list_last_messages(
    tx: Transaction,
    key: PersonKey,
    named: UUID,
    session_id: UUID | None,
    limit: int,
) -> list[Message]:
    """Return the last messages of the sessions of `find_last_named`, in order."""
    rows = await tx.fetch_all(
        _LINE
        + """
        SELECT message_id, session_id, position, role, content, layer, said.created_at,
               metadata
        FROM sessions JOIN session_messages AS said USING (user_id, session_id)
        WHERE user_id = %(user_id)s AND session_id IN (SELECT session_id FROM line)
        ORDER BY sessions.created_at DESC, session_id DESC, position DESC
        LIMIT %(limit)s
        """,
        {
            "user_id": tx.scope.user_id,
            "named": named,
            "session_id": session_id,
            "limit": limit,
        },
    )
    return read_rows("session_messages", reversed(rows), partial(open_message, key))


async def count_removed(
    tx: Transaction, named: UUID, session_id: UUID | None
) -> tuple[int, int, datetime | None]:
    """Return how many messages those sessions count that retention removed.

    The second number is how many pairs of two went with them. The time is when the last
    of them was said at the latest: when the next one was that is there, or without any
    when its session was over or used last.
    """
    row = await tx.fetch_one(
        _LINE
        + """
        , mine AS (
            SELECT session_id, message_count, pair_count - (
                       SELECT count(*) FROM conversation_pairs AS pair
                       WHERE pair.user_id = sessions.user_id
                         AND pair.session_id = sessions.session_id
                   ) AS pairs, least(updated_at, completed_at) AS over_at
            FROM sessions WHERE user_id = %(user_id)s
              AND session_id IN (SELECT session_id FROM line)
        ), said AS (
            SELECT session_id, position, created_at, position - lag(position, 1, -1)
                       OVER (PARTITION BY session_id ORDER BY position) > 1 AS is_after
            FROM session_messages
            WHERE user_id = %(user_id)s AND session_id IN (SELECT session_id FROM mine)
        ), kept AS (
            SELECT session_id, count(*) AS messages, max(position) AS last,
                   max(created_at) FILTER (WHERE is_after) AS next_at
            FROM said GROUP BY session_id
        ), lost AS (
            SELECT message_count - coalesce(messages, 0) AS messages, pairs,
                   least(over_at, CASE WHEN last + 1 = message_count THEN next_at END)
                       AS until
            FROM mine LEFT JOIN kept USING (session_id)
        )
        SELECT coalesce(sum(messages), 0)::int8,
               coalesce(sum(least(pairs, messages / 2)), 0)::int8, max(until)
        FROM lost WHERE messages > 0
        """,
        {"user_id": tx.scope.user_id, "named": named, "session_id": session_id},
    )
    return row or (0, 0, None)


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
