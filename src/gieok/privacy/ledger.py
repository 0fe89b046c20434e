"""What was erased, decided and revoked, and when: no content, no names of people.

It lies beside the keys and not beside the data: a data directory that is restored from
a backup brings rows back, and `gieok restore-check` does again what stands here.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import astuple, dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final
from uuid import UUID

from gieok.database.pool import Pool
from gieok.database.transaction import map_errors

SCHEMA: Final = (
    """
    CREATE TABLE IF NOT EXISTS erased_ledger (
        entry_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id uuid NOT NULL,
        kind text NOT NULL,
        about uuid NOT NULL,
        number integer NOT NULL,
        erased_at timestamptz NOT NULL
    )
    """,
    """
    CREATE UNIQUE INDEX IF NOT EXISTS erased_ledger_people
        ON erased_ledger (user_id, number) WHERE kind = 'person'
    """,
    """
    CREATE INDEX IF NOT EXISTS erased_ledger_about ON erased_ledger (user_id, about)
    """,
    """
    CREATE TABLE IF NOT EXISTS decided_ledger (
        entry_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        user_id uuid NOT NULL,
        number integer NOT NULL,
        purpose text NOT NULL,
        granted boolean NOT NULL,
        notice text,
        actor text NOT NULL,
        decided_at timestamptz NOT NULL
    )
    """,
    """
    CREATE INDEX IF NOT EXISTS decided_ledger_person ON decided_ledger (user_id)
    """,
    """
    CREATE TABLE IF NOT EXISTS revoked_ledger (
        key_id uuid PRIMARY KEY,
        revoked_at timestamptz NOT NULL
    )
    """,
)


class ErasureKind(StrEnum):
    """How much an erasure is about."""

    PERSON = "person"
    PERSONA = "persona"
    DEVICE = "device"
    SESSION = "session"
    MEMORY = "memory"
    MESSAGE = "message"
    """It has no receipt: what was said stays with its session, never read again."""


ALONE: Final = 1


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One erasure; `number` tells how many times the person was erased with it.

    Of a message it is `ALONE` where what else came of it stayed, or 0.
    """

    user_id: UUID
    kind: ErasureKind
    about: UUID
    number: int
    at: datetime


@dataclass(frozen=True, slots=True)
class DecisionEntry:
    """One decision of a person's about a purpose, as `consents` has it.

    `number` tells how often the person had been erased before.
    """

    user_id: UUID
    number: int
    purpose: str
    granted: bool
    notice: str | None
    actor: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Ledger:
    """The erasures and decisions of everyone, and the keys of apps that are revoked."""

    pool: Pool

    async def append(self, entry: LedgerEntry) -> datetime:
        """Add an entry and return its time; a person's is added once a number.

        What a person decided goes with the person.
        """
        with map_errors():
            async with self.pool.connection() as connection:
                added = await connection.execute(
                    """
                    INSERT INTO erased_ledger (user_id, kind, about, number, erased_at)
                    VALUES (%s, %s, %s, %s, %s)
                    ON CONFLICT (user_id, number) WHERE kind = 'person'
                    DO UPDATE SET number = excluded.number RETURNING erased_at
                    """,
                    [entry.user_id, entry.kind, entry.about, entry.number, entry.at],
                )
                row = await added.fetchone()
                if entry.kind is ErasureKind.PERSON:
                    await connection.execute(
                        """
                        DELETE FROM decided_ledger WHERE user_id = %s AND number < %s
                        """,
                        [entry.user_id, entry.number],
                    )
        return row[0] if row else entry.at

    async def append_many(self, entries: Sequence[LedgerEntry]) -> None:
        """Add entries of less than a person."""
        if not entries:
            return
        with map_errors():
            async with self.pool.connection() as connection:
                await connection.cursor().executemany(
                    """
                    INSERT INTO erased_ledger (user_id, kind, about, number, erased_at)
                    VALUES (%s, %s, %s, %s, %s)
                    """,
                    [(e.user_id, e.kind, e.about, e.number, e.at) for e in entries],
                )

    async def append_messages(
        self,
        user_id: UUID,
        message_ids: Collection[UUID],
        at: datetime,
        *,
        alone: bool = False,
    ) -> None:
        """Add messages that are never to be read again.

        `alone`: what else came of them stayed. Otherwise the person asked to forget
        what they said there.
        """
        kind, number = ErasureKind.MESSAGE, ALONE if alone else 0
        await self.append_many(
            [LedgerEntry(user_id, kind, each, number, at) for each in message_ids]
        )

    async def list_entries(self) -> Sequence[LedgerEntry]:
        """Return everything that was ever erased, oldest first."""
        with map_errors():
            async with self.pool.connection() as connection:
                found = await connection.execute(
                    """
                    SELECT user_id, kind, about, number, erased_at FROM erased_ledger
                    ORDER BY entry_id
                    """
                )
                rows = await found.fetchall()
        return [LedgerEntry(row[0], ErasureKind(row[1]), *row[2:]) for row in rows]

    async def find_erased(self, user_id: UUID, about: Collection[UUID]) -> set[UUID]:
        """Return which of these things of a person were erased.

        What was erased before the whole person last was is left out.
        """
        if not about:
            return set()
        with map_errors():
            async with self.pool.connection() as connection:
                found = await connection.execute(
                    """
                    SELECT DISTINCT about FROM erased_ledger
                    WHERE user_id = %(user_id)s AND about = ANY(%(about)s)
                      AND entry_id >= coalesce((
                          SELECT max(entry_id) FROM erased_ledger
                          WHERE user_id = %(user_id)s AND kind = 'person'
                      ), 0)
                    """,
                    {"user_id": user_id, "about": list(about)},
                )
                return {row[0] for row in await found.fetchall()}

    async def find_last_erasures(
        self, user_id: UUID, about: Collection[UUID]
    ) -> Mapping[UUID, datetime]:
        """Return when each of these things of a person was erased last, if it was.

        What was erased before the whole person last was is left out.
        """
        with map_errors():
            async with self.pool.connection() as connection:
                found = await connection.execute(
                    """
                    SELECT about, max(erased_at) FROM erased_ledger
                    WHERE user_id = %(user_id)s AND about = ANY(%(about)s)
                      AND entry_id >= coalesce((
                          SELECT max(entry_id) FROM erased_ledger
                          WHERE user_id = %(user_id)s AND kind = 'person'
                      ), 0)
                    GROUP BY about
                    """,
                    {"user_id": user_id, "about": list(about)},
                )
                return dict(await found.fetchall())

    async def find_last_refusal(self, user_id: UUID, purpose: str) -> datetime | None:
        """Return when a person last decided against a purpose, if they did."""
        with map_errors():
            async with self.pool.connection() as connection:
                found = await connection.execute(
                    """
                    SELECT max(decided_at) FROM decided_ledger
                    WHERE user_id = %s AND purpose = %s AND NOT granted
                    """,
                    [user_id, purpose],
                )
                row = await found.fetchone()
        return row[0] if row else None

    async def is_erased_since(self, user_id: UUID, about: UUID) -> bool:
        """Tell whether a thing was erased since its whole person last was."""
        with map_errors():
            async with self.pool.connection() as connection:
                found = await connection.execute(
                    """
                    SELECT FROM erased_ledger
                    WHERE user_id = %(user_id)s AND about = %(about)s
                      AND entry_id > coalesce((
                          SELECT max(entry_id) FROM erased_ledger
                          WHERE user_id = %(user_id)s AND kind = 'person'
                      ), 0)
                    LIMIT 1
                    """,
                    {"user_id": user_id, "about": about},
                )
                return await found.fetchone() is not None

    async def count_person_erasures(self, user_id: UUID) -> int:
        """Return how many times a whole person was erased."""
        with map_errors():
            async with self.pool.connection() as connection:
                found = await connection.execute(
                    """
                    SELECT coalesce(max(number), 0) FROM erased_ledger
                    WHERE user_id = %s AND kind = 'person'
                    """,
                    [user_id],
                )
                row = await found.fetchone()
        return row[0] if row else 0

    async def append_decisions(self, entries: Sequence[DecisionEntry]) -> None:
        """Add what a person decided."""
        if not entries:
            return
        with map_errors():
            async with self.pool.connection() as connection:
                await connection.cursor().executemany(
                    """
                    INSERT INTO decided_ledger (
                        user_id, number, purpose, granted, notice, actor, decided_at
                    )
                    VALUES (%s, %s, %s, %s, %s, %s, %s)
                    """,
                    [astuple(each) for each in entries],
                )

    async def list_decisions(self) -> Sequence[DecisionEntry]:
        """Return what people decided who were not erased since, oldest first."""
        with map_errors():
            async with self.pool.connection() as connection:
                found = await connection.execute(
                    """
                    SELECT user_id, number, purpose, granted, notice, actor, decided_at
                    FROM decided_ledger AS decided
                    WHERE number = coalesce((
                        SELECT max(erased.number) FROM erased_ledger AS erased
                        WHERE erased.user_id = decided.user_id AND kind = 'person'
                    ), 0)
                    ORDER BY entry_id
                    """
                )
                return [DecisionEntry(*row) for row in await found.fetchall()]

    async def append_revocation(self, key_id: UUID, at: datetime) -> None:
        """Add a key of an app that is refused from now on; the first time stays."""
        with map_errors():
            async with self.pool.connection() as connection:
                await connection.execute(
                    """
                    INSERT INTO revoked_ledger (key_id, revoked_at) VALUES (%s, %s)
                    ON CONFLICT DO NOTHING
                    """,
                    [key_id, at],
                )

    async def list_revocations(self) -> Mapping[UUID, datetime]:
        """Return the keys of apps that were ever revoked, and since when."""
        with map_errors():
            async with self.pool.connection() as connection:
                found = await connection.execute(
                    "SELECT key_id, revoked_at FROM revoked_ledger"
                )
                return dict(await found.fetchall())
