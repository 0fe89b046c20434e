"""Wrapped keys of people, in a database of their own.

They are kept apart so that a backup of the data never holds the keys that open it:
destroying a key then makes the person's rows unreadable in every old backup as well.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import LiteralString, NamedTuple, Self
from uuid import UUID

from psycopg.rows import TupleRow

from gieok.database.pool import WAIT_SECONDS, Pool
from gieok.database.transaction import Parameters, map_errors
from gieok.kernel.errors import ConflictError
from gieok.privacy.audit_seals import SCHEMA as SEALS_SCHEMA
from gieok.privacy.ledger import SCHEMA as LEDGER_SCHEMA
from gieok.privacy.ledger import Ledger

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
    # When every process knows a key, so that it may seal.
    """
    ALTER TABLE user_keys ADD COLUMN IF NOT EXISTS
        settled_at timestamptz NOT NULL DEFAULT now()
    """,
    # What the person's digests are keyed with, once that is not their first key.
    "ALTER TABLE user_keys ADD COLUMN IF NOT EXISTS digest_wrapped bytea",
    "CREATE INDEX IF NOT EXISTS user_keys_by_wrapping ON user_keys (wrapped_by)",
    *LEDGER_SCHEMA,
    *SEALS_SCHEMA,
    # How often the person had been erased when their first key was made.
    "ALTER TABLE user_keys ADD COLUMN IF NOT EXISTS incarnation integer",
    """
    UPDATE user_keys SET incarnation = coalesce((
        SELECT max(number) FROM erased_ledger AS erased
        WHERE erased.user_id = user_keys.user_id AND kind = 'person'
    ), 0) WHERE incarnation IS NULL
    """,
)
ADVISORY_LOCK = 0x6B657973
"""Lets one process at a time make the tables ("keys" in ASCII)."""
ROTATION_LOCK = 0x726F7461
"""Lets one process at a time rotate ("rota" in ASCII)."""


class WrappedKey(NamedTuple):
    """A wrapped key of a person's."""

    epoch: int
    wrapped_by: str
    wrapped: bytes
    digest_wrapped: bytes | None
    is_settled: bool
    incarnation: int = 0
    """How often the person had been erased before."""


class WrappingUsage(NamedTuple):
    """How many keys a wrapping key holds, and of how many people."""

    wrapped_by: str
    keys: int
    people: int

    @property
    def provider(self) -> str:
        """Return whose key it is."""
        return "aws-kms" if self.wrapped_by.startswith("arn:") else "file"


@dataclass(frozen=True, slots=True)
class Keystore:
    """The keystore database."""

    pool: Pool

    @classmethod
    @asynccontextmanager
    async def connect(cls, conninfo: str) -> AsyncGenerator[Self]:
        """Open the keystore, with its tables made, for as long as the block runs."""
        pool = Pool(conninfo, size=4)
        try:
            with map_errors():
                await pool.open(wait=True, timeout=WAIT_SECONDS)
                async with pool.connection() as connection:
                    await connection.execute(
                        "SELECT pg_advisory_xact_lock(%s)", [ADVISORY_LOCK]
                    )
                    for statement in SCHEMA:
                        await connection.execute(statement)
            yield cls(pool)
        finally:
            await pool.close()

    async def get_probe(self) -> bytes | None:
        """Return the key that was wrapped when the keystore was made, if any."""
        with map_errors():
            async with self.pool.connection() as connection:
                found = await connection.execute("SELECT wrapped FROM keystore_probe")
                row = await found.fetchone()
        return bytes(row[0]) if row else None

    async def save_probe(self, wrapped_by: str, wrapped: bytes) -> None:
        """Keep the first wrapped key; a later one is ignored."""
        with map_errors():
            async with self.pool.connection() as connection:
                await connection.execute(
                    """
                    INSERT INTO keystore_probe (wrapped_by, wrapped) VALUES (%s, %s)
                    ON CONFLICT DO NOTHING
                    """,
                    [wrapped_by, wrapped],
                )

    @property
    def ledger(self) -> Ledger:
        """What was erased; here, so that no backup of the data brings it back."""
        return Ledger(self.pool)

    async def delete_keys(self, user_id: UUID) -> int:
        """Remove every key of a person; return how many there were."""
        rows = await self._fetch_rows(
            "DELETE FROM user_keys WHERE user_id = %s RETURNING epoch", [user_id]
        )
        return len(rows)

    async def list_people(self) -> tuple[UUID, ...]:
        """Return everyone who has a key, in no particular order."""
        with map_errors():
            async with self.pool.connection() as connection:
                found = await connection.execute(
                    "SELECT DISTINCT user_id FROM user_keys"
                )
                return tuple(row[0] for row in await found.fetchall())

    async def page_people(
        self, *, after: UUID | None = None, limit: int
    ) -> tuple[UUID, ...]:
        """Return the next people who have a key, by their ids."""
        rows = await self._fetch_rows(
            """
            SELECT DISTINCT user_id FROM user_keys WHERE user_id > %s
            ORDER BY user_id LIMIT %s
            """,
            [after or UUID(int=0), limit],
        )
        return tuple(row[0] for row in rows)

    async def save_first_key(
        self, user_id: UUID, wrapped_by: str, wrapped: bytes
    ) -> None:
        """Keep a person's first key; if there is one already, that one stays."""
        with map_errors():
            async with self.pool.connection() as connection:
                await connection.execute(
                    """
                    INSERT INTO user_keys
                        (user_id, epoch, wrapped_by, wrapped, incarnation)
                    SELECT %(user_id)s, 0, %(wrapped_by)s, %(wrapped)s,
                           coalesce(max(number), 0)
                    FROM erased_ledger WHERE user_id = %(user_id)s AND kind = 'person'
                    ON CONFLICT DO NOTHING
                    """,
                    {"user_id": user_id, "wrapped_by": wrapped_by, "wrapped": wrapped},
                )

    async def list_keys(self, user_id: UUID) -> tuple[WrappedKey, ...]:
        """Return a person's keys, oldest first: two while they are rotated."""
        rows = await self._fetch_rows(
            """
            SELECT epoch, wrapped_by, wrapped, digest_wrapped, settled_at <= now(),
                   coalesce(incarnation, 0)
            FROM user_keys WHERE user_id = %s ORDER BY epoch
            """,
            [user_id],
        )
        return tuple(
            WrappedKey(
                row[0], row[1], bytes(row[2]), row[3] and bytes(row[3]), *row[4:]
            )
            for row in rows
        )

    async def add_key(
        self, user_id: UUID, key: WrappedKey, settles_in: timedelta
    ) -> bool:
        """Keep a person's next key, which seals once it settled.

        False when somebody else added one of this epoch.
        """
        rows = await self._fetch_rows(
            """
            INSERT INTO user_keys (
                user_id, epoch, wrapped_by, wrapped, digest_wrapped, settled_at,
                incarnation
            )
            VALUES (%s, %s, %s, %s, %s, now() + %s, %s)
            ON CONFLICT DO NOTHING RETURNING epoch
            """,
            [user_id, *key[:4], settles_in, key.incarnation],
        )
        return bool(rows)

    async def delete_older_keys(
        self, user_id: UUID, epoch: int, after: timedelta
    ) -> int:
        """Destroy the keys before an epoch that settled so long ago; how many."""
        rows = await self._fetch_rows(
            """
            DELETE FROM user_keys AS old USING user_keys AS new
            WHERE old.user_id = %(user_id)s AND old.epoch < %(epoch)s
              AND new.user_id = old.user_id AND new.epoch = %(epoch)s
              AND new.settled_at + %(after)s <= now()
            RETURNING old.epoch
            """,
            {"user_id": user_id, "epoch": epoch, "after": after},
        )
        return len(rows)

    async def list_rotating(self) -> tuple[UUID, ...]:
        """Return everyone who has more than one key."""
        rows = await self._fetch_rows(
            "SELECT user_id FROM user_keys GROUP BY user_id HAVING count(*) > 1", []
        )
        return tuple(row[0] for row in rows)

    async def list_wrappings(self) -> tuple[WrappingUsage, ...]:
        """Return the wrapping keys in use."""
        rows = await self._fetch_rows(
            """
            SELECT wrapped_by, count(*), count(DISTINCT user_id) FROM user_keys
            GROUP BY wrapped_by ORDER BY wrapped_by
            """,
            [],
        )
        return tuple(WrappingUsage(*row) for row in rows)

    async def list_wrapped_otherwise(
        self, wrapped_by: str, limit: int
    ) -> list[tuple[UUID, WrappedKey]]:
        """Return keys that another wrapping key holds, at most `limit`."""
        rows = await self._fetch_rows(
            """
            SELECT user_id, epoch, wrapped_by, wrapped, digest_wrapped, true
            FROM user_keys WHERE wrapped_by <> %s LIMIT %s
            """,
            [wrapped_by, limit],
        )
        return [(row[0], WrappedKey(*row[1:])) for row in rows]

    async def rewrap(self, user_id: UUID, old: WrappedKey, new: WrappedKey) -> None:
        """Put a key under another wrapping key, unless it was destroyed meanwhile."""
        await self._fetch_rows(
            """
            UPDATE user_keys SET wrapped_by = %s, wrapped = %s, digest_wrapped = %s
            WHERE user_id = %s AND epoch = %s AND wrapped = %s RETURNING epoch
            """,
            [*new[1:4], user_id, old.epoch, old.wrapped],
        )

    async def replace_probe(self, wrapped_by: str, wrapped: bytes) -> None:
        """Keep a probe of another wrapping key."""
        await self._fetch_rows(
            """
            UPDATE keystore_probe SET wrapped_by = %s, wrapped = %s
            RETURNING wrapped_by
            """,
            [wrapped_by, wrapped],
        )

    @asynccontextmanager
    async def lock_rotation(self) -> AsyncGenerator[None]:
        """Be the only process that rotates, for as long as the block runs.

        Raises:
            ConflictError: another one is.
        """
        with map_errors():
            async with self.pool.connection() as connection:
                found = await connection.execute(
                    "SELECT pg_try_advisory_xact_lock(%s)", [ROTATION_LOCK]
                )
                row = await found.fetchone()
                if not row or not row[0]:
                    raise ConflictError("another process is rotating keys")
                yield

    async def _fetch_rows(
        self, statement: LiteralString, parameters: Parameters
    ) -> list[TupleRow]:
        with map_errors():
            async with self.pool.connection() as connection:
                found = await connection.execute(statement, parameters)
                return await found.fetchall()
