"""SQL of the sign-ins of operators: one function, one statement, nobody's rows."""

from datetime import datetime
from typing import Final

from psycopg import AsyncConnection
from psycopg.rows import TupleRow

from gieok.access.model import OperatorSignIn, Right

Connection = AsyncConnection[TupleRow]
_COLUMNS: Final = """
    SELECT s.sign_in_id, s.key_id, k.name, k.rights, s.created_at, s.opened_at,
           s.expires_at
    FROM operator_sign_ins AS s LEFT JOIN api_keys AS k USING (key_id)
"""
_IS_GOOD: Final = """
    AND s.opened_at IS NOT NULL AND s.expires_at > %(now)s AND (
        s.key_id IS NULL
        OR (k.revoked_at IS NULL AND 'admin' = ANY (k.rights))
    )
"""
"""A sign-in ends with its key."""


async def insert_sign_in(
    connection: Connection, sign_in: OperatorSignIn, digest: bytes
) -> None:
    """Keep a sign-in, or a link that nobody has opened, as its digest."""
    await connection.execute(
        """
        INSERT INTO operator_sign_ins (
            sign_in_id, digest, key_id, created_at, opened_at, expires_at
        ) VALUES (%s, %s, %s, %s, %s, %s)
        """,
        [
            sign_in.sign_in_id,
            digest,
            sign_in.key_id,
            sign_in.created_at,
            sign_in.opened_at,
            sign_in.expires_at,
        ],
    )


async def exchange_digest(
    connection: Connection, link: bytes, opened: bytes, now: datetime, until: datetime
) -> bool:
    """Make a link that is still good a sign-in of another digest; False if none is."""
    done = await connection.execute(
        """
        UPDATE operator_sign_ins
        SET digest = %(opened)s, opened_at = %(now)s, expires_at = %(until)s
        WHERE digest = %(link)s AND opened_at IS NULL AND expires_at > %(now)s
        """,
        {"opened": opened, "now": now, "until": until, "link": link},
    )
    return done.rowcount > 0


async def is_link(connection: Connection, digest: bytes, now: datetime) -> bool:
    """Tell whether a link is still good."""
    found = await connection.execute(
        """
        SELECT FROM operator_sign_ins
        WHERE digest = %s AND opened_at IS NULL AND expires_at > %s
        """,
        [digest, now],
    )
    return found.rowcount > 0


async def find_open(
    connection: Connection, digest: bytes, now: datetime
) -> OperatorSignIn | None:
    """Return the sign-in of a digest, unless it or its key is over."""
    found = await connection.execute(
        _COLUMNS + "WHERE s.digest = %(digest)s" + _IS_GOOD,
        {"digest": digest, "now": now},
    )
    row = await found.fetchone()
    return _parse_sign_in(row) if row else None


async def list_open(connection: Connection, now: datetime) -> list[OperatorSignIn]:
    """Return the sign-ins that are good, newest first."""
    found = await connection.execute(
        _COLUMNS + "WHERE true" + _IS_GOOD + "ORDER BY s.opened_at DESC, s.sign_in_id",
        {"now": now},
    )
    return [_parse_sign_in(row) for row in await found.fetchall()]


async def delete_digest(connection: Connection, digest: bytes) -> None:
    """Remove one sign-in."""
    await connection.execute(
        "DELETE FROM operator_sign_ins WHERE digest = %s", [digest]
    )


async def delete_sign_ins(connection: Connection, until: datetime | None) -> None:
    """Remove every sign-in and link, or those that were over by a time."""
    await connection.execute(
        """
        DELETE FROM operator_sign_ins
        WHERE %(until)s::timestamptz IS NULL OR expires_at <= %(until)s
        """,
        {"until": until},
    )


def _parse_sign_in(row: TupleRow) -> OperatorSignIn:
    sign_in_id, key_id, name, rights, *times = row
    given = frozenset(Right) if key_id is None else frozenset(map(Right, rights))
    return OperatorSignIn(sign_in_id, key_id, name, given, *times)
