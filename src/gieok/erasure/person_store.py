"""SQL of what goes with a person: one function, one statement."""

from datetime import datetime
from typing import Final, LiteralString
from uuid import UUID

from gieok.database import Transaction
from gieok.privacy import ErasureKind

CONTENT_TABLES: Final[tuple[LiteralString, ...]] = (
    "profile_documents",
    "recall_items",
    "summary_entries",
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
    "sign_ins",
)
"""Tables that go before the person does."""
CASCADED_TABLES: Final = ("users", "user_counters", "consents")
"""Tables whose rows go in one statement, as they hang on that of `users`."""
RETAINED_TABLES: Final = ("memory_audit_log", "erasure_receipts")
"""Tables without content that prove what was done."""


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
    return await tx.fetch_column(
        "SELECT session_id FROM sessions WHERE user_id = %s", [tx.scope.user_id]
    )


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
