"""SQL of what items are found by: one function, one statement."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

from gieok.database import Cursor, Transaction
from gieok.items import sealed
from gieok.items.model import Namespace
from gieok.kernel.errors import TamperedError
from gieok.privacy import PersonKey, Place, read_rows

SEARCH = Place("store_items", "search")


class ChangedItem(NamedTuple):
    """An item as the index takes it in; `entries` is None until the job made them."""

    item_id: UUID
    namespace: Namespace
    revision: int
    position: int
    updated_at: datetime
    searchable: bool
    comparable: bool
    entries: bytes | None
    content: sealed.ItemContent | None


class UnembeddedItem(NamedTuple):
    """An item that lacks a vector."""

    item_id: UUID
    revision: int
    position: int
    updated_at: datetime
    content: sealed.ItemContent


class SearchState(NamedTuple):
    """What a search stands on; `expired` are items that no sweep has removed yet."""

    incarnation: int
    number: int
    zone: str
    expired: list[UUID]


async def send_state_query(tx: Transaction) -> Cursor:
    """Ask for what a search stands on; the answer comes with that of what follows."""
    return await tx.execute(
        """
        SELECT incarnation, head_seq, time_zone, array(
            SELECT item_id FROM store_items
            WHERE user_id = %(user_id)s AND expires_at <= %(now)s
        )
        FROM user_counters JOIN users USING (user_id) WHERE user_id = %(user_id)s
        """,
        {"user_id": tx.scope.user_id, "now": tx.now},
    )


async def read_search_state(asked: Cursor) -> SearchState:
    """Return what was asked for; a stranger has nothing."""
    row = await asked.fetchone()
    return SearchState(*row) if row else SearchState(0, 0, "UTC", [])


async def list_removed(tx: Transaction, since: int) -> set[bytes]:
    """Return the items that were removed after a change number."""
    rows = await tx.fetch_all(
        """
        SELECT DISTINCT entity_id FROM memory_updates
        WHERE user_id = %s AND seq > %s AND entity = 'store_item'
          AND operation = 'delete'
        """,
        [tx.scope.user_id, since],
    )
    return {row[0].bytes for row in rows}


async def list_changed(
    tx: Transaction, key: PersonKey, *, since: int, embedder: str
) -> list[ChangedItem]:
    """Return what was put or made searchable after a change number."""
    rows = await tx.fetch_all(
        """
        SELECT item_id, name, revision, position, updated_at, searchable,
               embedder IS NOT DISTINCT FROM %(embedder)s, search,
               CASE WHEN searchable AND search IS NULL THEN content END
        FROM store_items WHERE user_id = %(user_id)s AND seq > %(since)s
        ORDER BY position
        """,
        {"user_id": tx.scope.user_id, "since": since, "embedder": embedder},
    )
    made = [row for row in rows if row[7] is not None]
    entries = key.open_each(
        SEARCH, b"".join([row[0].bytes for row in made]), [row[7] for row in made]
    )
    opened = dict(zip([row[0] for row in made], entries, strict=True))
    return read_rows("store_items", rows, partial(_open_changed, key, opened))


async def list_unembedded(
    tx: Transaction, key: PersonKey, embedder: str, limit: int
) -> list[UnembeddedItem]:
    """Return items that lack a vector of this embedder, the oldest change first."""
    rows = await tx.fetch_all(
        """
        SELECT item_id, revision, position, updated_at, content FROM store_items
        WHERE user_id = %s AND searchable AND embedder IS DISTINCT FROM %s
        ORDER BY seq LIMIT %s
        """,
        [tx.scope.user_id, embedder, limit],
    )
    return read_rows(
        "store_items",
        rows,
        lambda row: UnembeddedItem(
            item_id=row[0],
            revision=row[1],
            position=row[2],
            updated_at=row[3],
            content=sealed.open_content(key, row[0], row[4]),
        ),
    )


async def store_entries(
    tx: Transaction,
    key: PersonKey,
    made: Sequence[tuple[UnembeddedItem, bytes]],
    embedder: str,
) -> None:
    """Keep what items are found by, unless they were put anew meanwhile.

    They stand under the person's newest change number.
    """
    await tx.execute(
        """
        UPDATE store_items AS held
        SET search = new.search, embedder = %(embedder)s, seq = counter.head_seq
        FROM user_counters AS counter,
             unnest(%(ids)s::uuid[], %(revisions)s::integer[], %(entries)s::bytea[])
                 AS new (id, revision, search)
        WHERE held.user_id = %(user_id)s AND counter.user_id = %(user_id)s
          AND held.item_id = new.id AND held.revision = new.revision
        """,
        {
            "user_id": tx.scope.user_id,
            "embedder": embedder,
            "ids": [one.item_id for one, _ in made],
            "revisions": [one.revision for one, _ in made],
            "entries": [key.seal(SEARCH, one.item_id, entry) for one, entry in made],
        },
    )


def _open_changed(
    key: PersonKey, opened: Mapping[UUID, bytes | None], row: Sequence[Any]
) -> ChangedItem:
    entries = opened.get(row[0])
    if entries is None and row[7] is not None:
        raise TamperedError(".".join(SEARCH))
    return ChangedItem(
        item_id=row[0],
        namespace=sealed.open_name(key, row[0], row[1])[0],
        revision=row[2],
        position=row[3],
        updated_at=row[4],
        searchable=row[5],
        comparable=row[6],
        entries=entries,
        content=row[8] and sealed.open_content(key, row[0], row[8]),
    )
