"""SQL of how far readers have read a session: one function, one statement.

Whoever moves a position holds the session's row, or another could move it too. The lock
comes in a statement before: what is read beside it would be as of before the wait.

When the next job is to be queued stands in the session's own row, as recording a turn
decides on it (`searching_count`, `extracting_count`; decision 0003).
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, Literal, LiteralString, NamedTuple
from uuid import UUID

from gieok.database import Transaction
from gieok.database.arrays import to_array_literal

Reader = Literal[
    "extraction",
    "masking",
    "search",
    "summary",
    "unsummarized_start",
    "unsummarized_end",
    "episode",
]
"""Who reads a session: memories, masking of what shows over several messages, recall
(which counts what it made searchable), summaries, episodes. Of what was said while
memory was off, the first start and the last end are kept: nothing in between is summed
up again."""


class UnmaskedSession(NamedTuple):
    """A session with messages from a position on that wait to be screened together."""

    session_id: UUID
    start: int
    continues: UUID | None


def build_position_sql(reader: Reader) -> LiteralString:
    """Return how far a reader has read, as an expression over a row of `sessions`."""
    return (
        """coalesce((
            SELECT progress.position FROM session_progress AS progress
            WHERE progress.user_id = sessions.user_id
              AND progress.session_id = sessions.session_id
              AND progress.reader = '"""
        + reader
        + "'), 0)"
    )


def build_behind_sql(reader: Reader) -> LiteralString:
    """Return whether a reader has not read a row of `sessions` to its end, as SQL.

    For all of a person's sessions at once (`%(user_id)s`): PostgreSQL hashes the list,
    whatever it knows of the table. A join it takes for one of few rows is quadratic.
    """
    return (
        """
        message_count > 0 AND (session_id, message_count) NOT IN (
            SELECT progress.session_id, progress.position
            FROM session_progress AS progress
            WHERE progress.user_id = %(user_id)s AND progress.reader = '"""
        + reader
        + "') "
    )


_MOVE: Final = """
    ON CONFLICT (user_id, session_id, reader) DO UPDATE SET position = excluded.position
"""


async def set_position(
    tx: Transaction, session_id: UUID, reader: Reader, position: int
) -> None:
    """Remember how far a reader has read a session, if it is still there."""
    await tx.execute(
        """
        INSERT INTO session_progress (user_id, session_id, reader, position)
        SELECT user_id, session_id, %s, %s FROM sessions
        WHERE user_id = %s AND session_id = %s
        """
        + _MOVE,
        [reader, position, tx.scope.user_id, session_id],
    )


async def advance_masking(tx: Transaction, added: Mapping[UUID, int]) -> None:
    """Note that the last so many messages of sessions were masked as they were written.

    For whoever knew what was said before them. A session of which more waits stays as
    it is: all of it is looked at.
    """
    await tx.execute(
        """
        INSERT INTO session_progress (user_id, session_id, reader, position)
        SELECT sessions.user_id, sessions.session_id, 'masking', message_count
        FROM unnest(%s::uuid[], %s::int[]) AS written (session_id, added)
        JOIN sessions ON sessions.user_id = %s
         AND sessions.session_id = written.session_id
        WHERE message_count - written.added =
        """
        + build_position_sql("masking")
        + _MOVE,
        [
            to_array_literal(map(str, added)),
            to_array_literal(map(str, added.values())),
            tx.scope.user_id,
        ],
    )


async def insert_positions(
    tx: Transaction, reader: Reader, positions: Mapping[UUID, int]
) -> None:
    """Remember how far a reader has read new sessions.

    Raises:
        psycopg.DataError, psycopg.IntegrityError: a position that cannot be.
    """
    await tx.fetch_all(  # reading waits for an error of these very rows
        """
        INSERT INTO session_progress (user_id, session_id, reader, position)
        SELECT %s, new.session_id, %s, new.position
        FROM unnest(%s::uuid[], %s::int[]) AS new (session_id, position)
        RETURNING reader
        """,
        [tx.scope.user_id, reader, list(positions), list(positions.values())],
    )


async def add_searchable(tx: Transaction, added: Mapping[UUID, int]) -> None:
    """Count messages that became searchable, or are not any more, by session."""
    await tx.execute(
        """
        INSERT INTO session_progress (user_id, session_id, reader, position)
        SELECT user_id, session_id, 'search', added.items
        FROM unnest(%s::uuid[], %s::int[]) AS added (session_id, items)
        JOIN sessions USING (session_id) WHERE user_id = %s
        ON CONFLICT (user_id, session_id, reader) DO UPDATE
            SET position = session_progress.position + excluded.position
        """,
        [list(added), list(added.values()), tx.scope.user_id],
    )


async def claim_indexing(tx: Transaction) -> None:
    """Note that all messages so far are about to be made searchable.

    The next one that is recorded queues that job anew. Whatever is being recorded is
    waited for: it may rely on this very job, which still waited when it looked. All
    sessions are locked at once and in the order in which others lock them.
    """
    await tx.execute(
        """
        SELECT FROM sessions WHERE user_id = %s AND (
            status IN ('created', 'active') OR searching_count < message_count
        )
        ORDER BY session_id FOR NO KEY UPDATE
        """,
        [tx.scope.user_id],
    )
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


async def claim_unmasked(
    tx: Transaction, session_id: UUID | None
) -> list[UnmaskedSession]:
    """Note that all messages so far are about to be screened; return which were not.

    Of one session, or of all the person's. They stay as they are until the transaction
    ends.
    """
    locked = await tx.fetch_all(
        """
        SELECT session_id FROM sessions WHERE user_id = %(user_id)s
          AND session_id = coalesce(%(session_id)s, session_id) AND
        """
        + build_behind_sql("masking")
        + "ORDER BY session_id FOR NO KEY UPDATE",
        {"user_id": tx.scope.user_id, "session_id": session_id},
    )
    if not locked:
        return []
    rows = await tx.fetch_all(
        """
        WITH behind AS (
            SELECT user_id, session_id, continues, message_count,
        """
        + build_position_sql("masking")
        + """ AS start
            FROM sessions
            WHERE user_id = %(user_id)s AND session_id = ANY(%(session_ids)s)
        ), moved AS (
            INSERT INTO session_progress (user_id, session_id, reader, position)
            SELECT user_id, session_id, 'masking', message_count FROM behind
        """
        + _MOVE
        + """
        )
        SELECT session_id, start, continues FROM behind WHERE start < message_count
        ORDER BY session_id
        """,
        {"user_id": tx.scope.user_id, "session_ids": [row[0] for row in locked]},
    )
    return [UnmaskedSession(*row) for row in rows]


async def count_extracted(tx: Transaction, session_id: UUID) -> int:
    """Return how many messages of a session extraction has read; locks the session."""
    await _lock_sessions(tx, [session_id])
    row = await tx.fetch_one(
        "SELECT "
        + build_position_sql("extraction")
        + "FROM sessions WHERE user_id = %s AND session_id = %s",
        [tx.scope.user_id, session_id],
    )
    return row[0] if row else 0


async def list_unread_sessions(tx: Transaction) -> list[UUID]:
    """Return the sessions that hold messages extraction has not read, oldest first."""
    return await tx.fetch_column(
        "SELECT session_id FROM sessions WHERE user_id = %(user_id)s AND "
        + build_behind_sql("extraction")
        + "ORDER BY created_at",
        {"user_id": tx.scope.user_id},
    )


async def list_unfinished_sessions(tx: Transaction) -> list[UUID]:
    """Return the sessions that are over and wait for extraction or an episode.

    Oldest first; one whose episode was deleted waits for none.
    """
    return await tx.fetch_column(
        """
        SELECT session_id FROM sessions WHERE user_id = %(user_id)s
          AND status NOT IN ('created', 'active', 'paused') AND ((
        """
        + build_behind_sql("extraction")
        + ") OR (NOT episode_deleted AND "
        + build_behind_sql("episode")
        + ")) ORDER BY created_at",
        {"user_id": tx.scope.user_id},
    )


async def get_waiting_messages(
    tx: Transaction, session_id: UUID
) -> tuple[int, datetime] | None:
    """Return how many messages wait for extraction and when the last one came.

    Locks the session; None when the person has no such.
    """
    await _lock_sessions(tx, [session_id])
    row = await tx.fetch_one(
        "SELECT message_count - "
        + build_position_sql("extraction")
        + ", updated_at FROM sessions WHERE user_id = %s AND session_id = %s",
        [tx.scope.user_id, session_id],
    )
    return (row[0], row[1]) if row else None


async def skip_extraction(tx: Transaction) -> None:
    """Keep what was said until now from ever being extracted."""
    await lock_all_sessions(tx)
    await tx.execute(
        """
        INSERT INTO session_progress (user_id, session_id, reader, position)
        SELECT user_id, session_id, 'extraction', message_count FROM sessions
        WHERE user_id = %s
        """
        + _MOVE,
        [tx.scope.user_id],
    )


async def skip_summaries(tx: Transaction) -> list[UUID]:
    """Keep what was said until now from ever being summed up; return which messages.

    They are marked as withheld: others leave them out as well.
    """
    await lock_all_sessions(tx)
    return await tx.fetch_column(
        """
        WITH behind AS (
            SELECT user_id, session_id, message_count,
        """
        + build_position_sql("summary")
        + " AS summarized, "
        + build_position_sql("unsummarized_start")
        + " AS skipped_from, "
        + build_position_sql("unsummarized_end")
        + """ AS skipped_until
            FROM sessions WHERE user_id = %s
        ), moved AS (
            INSERT INTO session_progress (user_id, session_id, reader, position)
            SELECT user_id, session_id, mark.reader, mark.position
            FROM behind, LATERAL (VALUES
                ('summary', message_count),
                ('unsummarized_start', CASE WHEN skipped_until > 0
                    THEN skipped_from ELSE summarized END),
                ('unsummarized_end', message_count)
            ) AS mark (reader, position)
            WHERE summarized < message_count
        """
        + _MOVE
        + """
        )
        UPDATE session_messages AS said SET is_withheld = true
        FROM behind
        WHERE said.user_id = behind.user_id AND said.session_id = behind.session_id
          AND said.position >= behind.summarized AND NOT said.is_withheld
        RETURNING said.message_id
        """,
        [tx.scope.user_id],
    )


async def set_episode_deleted(
    tx: Transaction, session_id: UUID | None, *, deleted: bool
) -> None:
    """Note whether an episode of a session is never again made by itself."""
    await tx.execute(
        """
        UPDATE sessions SET episode_deleted = %(deleted)s
        WHERE user_id = %(user_id)s AND session_id = %(session_id)s
          AND episode_deleted <> %(deleted)s
        """,
        {
            "user_id": tx.scope.user_id,
            "session_id": session_id,
            "deleted": deleted,
        },
    )


async def set_summary(
    tx: Transaction, session_id: UUID, sealed: bytes | None, revision: int
) -> None:
    """Keep the sealed summary of a session, or that there is none."""
    await tx.execute(
        """
        UPDATE sessions SET session_summary = %s, summary_revision = %s
        WHERE user_id = %s AND session_id = %s
        """,
        [sealed, revision, tx.scope.user_id, session_id],
    )


async def _lock_sessions(tx: Transaction, session_ids: Sequence[UUID]) -> None:
    await tx.execute(
        """
        SELECT FROM sessions WHERE user_id = %s AND session_id = ANY(%s)
        ORDER BY session_id FOR UPDATE
        """,
        [tx.scope.user_id, list(session_ids)],
    )


async def lock_all_sessions(tx: Transaction) -> None:
    """Keep the person's sessions as they are until the transaction ends."""
    await tx.execute(
        """
        SELECT FROM sessions WHERE user_id = %s ORDER BY session_id FOR NO KEY UPDATE
        """,
        [tx.scope.user_id],
    )
