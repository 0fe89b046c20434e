"""SQL of what goes with a person: one function, one statement."""

import json
from datetime import datetime
from typing import Final, LiteralString
from uuid import UUID

from psycopg.rows import TupleRow

from gieok.database import Transaction
from gieok.erasure.model import Receipt
from gieok.privacy import ErasureKind

CONTENT_TABLES: Final[tuple[LiteralString, ...]] = (
    "profile_documents",
    "recall_items",
    "conversation_pairs",
    "session_messages",
    "memory_history",
    "memory_candidates",
    "user_memories",
    "episodes",
    "short_term_summaries",
    "mid_term_summaries",
    "store_items",
    "exports",
    "checkpoint_writes",
    "checkpoint_blobs",
    "checkpoints",
    "session_progress",
    "sessions",
    "personas",
    "devices",
)
"""Tables of what a person said and what became of it, whatever hangs on a row first."""
PERSON_TABLES: Final[tuple[LiteralString, ...]] = (
    "memory_updates",
    "agenda",
    "memory_settings",
    "memory_sync_cursors",
    "pending_receipts",
)
"""Tables that go before the person does."""
CASCADED_TABLES: Final = ("users", "user_counters", "consents")
"""Tables whose rows go in one statement, as they hang on that of `users`."""
RETAINED_TABLES: Final = ("memory_audit_log", "erasure_receipts")
"""Tables without content that prove what was done."""

_RECEIPT: Final = """
    SELECT receipt_id, user_id, kind, about, number, requested_at, finished_at,
           backups_until, parts, counts, signature
    FROM erasure_receipts
"""


async def delete_batch(tx: Transaction, table: LiteralString, most: int) -> int:
    """Remove at most so many of the person's rows from a table; return how many."""
    row = await tx.fetch_one(
        "WITH gone AS (DELETE FROM " + table + " WHERE user_id = %(user_id)s AND ctid "
        "= ANY(ARRAY(SELECT ctid FROM " + table + " WHERE user_id = %(user_id)s LIMIT "
        "%(most)s)) RETURNING 1) SELECT count(*) FROM gone",
        {"user_id": tx.scope.user_id, "most": most},
    )
    return row[0] if row else 0


async def list_session_ids(tx: Transaction) -> list[UUID]:
    """Return all of the person's sessions."""
    rows = await tx.fetch_all(
        "SELECT session_id FROM sessions WHERE user_id = %s", [tx.scope.user_id]
    )
    return [row[0] for row in rows]


async def get_incarnation(tx: Transaction) -> int | None:
    """Return how often the person was erased before; None for a stranger."""
    row = await tx.fetch_one(
        "SELECT incarnation FROM users WHERE user_id = %s", [tx.scope.user_id]
    )
    return row[0] if row else None


async def lock_person(tx: Transaction) -> int | None:
    """Keep all writers of the person out; return what `get_incarnation` does.

    Devices come first: one that sends holds its cursor before sessions.
    """
    person = [tx.scope.user_id]
    await tx.execute(
        """
        SELECT FROM memory_sync_cursors WHERE user_id = %s ORDER BY cursor_id FOR UPDATE
        """,
        person,
    )
    await tx.execute(
        "SELECT FROM sessions WHERE user_id = %s ORDER BY session_id FOR UPDATE", person
    )
    await tx.lock_person()
    row = await tx.fetch_one(
        "SELECT incarnation FROM users WHERE user_id = %s FOR UPDATE", person
    )
    return row[0] if row else None


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


async def find_person_receipt(tx: Transaction) -> Receipt | None:
    """Return the receipt of the last time the whole person was erased."""
    row = await tx.fetch_one(
        _RECEIPT
        + "WHERE user_id = %s AND kind = 'person' ORDER BY number DESC LIMIT 1",
        [tx.scope.user_id],
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


async def is_there(
    tx: Transaction, kind: ErasureKind, about: UUID, *, before: datetime | None = None
) -> bool:
    """Tell whether the person has such a thing, and had it before a time."""
    row = await tx.fetch_one(
        """
        SELECT EXISTS (
            SELECT FROM sessions WHERE %(kind)s = 'session'
              AND user_id = %(user_id)s AND session_id = %(about)s
              AND created_at < coalesce(%(before)s, 'infinity'::timestamptz)
            UNION ALL
            SELECT FROM personas WHERE %(kind)s = 'persona'
              AND user_id = %(user_id)s AND persona_id = %(about)s
              AND created_at < coalesce(%(before)s, 'infinity'::timestamptz)
            UNION ALL
            SELECT FROM devices WHERE %(kind)s = 'device'
              AND user_id = %(user_id)s AND device_id = %(about)s
              AND created_at < coalesce(%(before)s, 'infinity'::timestamptz)
            UNION ALL
            SELECT FROM user_memories WHERE %(kind)s = 'memory'
              AND user_id = %(user_id)s AND memory_id = %(about)s
        )
        """,
        {
            "user_id": tx.scope.user_id,
            "kind": kind.value,
            "about": about,
            "before": before,
        },
    )
    return bool(row and row[0])


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
