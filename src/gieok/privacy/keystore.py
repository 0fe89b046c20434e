"""Wrapped keys of people, in a database of their own.

They are kept apart so that a backup of the data never holds the keys that open it:
destroying a key then makes the person's rows unreadable in every old backup as well.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Self
from uuid import UUID

from psycopg_pool import AsyncConnectionPool

from gieok.database.transaction import Pool, mapped_errors

SCHEMA = (
    """
    CREATE TABLE IF NOT EXISTS user_keys (
        user_id uuid NOT NULL,
        epoch smallint NOT NULL,
        wrapped_by text NOT NULL,
        wrapped bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (user_id, epoch)
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS keystore_probe (
        single boolean PRIMARY KEY DEFAULT true CHECK (single),
        wrapped_by text NOT NULL,
        wrapped bytea NOT NULL
    )
    """,
)
ADVISORY_LOCK = 0x6B657973
"""Lets one process at a time make the tables ("keys" in ASCII)."""


@dataclass(frozen=True, slots=True)
class Keystore:
    """The keystore database."""

    pool: Pool

    @classmethod
    @asynccontextmanager
    async def connect(cls, conninfo: str) -> AsyncGenerator[Self]:
        """Open the keystore, with its tables made, for as long as the block runs."""
        pool: Pool = AsyncConnectionPool(
            conninfo,
            min_size=1,
            max_size=4,
            timeout=10,
            open=False,
            check=AsyncConnectionPool.check_connection,
        )
        try:
            with mapped_errors():
                await pool.open(wait=True, timeout=10)
                async with pool.connection() as connection:
                    await connection.execute(
                        "SELECT pg_advisory_xact_lock(%s)", [ADVISORY_LOCK]
                    )
                    for statement in SCHEMA:
                        await connection.execute(statement)
            yield cls(pool)
        finally:
            await pool.close()

    async def probe(self) -> bytes | None:
        """Return the key that was wrapped when the keystore was made, if any."""
        with mapped_errors():
            async with self.pool.connection() as connection:
                found = await connection.execute("SELECT wrapped FROM keystore_probe")
                row = await found.fetchone()
        return bytes(row[0]) if row else None

    async def keep_probe(self, wrapped_by: str, wrapped: bytes) -> None:
        """Keep the first wrapped key; a later one is ignored."""
        with mapped_errors():
            async with self.pool.connection() as connection:
                await connection.execute(
                    """
                    INSERT INTO keystore_probe (wrapped_by, wrapped) VALUES (%s, %s)
                    ON CONFLICT DO NOTHING
                    """,
                    [wrapped_by, wrapped],
                )

    async def people(self) -> tuple[UUID, ...]:
        """Return everyone who has a key, in no particular order."""
        with mapped_errors():
            async with self.pool.connection() as connection:
                found = await connection.execute(
                    "SELECT DISTINCT user_id FROM user_keys"
                )
                return tuple(row[0] for row in await found.fetchall())

    async def newest(self, user_id: UUID) -> tuple[int, bytes] | None:
        """Return epoch and wrapped key of a person, or None for a stranger."""
        with mapped_errors():
            async with self.pool.connection() as connection:
                found = await connection.execute(
                    """
                    SELECT epoch, wrapped FROM user_keys WHERE user_id = %s
                    ORDER BY epoch DESC LIMIT 1
                    """,
                    [user_id],
                )
                row = await found.fetchone()
        return (row[0], bytes(row[1])) if row else None

    async def keep(self, user_id: UUID, wrapped_by: str, wrapped: bytes) -> None:
        """Keep a person's first key; if there is one already, that one stays."""
        with mapped_errors():
            async with self.pool.connection() as connection:
                await connection.execute(
                    """
                    INSERT INTO user_keys (user_id, epoch, wrapped_by, wrapped)
                    VALUES (%s, 0, %s, %s) ON CONFLICT DO NOTHING
                    """,
                    [user_id, wrapped_by, wrapped],
                )
