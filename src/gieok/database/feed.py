"""Keeps a person's change feed short: what everybody has heard of is removed.

Above the floor the feed is whole. Whoever stands below it reads everything anew; so
nobody misses a change, however late they ask.
"""

from typing import Final

from gieok.database.transaction import Transaction

TRIM_ROWS: Final = 5_000
"""Numbers that one transaction goes through."""


async def get_feed_floor(tx: Transaction) -> int:
    """Return the number after which the feed is whole; asked after what was read."""
    row = await tx.fetch_one(
        "SELECT floor_seq FROM user_counters WHERE user_id = %s", [tx.scope.user_id]
    )
    return row[0] if row else 0


async def get_feed_head(tx: Transaction) -> int:
    """Return the person's last change number."""
    row = await tx.fetch_one(
        "SELECT head_seq FROM user_counters WHERE user_id = %s", [tx.scope.user_id]
    )
    return row[0] if row else 0


async def trim_feed(tx: Transaction, until: int) -> bool:
    """Remove the oldest changes up to a number; return whether more are to be removed.

    The last change stays, and so does what was deleted of pairs, which may not come
    back, and of the person, which tells their lives apart.
    """
    row = await tx.fetch_one(
        """
        WITH before AS (
            SELECT floor_seq AS floor, least(
                       %(until)s, head_seq - 1, floor_seq + %(rows)s
                   ) AS next
            FROM user_counters WHERE user_id = %(user_id)s FOR UPDATE
        ), raised AS (
            UPDATE user_counters SET floor_seq = before.next FROM before
            WHERE user_id = %(user_id)s AND before.next > before.floor
        ), removed AS (
            DELETE FROM memory_updates USING before
            WHERE user_id = %(user_id)s AND seq > before.floor AND seq <= before.next
              AND NOT (operation = 'delete'
                       AND entity IN ('conversation_pair', 'person'))
        )
        SELECT next - floor = %(rows)s FROM before
        """,
        {"user_id": tx.scope.user_id, "until": until, "rows": TRIM_ROWS},
    )
    return bool(row and row[0])
