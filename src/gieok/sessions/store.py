"""SQL of sessions, messages and pairs: one function, one statement."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.rows import TupleRow

from gieok.database import Cursor, Transaction
from gieok.kernel.language import Role
from gieok.privacy import PersonKey, Place
from gieok.sessions.model import Message, Session, Status

CONTENT = Place("session_messages", "content")
PLANNER_SUMMARY = Place("conversation_pairs", "planner_summary")
CONFIG = Place("sessions", "config")
METADATA = Place("session_messages", "metadata")

SELECT = """
    SELECT session_id, status, language, device_id, persona_id, current_layer,
           active_workflow_id, last_route, message_count, pair_count, total_turns,
           total_tokens, total_cost, created_at, updated_at, expires_at,
           completed_at
    FROM sessions
"""


async def insert(tx: Transaction, values: dict[str, Any]) -> bool:
    """Add a session; False when the person has one of this id."""
    row = await tx.fetch_one(
        """
        INSERT INTO sessions (
            user_id, session_id, device_id, persona_id, status, language, config,
            created_at, updated_at, expires_at
        ) VALUES (
            %(user_id)s, %(session_id)s, %(device_id)s, %(persona_id)s, 'created',
            %(language)s, %(config)s, %(at)s, %(at)s, %(expires_at)s
        )
        ON CONFLICT DO NOTHING RETURNING session_id
        """,
        values,
    )
    return row is not None


async def get(tx: Transaction, session_id: UUID) -> Session | None:
    """Return a session, or None when the person has no such."""
    row = await tx.fetch_one(
        SELECT
        + """
        WHERE user_id = %s AND session_id = %s
        """,
        [tx.scope.user_id, session_id],
    )
    return _session(row) if row else None


async def newest(tx: Transaction, limit: int, offset: int) -> list[Session]:
    """Return sessions, newest first."""
    rows = await tx.fetch_all(
        SELECT
        + """
        WHERE user_id = %s
        ORDER BY created_at DESC, session_id DESC LIMIT %s OFFSET %s
        """,
        [tx.scope.user_id, limit, offset],
    )
    return [_session(row) for row in rows]


async def record_pair(tx: Transaction, values: dict[str, Any]) -> Cursor:
    """Queue two messages and their pair; the cursor will hold the turn's index.

    Nothing waits for the result, so that recording a turn is one round trip. Without an
    open session the pair has no index, which fails the transaction (NoRowError).
    """
    return await tx.execute(
        """
        WITH session AS (
            UPDATE sessions SET
                status = 'active',
                message_count = message_count + 2,
                pair_count = pair_count + 1,
                total_turns = total_turns + 1,
                total_tokens = total_tokens + %(tokens)s,
                total_cost = least(total_cost + %(cost)s, 999999.9999),
                last_route = coalesce(%(route_family)s, last_route),
                updated_at = greatest(updated_at, %(at)s)
            WHERE user_id = %(user_id)s AND session_id = %(session_id)s
              AND status IN ('created', 'active')
            RETURNING message_count, pair_count, device_id
        ), said AS (
            INSERT INTO session_messages (
                user_id, message_id, session_id, position, role, content, created_at
            )
            SELECT %(user_id)s, said.id, %(session_id)s,
                   session.message_count - 3 + said.ordinality, said.role, said.content,
                   %(at)s
            FROM session, unnest(
                ARRAY[%(user_message_id)s, %(assistant_message_id)s]::uuid[],
                ARRAY['user', 'assistant'],
                ARRAY[%(user_content)s, %(assistant_content)s]::bytea[]
            ) WITH ORDINALITY AS said (id, role, content, ordinality)
        )
        INSERT INTO conversation_pairs (
            user_id, pair_id, session_id, device_id, turn_index, user_message_id,
            assistant_message_id, route_family, planner_summary, retention_until,
            created_at
        )
        SELECT %(user_id)s, %(pair_id)s, %(session_id)s, device_id, pair_count - 1,
               %(user_message_id)s, %(assistant_message_id)s, %(route_family)s,
               %(planner_summary)s, %(retention_until)s, %(at)s
        FROM (VALUES (true)) AS asked LEFT JOIN session ON true
        RETURNING turn_index
        """,
        values,
    )


async def append_message(tx: Transaction, values: dict[str, Any]) -> TupleRow | None:
    """Add one message to an open session; None if it is not open."""
    return await tx.fetch_one(
        """
        WITH session AS (
            UPDATE sessions SET status = 'active', message_count = message_count + 1,
                updated_at = greatest(updated_at, %(at)s)
            WHERE user_id = %(user_id)s AND session_id = %(session_id)s
              AND status IN ('created', 'active')
            RETURNING message_count
        )
        INSERT INTO session_messages (
            user_id, message_id, session_id, position, role, content, layer, metadata,
            created_at
        )
        SELECT %(user_id)s, %(message_id)s, %(session_id)s, message_count - 1,
               %(role)s, %(content)s, %(layer)s, %(metadata)s, %(at)s
        FROM session RETURNING position
        """,
        values,
    )


async def messages(
    tx: Transaction,
    key: PersonKey,
    session_id: UUID,
    *,
    start: int = 0,
    stop: int | None = None,
    with_forgotten: bool = True,
) -> list[Message]:
    """Return a session's messages from one position up to before another."""
    rows = await tx.fetch_all(
        """
        SELECT message_id, session_id, position, role, content, layer, created_at,
               metadata
        FROM session_messages
        WHERE user_id = %(user_id)s AND session_id = %(session_id)s
          AND position >= %(start)s AND position < coalesce(%(stop)s, 2147483647)
          AND (%(with_forgotten)s OR forgotten_at IS NULL)
        ORDER BY position
        """,
        {
            "user_id": tx.scope.user_id,
            "session_id": session_id,
            "start": start,
            "stop": stop,
            "with_forgotten": with_forgotten,
        },
    )
    return [opened(key, row) for row in rows]


async def messages_by_id(
    tx: Transaction, key: PersonKey, ids: Sequence[UUID]
) -> list[Message]:
    """Return the messages that may still be found, in no particular order."""
    rows = await tx.fetch_all(
        """
        SELECT message_id, session_id, position, role, content, layer, created_at,
               metadata
        FROM session_messages
        WHERE user_id = %s AND message_id = ANY(%s) AND forgotten_at IS NULL
        """,
        [tx.scope.user_id, list(ids)],
    )
    return [opened(key, row) for row in rows]


async def complete(tx: Transaction, session_id: UUID) -> bool:
    """Close an open or paused session; False when there was none to close."""
    row = await tx.fetch_one(
        """
        UPDATE sessions SET status = 'completed', updated_at = %(at)s,
            completed_at = %(at)s
        WHERE user_id = %(user_id)s AND session_id = %(session_id)s
          AND status IN ('created', 'active', 'paused')
        RETURNING session_id
        """,
        {"user_id": tx.scope.user_id, "session_id": session_id, "at": tx.now},
    )
    return row is not None


async def extracted_count(tx: Transaction, session_id: UUID) -> int:
    """Return how many messages of a session extraction has read."""
    row = await tx.fetch_one(
        """
        SELECT extracted_count FROM sessions
        WHERE user_id = %s AND session_id = %s FOR UPDATE
        """,
        [tx.scope.user_id, session_id],
    )
    return row[0] if row else 0


async def unread(tx: Transaction) -> list[UUID]:
    """Return the sessions that hold messages extraction has not read, oldest first."""
    rows = await tx.fetch_all(
        """
        SELECT session_id FROM sessions
        WHERE user_id = %s AND message_count > extracted_count ORDER BY created_at
        """,
        [tx.scope.user_id],
    )
    return [row[0] for row in rows]


async def waiting_since(
    tx: Transaction, session_id: UUID
) -> tuple[int, datetime] | None:
    """Return how many messages wait for extraction and when the last one came."""
    row = await tx.fetch_one(
        """
        SELECT message_count - extracted_count, updated_at FROM sessions
        WHERE user_id = %s AND session_id = %s
        """,
        [tx.scope.user_id, session_id],
    )
    return (row[0], row[1]) if row else None


async def set_extracted_count(tx: Transaction, session_id: UUID, count: int) -> None:
    """Remember how far extraction has read."""
    await tx.execute(
        """
        UPDATE sessions SET extracted_count = %s
        WHERE user_id = %s AND session_id = %s
        """,
        [count, tx.scope.user_id, session_id],
    )


def opened(key: PersonKey, row: TupleRow) -> Message:
    """Return the message of a row, its content opened."""
    message_id, session_id, position, role, content, layer, created_at, notes = row
    metadata: dict[str, Any] = (
        json.loads(key.open_text(METADATA, message_id, notes)) if notes else {}
    )
    return Message(
        message_id,
        session_id,
        position,
        Role(role),
        key.open_text(CONTENT, message_id, content),
        layer,
        created_at,
        metadata,
    )


def _session(row: TupleRow) -> Session:
    session_id, status, *rest = row
    return Session(session_id, Status(status), *rest)
