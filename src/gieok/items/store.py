"""SQL of the items: one function, one statement."""

from collections.abc import Collection, Sequence
from datetime import datetime
from functools import partial
from typing import Any, LiteralString
from uuid import UUID

from gieok.database import Transaction
from gieok.database.arrays import to_array_literal
from gieok.items import sealed
from gieok.items.model import Item, Namespace, Put
from gieok.privacy import PersonKey, read_rows

_LIVE: LiteralString = "(expires_at IS NULL OR expires_at > %(now)s)"
_COLUMNS: LiteralString = "item_id, name, content, created_at, updated_at, ttl_minutes"


async def get_items(
    tx: Transaction, key: PersonKey, ids: Collection[UUID]
) -> dict[UUID, Item]:
    """Return the items of these ids that are there and alive."""
    rows = await tx.fetch_all(
        f"SELECT {_COLUMNS} FROM store_items "
        f"WHERE user_id = %(user_id)s AND item_id = ANY(%(ids)s) AND {_LIVE}",
        {"user_id": tx.scope.user_id, "ids": list(ids), "now": tx.now},
    )
    items = read_rows("store_items", rows, partial(_open_item, key))
    return {each.item_id: each for each in items}


async def list_latest(
    tx: Transaction, key: PersonKey, prefix: UUID | None, page: tuple[int, int] | None
) -> list[Item]:
    """Return items that begin with a prefix, what changed last first.

    `page` is (limit, offset); None is all of them.
    """
    limit, offset = page or (None, 0)
    rows = await tx.fetch_all(
        f"SELECT {_COLUMNS} FROM store_items WHERE user_id = %(user_id)s "
        f"AND (%(prefix)s::uuid IS NULL OR %(prefix)s = ANY(prefix_ids)) AND {_LIVE} "
        "ORDER BY updated_at DESC, position DESC LIMIT %(limit)s OFFSET %(offset)s",
        {
            "user_id": tx.scope.user_id,
            "prefix": prefix,
            "now": tx.now,
            "limit": limit,
            "offset": offset,
        },
    )
    return read_rows("store_items", rows, partial(_open_item, key))


async def list_namespaces(tx: Transaction, key: PersonKey) -> list[Namespace]:
    """Return every namespace that holds something alive."""
    rows = await tx.fetch_all(
        "SELECT DISTINCT ON (namespace_id) item_id, name FROM store_items "
        f"WHERE user_id = %(user_id)s AND {_LIVE} ORDER BY namespace_id",
        {"user_id": tx.scope.user_id, "now": tx.now},
    )
    return read_rows(
        "store_items", rows, lambda row: sealed.open_name(key, row[0], row[1])[0]
    )


async def upsert_items(
    tx: Transaction, key: PersonKey, puts: Sequence[tuple[UUID, Put, str]]
) -> dict[UUID, bool]:
    """Keep values under new change numbers; return which ids are new.

    The caller holds the person and numbers one change for each, in this order.
    """
    rows = await tx.fetch_all(
        """
        INSERT INTO store_items AS held (
            user_id, item_id, namespace_id, prefix_ids, seq, position, name, content,
            searchable, ttl_minutes, expires_at, created_at, updated_at
        )
        SELECT %(user_id)s, new.id, new.space, new.prefixes::uuid[],
               counter.head_seq + new.ordinality, counter.head_seq + new.ordinality,
               new.name, new.content, new.searchable, new.ttl,
               %(now)s + make_interval(secs => 60 * new.ttl), %(now)s, %(now)s
        FROM user_counters AS counter, unnest(
            %(ids)s::uuid[], %(spaces)s::uuid[], %(prefixes)s::text[],
            %(names)s::bytea[], %(contents)s::bytea[], %(searchable)s::boolean[],
            %(ttls)s::double precision[]
        ) WITH ORDINALITY
            AS new (id, space, prefixes, name, content, searchable, ttl, ordinality)
        WHERE counter.user_id = %(user_id)s
        ON CONFLICT (user_id, item_id) DO UPDATE SET
            seq = excluded.seq, revision = held.revision + 1,
            name = excluded.name, content = excluded.content,
            searchable = excluded.searchable, search = NULL, embedder = NULL,
            ttl_minutes = excluded.ttl_minutes, expires_at = excluded.expires_at,
            updated_at = excluded.updated_at
        RETURNING item_id, xmax = 0
        """,
        {
            "user_id": tx.scope.user_id,
            "now": tx.now,
            "ids": [row for row, _, _ in puts],
            "spaces": [
                sealed.derive_namespace_id(key, one.namespace) for _, one, _ in puts
            ],
            "prefixes": [
                to_array_literal(
                    str(each) for each in sealed.derive_prefix_ids(key, one.namespace)
                )
                for _, one, _ in puts
            ],
            "names": [sealed.seal_name(key, one, row) for row, one, _ in puts],
            "contents": [sealed.seal_content(key, row, text) for row, _, text in puts],
            "searchable": [bool(one.texts) for _, one, _ in puts],
            "ttls": [one.ttl_minutes for _, one, _ in puts],
        },
    )
    return {row[0]: row[1] for row in rows}


async def delete_items(tx: Transaction, ids: Collection[UUID]) -> list[UUID]:
    """Delete items; return which of them were there."""
    return await tx.fetch_column(
        """
        DELETE FROM store_items WHERE user_id = %s AND item_id = ANY(%s)
        RETURNING item_id
        """,
        [tx.scope.user_id, list(ids)],
    )


async def reset_expiry(tx: Transaction, ids: Collection[UUID]) -> None:
    """Start the time to live of items anew."""
    await tx.execute(
        """
        UPDATE store_items
        SET expires_at = %s + make_interval(secs => 60 * ttl_minutes)
        WHERE user_id = %s AND item_id = ANY(%s) AND ttl_minutes IS NOT NULL
        """,
        [tx.now, tx.scope.user_id, list(ids)],
    )


async def list_expired(tx: Transaction) -> list[UUID]:
    """Return the items whose time is over, which no sweep has removed yet."""
    return await tx.fetch_column(
        "SELECT item_id FROM store_items WHERE user_id = %s AND expires_at <= %s",
        [tx.scope.user_id, tx.now],
    )


async def find_next_expiry(tx: Transaction) -> datetime | None:
    """Return when the next item's time is over."""
    row = await tx.fetch_one(
        "SELECT min(expires_at) FROM store_items WHERE user_id = %s",
        [tx.scope.user_id],
    )
    return row[0] if row else None


def _open_item(key: PersonKey, row: Sequence[Any]) -> Item:
    namespace, name = sealed.open_name(key, row[0], row[1])
    content = sealed.open_content(key, row[0], row[2])
    return Item(row[0], namespace, name, content.value, row[3], row[4], row[5])
