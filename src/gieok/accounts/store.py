"""SQL of the people."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from gieok.accounts.model import Person
from gieok.database import Transaction
from gieok.database.counters import insert_counters
from gieok.kernel.errors import ConflictError

FIRST_PLAN: Final = "free"
"""The plan that people begin with, by the table's default."""


async def insert_person(tx: Transaction, erasures: int = 0) -> None:
    """Add the person and their counters unless they are there.

    Who was erased comes back as a new person whose numbers go on from the old ones:
    no cursor, cache or audit line can take one for the other. `erasures` is how often
    they were erased by the ledger: a restored database may not know.
    """
    await tx.execute(
        """
        INSERT INTO users (
            user_id, language, time_zone, created_at, updated_at, incarnation, withheld
        )
        VALUES (
            %(user_id)s,
            coalesce((SELECT value FROM installation WHERE name = 'language'), 'ko'),
            coalesce(
                (SELECT value FROM installation WHERE name = 'time_zone'), 'Asia/Seoul'
            ),
            %(at)s, %(at)s,
            greatest(%(erasures)s, (
                SELECT max(number) FROM erasure_receipts
                WHERE user_id = %(user_id)s AND kind = 'person'
            )),
            coalesce((
                SELECT string_to_array(value, ',') FROM installation
                WHERE name = 'withheld'
            ), '{}')
        )
        ON CONFLICT DO NOTHING
        """,
        {"user_id": tx.scope.user_id, "at": tx.now, "erasures": erasures},
    )
    await _correct_incarnation(tx)
    await insert_counters(tx)


async def _correct_incarnation(tx: Transaction) -> None:
    """Count the erasure that inserting the person waited for, and did not see."""
    await tx.execute(
        """
        UPDATE users SET incarnation = last.number FROM (
            SELECT max(number) AS number FROM erasure_receipts
            WHERE user_id = %(user_id)s AND kind = 'person'
        ) AS last
        WHERE user_id = %(user_id)s AND incarnation < last.number
        """,
        {"user_id": tx.scope.user_id},
    )


async def find_person(tx: Transaction) -> Person | None:
    """Return the person, or None for a stranger."""
    row = await tx.fetch_one(
        """
        SELECT user_id, plan, language, time_zone, created_at
        FROM users WHERE user_id = %s
        """,
        [tx.scope.user_id],
    )
    return Person(*row) if row else None


async def get_person(tx: Transaction) -> Person:
    """Return the person, after `insert_person`.

    Raises:
        ConflictError: the person was erased meanwhile.
    """
    person = await find_person(tx)
    if person is None:
        reason = "the person was erased meanwhile"
        raise ConflictError(reason)
    return person


async def is_known(tx: Transaction) -> bool:
    """Tell whether the person is known."""
    row = await tx.fetch_one("SELECT FROM users WHERE user_id = %s", [tx.scope.user_id])
    return row is not None


async def get_incarnation(tx: Transaction) -> int | None:
    """Return how often the person was erased before; None for a stranger.

    A row may know of less than the receipts: `insert_person` once missed an erasure
    that it had waited for.
    """
    row = await tx.fetch_one(
        """
        SELECT greatest(incarnation, (
            SELECT max(number) FROM erasure_receipts
            WHERE user_id = %(user_id)s AND kind = 'person'
        ))
        FROM users WHERE user_id = %(user_id)s
        """,
        {"user_id": tx.scope.user_id},
    )
    return row[0] if row else None


async def get_language(tx: Transaction) -> str:
    """Return the person's language; the one that people begin with without one."""
    row = await tx.fetch_one(
        """
        SELECT coalesce(
            (SELECT language FROM users WHERE user_id = %s),
            (SELECT value FROM installation WHERE name = 'language'), 'ko'
        )
        """,
        [tx.scope.user_id],
    )
    assert row is not None  # noqa: S101 - coalesce answers
    return row[0]


async def get_plan(tx: Transaction) -> str:
    """Return the person's plan; the one that people begin with if there is no such."""
    row = await tx.fetch_one(
        "SELECT plan FROM users WHERE user_id = %s", [tx.scope.user_id]
    )
    return row[0] if row else FIRST_PLAN


async def get_time_zone(tx: Transaction) -> str:
    """Return the person's time zone; the one that people begin with if not known."""
    row = await tx.fetch_one(
        """
        SELECT coalesce(
            (SELECT time_zone FROM users WHERE user_id = %s),
            (SELECT value FROM installation WHERE name = 'time_zone'), 'Asia/Seoul'
        )
        """,
        [tx.scope.user_id],
    )
    assert row is not None  # noqa: S101 - it selects from nothing
    return row[0]


async def update_person(
    tx: Transaction,
    *,
    language: str | None = None,
    time_zone: str | None = None,
    plan: str | None = None,
) -> None:
    """Change what is given."""
    await tx.execute(
        """
        UPDATE users SET language = coalesce(%s, language),
            time_zone = coalesce(%s, time_zone), plan = coalesce(%s, plan),
            updated_at = %s
        WHERE user_id = %s
        """,
        [language, time_zone, plan, tx.now, tx.scope.user_id],
    )


async def restore_person(
    tx: Transaction, *, language: str, time_zone: str, created_at: datetime | str
) -> None:
    """Let the person be as an exported file says.

    Raises:
        psycopg.DataError, psycopg.IntegrityError: a value that cannot be.
    """
    await tx.fetch_all(  # reading waits for an error of this very row
        """
        UPDATE users SET language = %s, time_zone = %s, created_at = %s,
            updated_at = %s
        WHERE user_id = %s RETURNING user_id
        """,
        [language, time_zone, created_at, tx.now, tx.scope.user_id],
    )


async def set_withheld(tx: Transaction, purposes: Sequence[str]) -> None:
    """Let every writer see from now on what the person does not agree to."""
    await tx.execute(
        "UPDATE users SET withheld = %s, updated_at = %s WHERE user_id = %s",
        [list(purposes), tx.now, tx.scope.user_id],
    )


async def delete_person(tx: Transaction) -> None:
    """Remove the person and every row that hangs on theirs."""
    await tx.execute("DELETE FROM users WHERE user_id = %s", [tx.scope.user_id])
