"""SQL of exports and imports: one function, one statement."""

from datetime import datetime
from typing import Final
from uuid import UUID

from gieok.database import Transaction

MARK: Final = -1
"""The position of a row that says that nothing was erased since before an export."""


async def is_empty(tx: Transaction) -> bool:
    """Tell whether nothing is kept of the person but what they are and allow."""
    row = await tx.fetch_one(
        """
        SELECT NOT (
            EXISTS (SELECT FROM sessions WHERE user_id = %(user_id)s)
            OR EXISTS (SELECT FROM user_memories WHERE user_id = %(user_id)s)
            OR EXISTS (SELECT FROM memory_candidates WHERE user_id = %(user_id)s)
            OR EXISTS (SELECT FROM episodes WHERE user_id = %(user_id)s)
            OR EXISTS (SELECT FROM short_term_summaries WHERE user_id = %(user_id)s)
            OR EXISTS (SELECT FROM mid_term_summaries WHERE user_id = %(user_id)s)
            OR EXISTS (SELECT FROM personas WHERE user_id = %(user_id)s)
            OR EXISTS (SELECT FROM devices WHERE user_id = %(user_id)s)
            OR EXISTS (SELECT FROM store_items WHERE user_id = %(user_id)s)
        )
        """,
        {"user_id": tx.scope.user_id},
    )
    return row is not None and row[0]


async def has_consents(tx: Transaction) -> bool:
    """Tell whether the person said here what they agree to."""
    row = await tx.fetch_one(
        "SELECT EXISTS (SELECT FROM consents WHERE user_id = %s)", [tx.scope.user_id]
    )
    return row is not None and row[0]


async def lock_head(tx: Transaction) -> int:
    """Hold the person and return their change number."""
    row = await tx.fetch_one(
        "SELECT head_seq FROM user_counters WHERE user_id = %s FOR UPDATE",
        [tx.scope.user_id],
    )
    return row[0] if row else 0


async def find_inconsistent_row(tx: Transaction) -> tuple[str, UUID] | None:
    """Return a row that does not fit the others, by its table, or None.

    A session counts fewer messages than it has, a message stands where its session
    has none, or a pair names a message of no or another session.
    """
    row = await tx.fetch_one(
        """
        SELECT 'sessions', session_id FROM sessions
        WHERE user_id = %(user_id)s AND NOT (
            total_turns >= 0 AND pair_count >= 0 AND total_tokens >= 0
        )
        UNION ALL
        SELECT 'sessions', session_id
        FROM session_progress JOIN sessions USING (user_id, session_id)
        WHERE user_id = %(user_id)s AND position NOT BETWEEN 0 AND message_count
          AND reader IN ('extraction', 'summary', 'episode')
        UNION ALL
        SELECT 'session_messages', message_id
        FROM session_messages JOIN sessions USING (user_id, session_id)
        WHERE user_id = %(user_id)s AND (position < 0 OR position >= message_count)
        UNION ALL
        SELECT 'conversation_pairs', pair_id FROM conversation_pairs AS pair
        WHERE user_id = %(user_id)s AND NOT EXISTS (
            SELECT FROM session_messages AS said
            WHERE said.user_id = pair.user_id
              AND said.message_id = pair.user_message_id
              AND said.session_id = pair.session_id
        )
        LIMIT 1
        """,
        {"user_id": tx.scope.user_id},
    )
    return (row[0], row[1]) if row else None


async def insert_mark(tx: Transaction, export_id: UUID, until: datetime) -> None:
    """Begin an export; it may be fetched for as long as its mark is there."""
    await insert_chunk(tx, export_id, MARK, b"", until)


async def lock_exports(tx: Transaction) -> bool:
    """Hold the person's exports until the end; tell whether nobody else did."""
    row = await tx.fetch_one(
        "SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 0))",
        [f"export {tx.scope.user_id}"],
    )
    return row is not None and row[0]


async def has_mark(tx: Transaction, export_id: UUID) -> bool:
    """Tell whether nothing was erased since before an export."""
    row = await tx.fetch_one(
        """
        SELECT FROM exports
        WHERE user_id = %s AND export_id = %s AND position = %s
        """,
        [tx.scope.user_id, export_id, MARK],
    )
    return row is not None


async def insert_chunk(
    tx: Transaction, export_id: UUID, position: int, sealed: bytes, until: datetime
) -> None:
    """Keep a piece of an export that waits to be fetched."""
    await tx.execute(
        """
        INSERT INTO exports
            (user_id, export_id, position, sealed, created_at, expires_at)
        VALUES (%s, %s, %s, %s, %s, %s)
        """,
        [tx.scope.user_id, export_id, position, sealed, tx.now, until],
    )


async def get_chunk(tx: Transaction, export_id: UUID, position: int) -> bytes | None:
    """Return a piece of an export, unless that has expired or its mark is gone."""
    row = await tx.fetch_one(
        """
        SELECT piece.sealed FROM exports AS piece
        JOIN exports AS mark USING (user_id, export_id)
        WHERE user_id = %s AND export_id = %s AND piece.position = %s
          AND mark.position = %s AND mark.expires_at > %s
        """,
        [tx.scope.user_id, export_id, position, MARK, tx.now],
    )
    return bytes(row[0]) if row else None


async def find_next_expiry(tx: Transaction) -> datetime | None:
    """Return when the next of the person's exports expires."""
    row = await tx.fetch_one(
        "SELECT min(expires_at) FROM exports WHERE user_id = %s", [tx.scope.user_id]
    )
    return row[0] if row else None


async def delete_exports(tx: Transaction) -> None:
    """Remove all of the person's exports, and the marks of those under way."""
    await tx.execute("DELETE FROM exports WHERE user_id = %s", [tx.scope.user_id])


async def delete_export(tx: Transaction, export_id: UUID) -> None:
    """Remove one export."""
    await tx.execute(
        "DELETE FROM exports WHERE user_id = %s AND export_id = %s",
        [tx.scope.user_id, export_id],
    )


async def delete_others(tx: Transaction, export_id: UUID) -> None:
    """Remove all of the person's exports but one."""
    await tx.execute(
        "DELETE FROM exports WHERE user_id = %s AND export_id <> %s",
        [tx.scope.user_id, export_id],
    )


async def delete_expired(tx: Transaction) -> None:
    """Remove the person's exports that have expired."""
    await tx.execute(
        "DELETE FROM exports WHERE user_id = %s AND expires_at <= %s",
        [tx.scope.user_id, tx.now],
    )
