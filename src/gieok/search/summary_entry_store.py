"""SQL of the search entries of summaries and episodes: one function, one statement.

`recall` makes them. They are kept here because whoever changes what is summed up takes
its entry away in the same transaction; with the row it is about it goes by itself.
"""

from collections.abc import Sequence
from uuid import UUID

from gieok.database import Transaction


async def upsert_entry(
    tx: Transaction,
    kind: str,
    item_id: UUID,
    revision: int,
    *,
    embedder: str | None,
    item: bytes,
) -> None:
    """Keep the sealed entry of one revision of a summary or episode."""
    await tx.execute(
        """
        INSERT INTO summary_entries (user_id, item_id, kind, revision, embedder, item)
        VALUES (%s, %s, %s, %s, %s, %s)
        ON CONFLICT (user_id, item_id) DO UPDATE SET revision = excluded.revision,
            embedder = excluded.embedder, item = excluded.item
        """,
        [tx.scope.user_id, item_id, kind, revision, embedder, item],
    )


async def delete_outdated(tx: Transaction, item_id: UUID, revision: int) -> None:
    """Take a summary or episode out of the search that now says something else."""
    await tx.execute(
        """
        DELETE FROM summary_entries
        WHERE user_id = %s AND item_id = %s AND revision <> %s
        """,
        [tx.scope.user_id, item_id, revision],
    )


async def delete_entries(tx: Transaction, item_ids: Sequence[UUID]) -> None:
    """Take summaries and episodes out of the search, until they are read anew."""
    await tx.execute(
        "DELETE FROM summary_entries WHERE user_id = %s AND item_id = ANY(%s)",
        [tx.scope.user_id, list(item_ids)],
    )
