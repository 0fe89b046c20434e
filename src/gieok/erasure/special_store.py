"""SQL of what touches a special category: one function, one statement."""

from collections.abc import Sequence
from typing import Final, LiteralString
from uuid import UUID

from gieok.database import Transaction
from gieok.pii import is_special
from gieok.privacy import PersonKey, read_rows
from gieok.privacy.sealed_columns import SEALED_COLUMNS, SealedColumn

TEXTS: Final = tuple(
    column
    for column in SEALED_COLUMNS
    if (column.table, column.column)
    in {
        ("session_messages", "content"),
        ("sessions", "session_summary"),
        ("user_memories", "content"),
        ("memory_history", "old_content"),
        ("memory_history", "new_content"),
        ("memory_candidates", "claim"),
        ("episodes", "summary"),
        ("episodes", "topics"),
        ("episodes", "tags"),
        ("store_items", "name"),
        ("store_items", "content"),
    }
)
"""Where texts stand from which a prompt may be made."""
_ONLY: Final[dict[LiteralString, LiteralString]] = {
    "session_messages": "forgotten_at IS NULL"
}


async def find_special_rows(
    tx: Transaction, key: PersonKey, column: SealedColumn, after: UUID, most: int
) -> tuple[list[UUID], UUID | None]:
    """Return which of the next rows of a column touch a special category.

    With them comes the last row that was looked at, None when there was none.
    """
    rows = await tx.fetch_all(
        f"""
        SELECT {column.selected} FROM {column.table}
        WHERE user_id = %s AND {column.row} > %s AND {column.column} IS NOT NULL
          AND {_ONLY.get(column.table, "true")}
        ORDER BY {column.row} LIMIT %s
        """,
        [tx.scope.user_id, after, most],
    )
    read = read_rows(
        column.table, rows, lambda row: (row[0], column.open_text(key, row))
    )
    found = [row_id for row_id, text in read if is_special(text)]
    return found, rows[-1][0] if rows else None


async def list_with_pairs(tx: Transaction, message_ids: Sequence[UUID]) -> list[UUID]:
    """Return these messages and those they make a pair with."""
    return await tx.fetch_column(
        """
        SELECT unnest(%(ids)s::uuid[]) UNION
        SELECT unnest(ARRAY[user_message_id, assistant_message_id])
        FROM conversation_pairs WHERE user_id = %(user_id)s AND (
            user_message_id = ANY(%(ids)s) OR assistant_message_id = ANY(%(ids)s)
        )
        """,
        {"user_id": tx.scope.user_id, "ids": list(message_ids)},
    )


async def list_session_ids(tx: Transaction, message_ids: Sequence[UUID]) -> list[UUID]:
    """Return the sessions in which messages were said."""
    return await tx.fetch_column(
        """
        SELECT DISTINCT session_id FROM session_messages
        WHERE user_id = %s AND message_id = ANY(%s)
        """,
        [tx.scope.user_id, list(message_ids)],
    )
