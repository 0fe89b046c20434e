"""SQL of devices' cursors and of the feed they read: one function, one statement."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Final, LiteralString
from uuid import UUID

from psycopg.rows import TupleRow

from gieok.database import Transaction
from gieok.kernel.entities import Entity
from gieok.privacy import PersonKey, Place, read_rows
from gieok.sync.epoch import Epoch
from gieok.sync.feed_store import FeedState, queue_feed_state, read_feed_state
from gieok.sync.model import ConflictKind, SyncCursor, SyncStatus

CHAIN: Final = Place("memory_sync_cursors", "chain")
_SELECT: Final = """
    SELECT cursor_id, device_id, incarnation, last_pair_seq, last_cloud_update_seq,
           epoch, last_sync_at, sync_status, conflict_state, chain
    FROM memory_sync_cursors
"""


async def lock_cursors(
    tx: Transaction, key: PersonKey, device_id: UUID
) -> list[SyncCursor]:
    """Return the cursors of a device's installations, locked until the end."""
    rows = await tx.fetch_all(
        _SELECT + "WHERE user_id = %s AND device_id = %s ORDER BY cursor_id FOR UPDATE",
        [tx.scope.user_id, device_id],
    )
    return [_open_cursor(key, row) for row in rows]


async def list_cursors(
    tx: Transaction, key: PersonKey, device_id: UUID | None = None
) -> list[SyncCursor]:
    """Return the cursors of all of the person's devices, or of one; oldest first."""
    rows = await tx.fetch_all(
        _SELECT
        + """
        WHERE user_id = %(user_id)s
          AND device_id = coalesce(%(device_id)s, device_id) ORDER BY cursor_id
        """,
        {"user_id": tx.scope.user_id, "device_id": device_id},
    )
    return read_rows(CHAIN.table, rows, lambda row: _open_cursor(key, row))


async def open_exchange(
    tx: Transaction, key: PersonKey, device_id: UUID, *, lock: bool
) -> tuple[list[SyncCursor], FeedState | None]:
    """Return a device's cursors and the feed, in one round trip.

    With `lock` they stay as they are until the end, and the feed is read after that;
    without, those that cannot be read are left out.
    """
    cursors = await tx.execute(
        _SELECT
        + "WHERE user_id = %s AND device_id = %s ORDER BY cursor_id"
        + (" FOR UPDATE" if lock else ""),
        [tx.scope.user_id, device_id],
    )
    feed = await queue_feed_state(tx)
    rows, read = await cursors.fetchall(), partial(_open_cursor, key)
    found = list(map(read, rows)) if lock else read_rows(CHAIN.table, rows, read)
    return found, await read_feed_state(feed)


async def list_states(
    tx: Transaction,
) -> list[tuple[SyncStatus, ConflictKind | None, datetime]]:
    """Return where each of the person's devices stands, and when it was heard of."""
    rows = await tx.fetch_all(
        """
        SELECT sync_status, conflict_state->>'kind', last_sync_at
        FROM memory_sync_cursors WHERE user_id = %s
        """,
        [tx.scope.user_id],
    )
    return [
        (SyncStatus(status), None if kind is None else ConflictKind(kind), heard_of)
        for status, kind, heard_of in rows
    ]


async def insert_cursor(tx: Transaction, key: PersonKey, cursor: SyncCursor) -> None:
    """Keep the cursor of an installation, unless it has one."""
    await tx.execute(
        """
        INSERT INTO memory_sync_cursors (
            user_id, cursor_id, device_id, incarnation, last_pair_seq, chain,
            last_cloud_update_seq, epoch, last_sync_at, sync_status, conflict_state
        ) VALUES (
            %(user_id)s, %(cursor_id)s, %(device_id)s, %(incarnation)s,
            %(last_pair_seq)s, %(chain)s, %(last_cloud_update_seq)s, %(epoch)s,
            %(last_sync_at)s, %(sync_status)s, %(conflict_state)s::jsonb
        ) ON CONFLICT DO NOTHING
        """,
        _build_values(tx, key, cursor),
    )


async def update_cursor(tx: Transaction, key: PersonKey, cursor: SyncCursor) -> None:
    """Keep a cursor as it is now."""
    await tx.execute(
        """
        UPDATE memory_sync_cursors SET
            last_pair_seq = %(last_pair_seq)s, chain = %(chain)s,
            last_cloud_update_seq = %(last_cloud_update_seq)s, epoch = %(epoch)s,
            last_sync_at = %(last_sync_at)s, sync_status = %(sync_status)s,
            conflict_state = %(conflict_state)s::jsonb
        WHERE user_id = %(user_id)s AND cursor_id = %(cursor_id)s
        """,
        _build_values(tx, key, cursor),
    )


async def find_slowest(tx: Transaction, epoch: Epoch, since: datetime) -> int | None:
    """Return what all installations have applied that were heard of since a time.

    None without any. Those with a copy of another epoch take a snapshot in any case.
    """
    row = await tx.fetch_one(
        """
        SELECT min(last_cloud_update_seq) FROM memory_sync_cursors
        WHERE user_id = %s AND epoch = %s AND last_sync_at >= %s
          AND sync_status <> 'error'
        """,
        [tx.scope.user_id, str(epoch), since],
    )
    return row[0] if row else None


async def find_last_before(tx: Transaction, floor: int, time: datetime) -> int | None:
    """Return the last change above the floor that was noted before a time."""
    row = await tx.fetch_one(
        """
        SELECT max(seq) FROM memory_updates
        WHERE user_id = %s AND seq > %s AND created_at < %s
        """,
        [tx.scope.user_id, floor, time],
    )
    return row[0] if row else None


async def find_last_change(tx: Transaction, time: datetime) -> int | None:
    """Return the last change that was noted by a time; None where that is trimmed."""
    row = await tx.fetch_one(
        "SELECT max(seq) FROM memory_updates WHERE user_id = %s AND created_at <= %s",
        [tx.scope.user_id, time],
    )
    return row[0] if row else None


async def note_contact(tx: Transaction, cursor_id: UUID, before: datetime) -> None:
    """Keep that a device was heard of, unless it was since a time."""
    await tx.execute(
        """
        UPDATE memory_sync_cursors SET last_sync_at = %s
        WHERE user_id = %s AND cursor_id = %s AND last_sync_at < %s
        """,
        [tx.now, tx.scope.user_id, cursor_id, before],
    )


async def has_cursor(tx: Transaction, device_id: UUID) -> bool:
    """Tell whether the person's device was ever heard of."""
    row = await tx.fetch_one(
        "SELECT FROM memory_sync_cursors WHERE user_id = %s AND device_id = %s LIMIT 1",
        [tx.scope.user_id, device_id],
    )
    return row is not None


async def lock_device(tx: Transaction, device_id: UUID) -> None:
    """Wait for whoever exchanges with a device, and keep them out."""
    await tx.execute(
        """
        SELECT FROM memory_sync_cursors WHERE user_id = %s AND device_id = %s
        ORDER BY cursor_id FOR UPDATE
        """,
        [tx.scope.user_id, device_id],
    )


async def mark_erased(
    tx: Transaction, device_id: UUID, state: Mapping[str, Any]
) -> None:
    """Have every installation of a device empty itself, if it was not shut out."""
    await tx.execute(
        """
        UPDATE memory_sync_cursors
        SET sync_status = 'error', conflict_state = %s::jsonb
        WHERE user_id = %s AND device_id = %s
          AND conflict_state ->> 'kind' IS DISTINCT FROM 'revoked'
        """,
        [json.dumps(dict(state)), tx.scope.user_id, device_id],
    )


async def list_changes(
    tx: Transaction, entities: Sequence[str], since: int, until: int, limit: int
) -> list[tuple[int, str, UUID]]:
    """Return what changed: the number, the kind and the id, in order."""
    rows = await tx.fetch_all(
        """
        SELECT seq, entity, entity_id FROM memory_updates
        WHERE user_id = %s AND seq > %s AND seq <= %s AND entity = ANY(%s)
        ORDER BY seq LIMIT %s
        """,
        [tx.scope.user_id, since, until, list(entities), limit],
    )
    return [(row[0], row[1], row[2]) for row in rows]


async def list_changed_candidates(
    tx: Transaction, since: int, limit: int
) -> list[UUID]:
    """Return what waits for corroboration and changed after a number, newest first.

    Where the feed does not reach back so far, all that waits may have changed.
    """
    rows = await tx.fetch_all(
        """
        SELECT candidate_id
        FROM memory_candidates JOIN user_counters USING (user_id) LEFT JOIN (
            SELECT entity_id, max(seq) AS seq FROM memory_updates
            WHERE user_id = %(user_id)s AND entity = 'memory_candidate'
              AND seq > %(since)s
            GROUP BY entity_id
        ) AS changed ON entity_id = candidate_id
        WHERE user_id = %(user_id)s AND status = 'pending' AND held_reason IS NULL
          AND (seq IS NOT NULL OR floor_seq > %(since)s)
        ORDER BY seq DESC NULLS LAST, candidate_id DESC LIMIT %(limit)s
        """,
        {"user_id": tx.scope.user_id, "since": since, "limit": limit},
    )
    return [row[0] for row in rows]


async def list_known(tx: Transaction) -> list[tuple[Entity, UUID]]:
    """Return what is known of the person and may be on devices: its kind and id."""
    rows = await tx.fetch_all(
        """
        SELECT 'user_memory', memory_id FROM user_memories
        WHERE user_id = %(user_id)s AND is_active
        UNION ALL
        SELECT 'memory_candidate', candidate_id FROM memory_candidates
        WHERE user_id = %(user_id)s AND status = 'pending'
        UNION ALL
        SELECT 'mid_term_summary', summary_id FROM mid_term_summaries
        WHERE user_id = %(user_id)s
        UNION ALL
        SELECT 'short_term_summary', summary_id FROM short_term_summaries
        WHERE user_id = %(user_id)s
        UNION ALL
        SELECT 'session', session_id FROM sessions
        WHERE user_id = %(user_id)s AND session_summary IS NOT NULL
        """,
        {"user_id": tx.scope.user_id},
    )
    return [(row[0], row[1]) for row in rows]


async def list_ids(
    tx: Transaction,
    table: LiteralString,
    column: LiteralString,
    after: UUID,
    limit: int,
) -> list[UUID]:
    """Return ids of a table's rows after one, in order."""
    rows = await tx.fetch_all(
        f"SELECT {column} FROM {table} WHERE user_id = %s AND {column} > %s "
        f"ORDER BY {column} LIMIT %s",
        [tx.scope.user_id, after, limit],
    )
    return [row[0] for row in rows]


def _build_values(
    tx: Transaction, key: PersonKey, cursor: SyncCursor
) -> dict[str, Any]:
    state = cursor.conflict_state
    return {
        "user_id": tx.scope.user_id,
        "cursor_id": cursor.cursor_id,
        "device_id": cursor.device_id,
        "incarnation": cursor.incarnation,
        "last_pair_seq": cursor.last_pair_seq,
        "chain": key.seal(CHAIN, cursor.cursor_id, cursor.chain),
        "last_cloud_update_seq": cursor.last_cloud_update_seq,
        "epoch": cursor.epoch,
        "last_sync_at": cursor.last_sync_at,
        "sync_status": cursor.sync_status.value,
        "conflict_state": None if state is None else json.dumps(dict(state)),
    }


def _open_cursor(key: PersonKey, row: TupleRow) -> SyncCursor:
    return SyncCursor(
        cursor_id=row[0],
        device_id=row[1],
        incarnation=row[2],
        last_pair_seq=row[3],
        last_cloud_update_seq=row[4],
        epoch=row[5],
        last_sync_at=row[6],
        sync_status=SyncStatus(row[7]),
        conflict_state=row[8],
        chain=key.open(CHAIN, row[0], row[9]),
    )
