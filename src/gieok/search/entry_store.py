"""SQL of stored search entries, one for each message: one function, one statement.

`recall` makes them; they are kept here because sessions and memories take a message out
of the search in the transaction that masks or forgets it.
"""

from collections.abc import Mapping, Sequence
from uuid import UUID

from gieok.database import Transaction


async def upsert_entries(
    tx: Transaction, entries: Mapping[UUID, bytes], embedder: str | None
) -> dict[UUID, int]:
    """Keep sealed entries of messages under the person's newest change number.

    A message that was forgotten or removed meanwhile is left out. Returns how many were
    new, by session.
    """
    rows = await tx.fetch_all(
        """
        WITH stored AS (
            INSERT INTO recall_items (user_id, item_id, session_id, seq, embedder, item)
            SELECT said.user_id, said.message_id, said.session_id, counter.head_seq,
                   %(embedder)s, new.item
            FROM unnest(%(ids)s::uuid[], %(items)s::bytea[]) AS new (id, item)
            JOIN session_messages AS said
              ON said.user_id = %(user_id)s AND said.message_id = new.id
            JOIN user_counters AS counter ON counter.user_id = said.user_id
            WHERE said.forgotten_at IS NULL
            ON CONFLICT (user_id, item_id) DO UPDATE SET
                seq = excluded.seq, embedder = excluded.embedder, item = excluded.item
            RETURNING session_id, xmax = 0 AS is_new
        )
        SELECT session_id, count(*) FROM stored WHERE is_new GROUP BY session_id
        """,
        {
            "user_id": tx.scope.user_id,
            "ids": list(entries),
            "items": list(entries.values()),
            "embedder": embedder,
        },
    )
    return dict(rows)


async def delete_entries(
    tx: Transaction, message_ids: Sequence[UUID]
) -> dict[UUID, int]:
    """Take messages out of the search; return how many had an entry, by session."""
    rows = await tx.fetch_all(
        """
        WITH gone AS (
            DELETE FROM recall_items WHERE user_id = %s AND item_id = ANY(%s)
            RETURNING session_id
        )
        SELECT session_id, count(*) FROM gone GROUP BY session_id
        """,
        [tx.scope.user_id, list(message_ids)],
    )
    return dict(rows)
