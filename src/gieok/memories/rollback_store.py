"""SQL that finds what came from a session or since a time: one function, one statement.

`origin` holds `since` and `session_id`; None of either does not narrow.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from gieok.database import Transaction

RollbackOrigin = Mapping[str, datetime | UUID | None]


async def list_active_from(tx: Transaction, origin: RollbackOrigin) -> list[UUID]:
    """Return the memories in use that came from there, oldest first."""
    return await tx.fetch_column(
        """
        SELECT memory_id FROM user_memories
        WHERE user_id = %(user_id)s AND is_active
          AND (%(since)s::timestamptz IS NULL OR created_at >= %(since)s)
          AND (%(session_id)s::uuid IS NULL OR source_session_id = %(session_id)s)
        ORDER BY created_at, memory_id
        """,
        {"user_id": tx.scope.user_id, **origin},
    )


async def list_replaced_by(tx: Transaction, memory_ids: Sequence[UUID]) -> list[UUID]:
    """Return the memories that these replaced, oldest first."""
    return await tx.fetch_column(
        """
        SELECT memory_id FROM user_memories
        WHERE user_id = %s AND NOT is_active AND superseded_by = ANY(%s)
          AND memory_id <> ALL (%s)
        ORDER BY created_at, memory_id
        """,
        [tx.scope.user_id, list(memory_ids), list(memory_ids)],
    )


async def expire_candidates(tx: Transaction, origin: RollbackOrigin) -> list[UUID]:
    """Close the waiting candidates that rest on nothing else; return which."""
    return await tx.fetch_column(
        """
        UPDATE memory_candidates SET status = 'expired', reviewed_at = %(at)s
        WHERE user_id = %(user_id)s AND status = 'pending'
          AND (%(since)s::timestamptz IS NULL OR created_at >= %(since)s)
          AND (%(session_id)s::uuid IS NULL OR session_ids = ARRAY[%(session_id)s])
        RETURNING candidate_id
        """,
        {"user_id": tx.scope.user_id, "at": tx.now, **origin},
    )
