"""SQL of how far readers have read a session: one function, one statement."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from gieok.database import Transaction


async def claim_indexing(tx: Transaction) -> None:
    """Note that all messages so far are about to be made searchable.

    The next one that is recorded queues that job anew.
    """
    await tx.execute(
        """
        UPDATE sessions SET searching_count = message_count
        WHERE user_id = %s AND searching_count < message_count
        """,
        [tx.scope.user_id],
    )


async def claim_extraction(tx: Transaction, session_id: UUID) -> None:
    """Note that all messages of a session are about to be extracted.

    The next one that is recorded queues that job anew.
    """
    await tx.execute(
        """
        UPDATE sessions SET extracting_count = message_count
        WHERE user_id = %s AND session_id = %s
        """,
        [tx.scope.user_id, session_id],
    )


async def count_extracted(tx: Transaction, session_id: UUID) -> int:
    """Return how many messages of a session extraction has read."""
    row = await tx.fetch_one(
        """
        SELECT extracted_count FROM sessions
        WHERE user_id = %s AND session_id = %s FOR UPDATE
        """,
        [tx.scope.user_id, session_id],
    )
    return row[0] if row else 0


async def list_unread_sessions(tx: Transaction) -> list[UUID]:
    """Return the sessions that hold messages extraction has not read, oldest first."""
    rows = await tx.fetch_all(
        """
        SELECT session_id FROM sessions
        WHERE user_id = %s AND message_count > extracted_count ORDER BY created_at
        """,
        [tx.scope.user_id],
    )
    return [row[0] for row in rows]


async def get_waiting_messages(
    tx: Transaction, session_id: UUID
) -> tuple[int, datetime] | None:
    """Return how many messages wait for extraction and when the last one came."""
    row = await tx.fetch_one(
        """
        SELECT message_count - extracted_count, updated_at FROM sessions
        WHERE user_id = %s AND session_id = %s FOR UPDATE
        """,
        [tx.scope.user_id, session_id],
    )
    return (row[0], row[1]) if row else None


async def set_extracted_count(tx: Transaction, session_id: UUID, count: int) -> None:
    """Remember how far extraction has read."""
    await tx.execute(
        """
        UPDATE sessions SET extracted_count = %s
        WHERE user_id = %s AND session_id = %s
        """,
        [count, tx.scope.user_id, session_id],
    )


async def skip_extraction(tx: Transaction) -> None:
    """Keep what was said until now from ever being extracted."""
    await tx.execute(
        """
        UPDATE sessions SET extracted_count = message_count
        WHERE user_id = %s AND extracted_count < message_count
        """,
        [tx.scope.user_id],
    )


async def skip_summaries(tx: Transaction) -> None:
    """Keep what was said until now from ever being summed up."""
    await tx.execute(
        """
        UPDATE sessions SET
            unsummed_from = CASE WHEN unsummed_until > 0
                THEN unsummed_from ELSE summarized_count END,
            unsummed_until = message_count, summarized_count = message_count
        WHERE user_id = %s AND summarized_count < message_count
        """,
        [tx.scope.user_id],
    )


async def set_remembered(tx: Transaction, session_id: UUID, count: int) -> None:
    """Note how many messages were seen to, and that there may be an episode."""
    await tx.execute(
        """
        UPDATE sessions SET remembered_count = %s, episode_deleted = false
        WHERE user_id = %s AND session_id = %s
        """,
        [count, tx.scope.user_id, session_id],
    )


async def set_episode_deleted(tx: Transaction, session_id: UUID | None) -> None:
    """Note that no episode of a session is made again by itself."""
    await tx.execute(
        """
        UPDATE sessions SET episode_deleted = true
        WHERE user_id = %s AND session_id = %s
        """,
        [tx.scope.user_id, session_id],
    )


async def set_summary(
    tx: Transaction,
    session_id: UUID,
    sealed: bytes | None,
    *,
    count: int,
    revision: int,
) -> None:
    """Keep the sealed sum of a session's first messages, or that there is none."""
    await tx.execute(
        """
        UPDATE sessions SET session_summary = %s, summarized_count = %s,
            summary_revision = %s
        WHERE user_id = %s AND session_id = %s
        """,
        [sealed, count, revision, tx.scope.user_id, session_id],
    )


async def add_searchable(tx: Transaction, added: Mapping[UUID, int]) -> None:
    """Count messages that became searchable, or are not any more, by session."""
    await tx.execute(
        """
        UPDATE sessions SET searchable_count = searchable_count + added.items
        FROM unnest(%(ids)s::uuid[], %(counts)s::int[]) AS added (session_id, items)
        WHERE user_id = %(user_id)s AND sessions.session_id = added.session_id
        """,
        {
            "user_id": tx.scope.user_id,
            "ids": list(added),
            "counts": list(added.values()),
        },
    )
