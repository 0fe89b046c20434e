"""SQL of what goes with a person: one function, one statement."""

from datetime import datetime
from typing import Final, LiteralString
from uuid import UUID

from gieok.accounts.store import get_incarnation
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
HELD_TABLES: Final = frozenset(
    {
        "conversation_pairs",
        "session_messages",
        "memory_candidates",
        "user_memories",
        "short_term_summaries",
        "mid_term_summaries",
        "sessions",
    }
)
"""Tables of content of which a device may hold a copy."""
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
ERASURE_BEGUN: Final = "erasure_begun"
"""What the audit log says of rows that go before their person does."""

_WRITTEN_IN: Final[tuple[LiteralString, ...]] = (
    "SELECT FROM memory_sync_cursors WHERE user_id = %s ORDER BY cursor_id FOR UPDATE",
    "SELECT FROM sessions WHERE user_id = %s ORDER BY session_id FOR UPDATE",
)
"""What writers hold before the person's counters."""


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


async def lock_writers(tx: Transaction) -> None:
    """Keep whoever writes of the person out, in the order in which they lock.

    Devices come first: one that sends holds its cursor before sessions. What came while
    this waited for the counters is taken at once, or not at all (ContentionError).
    """
    for way in ("", " NOWAIT"):
        for rows in _WRITTEN_IN:
            await tx.execute(rows + way, [tx.scope.user_id])
        await tx.lock_person()


async def lock_person(tx: Transaction) -> int | None:
    """Keep everybody out of the person; return what `get_incarnation` does."""
    await lock_writers(tx)
    await tx.execute(
        "SELECT FROM users WHERE user_id = %s FOR UPDATE", [tx.scope.user_id]
    )
    return await get_incarnation(tx)


async def is_begun_anew(tx: Transaction, *, has_key: bool) -> bool:
    """Tell whether one who came back was to be erased again, in vain.

    That failed where `insert_person` had missed the erasure before: no receipt could be
    signed. It left a line of the audit log, or no key.
    """
    row = await tx.fetch_one(
        """
        SELECT FROM users JOIN (
            SELECT number, audit_seq FROM erasure_receipts
            WHERE user_id = %(user_id)s AND kind = 'person'
            ORDER BY number DESC LIMIT 1
        ) AS last ON incarnation < last.number
        WHERE user_id = %(user_id)s AND (NOT %(has_key)s OR EXISTS (
            SELECT FROM memory_audit_log
            WHERE user_id = %(user_id)s AND seq > last.audit_seq
              AND reason = %(begun)s
        ))
        """,
        {"user_id": tx.scope.user_id, "has_key": has_key, "begun": ERASURE_BEGUN},
    )
    return row is not None


async def list_session_names(
    tx: Transaction, kind: ErasureKind, about: UUID
) -> list[UUID]:
    """Return the names of the sessions that go with such a thing.

    A thread of LangGraph's is left out: it bears the id of a session that may stay.
    """
    return await tx.fetch_column(
        """
        SELECT DISTINCT named FROM sessions AS gone
        WHERE user_id = %(user_id)s AND named IS NOT NULL AND CASE %(kind)s
            WHEN 'session' THEN session_id WHEN 'persona' THEN persona_id
            WHEN 'device' THEN device_id END = %(about)s
          AND NOT EXISTS (
              SELECT FROM sessions AS own
              WHERE own.user_id = gone.user_id AND own.session_id = gone.named
          )
        """,
        {"user_id": tx.scope.user_id, "kind": kind.value, "about": about},
    )


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
            SELECT FROM sessions WHERE %(kind)s = 'device'
              AND user_id = %(user_id)s AND device_id = %(about)s
              AND created_at < coalesce(%(before)s, 'infinity'::timestamptz)
            UNION ALL
            SELECT FROM user_memories WHERE %(kind)s = 'memory'
              AND user_id = %(user_id)s AND memory_id = %(about)s
            UNION ALL
            SELECT FROM session_messages WHERE %(kind)s = 'message'
              AND user_id = %(user_id)s AND message_id = %(about)s
              AND forgotten_at IS NULL
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
