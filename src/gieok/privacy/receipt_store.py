"""SQL of receipts: one function, one statement."""

import json
from datetime import datetime
from typing import Final
from uuid import UUID

from psycopg.rows import TupleRow

from gieok.database import Transaction
from gieok.privacy.ledger import ErasureKind
from gieok.privacy.receipts import Receipt

_RECEIPT: Final = """
    SELECT receipt_id, user_id, kind, about, number, requested_at, finished_at,
           backups_until, parts, counts, signature
    FROM erasure_receipts
"""


async def add_receipt(tx: Transaction, receipt: Receipt) -> None:
    """Keep a receipt, with where the person's numbering stands."""
    await tx.execute(
        """
        INSERT INTO erasure_receipts (
            user_id, receipt_id, kind, about, number, requested_at, finished_at,
            backups_until, parts, counts, signature, head_seq, audit_seq, audit_hash
        )
        SELECT user_id, %(receipt_id)s, %(kind)s, %(about)s, %(number)s,
               %(requested_at)s, %(finished_at)s, %(backups_until)s, %(parts)s::jsonb,
               %(counts)s::jsonb, %(signature)s, head_seq, audit_seq, audit_hash
        FROM user_counters WHERE user_id = %(user_id)s
        """,
        {
            "user_id": receipt.user_id,
            "receipt_id": receipt.receipt_id,
            "kind": receipt.kind.value,
            "about": receipt.about,
            "number": receipt.number,
            "requested_at": receipt.requested_at,
            "finished_at": receipt.finished_at,
            "backups_until": receipt.backups_until,
            "parts": json.dumps(dict(receipt.parts)),
            "counts": json.dumps(dict(receipt.counts)),
            "signature": receipt.signature,
        },
    )


async def list_receipts(tx: Transaction) -> list[Receipt]:
    """Return the person's receipts, newest first."""
    rows = await tx.fetch_all(
        _RECEIPT + "WHERE user_id = %s ORDER BY finished_at DESC, number DESC",
        [tx.scope.user_id],
    )
    return [_parse_receipt(row) for row in rows]


async def has_receipt_since(tx: Transaction, since: datetime) -> bool:
    """Tell whether anything of the person was erased since a time, with a receipt."""
    row = await tx.fetch_one(
        """
        SELECT EXISTS (
            SELECT FROM erasure_receipts WHERE user_id = %s AND finished_at >= %s
        )
        """,
        [tx.scope.user_id, since],
    )
    return row is not None and row[0]


async def find_person_receipt(tx: Transaction) -> Receipt | None:
    """Return the receipt of the last time the whole person was erased."""
    row = await tx.fetch_one(
        _RECEIPT
        + "WHERE user_id = %s AND kind = 'person' ORDER BY number DESC LIMIT 1",
        [tx.scope.user_id],
    )
    return _parse_receipt(row) if row else None


async def find_person_receipt_since(tx: Transaction, since: datetime) -> Receipt | None:
    """Return the receipt of the first time that the person was erased since a time."""
    row = await tx.fetch_one(
        _RECEIPT
        + "WHERE user_id = %s AND kind = 'person' AND finished_at >= %s "
        + "ORDER BY number LIMIT 1",
        [tx.scope.user_id, since],
    )
    return _parse_receipt(row) if row else None


async def find_receipt(
    tx: Transaction, kind: ErasureKind, what: UUID
) -> Receipt | None:
    """Return the newest receipt about a thing."""
    row = await tx.fetch_one(
        _RECEIPT + "WHERE user_id = %s AND kind = %s AND about = %s "
        "ORDER BY finished_at DESC LIMIT 1",
        [tx.scope.user_id, kind.value, what],
    )
    return _parse_receipt(row) if row else None


def _parse_receipt(row: TupleRow) -> Receipt:
    receipt_id, user_id, kind, about, number, *times, parts, counts, signature = row
    requested_at, finished_at, backups_until = times
    return Receipt(
        receipt_id,
        user_id,
        ErasureKind(kind),
        about,
        number,
        requested_at,
        finished_at,
        backups_until,
        parts,
        counts,
        bytes(signature),
    )
