"""SQL of capture: a turn or a message is written by one statement."""

from typing import Any, Final

from psycopg.rows import TupleRow

from gieok.database import Cursor, Transaction
from gieok.database.journal import build_journal_sql
from gieok.database.outbox import QUEUE_EVENTS
from gieok.database.statements import to_one_line

_FOLLOWED: Final = (
    """
    , event AS (
        SELECT %(user_id)s::uuid AS user_id, news.task,
               %(session_id)s::uuid AS about, news.due
        FROM session, LATERAL (VALUES
            (%(recorded)s, NULL::timestamptz, searching_count),
            (%(paused)s, %(pause_ends)s::timestamptz, extracting_count)
        ) AS news (task, due, known)
        WHERE news.known = session.message_count - session.added
    ), followed AS (
    """
    + QUEUE_EVENTS
    + ")"
)
"""Queues what follows from recording, once: the first message since the job that
searches or extracts last began finds that job's count equal to the session's."""

_TAKE: Final = """
    WITH session AS (
        UPDATE sessions SET
            status = 'active',
            message_count = message_count + %(added)s,
            pair_count = pair_count + %(pairs)s,
            total_turns = total_turns + %(turns)s,
            total_tokens = least(total_tokens + %(tokens)s, 9007199254740992),
            total_cost = least(total_cost + %(cost)s, 999999.9999),
            last_route = coalesce(%(route_family)s, last_route),
            updated_at = greatest(updated_at, %(at)s)
        WHERE user_id = %(user_id)s AND session_id = %(session_id)s
          AND (status IN ('created', 'active')) IS TRUE
          AND updated_at > %(rested)s AND coalesce(expires_at > %(at)s, true)
          AND coalesce(pair_count + %(pairs)s <= max_pairs, true)
          AND NOT EXISTS (
              SELECT FROM users
              WHERE user_id = %(user_id)s AND 'storage' = ANY(withheld)
          )
        RETURNING message_count, pair_count, device_id, searching_count,
                  extracting_count, %(added)s::int AS added
    )
"""
"""Makes room in an open session, or finds none. IS TRUE keeps the index by status out
of it: the primary key finds the row."""

_HIDDEN: Final = """
    CASE WHEN %(is_special)s AND EXISTS (
        SELECT FROM users WHERE user_id = %(user_id)s AND 'sensitive' = ANY(withheld)
    ) THEN %(at)s::timestamptz END
"""
"""What touches a special category without consent is never found or learned from."""


RECORD: Final = to_one_line(
    _TAKE
    + """
    , said AS (
        INSERT INTO session_messages (
            user_id, message_id, session_id, position, role, content, layer, metadata,
            created_at, forgotten_at
        )
        SELECT %(user_id)s, said.id, %(session_id)s,
               session.message_count - said.back, said.role, said.content,
               said.layer, said.metadata, %(at)s,
    """
    + _HIDDEN
    + """
        FROM session, (VALUES
            (2, %(user_message_id)s, 'user', %(user_content)s, %(user_layer)s,
             %(user_metadata)s::bytea),
            (1, %(assistant_message_id)s, 'assistant', %(assistant_content)s,
             %(assistant_layer)s, %(assistant_metadata)s::bytea)
        ) AS said (back, id, role, content, layer, metadata)
    )
    """
    + _FOLLOWED
    + ","
    + build_journal_sql(after="session")
    + """
    INSERT INTO conversation_pairs (
        user_id, pair_id, session_id, device_id, turn_index, user_message_id,
        assistant_message_id, route_family, planner_summary, sensitive_flags,
        retention_until, created_at
    )
    SELECT %(user_id)s, %(pair_id)s, %(session_id)s, device_id, pair_count - 1,
           %(user_message_id)s, %(assistant_message_id)s, %(route_family)s,
           %(planner_summary)s, %(sensitive_flags)s::jsonb, %(retention_until)s,
           %(at)s
    FROM (VALUES (true)) AS asked
    LEFT JOIN session ON true LEFT JOIN followed ON true
    RETURNING turn_index
    """
)


async def record_pair(tx: Transaction, values: dict[str, Any]) -> Cursor:
    """Queue two messages, their pair and the journal so far.

    The cursor will hold the turn's index.

    Nothing waits for the result, so that recording a turn is one round trip. Without
    room in an open session the pair has no index, which fails the transaction
    (NoRowError).
    """
    return await tx.execute(RECORD, values | tx.journal.take_parameters(tx))


async def append_message(tx: Transaction, values: dict[str, Any]) -> TupleRow | None:
    """Add one message to an open session; None if it is not open."""
    return await tx.fetch_one(
        _TAKE
        + _FOLLOWED
        + """
        INSERT INTO session_messages (
            user_id, message_id, session_id, position, role, content, layer, metadata,
            created_at, forgotten_at
        )
        SELECT %(user_id)s, %(message_id)s, %(session_id)s, message_count - 1,
               %(role)s, %(content)s, %(layer)s, %(metadata)s, %(at)s,
        """
        + _HIDDEN
        + """
        FROM session LEFT JOIN followed ON true RETURNING position
        """,
        values,
    )
