"""SQL of the people."""

from gieok.accounts.model import Person
from gieok.database import Transaction


async def insert(tx: Transaction) -> None:
    """Add the person and their counters unless they are there."""
    await tx.execute(
        """
        INSERT INTO users (user_id, created_at, updated_at) VALUES (%s, %s, %s)
        ON CONFLICT DO NOTHING
        """,
        [tx.scope.user_id, tx.now, tx.now],
    )
    await tx.execute(
        "INSERT INTO user_counters (user_id) VALUES (%s) ON CONFLICT DO NOTHING",
        [tx.scope.user_id],
    )


async def get(tx: Transaction) -> Person:
    """Return the person."""
    row = await tx.fetch_one(
        """
        SELECT user_id, plan, language, time_zone, created_at
        FROM users WHERE user_id = %s
        """,
        [tx.scope.user_id],
    )
    assert row is not None  # noqa: S101 - `insert` came first
    return Person(*row)


async def update(
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
