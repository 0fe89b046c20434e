"""SQL of the keys of apps; they belong to nobody, so no person is set."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from uuid import UUID

from psycopg import AsyncConnection
from psycopg.rows import TupleRow

from gieok.access.model import ApiKey, Right

Connection = AsyncConnection[TupleRow]


async def insert_key(connection: Connection, key: ApiKey, digest: bytes) -> None:
    """Keep a new key, as its digest."""
    await connection.execute(
        """
        INSERT INTO api_keys (key_id, name, digest, rights, created_at)
        VALUES (%s, %s, %s, %s, %s)
        """,
        [key.key_id, key.name, digest, sorted(key.rights), key.created_at],
    )


async def find_valid_key(connection: Connection, digest: bytes) -> ApiKey | None:
    """Return the key of a digest unless it was revoked."""
    found = await connection.execute(
        """
        SELECT key_id, name, rights, created_at, last_used_at, revoked_at
        FROM api_keys WHERE digest = %s AND revoked_at IS NULL
        """,
        [digest],
    )
    row = await found.fetchone()
    return _parse_key(row) if row else None


async def update_last_used(
    connection: Connection, key_id: UUID, now: datetime, every: timedelta
) -> None:
    """Note that a key was used, unless that was noted shortly before."""
    await connection.execute(
        """
        UPDATE api_keys SET last_used_at = %(now)s
        WHERE key_id = %(key_id)s
          AND (last_used_at IS NULL OR last_used_at <= %(before)s)
        """,
        {"now": now, "key_id": key_id, "before": now - every},
    )


async def list_keys(connection: Connection) -> list[ApiKey]:
    """Return all keys, newest first."""
    found = await connection.execute(
        """
        SELECT key_id, name, rights, created_at, last_used_at, revoked_at
        FROM api_keys ORDER BY created_at DESC, key_id DESC
        """
    )
    return [_parse_key(row) for row in await found.fetchall()]


async def revoke_key(connection: Connection, key_id: UUID, now: datetime) -> bool:
    """Revoke a key for good; False when there is none. The first time stays."""
    done = await connection.execute(
        """
        UPDATE api_keys SET revoked_at = coalesce(revoked_at, %s) WHERE key_id = %s
        """,
        [now, key_id],
    )
    return done.rowcount > 0


async def restore_revocations(
    connection: Connection, revoked: Mapping[UUID, datetime]
) -> int:
    """Revoke keys as of their times unless they are; return how many were not."""
    done = await connection.execute(
        """
        UPDATE api_keys SET revoked_at = revoked.at
        FROM unnest(%s::uuid[], %s::timestamptz[]) AS revoked (key_id, at)
        WHERE api_keys.key_id = revoked.key_id AND revoked_at IS NULL
        """,
        [list(revoked), list(revoked.values())],
    )
    return done.rowcount


def _parse_key(row: TupleRow) -> ApiKey:
    key_id, name, rights, *times = row
    return ApiKey(key_id, name, frozenset(Right(right) for right in rights), *times)
