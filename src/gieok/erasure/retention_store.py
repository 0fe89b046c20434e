"""SQL of what is no longer kept: one function, one statement."""

from datetime import datetime, timedelta
from typing import Final, LiteralString, NamedTuple
from uuid import UUID

from gieok.database import Transaction
from gieok.memories import DeletePolicy
from gieok.memories.candidate_store import OPEN_WISH

_UNDECIDED: Final[LiteralString] = (
    "status IN ('pending', 'expired') AND extractor IS DISTINCT FROM 'retention' "
    "AND NOT (" + OPEN_WISH + ") "
)


class RetentionPeriods(NamedTuple):
    """How long what was learned of the person is kept."""

    summaries: timedelta
    """The summary of a session, since it began."""
    episodes: timedelta
    candidates: timedelta


async def list_old_episodes(tx: Transaction, before: datetime, most: int) -> list[UUID]:
    """Return episodes that last changed before a time."""
    return await tx.fetch_column(
        """
        SELECT episode_id FROM episodes
        WHERE user_id = %s AND updated_at <= %s LIMIT %s
        """,
        [tx.scope.user_id, before, most],
    )


async def list_old_candidates(
    tx: Transaction, before: datetime, most: int
) -> list[UUID]:
    """Return candidates from before a time that nobody decided about.

    What was confirmed goes with its memory; what was rejected is never proposed again.
    A wish to forget waits until it is carried out, and what the person is asked about
    because its time is over until they answer: they are asked once.
    """
    return await tx.fetch_column(
        """
        SELECT candidate_id FROM memory_candidates
        WHERE user_id = %s AND created_at <= %s AND
        """
        + _UNDECIDED
        + "LIMIT %s",
        [tx.scope.user_id, before, most],
    )


async def list_overdue(tx: Transaction, policy: DeletePolicy, most: int) -> list[UUID]:
    """Return memories whose time is over and that this policy is for.

    Of those that somebody has to review only the ones not asked about yet.
    """
    return await tx.fetch_column(
        """
        SELECT memory_id FROM user_memories AS due
        WHERE user_id = %(user_id)s AND delete_policy = %(policy)s
          AND expires_at <= %(at)s AND (%(policy)s <> 'manual_review' OR NOT EXISTS (
              SELECT FROM memory_candidates AS asked
              WHERE asked.user_id = %(user_id)s AND asked.target_id = due.memory_id
                AND asked.operation = 'delete' AND asked.extractor = 'retention'
          ))
        LIMIT %(most)s
        """,
        {
            "user_id": tx.scope.user_id,
            "policy": policy.value,
            "at": tx.now,
            "most": most,
        },
    )


async def list_approved(tx: Transaction) -> list[UUID]:
    """Return memories whose time is over and which a person said may go."""
    return await tx.fetch_column(
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


async def find_next_due(
    tx: Transaction, messages: timedelta, longer: timedelta, spans: RetentionPeriods
) -> datetime | None:
    """Return when the next thing of the person's is no longer kept.

    Messages and pairs are kept `longer` than their time, and what is in a pair as long
    as either of them. While the person is asked about a memory, that is looked at every
    day.
    """
    row = await tx.fetch_one(
        """
        SELECT least(
            (SELECT min(greatest(created_at + %(messages)s, until)) + %(longer)s
             FROM session_messages LEFT JOIN (
                 SELECT unnest(ARRAY[user_message_id, assistant_message_id]),
                        retention_until
                 FROM conversation_pairs WHERE user_id = %(user_id)s
             ) AS paired (message_id, until) USING (message_id)
             WHERE user_id = %(user_id)s),
            (SELECT min(expires_at) FROM user_memories
             WHERE user_id = %(user_id)s AND delete_policy <> 'user_delete'
               AND expires_at > %(at)s),
            (SELECT min(created_at) + %(summaries)s FROM sessions
             WHERE user_id = %(user_id)s AND session_summary IS NOT NULL),
            (SELECT min(updated_at) + %(episodes)s FROM episodes
             WHERE user_id = %(user_id)s),
            (SELECT min(created_at) + %(candidates)s FROM memory_candidates
             WHERE user_id = %(user_id)s AND
        """
        + _UNDECIDED
        + """),
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
