"""SQL that takes sessions out of memories: one function, one statement."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from gieok.database import Transaction
from gieok.memories.source_store import SOURCE_SESSIONS


class MemorySources(NamedTuple):
    """What a memory still rests on."""

    source_session_id: UUID | None
    source_message_ids: tuple[UUID, ...]
    source_candidate_ids: tuple[UUID, ...]


async def list_resting_on(tx: Transaction, message_ids: Sequence[UUID]) -> list[UUID]:
    """Return the memories that rest on these messages alone."""
    return await tx.fetch_column(
        """
        SELECT memory_id FROM user_memories WHERE user_id = %(user_id)s
          AND source_message_ids && %(ids)s::uuid[]
          AND source_message_ids <@ %(ids)s::uuid[]
        """,
        {"user_id": tx.scope.user_id, "ids": list(message_ids)},
    )


async def list_resting_on_sessions(
    tx: Transaction, session_ids: Sequence[UUID], message_ids: Sequence[UUID]
) -> list[UUID]:
    """Return the memories that rest on these sessions, or their messages, alone.

    A session counts whether its messages are kept or not. What the person asked for
    outside of any session rests on that as well, and what came in with a file on that.
    """
    return await tx.fetch_column(
        f"""
        SELECT memory_id FROM user_memories AS memory WHERE user_id = %(user_id)s AND (
            source_message_ids && %(ids)s::uuid[]
            AND source_message_ids <@ %(ids)s::uuid[]
            OR memory_id IN (
                SELECT memory_id FROM ({SOURCE_SESSIONS}) AS source
                GROUP BY memory_id
                HAVING bool_and(session_id = ANY(%(session_ids)s::uuid[]))
            )
        ) AND NOT EXISTS (
            SELECT FROM memory_history AS step
            WHERE step.user_id = %(user_id)s AND step.memory_id = memory.memory_id
              AND action IN ('created', 'merged') AND trigger = 'user_request'
        ) AND (trust <> 'import' OR EXISTS (
            SELECT FROM memory_history AS step
            WHERE step.user_id = %(user_id)s AND step.memory_id = memory.memory_id
              AND action = 'created'
        ))
        """,
        {
            "user_id": tx.scope.user_id,
            "ids": list(message_ids),
            "session_ids": list(session_ids),
        },
    )


async def list_claimed_messages(
    tx: Transaction, session_ids: Sequence[UUID]
) -> list[UUID]:
    """Return the messages, kept or not, of claims made in these sessions alone."""
    return await tx.fetch_column(
        """
        SELECT DISTINCT unnest(message_ids) FROM memory_candidates
        WHERE user_id = %(user_id)s AND session_ids && %(session_ids)s::uuid[]
          AND session_ids <@ %(session_ids)s::uuid[]
        """,
        {"user_id": tx.scope.user_id, "session_ids": list(session_ids)},
    )


async def delete_candidates(
    tx: Transaction, message_ids: Sequence[UUID], memory_ids: Sequence[UUID]
) -> list[UUID]:
    """Remove candidates that rest on these messages alone or are of these memories."""
    return await tx.fetch_column(
        """
        DELETE FROM memory_candidates WHERE user_id = %(user_id)s AND (
            memory_id = ANY(%(memory_ids)s) OR target_id = ANY(%(memory_ids)s)
            OR message_ids && %(ids)s::uuid[] AND message_ids <@ %(ids)s::uuid[]
        ) RETURNING candidate_id
        """,
        {
            "user_id": tx.scope.user_id,
            "ids": list(message_ids),
            "memory_ids": list(memory_ids),
        },
    )


async def trim_memories(
    tx: Transaction,
    session_ids: Sequence[UUID],
    message_ids: Sequence[UUID],
    candidate_ids: Sequence[UUID],
) -> dict[UUID, MemorySources]:
    """Take messages and candidates out of what memories rest on; return what is left.

    What a memory quotes goes if it was said in these sessions or, where none are given,
    rests on these messages; the session it names is then that of the first message it
    still rests on or, where no message of it is kept, of the first claim.
    """
    rows = await tx.fetch_all(
        """
        UPDATE user_memories AS kept SET
            source_message_ids = ARRAY(
                SELECT source.id FROM unnest(source_message_ids)
                    WITH ORDINALITY AS source (id, n)
                WHERE source.id <> ALL (%(ids)s::uuid[]) ORDER BY n
            ),
            source_candidate_ids = ARRAY(
                SELECT source.id FROM unnest(source_candidate_ids)
                    WITH ORDINALITY AS source (id, n)
                WHERE source.id <> ALL (%(candidate_ids)s::uuid[]) ORDER BY n
            ),
            source_message_preview = CASE
                WHEN source_session_id = ANY(%(session_ids)s::uuid[]) THEN NULL
                WHEN %(session_ids)s::uuid[] = '{}'
                    AND source_message_ids && %(ids)s::uuid[] THEN NULL
                ELSE source_message_preview
            END,
            source_session_id = CASE
                WHEN source_session_id = ANY(%(session_ids)s::uuid[]) THEN coalesce((
                    SELECT said.session_id FROM session_messages AS said
                    WHERE said.user_id = %(user_id)s
                      AND said.message_id = ANY(kept.source_message_ids)
                      AND said.session_id <> ALL (%(session_ids)s::uuid[])
                    ORDER BY said.created_at LIMIT 1
                ), (
                    SELECT source.id FROM memory_candidates AS claim,
                        unnest(claim.session_ids) WITH ORDINALITY AS source (id, n)
                    WHERE claim.user_id = %(user_id)s
                      AND claim.memory_id = kept.memory_id
                      AND source.id <> ALL (%(session_ids)s::uuid[])
                    ORDER BY claim.created_at, n LIMIT 1
                ))
                ELSE source_session_id
            END,
            updated_at = %(at)s
        WHERE user_id = %(user_id)s AND (
            source_message_ids && %(ids)s::uuid[]
            OR source_candidate_ids && %(candidate_ids)s::uuid[]
            OR source_session_id = ANY(%(session_ids)s::uuid[])
        )
        RETURNING memory_id, source_session_id, source_message_ids,
            source_candidate_ids
        """,
        {
            "user_id": tx.scope.user_id,
            "ids": list(message_ids),
            "candidate_ids": list(candidate_ids),
            "session_ids": list(session_ids),
            "at": tx.now,
        },
    )
    return {row[0]: MemorySources(row[1], tuple(row[2]), tuple(row[3])) for row in rows}


async def trim_candidates(
    tx: Transaction, session_ids: Sequence[UUID], message_ids: Sequence[UUID]
) -> list[UUID]:
    """Take messages and sessions out of what candidates rest on; return which did."""
    return await tx.fetch_column(
        """
        UPDATE memory_candidates SET
            message_ids = ARRAY(
                SELECT source.id FROM unnest(message_ids)
                    WITH ORDINALITY AS source (id, n)
                WHERE source.id <> ALL (%(ids)s::uuid[]) ORDER BY n
            ),
            session_ids = ARRAY(
                SELECT source.id FROM unnest(session_ids)
                    WITH ORDINALITY AS source (id, n)
                WHERE source.id <> ALL (%(session_ids)s::uuid[]) ORDER BY n
            )
        WHERE user_id = %(user_id)s AND (
            message_ids && %(ids)s::uuid[] OR session_ids && %(session_ids)s::uuid[]
        )
        RETURNING candidate_id
        """,
        {
            "user_id": tx.scope.user_id,
            "ids": list(message_ids),
            "session_ids": list(session_ids),
        },
    )


async def trim_history(tx: Transaction, session_ids: Sequence[UUID]) -> None:
    """Take sessions, and what replaced a memory because of them, out of histories."""
    await tx.execute(
        """
        UPDATE memory_history SET session_id = NULL, new_content = CASE
            WHEN action = 'updated' THEN NULL ELSE new_content END
        WHERE user_id = %s AND session_id = ANY(%s)
        """,
        [tx.scope.user_id, list(session_ids)],
    )
