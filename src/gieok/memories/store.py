"""SQL of memories: one function, one statement."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final, LiteralString
from uuid import UUID

from gieok.database import Transaction
from gieok.kernel.errors import NotFoundError
from gieok.kernel.language import Category
from gieok.memories.model import DeletePolicy, Embedding, Fact, Memory
from gieok.memories.rows import (
    CONTENT,
    FACTS,
    MEMORIES,
    PREVIEW,
    seal_content,
    seal_subcategory,
    seal_vector,
)
from gieok.privacy import PersonKey

VERSIONS: Final[LiteralString] = """
    WITH RECURSIVE version (memory_id, content_digest) AS (
        SELECT wanted.memory_id, content_digest
        FROM unnest(%(memory_ids)s::uuid[]) AS wanted (memory_id)
        LEFT JOIN user_memories AS known
            ON known.user_id = %(user_id)s AND known.memory_id = wanted.memory_id
        UNION
        SELECT earlier.memory_id, earlier.content_digest
        FROM version CROSS JOIN LATERAL (
            SELECT memory_id, content_digest FROM user_memories
            WHERE user_id = %(user_id)s AND superseded_by = version.memory_id
            UNION ALL
            SELECT memory_id, content_digest FROM user_memories
            WHERE user_id = %(user_id)s
              AND content_digest = version.content_digest AND NOT is_active
        ) AS earlier
    )
    SELECT memory_id FROM version
"""
"""Memories, what they took the place of, and what says the same out of use.

Each of the two is looked up by an index of its own: joined by either, every memory
would be compared with every other.
"""


async def upsert_memory(
    tx: Transaction, key: PersonKey, memory: Memory, embedding: Embedding | None
) -> UUID:
    """Add a memory; the same active content is confirmed instead (D02).

    Returns the id of the row that now holds it. The caller holds the person's lock.
    """
    if await _insert_memory(tx, key, memory, embedding):
        return memory.memory_id
    twins = await MEMORIES.fetch_all(
        tx,
        key,
        "content_digest = %s AND is_active",
        key.compute_digest(memory.content),
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
        last_confirmed_at=max(twin.last_confirmed_at, memory.last_confirmed_at),
        worded_at=twin.find_worded_at(memory.content, memory.reference_time),
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
    memory = replace(memory, revision=1, is_active=True, created_at=tx.now)
    sealed = seal_content(key, memory)
    row = await tx.fetch_one(
        """
        INSERT INTO user_memories (
            user_id, memory_id, revision, content, content_digest, content_embedding,
            embedder, embedding_dimension, category, confidence, source_type,
            source_session_id, source_message_ids, source_message_preview,
            source_candidate_ids, extractor, last_confirmed_at, expires_at, created_at,
            updated_at, trust, subcategory, is_directive
        ) VALUES (
            %(user_id)s, %(memory_id)s, 1, %(content)s, %(digest)s, %(embedding)s,
            %(embedder)s, %(dimension)s, %(category)s, %(confidence)s, %(source_type)s,
            %(session_id)s, %(message_ids)s, %(preview)s, %(candidate_ids)s,
            %(extractor)s, %(spoken_at)s, %(expires_at)s, %(at)s, %(at)s, %(trust)s,
            %(subcategory)s, %(is_directive)s
        )
        ON CONFLICT (user_id, content_digest) WHERE is_active DO NOTHING
        RETURNING memory_id
        """,
        {
            "user_id": tx.scope.user_id,
            "memory_id": memory.memory_id,
            "content": sealed,
            "digest": key.compute_digest(memory.content),
            "embedding": seal_vector(key, memory.memory_id, 1, embedding),
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
            "spoken_at": memory.last_confirmed_at,
            "at": tx.now,
            "expires_at": memory.expires_at,
            "trust": memory.trust.value,
            "subcategory": seal_subcategory(key, memory.memory_id, memory.subcategory),
            "is_directive": memory.is_directive,
        },
    )
    if row is not None:
        tx.record_sealed_rows(CONTENT.table, {memory.memory_id: sealed})
    return row is not None


async def list_facts(
    tx: Transaction, key: PersonKey, category: Category | None = None
) -> list[Fact]:
    """Return everything active and unexpired, or one category of it, with vectors."""
    return await FACTS.fetch_all(
        tx,
        key,
        """
        is_active AND (expires_at IS NULL OR expires_at > %s)
          AND category = coalesce(%s, category)
        ORDER BY created_at, memory_id
        """,
        tx.now,
        category,
    )


async def list_active(
    tx: Transaction, key: PersonKey, ids: Sequence[UUID]
) -> list[Memory]:
    """Return which of these memories are in use and unexpired."""
    return await MEMORIES.fetch_all(
        tx,
        key,
        """
        memory_id = ANY(%s) AND is_active
          AND (expires_at IS NULL OR expires_at > %s)
        """,
        list(ids),
        tx.now,
    )


async def list_overdue(tx: Transaction, key: PersonKey) -> list[Memory]:
    """Return what is in use although its time has passed."""
    return await MEMORIES.fetch_all(tx, key, "is_active AND expires_at <= %s", tx.now)


async def find_memory(
    tx: Transaction, key: PersonKey, memory_id: UUID
) -> Memory | None:
    """Return one memory, active or not."""
    return await MEMORIES.fetch_one(tx, key, "memory_id = %s", memory_id)


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
    return await MEMORIES.fetch_all(tx, key, "memory_id = ANY(%s)", list(memory_ids))


async def list_all_superseded(tx: Transaction, key: PersonKey) -> list[Memory]:
    """Return every memory whose place another one took, oldest first."""
    return await MEMORIES.fetch_all(
        tx,
        key,
        """
        inactive_reason = 'superseded'
        ORDER BY created_at, memory_id
        """,
    )


async def list_superseded(
    tx: Transaction, key: PersonKey, memory_id: UUID
) -> list[Memory]:
    """Return the memories whose place another one took, oldest first."""
    return await MEMORIES.fetch_all(
        tx, key, "superseded_by = %s ORDER BY created_at, memory_id", memory_id
    )


async def collect_versions(tx: Transaction, memory_ids: Sequence[UUID]) -> list[UUID]:
    """Return memories, with what says the same out of use, and all versions before.

    Those are what they took the place of.
    """
    return await tx.fetch_column(
        VERSIONS, {"user_id": tx.scope.user_id, "memory_ids": list(memory_ids)}
    )


async def confirm_memory(tx: Transaction, key: PersonKey, memory: Memory) -> None:
    """Keep what a repeat changed in a memory, and count it (D02)."""
    sealed = seal_content(key, memory)
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
            last_confirmed_at = %(spoken_at)s,
            worded_at = %(worded_at)s,
            updated_at = %(at)s
        WHERE user_id = %(user_id)s AND memory_id = %(memory_id)s
        """,
        {
            "content": sealed,
            "spoken_at": memory.last_confirmed_at,
            "worded_at": memory.worded_at,
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
    sealed = seal_content(key, replace(memory, is_active=False))
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
    """Put a memory back in use; what it says is still of the day it was said."""
    sealed = seal_content(key, replace(memory, is_active=True))
    tx.record_sealed_rows(CONTENT.table, {memory.memory_id: sealed})
    await tx.execute(
        """
        UPDATE user_memories SET is_active = true, content = %(content)s,
            inactive_reason = NULL, superseded_by = NULL, expires_at = %(expires_at)s,
            last_used_at = %(at)s, updated_at = %(at)s
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


async def set_category(tx: Transaction, key: PersonKey, memory: Memory) -> None:
    """Keep the category of a memory, sealed together with its content."""
    await tx.execute(
        "UPDATE user_memories SET category = %s WHERE user_id = %s AND memory_id = %s",
        [memory.category.value, tx.scope.user_id, memory.memory_id],
    )
    await reseal_memory(tx, key, memory)


async def reseal_memory(tx: Transaction, key: PersonKey, memory: Memory) -> None:
    """Seal the content of a memory together with what it rests on now."""
    sealed = seal_content(key, memory)
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
    """Remove memories with their history; return the messages they came from.

    The histories of those whose place they took no longer say what they said: they
    were written at the same moment, and others of that moment go along.
    """
    rows = await tx.fetch_all(
        """
        WITH trimmed AS (
            UPDATE memory_history SET new_content = NULL
            WHERE user_id = %(user_id)s AND memory_id <> ALL (%(ids)s::uuid[])
              AND action = 'updated' AND new_content IS NOT NULL
              AND created_at IN (
                  SELECT created_at FROM memory_history
                  WHERE user_id = %(user_id)s AND memory_id = ANY(%(ids)s::uuid[])
                    AND action IN ('created', 'merged')
              )
        )
        DELETE FROM user_memories
        WHERE user_id = %(user_id)s AND memory_id = ANY(%(ids)s::uuid[])
        RETURNING source_message_ids, memory_id
        """,
        {"user_id": tx.scope.user_id, "ids": list(memory_ids)},
    )
    tx.record_removed_rows(CONTENT.table, (row[1] for row in rows))
    return [message for row in rows for message in row[0]]


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
    tx: Transaction, memory_ids: Sequence[UUID], by: UUID, later: UUID | None
) -> None:
    """Note that a memory says otherwise than these, and `later` otherwise than it."""
    await tx.execute(
        """
        UPDATE user_memories SET
            contradicted_by = CASE WHEN memory_id = %(by)s THEN %(later)s::uuid
                                   ELSE %(by)s END
        WHERE user_id = %(user_id)s
          AND (memory_id = ANY(%(ids)s)
               OR memory_id = %(by)s AND contradicted_by IS DISTINCT FROM %(later)s)
        """,
        {
            "user_id": tx.scope.user_id,
            "ids": list(memory_ids),
            "by": by,
            "later": later,
        },
    )


async def update_expiry(tx: Transaction, days: int | None) -> list[UUID]:
    """Let memories in use end so many days after they were last kept.

    That is when they were learned, confirmed or put back in use.
    """
    return await tx.fetch_column(
        """
        UPDATE user_memories AS memory SET expires_at = renewed.until
        FROM (
            SELECT memory_id, make_interval(days => %(days)s::int) + greatest(
                last_confirmed_at, created_at, (
                    SELECT max(step.created_at) FROM memory_history AS step
                    WHERE step.user_id = kept.user_id
                      AND step.memory_id = kept.memory_id
                      AND action IN ('created', 'merged', 'reactivated')
                )
            ) AS until
            FROM user_memories AS kept WHERE user_id = %(user_id)s AND is_active
        ) AS renewed
        WHERE user_id = %(user_id)s AND memory.memory_id = renewed.memory_id
          AND expires_at IS DISTINCT FROM renewed.until
        RETURNING memory.memory_id
        """,
        {"user_id": tx.scope.user_id, "days": days},
    )


async def list_ids(tx: Transaction) -> list[UUID]:
    """Return the ids of all memories, active or not."""
    return await tx.fetch_column(
        "SELECT memory_id FROM user_memories WHERE user_id = %s", [tx.scope.user_id]
    )


async def list_without_vector(
    tx: Transaction, key: PersonKey, embedder: str
) -> list[Memory]:
    """Return active memories without a vector of this embedder."""
    return await MEMORIES.fetch_all(
        tx, key, "is_active AND embedder IS DISTINCT FROM %s", embedder
    )


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
            "embedding": seal_vector(key, memory.memory_id, memory.revision, embedding),
            "embedder": embedding.embedder,
            "dimension": embedding.vector.size,
            "subcategory": seal_subcategory(key, memory.memory_id, memory.subcategory),
            "user_id": tx.scope.user_id,
            "memory_id": memory.memory_id,
            "revision": memory.revision,
        },
    )
    return row is not None
