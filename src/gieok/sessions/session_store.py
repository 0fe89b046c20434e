"""SQL of sessions themselves, their lives and lists: one function, one statement."""

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from psycopg.rows import TupleRow

from gieok.database import Cursor, Transaction
from gieok.database.arrays import to_array_literal
from gieok.database.rows import encode_rows
from gieok.kernel.language import Category
from gieok.privacy import PersonKey, Place
from gieok.sessions.model import Layer, Session, Status
from gieok.sessions.reader_store import build_position_sql
from gieok.text.cleaning import parse_json

CONFIG = Place("sessions", "config")
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


async def insert_sessions(
    tx: Transaction, sessions: Sequence[Mapping[str, Any]]
) -> dict[UUID, Session]:
    """Add sessions and return them by their ids.

    Those that the person has already are left out, and all of them where the person
    does not agree that anything is kept.
    """
    rows = await tx.fetch_all(
        """
        INSERT INTO sessions (
            user_id, session_id, device_id, persona_id, status, language, config,
            created_at, updated_at, expires_at, max_pairs, continues, current_layer,
            active_workflow_id, last_route
        ) SELECT
            %(user_id)s, session_id, device_id, persona_id, 'created',
            coalesce(language, (
                SELECT language FROM users WHERE user_id = %(user_id)s
            )), config, %(at)s, %(at)s, expires_at, max_pairs, continues,
            current_layer, active_workflow_id, last_route
        FROM json_populate_recordset(NULL::sessions, %(rows)s)
        WHERE NOT EXISTS (
            SELECT FROM users
            WHERE user_id = %(user_id)s AND 'storage' = ANY(withheld)
        )
        ON CONFLICT DO NOTHING RETURNING
        """
        + COLUMNS,
        {"user_id": tx.scope.user_id, "at": tx.now, "rows": encode_rows(sessions)},
    )
    return {session.session_id: session for session in map(parse_session, rows)}


async def get_session(tx: Transaction, session_id: UUID) -> Session | None:
    """Return a session, or None when the person has no such."""
    row = await tx.fetch_one(
        SELECT + "WHERE user_id = %s AND session_id = %s",
        [tx.scope.user_id, session_id],
    )
    return parse_session(row) if row else None


async def list_sessions(tx: Transaction, ids: Collection[UUID]) -> list[Session]:
    """Return sessions, in no particular order."""
    return await read_sessions(await queue_sessions(tx, ids))


async def queue_sessions(tx: Transaction, ids: Collection[UUID]) -> Cursor:
    """Queue reading sessions as they are now, for `read_sessions`."""
    return await tx.execute(
        SELECT + "WHERE user_id = %s AND session_id = ANY(%s)",
        [tx.scope.user_id, list(ids)],
    )


async def read_sessions(queued: Cursor) -> list[Session]:
    """Return the sessions that were queued, also once that is committed."""
    return [parse_session(row) for row in await queued.fetchall()]


async def lock_session(tx: Transaction, session_id: UUID) -> Session | None:
    """Return a session that stays as it is until the transaction ends, or None."""
    row = await tx.fetch_one(
        SELECT + "WHERE user_id = %s AND session_id = %s FOR NO KEY UPDATE",
        [tx.scope.user_id, session_id],
    )
    return parse_session(row) if row else None


_CHAIN: Final = """
    WITH RECURSIVE chain AS (
        SELECT session_id AS first, session_id, continued_by, 0 AS step
        FROM sessions
        WHERE user_id = %(user_id)s AND session_id = ANY(%(ids)s::uuid[])
        UNION ALL
        SELECT chain.first, next.session_id, next.continued_by, step + 1
        FROM chain JOIN sessions AS next
          ON next.user_id = %(user_id)s AND next.session_id = chain.continued_by
    ), line AS (
        SELECT DISTINCT ON (first) first, session_id FROM chain
        ORDER BY first, step DESC
    )
"""
"""Follows conversations to the sessions in which they go on."""


async def find_successor(tx: Transaction, session_id: UUID) -> UUID:
    """Return the session in which a session's conversation goes on, itself maybe."""
    return (await find_successors(tx, [session_id]))[session_id]


async def find_successors(
    tx: Transaction, session_ids: Collection[UUID]
) -> dict[UUID, UUID]:
    """Return the session in which each conversation goes on, maybe the one it began in.

    A session that is not there goes on in itself.
    """
    rows = await tx.fetch_all(
        _CHAIN + "SELECT first, session_id FROM line", _build_chain(tx, session_ids)
    )
    return {session_id: session_id for session_id in session_ids} | dict(rows)


async def lock_successors(
    tx: Transaction, session_ids: Collection[UUID]
) -> dict[UUID, Session]:
    """Return what `find_successors` does of sessions that are there, locked.

    They are locked in the order of their ids, so that two writers do not wait for each
    other. One that became full while it was waited for has a successor itself.
    """
    rows = await tx.fetch_all(
        _CHAIN
        + "SELECT first, "
        + COLUMNS
        + """
        FROM sessions JOIN line USING (session_id) WHERE user_id = %(user_id)s
        ORDER BY session_id FOR NO KEY UPDATE OF sessions
        """,
        _build_chain(tx, session_ids),
    )
    return {row[0]: parse_session(row[1:]) for row in rows}


def _build_chain(tx: Transaction, session_ids: Collection[UUID]) -> dict[str, Any]:
    ids = to_array_literal(map(str, session_ids))
    return {"user_id": tx.scope.user_id, "ids": ids}


async def read_config(
    tx: Transaction, key: PersonKey, session_id: UUID
) -> dict[str, Any]:
    """Return what a session was started with."""
    row = await tx.fetch_one(
        "SELECT config FROM sessions WHERE user_id = %s AND session_id = %s",
        [tx.scope.user_id, session_id],
    )
    if row is None or row[0] is None:
        return {}
    return parse_json(key.open_text(CONFIG, session_id, row[0]))


_CHOSEN: Final = """
    WHERE user_id = %(user_id)s
      AND (%(status)s::text IS NULL OR status = %(status)s)
      AND (%(persona_id)s::uuid IS NULL OR persona_id = %(persona_id)s)
"""


async def list_newest(tx: Transaction, chosen: dict[str, Any]) -> list[Session]:
    """Return the chosen sessions, newest first."""
    rows = await tx.fetch_all(
        SELECT
        + _CHOSEN
        + """
        ORDER BY created_at DESC, session_id DESC LIMIT %(limit)s OFFSET %(offset)s
        """,
        chosen,
    )
    return [parse_session(row) for row in rows]


async def count_sessions(tx: Transaction, chosen: dict[str, Any]) -> int:
    """Return how many sessions `newest` would give without a limit."""
    row = await tx.fetch_one("SELECT count(*) FROM sessions" + _CHOSEN, chosen)
    return row[0] if row else 0


async def list_unended(tx: Transaction) -> list[Session]:
    """Return the sessions that are open or paused."""
    rows = await tx.fetch_all(
        SELECT + "WHERE user_id = %s AND status IN ('created', 'active', 'paused')",
        [tx.scope.user_id],
    )
    return [parse_session(row) for row in rows]


async def update_status(
    tx: Transaction, session_id: UUID, status: Status, layer: Layer | None
) -> Session:
    """Set the status, and the layer if one is given; that counts as activity."""
    row = await tx.fetch_one(
        """
        UPDATE sessions SET status = %(status)s,
            current_layer = coalesce(%(layer)s, current_layer),
            updated_at = greatest(updated_at, %(at)s)
        WHERE user_id = %(user_id)s AND session_id = %(session_id)s RETURNING
        """
        + COLUMNS,
        {
            "status": status.value,
            "layer": layer and layer.value,
            "at": tx.now,
            "user_id": tx.scope.user_id,
            "session_id": session_id,
        },
    )
    assert row is not None  # noqa: S101 - the caller holds its lock
    return parse_session(row)


async def end_session(
    tx: Transaction,
    session_id: UUID,
    status: Status,
    reason: str | None,
    *,
    at: datetime,
    continued_by: UUID | None = None,
) -> Session:
    """End a session."""
    row = await tx.fetch_one(
        """
        UPDATE sessions SET status = %(status)s, ended_reason = %(reason)s,
            completed_at = %(at)s, updated_at = greatest(updated_at, %(now)s),
            continued_by = %(continued_by)s
        WHERE user_id = %(user_id)s AND session_id = %(session_id)s RETURNING
        """
        + COLUMNS,
        {
            "status": status.value,
            "reason": reason,
            "at": at,
            "now": tx.now,
            "continued_by": continued_by,
            "user_id": tx.scope.user_id,
            "session_id": session_id,
        },
    )
    assert row is not None  # noqa: S101 - the caller holds its lock
    return parse_session(row)


async def set_successor(tx: Transaction, session_id: UUID, continued_by: UUID) -> None:
    """Say in which session the conversation of an ended one goes on."""
    await tx.execute(
        """
        UPDATE sessions SET continued_by = %s WHERE user_id = %s AND session_id = %s
        """,
        [continued_by, tx.scope.user_id, session_id],
    )


async def extend_session(
    tx: Transaction, session_id: UUID, *, messages: int, pairs: int, until: datetime
) -> None:
    """Count what was added to a session that is over, said until a time."""
    await tx.execute(
        """
        UPDATE sessions SET message_count = message_count + %(messages)s,
            pair_count = pair_count + %(pairs)s, total_turns = total_turns + %(pairs)s,
            updated_at = %(until)s, completed_at = %(until)s
        WHERE user_id = %(user_id)s AND session_id = %(session_id)s
        """,
        {
            "messages": messages,
            "pairs": pairs,
            "until": until,
            "user_id": tx.scope.user_id,
            "session_id": session_id,
        },
    )


async def set_workflow(
    tx: Transaction, session_id: UUID, workflow_id: str | None
) -> Session:
    """Note which workflow is under way; that counts as activity."""
    row = await tx.fetch_one(
        """
        UPDATE sessions SET active_workflow_id = %s,
            updated_at = greatest(updated_at, %s)
        WHERE user_id = %s AND session_id = %s RETURNING
        """
        + COLUMNS,
        [workflow_id, tx.now, tx.scope.user_id, session_id],
    )
    assert row is not None  # noqa: S101 - the caller holds its lock
    return parse_session(row)


async def set_name(tx: Transaction, session_id: UUID, named: UUID) -> None:
    """Let a session be found by a name."""
    await tx.execute(
        "UPDATE sessions SET named = %s WHERE user_id = %s AND session_id = %s",
        [named, tx.scope.user_id, session_id],
    )


async def set_persona(tx: Transaction, session_id: UUID, persona_id: UUID) -> bool:
    """Give a session that has no persona this one; False when there is none such."""
    row = await tx.fetch_one(
        """
        UPDATE sessions SET persona_id = %s
        WHERE user_id = %s AND session_id = %s AND persona_id IS NULL
        RETURNING session_id
        """,
        [persona_id, tx.scope.user_id, session_id],
    )
    return row is not None


async def set_saved(tx: Transaction, session_id: UUID) -> None:
    """Note that somebody asked to keep what a session was about."""
    await tx.execute(
        "UPDATE sessions SET is_saved = true WHERE user_id = %s AND session_id = %s",
        [tx.scope.user_id, session_id],
    )


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
