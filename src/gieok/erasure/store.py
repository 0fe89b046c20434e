"""SQL of what rests on messages: one function, one statement."""

from collections.abc import Sequence
from typing import LiteralString
from uuid import UUID

from gieok.database import Transaction


async def list_episodes(tx: Transaction, message_ids: Sequence[UUID]) -> list[UUID]:
    """Return the episodes that rest on any of these messages."""
    return await _fetch_ids(
        tx,
        "SELECT episode_id FROM episodes WHERE user_id = %(user_id)s "
        "AND source_message_ids && %(message_ids)s::uuid[]",
        {"message_ids": list(message_ids)},
    )


async def list_all_episodes(tx: Transaction) -> list[UUID]:
    """Return all of the person's episodes."""
    return await _fetch_ids(
        tx, "SELECT episode_id FROM episodes WHERE user_id = %(user_id)s", {}
    )


async def _fetch_ids(
    tx: Transaction, statement: LiteralString, values: dict[str, object]
) -> list[UUID]:
    rows = await tx.fetch_all(statement, {"user_id": tx.scope.user_id} | values)
    return [row[0] for row in rows]
