"""SQL of what rests on messages: one function, one statement."""

from collections.abc import Sequence
from uuid import UUID

from gieok.database import Transaction


async def list_episodes(tx: Transaction, message_ids: Sequence[UUID]) -> list[UUID]:
    """Return the episodes that rest on any of these messages."""
    return await tx.fetch_column(
        "SELECT episode_id FROM episodes WHERE user_id = %s "
        "AND source_message_ids && %s::uuid[]",
        [tx.scope.user_id, list(message_ids)],
    )


async def list_all_episodes(tx: Transaction) -> list[UUID]:
    """Return all of the person's episodes."""
    return await tx.fetch_column(
        "SELECT episode_id FROM episodes WHERE user_id = %s", [tx.scope.user_id]
    )
