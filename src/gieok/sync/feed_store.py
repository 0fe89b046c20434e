"""Where the feed of changes stands, and where its timeline began."""

from typing import Final, NamedTuple

from gieok.database import Cursor, Database, Transaction
from gieok.database.installation import store_values
from gieok.sync.epoch import Epoch

TIMELINE: Final = "timeline"
"""Under which the installation keeps which restore its database comes from."""


class FeedState(NamedTuple):
    """Where a person's change feed stands."""

    epoch: Epoch
    head: int
    floor: int
    """The number after which the feed is whole."""


async def get_feed_state(tx: Transaction) -> FeedState | None:
    """Return the person's epoch and last change number, or None for a stranger."""
    return await read_feed_state(await queue_feed_state(tx))


async def queue_feed_state(tx: Transaction) -> Cursor:
    """Queue reading where the person's feed stands now, for `read_feed_state`."""
    return await tx.execute(
        """
        SELECT incarnation, coalesce((
                   SELECT max(seq) FROM memory_updates
                   WHERE user_id = %(user_id)s AND entity_id = %(user_id)s
                     AND operation = 'delete' AND entity = 'person'
               ), 0), coalesce((
                   SELECT value FROM installation WHERE name = %(timeline)s
               ), '0'), head_seq, floor_seq
        FROM users JOIN user_counters USING (user_id) WHERE user_id = %(user_id)s
        """,
        {"user_id": tx.scope.user_id, "timeline": TIMELINE},
    )


async def read_feed_state(queued: Cursor) -> FeedState | None:
    """Return the feed that was queued, also once that is committed."""
    row = await queued.fetchone()
    return FeedState(Epoch(*row[:3]), row[3], row[4]) if row else None


async def begin_timeline(database: Database) -> None:
    """Have every device take a snapshot, and send again what the cloud has not.

    After a restore the database may lack what devices were told it has.
    """
    await store_values(database, {TIMELINE: database.new_id().hex})
