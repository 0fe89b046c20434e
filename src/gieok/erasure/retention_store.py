"""SQL of what is no longer kept: one function, one statement."""

from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from gieok.database import Transaction
from gieok.memories import DeletePolicy


class RetentionPeriods(NamedTuple):
    """How long what was learned of the person is kept."""

    summaries: timedelta
    """The sum of a session, since it began."""
    episodes: timedelta
    candidates: timedelta


async def lock_sessions(
    tx: Transaction, before: datetime, until: datetime, most: int
) -> list[UUID]:
    """Lock sessions that hold messages from before a time; return which.

    What belongs to a pair that was to be kept `until` then, or longer, does not count.
    """
    rows = await tx.fetch_all(
        """
        SELECT session_id FROM sessions
        WHERE user_id = %(user_id)s AND session_id IN (
            SELECT session_id FROM session_messages AS said
            WHERE user_id = %(user_id)s AND created_at <= %(before)s AND NOT EXISTS (
                SELECT FROM conversation_pairs AS kept
                WHERE kept.user_id = said.user_id
                  AND kept.session_id = said.session_id
                  AND said.message_id IN (user_message_id, assistant_message_id)
                  AND retention_until > %(until)s
            )
            LIMIT %(most)s
        )
        ORDER BY session_id FOR UPDATE
        """,
        {
            "user_id": tx.scope.user_id,
            "before": before,
            "until": until,
            "most": most,
        },
    )
    return [row[0] for row in rows]


async def delete_pairs(
    tx: Transaction, session_ids: list[UUID], until: datetime
) -> list[UUID]:
    """Remove the pairs of these sessions that were kept until then; return them."""
    rows = await tx.fetch_all(
        """
        DELETE FROM conversation_pairs
        WHERE user_id = %s AND session_id = ANY(%s) AND retention_until <= %s
        RETURNING pair_id
        """,
        [tx.scope.user_id, session_ids, until],
    )
    return [row[0] for row in rows]


async def delete_messages(
    tx: Transaction, session_ids: list[UUID], before: datetime
) -> list[UUID]:
    """Remove messages from before a time, but for those of a pair that is kept."""
    rows = await tx.fetch_all(
        """
        DELETE FROM session_messages AS said
        WHERE user_id = %(user_id)s AND session_id = ANY(%(session_ids)s)
          AND created_at <= %(before)s AND NOT EXISTS (
              SELECT FROM conversation_pairs AS kept
              WHERE kept.user_id = said.user_id AND kept.session_id = said.session_id
                AND said.message_id IN (user_message_id, assistant_message_id)
          )
        RETURNING message_id
        """,
        {"user_id": tx.scope.user_id, "session_ids": session_ids, "before": before},
    )
    gone = [row[0] for row in rows]
    tx.record_removed_rows("session_messages", gone)
    return gone


async def drop_previews(tx: Transaction, message_ids: list[UUID]) -> list[UUID]:
    """Remove what memories quote from these messages; return which memories did."""
    rows = await tx.fetch_all(
        """
        UPDATE user_memories SET source_message_preview = NULL
        WHERE user_id = %s AND source_message_ids && %s::uuid[]
          AND source_message_preview IS NOT NULL
        RETURNING memory_id
        """,
        [tx.scope.user_id, message_ids],
    )
    return [row[0] for row in rows]


async def list_emptied(tx: Transaction, session_ids: list[UUID]) -> list[UUID]:
    """Return which of these sessions are over and hold no message any more."""
    rows = await tx.fetch_all(
        """
        SELECT session_id FROM sessions AS empty
        WHERE user_id = %s AND session_id = ANY(%s)
          AND status IN ('completed', 'failed', 'expired') AND NOT EXISTS (
              SELECT FROM session_messages AS said
              WHERE said.user_id = empty.user_id AND said.session_id = empty.session_id
          )
        """,
        [tx.scope.user_id, session_ids],
    )
    return [row[0] for row in rows]


async def drop_summaries(tx: Transaction, before: datetime, most: int) -> list[UUID]:
    """Remove the sums of sessions that began before a time; return which had one."""
    rows = await tx.fetch_all(
        """
        UPDATE sessions SET session_summary = NULL
        WHERE user_id = %(user_id)s AND session_id IN (
            SELECT session_id FROM sessions
            WHERE user_id = %(user_id)s AND created_at <= %(before)s
              AND session_summary IS NOT NULL
            ORDER BY session_id LIMIT %(most)s FOR UPDATE
        )
        RETURNING session_id
        """,
        {"user_id": tx.scope.user_id, "before": before, "most": most},
    )
    return [row[0] for row in rows]


async def list_old_episodes(tx: Transaction, before: datetime, most: int) -> list[UUID]:
    """Return episodes that last changed before a time."""
    rows = await tx.fetch_all(
        """
        SELECT episode_id FROM episodes
        WHERE user_id = %s AND updated_at <= %s LIMIT %s
        """,
        [tx.scope.user_id, before, most],
    )
    return [row[0] for row in rows]


async def list_old_candidates(
    tx: Transaction, before: datetime, most: int
) -> list[UUID]:
    """Return candidates from before a time that nobody decided about.

    What was confirmed goes with its memory; what was rejected is never proposed again.
    """
    rows = await tx.fetch_all(
        """
        SELECT candidate_id FROM memory_candidates
        WHERE user_id = %s AND created_at <= %s AND status IN ('pending', 'expired')
        LIMIT %s
        """,
        [tx.scope.user_id, before, most],
    )
    return [row[0] for row in rows]


async def set_policy(tx: Transaction, memory_id: UUID, policy: DeletePolicy) -> None:
    """Say what becomes of a memory once its time is over."""
    await tx.execute(
        """
        UPDATE user_memories SET delete_policy = %s, updated_at = %s
        WHERE user_id = %s AND memory_id = %s
        """,
        [policy.value, tx.now, tx.scope.user_id, memory_id],
    )


async def list_overdue(tx: Transaction, policy: DeletePolicy, most: int) -> list[UUID]:
    """Return memories whose time is over and that this policy is for."""
    rows = await tx.fetch_all(
        """
        SELECT memory_id FROM user_memories AS due
        WHERE user_id = %(user_id)s AND delete_policy = %(policy)s
          AND expires_at <= %(at)s AND NOT EXISTS (
              SELECT FROM memory_candidates AS asked
              WHERE asked.user_id = %(user_id)s AND asked.target_id = due.memory_id
                AND asked.operation = 'delete' AND asked.extractor = 'retention'
          )
        LIMIT %(most)s
        """,
        {
            "user_id": tx.scope.user_id,
            "policy": policy.value,
            "at": tx.now,
            "most": most,
        },
    )
    return [row[0] for row in rows]


async def list_approved(tx: Transaction) -> list[UUID]:
    """Return memories whose time is over and which a person said may go."""
    rows = await tx.fetch_all(
        """
        SELECT memory_id FROM user_memories AS due
        WHERE user_id = %(user_id)s AND expires_at <= %(at)s AND EXISTS (
            SELECT FROM memory_candidates AS asked
            WHERE asked.user_id = %(user_id)s AND asked.target_id = due.memory_id
              AND asked.extractor = 'retention' AND asked.status = 'confirmed'
        )
        """,
        {"user_id": tx.scope.user_id, "at": tx.now},
    )
    return [row[0] for row in rows]


async def find_next_due(
    tx: Transaction, messages: timedelta, longer: timedelta, spans: RetentionPeriods
) -> datetime | None:
    """Return when the next thing of the person's is no longer kept.

    Messages and pairs are kept `longer` than their time. While the person is asked
    about a memory, that is looked at every day.
    """
    row = await tx.fetch_one(
        """
        SELECT least(
            (SELECT min(retention_until) + %(longer)s FROM conversation_pairs
             WHERE user_id = %(user_id)s),
            (SELECT min(created_at) + %(messages)s + %(longer)s
             FROM session_messages AS said
             WHERE user_id = %(user_id)s AND NOT EXISTS (
                 SELECT FROM conversation_pairs AS pair
                 WHERE pair.user_id = said.user_id
                   AND pair.session_id = said.session_id
                   AND said.message_id IN (user_message_id, assistant_message_id)
             )),
            (SELECT min(expires_at) FROM user_memories
             WHERE user_id = %(user_id)s AND delete_policy <> 'user_delete'
               AND expires_at > %(at)s),
            (SELECT min(created_at) + %(summaries)s FROM sessions
             WHERE user_id = %(user_id)s AND session_summary IS NOT NULL),
            (SELECT min(updated_at) + %(episodes)s FROM episodes
             WHERE user_id = %(user_id)s),
            (SELECT min(created_at) + %(candidates)s FROM memory_candidates
             WHERE user_id = %(user_id)s AND status IN ('pending', 'expired')),
            (SELECT %(at)s + interval '1 day' FROM memory_candidates
             WHERE user_id = %(user_id)s AND extractor = 'retention'
               AND status IN ('pending', 'confirmed') LIMIT 1)
        )
        """,
        {
            "user_id": tx.scope.user_id,
            "at": tx.now,
            "messages": messages,
            "longer": longer,
            **spans._asdict(),
        },
    )
    return row[0] if row else None
