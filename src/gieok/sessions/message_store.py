"""SQL of messages and pairs as they are read: one function, one statement."""

from collections.abc import Collection, Sequence
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple, cast
from uuid import UUID

from psycopg.rows import TupleRow

from gieok.database import Cursor, Transaction
from gieok.database.arrays import to_array_literal
from gieok.kernel.language import Role
from gieok.privacy import PersonKey, Place, read_rows
from gieok.privacy.provenance import count_microseconds
from gieok.sessions.model import (
    Message,
    Pair,
    RecordedPair,
    parse_client_time,
    parse_other_speaker,
)
from gieok.text.cleaning import parse_json

CONTENT = Place("session_messages", "content")
METADATA = Place("session_messages", "metadata")
PLANNER_SUMMARY = Place("conversation_pairs", "planner_summary")


class Provenance(NamedTuple):
    """What the seal of a message covers besides its words."""

    session_id: UUID
    role: Role
    at: datetime

    def encode(self) -> bytes:
        """Return what `encode_provenance` does; a page of messages asks it for each."""
        return encode_message_head(self.session_id.hex, self.role.value, self.at)


def encode_message_head(session: str, role: str, at: datetime) -> bytes:
    """Return a message's provenance for its seal, by the session's id in hex."""
    return f'["{session}", "{role}", {count_microseconds(at)}]'.encode()


async def list_messages(
    tx: Transaction,
    key: PersonKey,
    session_id: UUID,
    *,
    start: int = 0,
    stop: int | None = None,
    only_readable: bool = False,
) -> list[Message]:
    """Return a session's messages from one position up to before another.

    `only_readable` leaves out what was forgotten, or said while memory was off: nothing
    is to be made of it.
    """
    rows = await tx.fetch_all(
        """
        SELECT message_id, session_id, position, role, content, layer, created_at,
               metadata
        FROM session_messages
        WHERE user_id = %(user_id)s AND session_id = %(session_id)s
          AND position >= %(start)s AND position < coalesce(%(stop)s, 2147483647)
          AND (NOT %(only_readable)s OR (forgotten_at IS NULL AND NOT is_withheld))
        ORDER BY position
        """,
        {
            "user_id": tx.scope.user_id,
            "session_id": session_id,
            "start": start,
            "stop": stop,
            "only_readable": only_readable,
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


async def find_page_end(
    tx: Transaction, session_id: UUID, start: int, most: int, max_bytes: int
) -> tuple[int, bool]:
    """Return before which position a page of messages ends, and whether more follow.

    It has a message at least, where there is one, and no more bytes than that beside.
    """
    row = await tx.fetch_one(
        """
        WITH page AS (
            SELECT position, octet_length(content) AS bytes FROM session_messages
            WHERE user_id = %(user_id)s AND session_id = %(session_id)s
              AND position >= %(start)s
            ORDER BY position LIMIT %(most)s + 1
        ), counted AS (
            SELECT position, row_number() OVER in_order = 1 OR (
                       row_number() OVER in_order <= %(most)s
                       AND sum(bytes) OVER in_order <= %(max_bytes)s
                   ) AS is_taken
            FROM page WINDOW in_order AS (ORDER BY position)
        )
        SELECT coalesce(max(position) FILTER (WHERE is_taken) + 1, %(start)s),
               coalesce(bool_or(NOT is_taken), false)
        FROM counted
        """,
        {
            "user_id": tx.scope.user_id,
            "session_id": session_id,
            "start": start,
            "most": most,
            "max_bytes": max_bytes,
        },
    )
    assert row is not None  # noqa: S101 - it counts
    return row[0], row[1]


async def list_end_messages(
    tx: Transaction, key: PersonKey, session_id: UUID, limit: int, offset: int
) -> list[Message]:
    """Return the last messages of a session but for some, in order."""
    rows = await tx.fetch_all(
        """
        SELECT message_id, session_id, position, role, content, layer, created_at,
               metadata
        FROM session_messages WHERE user_id = %s AND session_id = %s
        ORDER BY position DESC LIMIT %s OFFSET %s
        """,
        [tx.scope.user_id, session_id, limit, offset],
    )
    return read_rows("session_messages", reversed(rows), partial(open_message, key))


async def count_messages(tx: Transaction, session_id: UUID) -> int:
    """Return how many messages of a session are still kept."""
    row = await tx.fetch_one(
        "SELECT count(*) FROM session_messages WHERE user_id = %s AND session_id = %s",
        [tx.scope.user_id, session_id],
    )
    return row[0] if row else 0


async def measure_pairs(tx: Transaction, ids: Collection[UUID]) -> dict[UUID, int]:
    """Return how many bytes the words of these pairs have, as they are kept."""
    rows = await tx.fetch_all(
        """
        SELECT pair_id, octet_length(asked.content) + octet_length(answered.content)
        FROM conversation_pairs AS pair
        JOIN session_messages AS asked ON asked.user_id = pair.user_id
         AND asked.message_id = pair.user_message_id
        JOIN session_messages AS answered ON answered.user_id = pair.user_id
         AND answered.message_id = pair.assistant_message_id
        WHERE pair.user_id = %s AND pair_id = ANY(%s)
        """,
        [tx.scope.user_id, list(ids)],
    )
    return dict(rows)


async def list_turn_before(
    tx: Transaction, key: PersonKey, message_id: UUID
) -> list[Message]:
    """Return the turn before a message of its session that is not forgotten.

    The message itself may be by now. What was said while memory was off is among it.
    """
    rows = await tx.fetch_all(
        """
        SELECT said.message_id, session_id, said.position, said.role, said.content,
               said.layer, said.created_at, said.metadata
        FROM session_messages AS one JOIN session_messages AS said
            USING (user_id, session_id)
        WHERE user_id = %s AND one.message_id = %s
          AND said.position IN (one.position - 2, one.position - 1)
          AND said.forgotten_at IS NULL
        ORDER BY said.position
        """,
        [tx.scope.user_id, message_id],
    )
    return read_rows("session_messages", rows, partial(open_message, key))


async def list_user_messages_after(
    tx: Transaction, key: PersonKey, ids: Sequence[UUID], reach: int
) -> list[Message]:
    """Return these messages and those of their sessions `reach` places after them.

    Only the user's role, in order of their sessions. What was said while memory was off
    is among it.
    """
    rows = await tx.fetch_all(
        """
        SELECT message_id, session_id, position, role, content, layer, created_at,
               metadata
        FROM session_messages AS said
        WHERE user_id = %(user_id)s AND role = 'user' AND forgotten_at IS NULL
          AND EXISTS (
            SELECT FROM session_messages AS one
            WHERE one.user_id = said.user_id AND one.session_id = said.session_id
              AND one.message_id = ANY(%(ids)s)
              AND said.position BETWEEN one.position AND one.position + %(reach)s
          )
        ORDER BY session_id, position
        """,
        {"user_id": tx.scope.user_id, "ids": list(ids), "reach": reach},
    )
    return read_rows("session_messages", rows, partial(open_message, key))


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
          AND NOT is_withheld
        """,
        [tx.scope.user_id, list(ids)],
    )
    return read_rows("session_messages", rows, partial(open_message, key))


async def list_message_times(tx: Transaction, session_id: UUID) -> dict[int, datetime]:
    """Return when each message of a session that is kept was said, by position."""
    rows = await tx.fetch_all(
        """
        SELECT position, created_at FROM session_messages
        WHERE user_id = %s AND session_id = %s
        """,
        [tx.scope.user_id, session_id],
    )
    return {row[0]: row[1] for row in rows}


async def find_existing(tx: Transaction, message_ids: Collection[UUID]) -> set[UUID]:
    """Return which of these messages are kept and were not asked to be forgotten."""
    return set(
        await tx.fetch_column(
            """
            SELECT message_id FROM session_messages
            WHERE user_id = %s AND message_id = ANY(%s)
              AND forgotten_at IS NULL
            """,
            [tx.scope.user_id, list(message_ids)],
        )
    )


async def list_withheld_messages(
    tx: Transaction, key: PersonKey, start: Message | None, limit: int
) -> list[Message]:
    """Return what was said while memory was off and is not forgotten, in order.

    From a message on, that one included, or from the first.
    """
    rows = await tx.fetch_all(
        """
        SELECT message_id, session_id, position, role, content, layer, created_at,
               metadata
        FROM session_messages
        WHERE user_id = %(user_id)s AND is_withheld AND forgotten_at IS NULL AND (
            %(session_id)s::uuid IS NULL
            OR (session_id, position) >= (%(session_id)s, %(position)s)
        )
        ORDER BY session_id, position LIMIT %(limit)s
        """,
        {
            "user_id": tx.scope.user_id,
            "session_id": start and start.session_id,
            "position": start and start.position,
            "limit": limit,
        },
    )
    return read_rows("session_messages", rows, partial(open_message, key))


async def list_pairs(
    tx: Transaction,
    key: PersonKey,
    ids: Sequence[UUID],
    *,
    with_withheld: bool = True,
) -> list[RecordedPair]:
    """Return pairs whose time is not over and whose words may still be read.

    On request without what was said while memory was off.
    """
    rows = await tx.fetch_binary(
        """
        SELECT pair.pair_id, pair.session_id, pair.device_id, turn_index, route_family,
               planner_summary, nullif(sensitive_flags, '{}'), pair.created_at,
               retention_until,
               asked.message_id, asked.content, asked.metadata, asked.created_at,
               answered.message_id, answered.content, answered.created_at
        FROM conversation_pairs AS pair
        JOIN session_messages AS asked ON asked.user_id = pair.user_id
         AND asked.message_id = pair.user_message_id AND asked.forgotten_at IS NULL
        JOIN session_messages AS answered ON answered.user_id = pair.user_id
         AND answered.message_id = pair.assistant_message_id
         AND answered.forgotten_at IS NULL
        WHERE pair.user_id = %s AND pair.pair_id = ANY(%s) AND retention_until > %s
          AND (%s OR NOT (asked.is_withheld OR answered.is_withheld))
        """,
        [tx.scope.user_id, list(ids), tx.now, with_withheld],
    )
    return read_rows("conversation_pairs", rows, partial(_open_pair, key))


async def get_pair(tx: Transaction, pair_id: UUID) -> Pair:
    """Return a pair that is there, whether or not its words may still be read."""
    row = await tx.fetch_one(
        """
        SELECT pair_id, session_id, turn_index, user_message_id, assistant_message_id,
               created_at, retention_until
        FROM conversation_pairs WHERE user_id = %s AND pair_id = %s
        """,
        [tx.scope.user_id, pair_id],
    )
    assert row is not None  # noqa: S101 - `find_pairs` found it
    return Pair(*row)


async def find_pairs(
    tx: Transaction, pair_ids: Collection[UUID]
) -> tuple[set[UUID], set[UUID]]:
    """Return which of these pairs the person has, and which were erased or expired."""
    return await read_pairs(await queue_pairs(tx, pair_ids))


async def queue_pairs(tx: Transaction, pair_ids: Collection[UUID]) -> Cursor:
    """Queue finding pairs of the person, for `read_pairs`."""
    return await tx.execute(
        """
        SELECT pair_id, true FROM conversation_pairs
        WHERE user_id = %(user_id)s AND pair_id = ANY(%(ids)s::uuid[])
        UNION ALL
        SELECT entity_id, false FROM memory_updates
        WHERE user_id = %(user_id)s AND entity_id = ANY(%(ids)s::uuid[])
          AND operation = 'delete' AND entity = 'conversation_pair'
        """,
        {
            "user_id": tx.scope.user_id,
            "ids": to_array_literal(map(str, pair_ids)),
        },
    )


async def read_pairs(queued: Cursor) -> tuple[set[UUID], set[UUID]]:
    """Return which of the pairs the person has, and which were erased or expired."""
    rows = await queued.fetchall()
    there = {pair_id for pair_id, is_there in rows if is_there}
    return there, {pair_id for pair_id, _ in rows} - there


def seal_content(
    key: PersonKey, message_id: UUID, text: str, said: Provenance
) -> bytes:
    """Return what was said, sealed together with where, by whom and when it was."""
    return key.seal_text(CONTENT, message_id, text, bound=said.encode())


def open_message(key: PersonKey, row: TupleRow) -> Message:
    """Return the message of a row, its content opened.

    Raises:
        TamperedError: it was changed or moved.
        TypeError, ValueError: it holds what no message does.
    """
    message_id, session_id, position, role, content, layer, created_at, notes = row
    said = Provenance(session_id, Role(role), created_at)
    return Message(
        message_id,
        session_id,
        position,
        said.role,
        key.open_text(CONTENT, message_id, content, bound=said.encode()),
        layer,
        created_at,
        _open_metadata(key, message_id, notes),
    )


def _open_metadata(
    key: PersonKey, message_id: UUID, sealed: bytes | None
) -> dict[str, Any]:
    metadata: Any = {}
    if sealed:
        metadata = parse_json(key.open_text(METADATA, message_id, sealed))
    if not isinstance(metadata, dict):
        raise TypeError(METADATA)
    return cast("dict[str, Any]", metadata)


def _open_pair(key: PersonKey, row: TupleRow) -> RecordedPair:
    pair_id, session_id, device_id, turn_index, route_family, planner, *rest = row
    flags, created_at, until, *said = rest
    asked_id, asked, notes, asked_at, answered_id, answered, answered_at = said
    metadata = _open_metadata(key, asked_id, notes)
    session = session_id.hex
    user = encode_message_head(session, "user", asked_at)
    assistant = encode_message_head(session, "assistant", answered_at)
    return RecordedPair(
        pair_id,
        session_id,
        device_id,
        turn_index,
        key.open_text(CONTENT, asked_id, asked, bound=user),
        key.open_text(CONTENT, answered_id, answered, bound=assistant),
        route_family,
        parse_json(key.open_text(PLANNER_SUMMARY, pair_id, planner)) if planner else {},
        flags or {},
        created_at,
        parse_client_time(metadata) or asked_at,
        until,
        parse_other_speaker(metadata),
    )
