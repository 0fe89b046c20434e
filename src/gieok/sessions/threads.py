"""SQL of the states that LangGraph keeps of a session (B01): gone with it (B11).

A thread of LangGraph is a session: `thread_id` is the session's id as text. Where the
session is over or full the thread goes on in others, which bear its id as their name or
continue it.
"""

from collections.abc import Sequence
from uuid import UUID

from gieok.database import Transaction


async def delete_threads(tx: Transaction, session_ids: Sequence[UUID]) -> int:
    """Delete every state of the person's threads; return how many checkpoints."""
    row = await tx.fetch_one(
        """
        WITH written AS (
            DELETE FROM checkpoint_writes
            WHERE user_id = %(user_id)s AND thread_id = ANY(%(threads)s)
        ), held AS (
            DELETE FROM checkpoint_blobs
            WHERE user_id = %(user_id)s AND thread_id = ANY(%(threads)s)
        ), gone AS (
            DELETE FROM checkpoints
            WHERE user_id = %(user_id)s AND thread_id = ANY(%(threads)s) RETURNING 1
        )
        SELECT count(*) FROM gone
        """,
        {
            "user_id": tx.scope.user_id,
            "threads": [str(session_id) for session_id in session_ids],
        },
    )
    return row[0] if row else 0
