"""Rows of memories: what is read of them, how it is opened and how it is sealed."""

from dataclasses import replace
from typing import Final
from uuid import UUID

import numpy as np
from psycopg.rows import TupleRow

from gieok.kernel.language import Category
from gieok.memories.model import (
    DeletePolicy,
    Embedding,
    Fact,
    Memory,
    SourceType,
    Trust,
)
from gieok.privacy import PersonKey, Place, SealedRows
from gieok.privacy.provenance import encode_provenance

CONTENT = Place("user_memories", "content")
PREVIEW = Place("user_memories", "source_message_preview")
EMBEDDING = Place("user_memories", "content_embedding")
SUBCATEGORY = Place("user_memories", "subcategory")

NEWER = """
    SELECT newer.memory_id FROM (
        WITH RECURSIVE version (memory_id, is_active, superseded_by) AS (
            SELECT said.memory_id, said.is_active, said.superseded_by
            FROM user_memories AS said
            WHERE said.user_id = user_memories.user_id
              AND said.memory_id = user_memories.contradicted_by
            UNION
            SELECT later.memory_id, later.is_active, later.superseded_by
            FROM version JOIN user_memories AS later
              ON later.memory_id = version.superseded_by
            WHERE later.user_id = user_memories.user_id AND NOT version.is_active
        )
        SELECT memory_id FROM version WHERE is_active
    ) AS newer
    WHERE newer.memory_id <> user_memories.memory_id
"""
"""Of a row of `user_memories`, the memory in use that says otherwise: the one that
contradicted it, or what took the place of that since."""

SELECT = f"""
    SELECT memory_id, revision, content, category, confidence, source_type,
           source_session_id, source_message_ids, source_candidate_ids,
           source_message_preview, extractor, usage_count, last_used_at,
           last_confirmed_at, expires_at, superseded_by, inactive_reason,
           created_at, updated_at, is_active, trust, delete_policy, subcategory,
           relevance_score, is_pinned,
           CASE WHEN contradicted_by IS NOT NULL THEN ({NEWER}) END, is_directive,
           worded_at,
           (SELECT time_zone FROM users WHERE users.user_id = user_memories.user_id),
           embedder, content_embedding
    FROM user_memories
"""


def parse_fact(key: PersonKey, row: TupleRow) -> Fact:
    """Return the memory of a row, with its vector."""
    memory = parse_memory(key, row)
    *_, embedder, sealed = row
    if sealed is None:
        return Fact(memory, None)
    data = key.open(EMBEDDING, memory.memory_id, sealed, revision=memory.revision)
    return Fact(memory, Embedding(embedder, np.frombuffer(data, dtype=np.float32)))


def parse_memory(key: PersonKey, row: TupleRow) -> Memory:
    """Return the memory of a row of `SELECT`; raises when it was changed."""
    (
        *columns,
        policy,
        subcategory,
        relevance,
        is_pinned,
        newer,
        directive,
        worded_at,
        zone,
        _,
        _,
    ) = row
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
        trust,
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
        is_directive=directive,
        time_zone=zone,
        worded_at=worded_at,
    )
    bound = _encode_provenance(memory)
    text = key.open_text(CONTENT, memory_id, content, revision=revision, bound=bound)
    return replace(memory, content=text)


def seal_content(key: PersonKey, memory: Memory) -> bytes:
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


def seal_subcategory(
    key: PersonKey, memory_id: UUID, subcategory: str | None
) -> bytes | None:
    """Return the part of life a memory is about, sealed; None without one."""
    if subcategory is None:
        return None
    return key.seal_text(SUBCATEGORY, memory_id, subcategory)


def seal_vector(
    key: PersonKey, memory_id: UUID, revision: int, embedding: Embedding | None
) -> bytes | None:
    """Return the vector of a memory, sealed for one revision; None without one."""
    if embedding is None:
        return None
    data = np.ascontiguousarray(embedding.vector, dtype=np.float32).tobytes()
    return key.seal(EMBEDDING, memory_id, data, revision=revision)


MEMORIES: Final = SealedRows("user_memories", SELECT, parse_memory)
FACTS: Final = SealedRows("user_memories", SELECT, parse_fact)
