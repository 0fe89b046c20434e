"""SQL of what memories rest on: sessions, messages and candidates."""

from collections.abc import Sequence
from typing import Final, LiteralString
from uuid import UUID

from gieok.database import Transaction
from gieok.memories.candidate_store import list_unconfirmed
from gieok.memories.history_store import list_rewordings
from gieok.memories.model import Memory
from gieok.memories.rows import MEMORIES, NEWER
from gieok.privacy import PersonKey

SOURCE_SESSIONS: Final[LiteralString] = """
    SELECT memory_id, source_session_id AS session_id FROM user_memories
    WHERE user_id = %(user_id)s AND source_session_id IS NOT NULL
    UNION
    SELECT memory_id, unnest(session_ids) FROM memory_candidates
    WHERE user_id = %(user_id)s AND memory_id IS NOT NULL
    UNION
    SELECT memory_id, session_id FROM memory_history
    WHERE user_id = %(user_id)s AND action IN ('created', 'merged')
      AND session_id IS NOT NULL
    UNION
    SELECT memory_id, said.session_id
    FROM user_memories AS told, unnest(told.source_message_ids) AS source (id)
    JOIN session_messages AS said ON said.message_id = source.id
    WHERE told.user_id = %(user_id)s AND said.user_id = %(user_id)s
"""
"""The sessions in which each memory was said, whether or not its words are kept."""


async def list_by_sources(
    tx: Transaction,
    key: PersonKey,
    session_ids: Sequence[UUID],
    message_ids: Sequence[UUID],
    candidate_ids: Sequence[UUID],
) -> list[Memory]:
    """Return the memories that any of these are a source of."""
    return await MEMORIES.fetch_all(
        tx,
        key,
        """
        (
            source_message_ids && %s::uuid[] OR source_candidate_ids && %s::uuid[]
            OR source_session_id = ANY(%s::uuid[])
        )
        """,
        list(message_ids),
        list(candidate_ids),
        list(session_ids),
    )


async def list_wordless_sessions(
    tx: Transaction, memory_ids: Sequence[UUID]
) -> list[UUID]:
    """Return the sessions that told of memories whose words are not kept.

    All of them, where words that a memory rests on are gone; not those of which every
    message is kept.
    """
    return await tx.fetch_column(
        f"""
        SELECT DISTINCT told.session_id FROM (
            {SOURCE_SESSIONS}
            UNION
            SELECT target_id, unnest(session_ids) FROM memory_candidates
            WHERE user_id = %(user_id)s AND target_id IS NOT NULL
        ) AS told
        JOIN user_memories AS memory ON memory.memory_id = told.memory_id
        JOIN sessions ON sessions.session_id = told.session_id
        WHERE memory.user_id = %(user_id)s AND sessions.user_id = %(user_id)s
          AND told.memory_id = ANY(%(ids)s)
          AND EXISTS (
              SELECT unnest(memory.source_message_ids)
              EXCEPT SELECT message_id FROM session_messages
              WHERE user_id = %(user_id)s
          )
          AND message_count > (
              SELECT count(*) FROM session_messages AS said
              WHERE said.user_id = %(user_id)s AND said.session_id = told.session_id
          )
        ORDER BY told.session_id
        """,
        {"user_id": tx.scope.user_id, "ids": list(memory_ids)},
    )


async def delete_previews(tx: Transaction, message_ids: list[UUID]) -> list[UUID]:
    """Remove what memories quote from these messages; return which memories did."""
    return await tx.fetch_column(
        """
        UPDATE user_memories SET source_message_preview = NULL
        WHERE user_id = %s AND source_message_ids && %s::uuid[]
          AND source_message_preview IS NOT NULL
        RETURNING memory_id
        """,
        [tx.scope.user_id, message_ids],
    )


async def find_forgotten(tx: Transaction, message_ids: Sequence[UUID]) -> set[UUID]:
    """Return which of these messages may not be read any more, or are gone."""
    rows = await tx.fetch_all(
        """
        SELECT message_id FROM session_messages
        WHERE user_id = %s AND message_id = ANY(%s) AND forgotten_at IS NULL
        """,
        [tx.scope.user_id, list(message_ids)],
    )
    return set(message_ids) - {row[0] for row in rows}


async def find_unquotable(
    tx: Transaction, key: PersonKey, message_ids: Sequence[UUID], shown: Sequence[UUID]
) -> set[UUID]:
    """Return which of these messages say nothing that may be quoted as it was said.

    A memory taken from them is shown already, changed since, contradicted by a newer
    one whose time has not passed, past its retention or not in use any more, unless it
    only gave way to others (D06); or what was understood of them waits or was rejected.
    """
    told: LiteralString = "source_message_ids && %s::uuid[]"
    over = await _list_over(tx, key, told, message_ids)
    rows = await tx.fetch_all(
        f"""
        SELECT unnest(source_message_ids) FROM user_memories
        WHERE user_id = %(user_id)s AND source_message_ids && %(ids)s::uuid[] AND (
            NOT is_active AND inactive_reason IS DISTINCT FROM 'capacity'
            OR expires_at <= %(at)s
            OR memory_id = ANY(%(shown)s)
            OR EXISTS ({NEWER} AND newer.memory_id <> ALL(%(over)s))
            OR EXISTS (
                SELECT FROM memory_history AS history
                WHERE history.user_id = user_memories.user_id
                  AND history.memory_id = user_memories.memory_id
                  AND action = 'updated'
            )
        )
        UNION
        SELECT unnest(message_ids) FROM memory_candidates
        WHERE user_id = %(user_id)s AND message_ids && %(ids)s::uuid[]
          AND status <> 'confirmed'
        """,
        {
            "user_id": tx.scope.user_id,
            "ids": list(message_ids),
            "shown": list(shown),
            "over": over,
            "at": tx.now,
        },
    )
    return {row[0] for row in rows} & set(message_ids)


async def _list_over(
    tx: Transaction, key: PersonKey, told: LiteralString, ids: Sequence[UUID]
) -> list[UUID]:
    """Return what says otherwise than some memories, though its time has passed."""
    newer = await tx.fetch_column(
        f"""
        SELECT ({NEWER}) FROM user_memories
        WHERE user_id = %s AND contradicted_by IS NOT NULL AND {told}
        """,
        [tx.scope.user_id, list(ids)],
    )
    if not newer:
        return []
    found = await MEMORIES.fetch_all(tx, key, "memory_id = ANY(%s::uuid[])", newer)
    return [each.memory_id for each in found if each.is_over_at(tx.now)]


async def list_outdated(
    tx: Transaction, key: PersonKey, session_ids: Sequence[UUID]
) -> dict[UUID, list[str]]:
    """Return what each of these sessions told that may not be told as it was.

    The contents of memories told in it that were contradicted by a newer one whose time
    has not passed, are past their retention or not in use any more, unless they only
    gave way to others (D06), what memories said before they were changed, and what
    waits to become a memory or was rejected.
    """
    origins = await tx.fetch_all(
        f"""
        SELECT told.memory_id, array_agg(told.session_id)
        FROM ({SOURCE_SESSIONS}) AS told
        WHERE told.session_id = ANY(%(ids)s::uuid[]) GROUP BY told.memory_id
        """,
        {"user_id": tx.scope.user_id, "ids": list(session_ids)},
    )
    sessions: dict[UUID, list[UUID]] = dict(origins)
    over = await _list_over(tx, key, "memory_id = ANY(%s::uuid[])", list(sessions))
    found = await MEMORIES.fetch_all(
        tx,
        key,
        f"""
        memory_id = ANY(%s::uuid[]) AND (
            NOT is_active AND inactive_reason IS DISTINCT FROM 'capacity'
            OR expires_at <= %s
            OR EXISTS ({NEWER} AND newer.memory_id <> ALL(%s::uuid[]))
        )
        """,
        list(sessions),
        tx.now,
        over,
    )
    told = [(each.memory_id, each.content) for each in found]
    changed = await list_rewordings(tx, key, list(sessions))
    told += [(each.memory_id, each.old_content or "") for each in changed]
    outdated: dict[UUID, list[str]] = {}
    for memory_id, content in told:
        for session_id in sessions[memory_id]:
            outdated.setdefault(session_id, []).append(content)
    for claim in await list_unconfirmed(tx, key, session_ids):
        for session_id in claim.session_ids:
            outdated.setdefault(session_id, []).append(claim.claim)
    return outdated
