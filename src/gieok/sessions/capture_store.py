"""SQL of capture: turns of any sessions, or a message, are written by one statement."""

from typing import Any, Final

from psycopg.rows import TupleRow

from gieok.database import Cursor, Transaction
from gieok.database.journal import build_journal_sql
from gieok.database.outbox import QUEUE_EVENTS
from gieok.database.statements import to_one_line

_FOLLOWED: Final = (
    """
    , event AS (
        SELECT %(user_id)s::uuid AS user_id, task, session_id AS about, due
        FROM session, LATERAL (VALUES
            (%(recorded)s, NULL::timestamptz, searching_count),
            (%(paused)s, %(pause_ends)s::timestamptz, extracting_count)
        ) AS news (task, due, known)
        WHERE known = message_count - added
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
            message_count = message_count + new.added,
            pair_count = pair_count + new.pairs,
            total_turns = total_turns + new.turns,
            total_tokens = least(total_tokens + new.tokens, 9007199254740992),
            total_cost = least(total_cost + new.cost, 999999.9999),
            last_route = coalesce(new.route, last_route),
            updated_at = greatest(updated_at, %(at)s)
        FROM unnest(
            %(sessions)s::uuid[], %(added)s::int[], %(pairs)s::int[], %(turns)s::int[],
            %(tokens)s::int8[], %(costs)s::numeric[], %(routes)s::text[]
        ) AS new (id, added, pairs, turns, tokens, cost, route)
        WHERE user_id = %(user_id)s AND session_id = new.id
          AND session_id = ANY(%(sessions)s)
          AND (status IN ('created', 'active')) IS TRUE
          AND updated_at > %(rested)s AND coalesce(expires_at > %(at)s, true)
          AND coalesce(pair_count + new.pairs <= max_pairs, true)
          AND NOT EXISTS (
              SELECT FROM users
              WHERE user_id = %(user_id)s AND 'storage' = ANY(withheld)
          )
        RETURNING session_id, message_count, pair_count, device_id, searching_count,
                  extracting_count, new.added, new.pairs
    )
"""
"""Makes room in open sessions, or finds none. IS TRUE keeps the index by status out of
it, and ANY keeps out all other rows of the person: the primary key finds these."""

_WITHHELD: Final = """
    EXISTS (
        SELECT FROM users WHERE user_id = %(user_id)s AND 'sensitive' = ANY(withheld)
    )
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
        SELECT %(user_id)s, said.message_id, session_id,
               message_count - added + said.position, said.role, said.content,
               said.layer, said.metadata, %(at)s, CASE WHEN
    """
    + _WITHHELD
    + """
               THEN said.forgotten_at END
        FROM session JOIN json_populate_recordset(
            NULL::session_messages, %(message_rows)s
        ) AS said USING (session_id)
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
    SELECT %(user_id)s, pair.pair_id, session_id, session.device_id,
           pair_count - pairs + pair.turn_index, pair.user_message_id,
           pair.assistant_message_id, pair.route_family, pair.planner_summary,
           pair.sensitive_flags, %(retention_until)s, %(at)s
    FROM json_populate_recordset(NULL::conversation_pairs, %(pair_rows)s) AS pair
    LEFT JOIN session USING (session_id)
    RETURNING pair_id, turn_index
    """
)
"""Messages and pairs are numbered from 0 in their rows, and from where their session
stands in its tables. A message of a special category says when it is to be hidden."""


async def record_pairs(tx: Transaction, values: dict[str, Any]) -> Cursor:
    """Queue pairs with their messages, and the journal so far.

    The cursor will hold the pairs' ids and the indexes of their turns.

    Nothing waits for the result, so that recording a turn is one round trip. Without
    room in an open session the pairs have no index, which fails the transaction
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
        SELECT %(user_id)s, %(message_id)s, session_id, message_count - 1,
               %(role)s, %(content)s, %(layer)s, %(metadata)s, %(at)s,
               CASE WHEN %(is_special)s AND
        """
        + _WITHHELD
        + """
               THEN %(at)s::timestamptz END
        FROM session RETURNING position
        """,
        values,
    )
