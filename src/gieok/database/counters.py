"""Where the numbering of a person's changes and audit lines begins."""

from gieok.database.transaction import Transaction


async def insert_counters(tx: Transaction) -> None:
    """Add the person's counters unless they are there.

    Who was erased goes on from the old numbers.
    """
    await tx.execute(
        """
        INSERT INTO user_counters (user_id, head_seq, audit_seq, audit_hash)
        SELECT %(user_id)s, coalesce(head_seq, 0), coalesce(audit_seq, 0),
               coalesce(audit_hash, '\\x00')
        FROM (VALUES (true)) AS person LEFT JOIN (
            SELECT head_seq, audit_seq, audit_hash FROM erasure_receipts
            WHERE user_id = %(user_id)s AND kind = 'person'
            ORDER BY number DESC LIMIT 1
        ) AS erased ON true
        ON CONFLICT DO NOTHING
        """,
        {"user_id": tx.scope.user_id},
    )
