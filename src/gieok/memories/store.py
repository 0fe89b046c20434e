"""SQL of memories: one function, one statement."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Final
from uuid import UUID

import numpy as np
from psycopg.rows import TupleRow

from gieok.database import Transaction
from gieok.kernel.errors import NotFoundError
from gieok.kernel.language import Category
from gieok.memories.model import (
    DeletePolicy,
    Embedding,
    Fact,
    ListRequest,
    Memory,
    SourceType,
    Trust,
)
from gieok.privacy import PersonKey, Place, read_rows
from gieok.privacy.provenance import encode_provenance

CONTENT = Place("user_memories", "content")
PREVIEW = Place("user_memories", "source_message_preview")
EMBEDDING = Place("user_memories", "content_embedding")
SUBCATEGORY = Place("user_memories", "subcategory")

SELECT = """
    SELECT memory_id, revision, content, category, confidence, source_type,
           source_session_id, source_message_ids, source_candidate_ids,
           source_message_preview, extractor, usage_count, last_used_at,
           last_confirmed_at, expires_at, superseded_by, inactive_reason,
           created_at, updated_at, is_active, trust, delete_policy, subcategory,
           relevance_score, is_pinned,
           CASE WHEN contradicted_by IS NOT NULL THEN (
               SELECT newer.memory_id FROM user_memories AS newer
               WHERE newer.user_id = user_memories.user_id
                 AND newer.memory_id = user_memories.contradicted_by
                 AND newer.is_active
           ) END,
           embedder, content_embedding
    FROM user_memories
"""
WHERE_VECTOR_MISSING = (
    "WHERE user_id = %s AND is_active AND embedder IS DISTINCT FROM %s"
)


async def upsert_memory(
    tx: Transaction, key: PersonKey, memory: Memory, embedding: Embedding | None
) -> UUID:
    """Add a memory; the same active content is confirmed instead (D02).

    Returns the id of the row that now holds it. The caller holds the person's lock.
    """
    if await _insert_memory(tx, key, memory, embedding):
        return memory.memory_id
    row = await tx.fetch_one(
        SELECT + "WHERE user_id = %s AND content_digest = %s AND is_active",
        [tx.scope.user_id, key.compute_digest(memory.content)],
    )
    twins = read_rows(
        "user_memories", [row] if row else [], partial(_parse_memory, key)
    )
    if not twins:
        await _deactivate_unreadable(tx, key, memory)
        await _insert_memory(tx, key, memory, embedding)
        return memory.memory_id
    (twin,) = twins
    sources = dict.fromkeys((*twin.source_message_ids, *memory.source_message_ids))
    merged = replace(
        twin,
        confidence=max(twin.confidence, memory.confidence),
        source_message_ids=tuple(sources),
        trust=memory.trust if memory.trust.is_high else twin.trust,
        expires_at=memory.expires_at,
    )
    await confirm_memory(tx, key, merged)
    return twin.memory_id


async def _deactivate_unreadable(
    tx: Transaction, key: PersonKey, memory: Memory
) -> None:
    """Take what says the same, but cannot be read, out of use."""
    await tx.execute(
        """
        UPDATE user_memories SET is_active = false, inactive_reason = 'unreadable'
        WHERE user_id = %s AND content_digest = %s AND is_active
        """,
        [tx.scope.user_id, key.compute_digest(memory.content)],
    )


async def _insert_memory(
    tx: Transaction, key: PersonKey, memory: Memory, embedding: Embedding | None
) -> bool:
    """Add a memory; False if what is in use says the same."""
    memory = replace(
        memory,
        revision=1,
        is_active=True,
        last_confirmed_at=tx.now,
        created_at=tx.now,
    )
    sealed = _seal_content(key, memory)
    row = await tx.fetch_one(
        """
        INSERT INTO user_memories (
            user_id, memory_id, revision, content, content_digest, content_embedding,
            embedder, embedding_dimension, category, confidence, source_type,
            source_session_id, source_message_ids, source_message_preview,
            source_candidate_ids, extractor, last_confirmed_at, expires_at, created_at,
            updated_at, trust, subcategory
        ) VALUES (
            %(user_id)s, %(memory_id)s, 1, %(content)s, %(digest)s, %(embedding)s,
            %(embedder)s, %(dimension)s, %(category)s, %(confidence)s, %(source_type)s,
            %(session_id)s, %(message_ids)s, %(preview)s, %(candidate_ids)s,
            %(extractor)s, %(at)s, %(expires_at)s, %(at)s, %(at)s, %(trust)s,
            %(subcategory)s
        )
        ON CONFLICT (user_id, content_digest) WHERE is_active DO NOTHING
        RETURNING memory_id
        """,
        {
            "user_id": tx.scope.user_id,
            "memory_id": memory.memory_id,
            "content": sealed,
            "digest": key.compute_digest(memory.content),
            "embedding": _seal_vector(key, memory.memory_id, 1, embedding),
            "embedder": embedding and embedding.embedder,
            "dimension": embedding and embedding.vector.size,
            "category": memory.category.value,
            "confidence": memory.confidence,
            "source_type": memory.source_type.value,
            "session_id": memory.source_session_id,
            "message_ids": list(memory.source_message_ids),
            "preview": memory.preview
            and key.seal_text(PREVIEW, memory.memory_id, memory.preview),
            "candidate_ids": list(memory.source_candidate_ids),
            "extractor": memory.extractor,
            "at": tx.now,
            "expires_at": memory.expires_at,
            "trust": memory.trust.value,
            "subcategory": _seal_subcategory(key, memory.memory_id, memory.subcategory),
        },
    )
    if row is not None:
        tx.record_sealed_rows(CONTENT.table, {memory.memory_id: sealed})
    return row is not None


async def list_facts(
    tx: Transaction, key: PersonKey, category: Category | None = None
) -> list[Fact]:
    """Return everything active and unexpired, or one category of it, with vectors."""
    rows = await tx.fetch_all(
        SELECT
        + """
        WHERE user_id = %s AND is_active AND (expires_at IS NULL OR expires_at > %s)
          AND category = coalesce(%s, category)
        ORDER BY created_at, memory_id
        """,
        [tx.scope.user_id, tx.now, category],
    )
    return read_rows("user_memories", rows, partial(_parse_fact, key))


async def list_active(
    tx: Transaction, key: PersonKey, ids: Sequence[UUID]
) -> list[Memory]:
    """Return which of these memories are in use and unexpired."""
    rows = await tx.fetch_all(
        SELECT
        + """
        WHERE user_id = %s AND memory_id = ANY(%s) AND is_active
          AND (expires_at IS NULL OR expires_at > %s)
        """,
        [tx.scope.user_id, list(ids), tx.now],
    )
    return read_rows("user_memories", rows, partial(_parse_memory, key))


async def list_overdue(tx: Transaction, key: PersonKey) -> list[Memory]:
    """Return what is in use although its time has passed."""
    rows = await tx.fetch_all(
        SELECT + "WHERE user_id = %s AND is_active AND expires_at <= %s",
        [tx.scope.user_id, tx.now],
    )
    return read_rows("user_memories", rows, partial(_parse_memory, key))


async def find_memory(
    tx: Transaction, key: PersonKey, memory_id: UUID
) -> Memory | None:
    """Return one memory, active or not."""
    row = await tx.fetch_one(
        SELECT + "WHERE user_id = %s AND memory_id = %s",
        [tx.scope.user_id, memory_id],
    )
    return _parse_memory(key, row) if row else None


async def get_memory(tx: Transaction, key: PersonKey, memory_id: UUID) -> Memory:
    """Return a memory, active or not.

    Raises:
        NotFoundError: the person has no such memory.
    """
    memory = await find_memory(tx, key, memory_id)
    if memory is None:
        thing = "memory"
        raise NotFoundError(thing)
    return memory


async def list_memories_by_id(
    tx: Transaction, key: PersonKey, memory_ids: Sequence[UUID]
) -> list[Memory]:
    """Return memories, active or not, in no particular order."""
    rows = await tx.fetch_all(
        SELECT + "WHERE user_id = %s AND memory_id = ANY(%s)",
        [tx.scope.user_id, list(memory_ids)],
    )
    return read_rows("user_memories", rows, partial(_parse_memory, key))


async def list_all_superseded(tx: Transaction, key: PersonKey) -> list[Memory]:
    """Return every memory whose place another one took, oldest first."""
    rows = await tx.fetch_all(
        SELECT
        + """
        WHERE user_id = %s AND inactive_reason = 'superseded'
        ORDER BY created_at, memory_id
        """,
        [tx.scope.user_id],
    )
    return read_rows("user_memories", rows, partial(_parse_memory, key))


async def list_superseded(
    tx: Transaction, key: PersonKey, memory_id: UUID
) -> list[Memory]:
    """Return the memories whose place another one took, oldest first."""
    rows = await tx.fetch_all(
        SELECT
        + """
        WHERE user_id = %s AND superseded_by = %s ORDER BY created_at, memory_id
        """,
        [tx.scope.user_id, memory_id],
    )
    return read_rows("user_memories", rows, partial(_parse_memory, key))


async def list_most_used(tx: Transaction, key: PersonKey, limit: int) -> list[Memory]:
    """Return memories in use that prompts had, the most often used first."""
    rows = await tx.fetch_all(
        SELECT
        + """
        WHERE user_id = %s AND is_active AND usage_count > 0
          AND (expires_at IS NULL OR expires_at > %s)
        ORDER BY usage_count DESC, memory_id LIMIT %s
        """,
        [tx.scope.user_id, tx.now, limit],
    )
    return read_rows("user_memories", rows, partial(_parse_memory, key))


async def count_created(tx: Transaction, starts: Sequence[datetime]) -> list[int]:
    """Return how many memories in use came before the first of times, and from each.

    The times ascend.
    """
    rows = await tx.fetch_all(
        """
        SELECT width_bucket(created_at, %s::timestamptz[]), count(*) FROM user_memories
        WHERE user_id = %s AND is_active AND (expires_at IS NULL OR expires_at > %s)
        GROUP BY 1
        """,
        [list(starts), tx.scope.user_id, tx.now],
    )
    counts = dict(rows)
    return [counts.get(place, 0) for place in range(len(starts) + 1)]


async def collect_versions(tx: Transaction, memory_ids: Sequence[UUID]) -> list[UUID]:
    """Return memories, and all versions before them whose place they took."""
    rows = await tx.fetch_all(
        """
        WITH RECURSIVE version (memory_id) AS (
            SELECT unnest(%(memory_ids)s::uuid[])
            UNION
            SELECT earlier.memory_id FROM user_memories AS earlier
            JOIN version ON earlier.superseded_by = version.memory_id
            WHERE earlier.user_id = %(user_id)s
        )
        SELECT memory_id FROM version
        """,
        {"user_id": tx.scope.user_id, "memory_ids": list(memory_ids)},
    )
    return [row[0] for row in rows]


_WHERE_LISTED: Final = """
    WHERE user_id = %(user_id)s AND (NOT %(only_active)s OR (
        is_active AND (expires_at IS NULL OR expires_at > %(at)s)
    )) AND (%(category)s::text IS NULL OR category = %(category)s)
"""


_NEWEST: Final = """
    ORDER BY created_at DESC, memory_id DESC LIMIT %(limit)s OFFSET %(offset)s
"""
_MOST_USED: Final = (
    """
    WHERE user_id = %(user_id)s AND memory_id IN (
        SELECT memory_id FROM user_memories
    """
    + _WHERE_LISTED
    + """
        ORDER BY usage_count DESC, created_at DESC, memory_id DESC
        LIMIT %(limit)s OFFSET %(offset)s
    ) ORDER BY usage_count DESC, created_at DESC, memory_id DESC
    """
)
"""Sorts narrow rows, and reads the wide ones of a page only."""


async def list_memories(
    tx: Transaction, key: PersonKey, asked: ListRequest
) -> list[Memory]:
    """Return memories, newest first, or those that prompts had most often first."""
    rows = await tx.fetch_all(
        SELECT + (_MOST_USED if asked.by_use else _WHERE_LISTED + _NEWEST),
        {
            "user_id": tx.scope.user_id,
            "only_active": asked.only_active,
            "at": tx.now,
            "category": asked.category,
            "limit": asked.limit,
            "offset": asked.offset,
        },
    )
    return read_rows("user_memories", rows, partial(_parse_memory, key))


async def count_memories(
    tx: Transaction, *, only_active: bool, category: Category | None = None
) -> tuple[int, datetime | None]:
    """Return how many memories an unlimited list would give, and until when."""
    row = await tx.fetch_one(
        """
        SELECT count(*),
               min(expires_at) FILTER (WHERE is_active AND expires_at > %(at)s)
        FROM user_memories
        """
        + _WHERE_LISTED,
        {
            "user_id": tx.scope.user_id,
            "only_active": only_active,
            "at": tx.now,
            "category": category,
        },
    )
    return (row[0], row[1]) if row else (0, None)


async def confirm_memory(tx: Transaction, key: PersonKey, memory: Memory) -> None:
    """Keep what a repeat changed in a memory, and count it (D02)."""
    sealed = _seal_content(key, replace(memory, last_confirmed_at=tx.now))
    tx.record_sealed_rows(CONTENT.table, {memory.memory_id: sealed})
    await tx.execute(
        """
        UPDATE user_memories SET
            content = %(content)s,
            confidence = %(confidence)s,
            source_message_ids = %(message_ids)s,
            usage_count = usage_count + 1,
            trust = %(trust)s,
            expires_at = %(expires_at)s,
            last_confirmed_at = %(at)s,
            updated_at = %(at)s
        WHERE user_id = %(user_id)s AND memory_id = %(memory_id)s
        """,
        {
            "content": sealed,
            "confidence": memory.confidence,
            "message_ids": list(memory.source_message_ids),
            "expires_at": memory.expires_at,
            "trust": memory.trust.value,
            "at": tx.now,
            "user_id": tx.scope.user_id,
            "memory_id": memory.memory_id,
        },
    )


async def deactivate_memory(
    tx: Transaction,
    key: PersonKey,
    memory: Memory,
    reason: str,
    *,
    by: UUID | None = None,
) -> bool:
    """Take a memory out of use; False when it was not in use."""
    sealed = _seal_content(key, replace(memory, is_active=False))
    row = await tx.fetch_one(
        """
        UPDATE user_memories SET is_active = false, content = %(content)s,
            inactive_reason = %(reason)s, superseded_by = %(by)s, updated_at = %(at)s
        WHERE user_id = %(user_id)s AND memory_id = %(memory_id)s AND is_active
        RETURNING memory_id
        """,
        {
            "content": sealed,
            "reason": reason,
            "by": by,
            "at": tx.now,
            "user_id": tx.scope.user_id,
            "memory_id": memory.memory_id,
        },
    )
    if row is not None:
        tx.record_sealed_rows(CONTENT.table, {memory.memory_id: sealed})
    return row is not None


async def reactivate_memory(
    tx: Transaction, key: PersonKey, memory: Memory, expires_at: datetime | None
) -> None:
    """Put a memory back in use."""
    sealed = _seal_content(
        key, replace(memory, is_active=True, last_confirmed_at=tx.now)
    )
    tx.record_sealed_rows(CONTENT.table, {memory.memory_id: sealed})
    await tx.execute(
        """
        UPDATE user_memories SET is_active = true, content = %(content)s,
            inactive_reason = NULL, superseded_by = NULL, expires_at = %(expires_at)s,
            last_confirmed_at = %(at)s, updated_at = %(at)s
        WHERE user_id = %(user_id)s AND memory_id = %(memory_id)s
        """,
        {
            "content": sealed,
            "expires_at": expires_at,
            "at": tx.now,
            "user_id": tx.scope.user_id,
            "memory_id": memory.memory_id,
        },
    )


async def list_by_sources(
    tx: Transaction,
    key: PersonKey,
    session_ids: Sequence[UUID],
    message_ids: Sequence[UUID],
    candidate_ids: Sequence[UUID],
) -> list[Memory]:
    """Return the memories that any of these are a source of."""
    rows = await tx.fetch_all(
        SELECT
        + """
        WHERE user_id = %s AND (
            source_message_ids && %s::uuid[] OR source_candidate_ids && %s::uuid[]
            OR source_session_id = ANY(%s::uuid[])
        )
        """,
        [tx.scope.user_id, list(message_ids), list(candidate_ids), list(session_ids)],
    )
    return read_rows("user_memories", rows, partial(_parse_memory, key))


async def reseal_memory(tx: Transaction, key: PersonKey, memory: Memory) -> None:
    """Seal the content of a memory together with what it rests on now."""
    sealed = _seal_content(key, memory)
    tx.record_sealed_rows(CONTENT.table, {memory.memory_id: sealed})
    await tx.execute(
        "UPDATE user_memories SET content = %s WHERE user_id = %s AND memory_id = %s",
        [sealed, tx.scope.user_id, memory.memory_id],
    )


async def find_active_twin(tx: Transaction, memory_id: UUID) -> UUID | None:
    """Return the active memory that says exactly what an inactive one says."""
    row = await tx.fetch_one(
        """
        SELECT twin.memory_id FROM user_memories AS asked
        JOIN user_memories AS twin USING (user_id, content_digest)
        WHERE user_id = %s AND asked.memory_id = %s AND twin.is_active
          AND twin.memory_id <> asked.memory_id
        """,
        [tx.scope.user_id, memory_id],
    )
    return row[0] if row else None


async def record_uses(tx: Transaction, relevance: Mapping[UUID, float | None]) -> None:
    """Count a use of each memory (D09), and keep how far it bore on the question."""
    await tx.execute(
        """
        UPDATE user_memories SET usage_count = usage_count + 1, last_used_at = %s,
            relevance_score = coalesce(used.relevance, relevance_score)
        FROM unnest(%s::uuid[], %s::float8[]) AS used (memory_id, relevance)
        WHERE user_id = %s AND user_memories.memory_id = used.memory_id
        """,
        [tx.now, list(relevance), list(relevance.values()), tx.scope.user_id],
    )


async def delete_memories(tx: Transaction, memory_ids: Sequence[UUID]) -> list[UUID]:
    """Remove memories with their history; return the messages they came from."""
    rows = await tx.fetch_all(
        """
        DELETE FROM user_memories WHERE user_id = %s AND memory_id = ANY(%s)
        RETURNING source_message_ids, memory_id
        """,
        [tx.scope.user_id, list(memory_ids)],
    )
    tx.record_removed_rows(CONTENT.table, (row[1] for row in rows))
    return [message for row in rows for message in row[0]]


async def list_wordless_sessions(
    tx: Transaction, memory_ids: Sequence[UUID]
) -> list[UUID]:
    """Return the sessions memories came from, if words they rest on are not kept."""
    rows = await tx.fetch_all(
        """
        SELECT DISTINCT source_session_id FROM user_memories AS memory
        WHERE user_id = %(user_id)s AND memory_id = ANY(%(ids)s)
          AND source_session_id IS NOT NULL AND EXISTS (
              SELECT unnest(memory.source_message_ids)
              EXCEPT SELECT message_id FROM session_messages
              WHERE user_id = %(user_id)s
          )
        ORDER BY source_session_id
        """,
        {"user_id": tx.scope.user_id, "ids": list(memory_ids)},
    )
    return [row[0] for row in rows]


async def delete_previews(tx: Transaction, message_ids: list[UUID]) -> list[UUID]:
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


async def set_policy(tx: Transaction, memory_id: UUID, policy: DeletePolicy) -> None:
    """Say what becomes of a memory once its time is over."""
    await tx.execute(
        """
        UPDATE user_memories SET delete_policy = %s, updated_at = %s
        WHERE user_id = %s AND memory_id = %s
        """,
        [policy.value, tx.now, tx.scope.user_id, memory_id],
    )


async def set_pinned(tx: Transaction, memory_id: UUID, *, pinned: bool) -> None:
    """Pin a memory, or let go of it."""
    await tx.execute(
        """
        UPDATE user_memories SET is_pinned = %s, updated_at = %s
        WHERE user_id = %s AND memory_id = %s
        """,
        [pinned, tx.now, tx.scope.user_id, memory_id],
    )


async def set_contradicted(
    tx: Transaction, memory_ids: Sequence[UUID], by: UUID
) -> None:
    """Note that a memory says otherwise than these, and none says otherwise than it."""
    await tx.execute(
        """
        UPDATE user_memories SET
            contradicted_by = CASE WHEN memory_id = %(by)s THEN NULL ELSE %(by)s END
        WHERE user_id = %(user_id)s
          AND (memory_id = ANY(%(ids)s)
               OR memory_id = %(by)s AND contradicted_by IS NOT NULL)
        """,
        {"user_id": tx.scope.user_id, "ids": list(memory_ids), "by": by},
    )


async def update_expiry(tx: Transaction, days: int | None) -> list[UUID]:
    """Let memories in use end so many days after they were last confirmed."""
    rows = await tx.fetch_all(
        """
        UPDATE user_memories
        SET expires_at = last_confirmed_at + make_interval(days => %(days)s::int)
        WHERE user_id = %(user_id)s AND is_active AND expires_at IS DISTINCT FROM
            last_confirmed_at + make_interval(days => %(days)s::int)
        RETURNING memory_id
        """,
        {"user_id": tx.scope.user_id, "days": days},
    )
    return [row[0] for row in rows]


async def list_ids(tx: Transaction) -> list[UUID]:
    """Return the ids of all memories, active or not."""
    rows = await tx.fetch_all(
        "SELECT memory_id FROM user_memories WHERE user_id = %s", [tx.scope.user_id]
    )
    return [row[0] for row in rows]


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
    tx: Transaction, message_ids: Sequence[UUID], shown: Sequence[UUID]
) -> set[UUID]:
    """Return which of these messages say nothing that may be quoted as it was said.

    A memory taken from them is shown already, changed since, contradicted by a newer
    one or not in use any more, or what was understood of them waits or was rejected.
    """
    rows = await tx.fetch_all(
        """
        SELECT unnest(source_message_ids) FROM user_memories AS memory
        WHERE user_id = %(user_id)s AND source_message_ids && %(ids)s::uuid[] AND (
            NOT is_active OR memory_id = ANY(%(shown)s) OR EXISTS (
                SELECT FROM user_memories AS newer
                WHERE newer.user_id = memory.user_id
                  AND newer.memory_id = memory.contradicted_by AND newer.is_active
            ) OR EXISTS (
                SELECT FROM memory_history AS history
                WHERE history.user_id = memory.user_id
                  AND history.memory_id = memory.memory_id AND action = 'updated'
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
        },
    )
    return {row[0] for row in rows} & set(message_ids)


async def list_without_vector(
    tx: Transaction, key: PersonKey, embedder: str
) -> list[Memory]:
    """Return active memories without a vector of this embedder."""
    rows = await tx.fetch_all(
        SELECT + WHERE_VECTOR_MISSING,
        [tx.scope.user_id, embedder],
    )
    return read_rows("user_memories", rows, partial(_parse_memory, key))


async def set_vector(
    tx: Transaction, key: PersonKey, memory: Memory, embedding: Embedding
) -> bool:
    """Keep the vector of a memory, and its subcategory if it lacked one.

    False if it changed or went away meanwhile.
    """
    row = await tx.fetch_one(
        """
        UPDATE user_memories SET content_embedding = %(embedding)s,
            embedder = %(embedder)s, embedding_dimension = %(dimension)s,
            subcategory = coalesce(subcategory, %(subcategory)s)
        WHERE user_id = %(user_id)s AND memory_id = %(memory_id)s
          AND revision = %(revision)s
        RETURNING memory_id
        """,
        {
            "embedding": _seal_vector(
                key, memory.memory_id, memory.revision, embedding
            ),
            "embedder": embedding.embedder,
            "dimension": embedding.vector.size,
            "subcategory": _seal_subcategory(key, memory.memory_id, memory.subcategory),
            "user_id": tx.scope.user_id,
            "memory_id": memory.memory_id,
            "revision": memory.revision,
        },
    )
    return row is not None


def _parse_fact(key: PersonKey, row: TupleRow) -> Fact:
    memory = _parse_memory(key, row)
    *_, embedder, sealed = row
    if sealed is None:
        return Fact(memory, None)
    data = key.open(EMBEDDING, memory.memory_id, sealed, revision=memory.revision)
    return Fact(memory, Embedding(embedder, np.frombuffer(data, dtype=np.float32)))


def _parse_memory(key: PersonKey, row: TupleRow) -> Memory:
    *columns, trust, policy, subcategory, relevance, is_pinned, newer, _, _ = row
    (
        memory_id,
        revision,
        content,
        category,
        confidence,
        source_type,
        session_id,
        message_ids,
        candidate_ids,
        preview,
        *rest,
    ) = columns
    memory = Memory(
        memory_id,
        revision,
        "",
        Category(category),
        confidence,
        SourceType(source_type),
        session_id,
        tuple(message_ids),
        tuple(candidate_ids),
        preview and key.open_text(PREVIEW, memory_id, preview),
        *rest,
        trust=Trust(trust),
        delete_policy=DeletePolicy(policy),
        subcategory=subcategory and key.open_text(SUBCATEGORY, memory_id, subcategory),
        relevance_score=relevance,
        is_pinned=is_pinned,
        contradicted_by=newer,
    )
    bound = _encode_provenance(memory)
    text = key.open_text(CONTENT, memory_id, content, revision=revision, bound=bound)
    return replace(memory, content=text)


def _seal_content(key: PersonKey, memory: Memory) -> bytes:
    """Return the content of a memory, sealed together with what it rests on."""
    return key.seal_text(
        CONTENT,
        memory.memory_id,
        memory.content,
        revision=memory.revision,
        bound=_encode_provenance(memory),
    )


def _encode_provenance(memory: Memory) -> bytes:
    """Return what `places` names as the provenance of a memory, in its order."""
    return encode_provenance(
        memory.category,
        memory.confidence,
        memory.source_type,
        memory.source_session_id,
        memory.source_message_ids,
        memory.source_candidate_ids,
        memory.extractor,
        memory.trust,
        memory.is_active,
        memory.last_confirmed_at,
        memory.created_at,
    )


def _seal_subcategory(
    key: PersonKey, memory_id: UUID, subcategory: str | None
) -> bytes | None:
    if subcategory is None:
        return None
    return key.seal_text(SUBCATEGORY, memory_id, subcategory)


def _seal_vector(
    key: PersonKey, memory_id: UUID, revision: int, embedding: Embedding | None
) -> bytes | None:
    if embedding is None:
        return None
    data = np.ascontiguousarray(embedding.vector, dtype=np.float32).tobytes()
    return key.seal(EMBEDDING, memory_id, data, revision=revision)
