"""Forgotten memories without a receipt yet, and what was hidden with them."""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from gieok.database import Transaction
from gieok.privacy.receipt_issuer import ReceiptIssuer
from gieok.privacy.receipts import Receipt


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


async def list_hidden_at(tx: Transaction, times: Collection[datetime]) -> list[UUID]:
    """Return the messages that were hidden at these very times."""
    return await tx.fetch_column(
        """
        SELECT message_id FROM session_messages
        WHERE user_id = %s AND forgotten_at = ANY(%s) ORDER BY message_id
        """,
        [tx.scope.user_id, list(times)],
    )


async def attest_pending(tx: Transaction, issuer: ReceiptIssuer) -> tuple[Receipt, ...]:
    """Enter in the ledger what was forgotten, and return a receipt of each memory.

    The messages that were hidden with them are entered, too: from a backup in which
    nobody had read them yet they would be learned again.
    """
    gone = await take_pending(tx)
    if hidden := await list_hidden_at(tx, {at for _, at in gone}):
        ledger, person = issuer.ledger, tx.scope.user_id
        await ledger.append_messages(person, hidden, tx.now, alone=True)
    return await issuer.attest_memories(tx, gone)
