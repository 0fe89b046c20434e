"""SQL of recall: one function, one statement."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import compress, pairwise
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from gieok.database import Transaction
from gieok.privacy import PersonKey, Place, log_unreadable, read_rows
from gieok.search import entry_store
from gieok.sessions import Message, reader_store
from gieok.sessions.message_store import open_message
from gieok.sessions.reader_store import build_behind_sql

ITEM = Place("recall_items", "item")
MAX_BYTES = 400_000
"""Stored bytes of messages read at once: two milliseconds of the event loop, and more
characters than are searched or embedded in one go."""


class StoredEntries(NamedTuple):
    """Stored items, opened: ids, the ends of their sessions' ids, what `codec` reads.

    `comparable` tells whose vectors come from the embedder in use.
    """

    ids: list[bytes]
    sessions: NDArray[np.uint64]
    comparable: NDArray[np.bool_]
    entries: list[bytes]


class PersonState(NamedTuple):
    """Where a person stands: erasures before, change number, time zone, language."""

    incarnation: int
    number: int
    zone: str
    language: str


async def read_person_state(tx: Transaction) -> PersonState | None:
    """Return where the person stands; None for a stranger."""
    row = await tx.fetch_one(
        """
        SELECT incarnation, head_seq, time_zone, language
        FROM user_counters JOIN users USING (user_id) WHERE user_id = %s
        """,
        [tx.scope.user_id],
    )
    return PersonState(*row) if row else None


async def list_changed_entities(tx: Transaction, since: int) -> set[tuple[str, str]]:
    """Return which kinds of things changed after a number, and how.

    Where the feed is not whole after it, anything may be deleted: so says one more.
    """
    rows = await tx.fetch_all(
        """
        SELECT DISTINCT entity, operation FROM memory_updates
        WHERE user_id = %(user_id)s AND seq > %(since)s
        UNION ALL
        SELECT 'feed', 'delete' FROM user_counters
        WHERE user_id = %(user_id)s AND floor_seq > %(since)s
        """,
        {"user_id": tx.scope.user_id, "since": since},
    )
    return {(entity, operation) for entity, operation in rows}


async def list_changed_messages(tx: Transaction, since: int) -> list[bytes]:
    """Return the ids of the messages that were written anew after a change number."""
    rows = await tx.fetch_binary(
        """
        SELECT DISTINCT uuid_send(entity_id) FROM memory_updates
        WHERE user_id = %s AND seq > %s
          AND entity = 'session_message' AND operation = 'put'
        """,
        [tx.scope.user_id, since],
    )
    return [row[0] for row in rows]


async def list_entry_ids(tx: Transaction) -> frozenset[bytes]:
    """Return the ids of all messages that are searchable, as bytes."""
    (glued,) = await tx.fetch_binary(
        """
        SELECT string_agg(uuid_send(item_id), ''::bytea) FROM recall_items
        WHERE user_id = %s
        """,
        [tx.scope.user_id],
    )
    ids: bytes = glued[0] or b""
    return frozenset(ids[at : at + 16] for at in range(0, len(ids), 16))


async def load_entries(
    tx: Transaction, key: PersonKey, *, since: int, embedder: str
) -> StoredEntries:
    """Return what was made searchable after a change number.

    All rows travel as five values, a column each: ten thousand rows cost PostgreSQL and
    Python far more one by one than glued together.
    """
    (glued,) = await tx.fetch_binary(
        """
        SELECT string_agg(uuid_send(item_id), ''::bytea),
               string_agg(uuid_send(session_id), ''::bytea),
               string_agg(boolsend(embedder IS NOT DISTINCT FROM %(embedder)s),
                          ''::bytea),
               string_agg(int4send(octet_length(item)), ''::bytea),
               string_agg(item, ''::bytea)
        FROM recall_items WHERE user_id = %(user_id)s AND seq > %(since)s
        """,
        {"user_id": tx.scope.user_id, "since": since, "embedder": embedder},
    )
    ids, sessions, comparable, lengths, sealed = (value or b"" for value in glued)
    parts = _split_values(sealed, np.frombuffer(lengths, ">i4"))
    entries = key.open_each(ITEM, ids, parts)
    stored = StoredEntries(
        ids=[ids[at : at + 16] for at in range(0, len(ids), 16)],
        sessions=np.frombuffer(sessions, ">u8")[1::2],
        comparable=np.frombuffer(comparable, np.bool_),
        entries=[entry for entry in entries if entry is not None],
    )
    if len(stored.entries) == len(entries):
        return stored
    log_unreadable("recall_items", len(entries) - len(stored.entries))
    opened = np.array([entry is not None for entry in entries])
    return StoredEntries(
        ids=list(compress(stored.ids, opened)),
        sessions=stored.sessions[opened],
        comparable=stored.comparable[opened],
        entries=stored.entries,
    )


def _split_values(glued: bytes, lengths: NDArray[Any]) -> Iterator[bytes]:
    """Return the values that were glued together."""
    ends: list[int] = np.cumsum(lengths, dtype=np.int64).tolist()
    return (glued[start:end] for start, end in pairwise([0, *ends]))


async def list_unindexed(tx: Transaction, key: PersonKey, limit: int) -> list[Message]:
    """Return the newest messages that have no item yet and may be found.

    No more than it takes to reach `MAX_BYTES`. Only sessions that lack some are looked
    into: a person's other messages, however many, cost nothing.
    """
    rows = await tx.fetch_all(
        """
        WITH lacking AS MATERIALIZED (
            SELECT user_id, session_id FROM sessions
            WHERE user_id = %(user_id)s AND
        """
        + build_behind_sql("search")
        + """
        )
        SELECT message_id, session_id, position, role, content, layer, created_at,
               metadata
        FROM (
            SELECT unindexed.*, sum(octet_length(content)) OVER newest
                   - octet_length(content) AS bytes_before
            FROM lacking CROSS JOIN LATERAL (
                SELECT * FROM session_messages AS said
                WHERE said.user_id = lacking.user_id
                  AND said.session_id = lacking.session_id
                  AND forgotten_at IS NULL AND NOT is_withheld AND NOT EXISTS (
                    SELECT FROM recall_items
                    WHERE user_id = said.user_id AND item_id = said.message_id
                )
                OFFSET 0  -- keeps the planner from joining all messages first
            ) AS unindexed
            WINDOW newest AS (ORDER BY created_at DESC, position DESC)
        ) AS read
        WHERE bytes_before < %(bytes)s
        ORDER BY created_at DESC, position DESC LIMIT %(limit)s
        """,
        {"user_id": tx.scope.user_id, "limit": limit, "bytes": MAX_BYTES},
    )
    return read_rows("session_messages", rows, partial(open_message, key))


async def list_unembedded(
    tx: Transaction, key: PersonKey, embedder: str, limit: int
) -> list[Message]:
    """Return messages whose item lacks a vector of this embedder."""
    rows = await tx.fetch_all(
        """
        SELECT message_id, said.session_id, position, role, content, layer, created_at,
               metadata
        FROM session_messages AS said
        JOIN recall_items AS found
          ON found.user_id = said.user_id AND found.item_id = said.message_id
        WHERE said.user_id = %s AND forgotten_at IS NULL
          AND NOT is_withheld AND found.embedder IS DISTINCT FROM %s
        LIMIT %s
        """,
        [tx.scope.user_id, embedder, limit],
    )
    return read_rows("session_messages", rows, partial(open_message, key))


async def lock_sessions(tx: Transaction, session_ids: Sequence[UUID]) -> None:
    """Keep sessions from being recorded in until the transaction ends."""
    await tx.execute(
        """
        SELECT FROM sessions WHERE user_id = %s AND session_id = ANY(%s)
        ORDER BY session_id FOR NO KEY UPDATE
        """,
        [tx.scope.user_id, list(session_ids)],
    )


async def upsert_entries(
    tx: Transaction,
    key: PersonKey,
    said: Sequence[tuple[Message, bytes]],
    embedder: str | None,
) -> None:
    """Make messages searchable under the person's newest change number.

    A message that was forgotten or removed meanwhile is left out.
    """
    sealed = {m.message_id: key.seal(ITEM, m.message_id, entry) for m, entry in said}
    added = await entry_store.upsert_entries(tx, sealed, embedder)
    await reader_store.add_searchable(tx, added)


async def list_persona_sessions(tx: Transaction, persona_id: UUID) -> list[UUID]:
    """Return the person's sessions with one persona."""
    return await tx.fetch_column(
        "SELECT session_id FROM sessions WHERE user_id = %s AND persona_id = %s",
        [tx.scope.user_id, persona_id],
    )


async def list_heard_sessions(tx: Transaction, persona_id: UUID) -> list[UUID]:
    """Return the person's sessions but those with another persona."""
    return await tx.fetch_column(
        """
        SELECT session_id FROM sessions
        WHERE user_id = %s AND (persona_id IS NULL OR persona_id = %s)
        """,
        [tx.scope.user_id, persona_id],
    )
