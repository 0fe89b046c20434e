"""SQL that finds what came from a session or since a time: one function, one statement.

`origin` holds `since` and `session_id`; None of either does not narrow.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from gieok.database import Transaction

RollbackOrigin = Mapping[str, datetime | UUID | None]


_IS_FROM_THERE: Final = """(
    (%(since)s::timestamptz IS NULL OR created_at >= %(since)s)
    AND (%(session_id)s::uuid IS NULL
         OR source_session_id IS NOT DISTINCT FROM %(session_id)s)
)"""


async def list_active_from(tx: Transaction, origin: RollbackOrigin) -> list[UUID]:
    """Return the memories in use that came from there, oldest first."""
    return await tx.fetch_column(
        """
        SELECT memory_id FROM user_memories
        WHERE user_id = %(user_id)s AND is_active AND
        """
        + _IS_FROM_THERE
        + "ORDER BY created_at, memory_id",
        {"user_id": tx.scope.user_id, **origin},
    )


async def list_denied_from(
    tx: Transaction, origin: RollbackOrigin
) -> list[tuple[UUID, bool]]:
    """Return what was said there to be untrue and is out of use since, oldest first.

    Each with whether it came from there itself.
    """
    return await tx.fetch_all(
        """
        SELECT memory_id,
        """
        + _IS_FROM_THERE
        + """
        FROM user_memories CROSS JOIN LATERAL (
            SELECT action, session_id AS denied_in, created_at AS denied_at
            FROM memory_history AS step
            WHERE step.user_id = user_memories.user_id
              AND step.memory_id = user_memories.memory_id
            ORDER BY step.created_at DESC, step.history_id DESC LIMIT 1
        ) AS last
        WHERE user_id = %(user_id)s AND NOT is_active AND inactive_reason = 'denied'
          AND action = 'deactivated'
          AND (%(since)s::timestamptz IS NULL OR denied_at >= %(since)s)
          AND (%(session_id)s::uuid IS NULL OR denied_in = %(session_id)s)
        ORDER BY created_at, memory_id
        """,
        {"user_id": tx.scope.user_id, **origin},
    )


async def list_replaced_by(
    tx: Transaction, memory_ids: Sequence[UUID], origin: RollbackOrigin
) -> list[UUID]:
    """Return what stood before these and came from elsewhere, oldest first.

    Of what came from there itself, it is what that replaced in its turn.
    """
    return await tx.fetch_column(
        """
        WITH RECURSIVE version AS (
            SELECT unnest(%(memory_ids)s::uuid[]) AS memory_id, true AS is_from_there
            UNION
            SELECT earlier.memory_id, earlier.is_from_there FROM (
                SELECT memory_id, superseded_by,
        """
        + _IS_FROM_THERE
        + """
                    AS is_from_there
                FROM user_memories WHERE user_id = %(user_id)s AND NOT is_active
            ) AS earlier
            JOIN version ON earlier.superseded_by = version.memory_id
            WHERE version.is_from_there
        )
        SELECT memory_id FROM user_memories JOIN version USING (memory_id)
        WHERE user_id = %(user_id)s AND NOT is_from_there
        ORDER BY created_at, memory_id
        """,
        {"user_id": tx.scope.user_id, "memory_ids": list(memory_ids), **origin},
    )


async def expire_candidates(tx: Transaction, origin: RollbackOrigin) -> list[UUID]:
    """Close the waiting candidates that rest on nothing else; return which.

    What is asked because its time is over rests on no talk, and goes on waiting.
    """
    return await tx.fetch_column(
        """
        UPDATE memory_candidates SET status = 'expired', reviewed_at = %(at)s
        WHERE user_id = %(user_id)s AND status = 'pending'
          AND extractor IS DISTINCT FROM 'retention'
          AND (%(since)s::timestamptz IS NULL OR created_at >= %(since)s)
          AND (%(session_id)s::uuid IS NULL OR session_ids = ARRAY[%(session_id)s])
        RETURNING candidate_id
        """,
        {"user_id": tx.scope.user_id, "at": tx.now, **origin},
    )
