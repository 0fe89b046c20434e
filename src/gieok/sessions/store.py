"""SQL of sessions, messages and pairs: one function, one statement."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Final, NamedTuple, cast
from uuid import UUID

from psycopg.rows import TupleRow

from gieok.database import Cursor, Transaction
from gieok.database.journal import build_journal_sql
from gieok.database.outbox import QUEUE_EVENTS
from gieok.database.statements import to_one_line
from gieok.kernel.language import Category, Role
from gieok.privacy import PersonKey, Place, read_rows
from gieok.privacy.provenance import encode_provenance
from gieok.sessions.model import Layer, Message, RecordedPair, Session, Status
from gieok.sessions.reader_store import build_position_sql

CONTENT = Place("session_messages", "content")
PLANNER_SUMMARY = Place("conversation_pairs", "planner_summary")
CONFIG = Place("sessions", "config")
METADATA = Place("session_messages", "metadata")


class Provenance(NamedTuple):
    """What the seal of a message covers besides its words."""

    session_id: UUID
    role: Role
    at: datetime


COLUMNS: Final = (
    """
    session_id, status, language, device_id, persona_id, current_layer,
    active_workflow_id, last_route, message_count, pair_count, total_turns,
    total_tokens, total_cost, created_at, updated_at, expires_at, completed_at,
    max_pairs, continues, continued_by, ended_reason,
    """
    + build_position_sql("extraction")
    + ", not_kept "
)
SELECT: Final = "SELECT " + COLUMNS + "FROM sessions "


async def get_session(tx: Transaction, session_id: UUID) -> Session | None:
    """Return a session, or None when the person has no such."""
    row = await tx.fetch_one(
        SELECT + "WHERE user_id = %s AND session_id = %s",
        [tx.scope.user_id, session_id],
    )
    return parse_session(row) if row else None


async def list_sessions(tx: Transaction, ids: Sequence[UUID]) -> list[Session]:
    """Return sessions, in no particular order."""
    rows = await tx.fetch_all(
        SELECT + "WHERE user_id = %s AND session_id = ANY(%s)",
        [tx.scope.user_id, list(ids)],
    )
    return [parse_session(row) for row in rows]


async def list_pairs(
    tx: Transaction, key: PersonKey, ids: Sequence[UUID]
) -> list[RecordedPair]:
    """Return pairs whose time is not over and whose words may still be read."""
    rows = await tx.fetch_all(
        """
        SELECT pair.pair_id, pair.session_id, pair.device_id, turn_index, route_family,
               planner_summary, sensitive_flags, pair.created_at, retention_until,
               asked.message_id, asked.content, asked.metadata, asked.created_at,
               answered.message_id, answered.content, answered.created_at
        FROM conversation_pairs AS pair
        JOIN session_messages AS asked ON asked.user_id = pair.user_id
         AND asked.message_id = pair.user_message_id AND asked.forgotten_at IS NULL
        JOIN session_messages AS answered ON answered.user_id = pair.user_id
         AND answered.message_id = pair.assistant_message_id
         AND answered.forgotten_at IS NULL
        WHERE pair.user_id = %s AND pair.pair_id = ANY(%s) AND retention_until > %s
        """,
        [tx.scope.user_id, list(ids), tx.now],
    )
    return read_rows("conversation_pairs", rows, partial(_open_pair, key))


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


async def list_messages(
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
    return read_rows("session_messages", rows, partial(open_message, key))


async def list_last_messages(
    tx: Transaction, key: PersonKey, session_id: UUID, limit: int
) -> list[Message]:
    """Return the last messages of a conversation that may still be read, in order.

    Where the session continues another, those of that one count too.
    """
    rows = await tx.fetch_all(
        """
        WITH RECURSIVE line AS (
            SELECT user_id, session_id, continues, 0 AS step FROM sessions
            WHERE user_id = %(user_id)s AND session_id = %(session_id)s
            UNION ALL
            SELECT past.user_id, past.session_id, past.continues, step + 1
            FROM line JOIN sessions AS past
              ON past.user_id = line.user_id AND past.session_id = line.continues
            WHERE step < %(limit)s
        )
        SELECT message_id, session_id, position, role, content, layer, created_at,
               metadata
        FROM line JOIN session_messages USING (user_id, session_id)
        WHERE forgotten_at IS NULL ORDER BY step, position DESC LIMIT %(limit)s
        """,
        {"user_id": tx.scope.user_id, "session_id": session_id, "limit": limit},
    )
    return read_rows("session_messages", reversed(rows), partial(open_message, key))


async def list_messages_by_id(
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
    return read_rows("session_messages", rows, partial(open_message, key))


async def count_rejected(
    tx: Transaction, session_id: UUID, counts: Mapping[Category, int]
) -> None:
    """Count findings of a session that the person's settings do not let be kept."""
    await tx.execute(
        """
        UPDATE sessions SET not_kept = (
            SELECT jsonb_object_agg(category, n) FROM (
                SELECT category, sum(n::int) AS n FROM (
                    SELECT * FROM jsonb_each_text(sessions.not_kept)
                    UNION ALL SELECT * FROM jsonb_each_text(%s::jsonb)
                ) AS counted (category, n) GROUP BY category
            ) AS summed
        )
        WHERE user_id = %s AND session_id = %s
        """,
        [json.dumps(dict(counts)), tx.scope.user_id, session_id],
    )


def seal_content(
    key: PersonKey, message_id: UUID, text: str, said: Provenance
) -> bytes:
    """Return what was said, sealed together with where, by whom and when it was."""
    return key.seal_text(CONTENT, message_id, text, bound=encode_provenance(*said))


def open_message(key: PersonKey, row: TupleRow) -> Message:
    """Return the message of a row, its content opened.

    Raises:
        TamperedError: it was changed or moved.
        TypeError, ValueError: it holds what no message does.
    """
    message_id, session_id, position, role, content, layer, created_at, notes = row
    metadata: Any = {}
    if notes:
        metadata = json.loads(key.open_text(METADATA, message_id, notes))
    if not isinstance(metadata, dict):
        raise TypeError(METADATA)
    return Message(
        message_id,
        session_id,
        position,
        Role(role),
        key.open_text(
            CONTENT,
            message_id,
            content,
            bound=encode_provenance(session_id, role, created_at),
        ),
        layer,
        created_at,
        cast("dict[str, Any]", metadata),
    )


def _open_pair(key: PersonKey, row: TupleRow) -> RecordedPair:
    pair_id, session_id, device_id, turn_index, route_family, planner, *rest = row
    flags, created_at, until, *said = rest
    asked_id, asked, notes, asked_at, answered_id, answered, answered_at = said
    user = open_message(
        key, (asked_id, session_id, 0, Role.USER, asked, None, asked_at, notes)
    )
    assistant = open_message(
        key,
        (answered_id, session_id, 0, Role.ASSISTANT, answered, None, answered_at, None),
    )
    return RecordedPair(
        pair_id,
        session_id,
        device_id,
        turn_index,
        user.content,
        assistant.content,
        route_family,
        json.loads(key.open_text(PLANNER_SUMMARY, pair_id, planner)) if planner else {},
        flags,
        created_at,
        user.spoken_at,
        until,
        user.other_speaker,
    )


def parse_session(row: TupleRow) -> Session:
    """Return the session of a row."""
    session_id, status, language, device_id, persona_id, layer, *rest = row
    return Session(
        session_id,
        Status(status),
        language,
        device_id,
        persona_id,
        layer and Layer(layer),
        *rest,
    )
