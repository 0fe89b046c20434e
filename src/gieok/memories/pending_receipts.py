"""SQL of forgotten memories without a receipt yet: one function, one statement."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from gieok.database import Transaction


async def insert_pending(tx: Transaction, memory_ids: Sequence[UUID]) -> None:
    """Note that each of these memories is to have a receipt."""
    await tx.execute(
        """
        INSERT INTO pending_receipts (user_id, memory_id, erased_at)
        SELECT %s, memory_id, %s FROM unnest(%s::uuid[]) AS gone (memory_id)
        ON CONFLICT DO NOTHING
        """,
        [tx.scope.user_id, tx.now, list(memory_ids)],
    )


async def take_pending(tx: Transaction) -> list[tuple[UUID, datetime]]:
    """Return the memories that are to have a receipt, and when they were erased.

    None of them is pending any more once that is committed.
    """
    rows = await tx.fetch_all(
        """
        WITH pending AS (
            DELETE FROM pending_receipts WHERE user_id = %s
            RETURNING memory_id, erased_at
        )
        SELECT memory_id, erased_at FROM pending ORDER BY erased_at, memory_id
        """,
        [tx.scope.user_id],
    )
    return [(row[0], row[1]) for row in rows]
