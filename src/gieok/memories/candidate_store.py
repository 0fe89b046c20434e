"""SQL of candidates: one function, one statement."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Final, LiteralString
from uuid import UUID

import numpy as np
from psycopg.rows import TupleRow

from gieok.database import Transaction
from gieok.kernel.language import Basis, Category, FindingOperation
from gieok.memories.claims import Candidate, CandidateStatus, Claim, ForgetQuestion
from gieok.memories.model import Embedding, QuarantineReason
from gieok.privacy import PersonKey, Place, SealedRows, read_rows

CLAIM = Place("memory_candidates", "claim")
EMBEDDING = Place("memory_candidates", "embedding")
OPEN_WISH: Final[LiteralString] = """
    operation = 'delete' AND target_id IS NULL AND held_reason IS NULL
    AND status IN ('pending', 'confirmed')
"""
"""Whether a candidate is a wish to forget that nobody has searched for yet, as SQL."""

SELECT = """
    SELECT candidate_id, category, claim, confidence, basis, operation, target_id,
           session_ids, message_ids, extractor, status, memory_id, created_at,
           reviewed_at, held_reason, wished_at, wish_id
    FROM memory_candidates
"""
SELECT_WITH_VECTOR = """
    SELECT candidate_id, category, claim, confidence, basis, operation, target_id,
           session_ids, message_ids, extractor, status, memory_id, created_at,
           reviewed_at, held_reason, wished_at, wish_id, embedding
    FROM memory_candidates
"""


async def insert_candidate(
    tx: Transaction, key: PersonKey, claim: Claim, held: QuarantineReason | None
) -> UUID:
    """Add a waiting candidate and return its id."""
    candidate_id = tx.new_id()
    sealed_vector = None
    if claim.embedding is not None:
        data = np.ascontiguousarray(claim.embedding.vector, np.float32).tobytes()
        sealed_vector = key.seal(EMBEDDING, candidate_id, data)
    await tx.execute(
        """
        INSERT INTO memory_candidates (
            user_id, candidate_id, category, claim, claim_digest, embedding,
            confidence, basis, operation, target_id, session_ids, message_ids,
            extractor, status, held_reason, wish_id, wished_at, created_at
        ) VALUES (
            %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s
        )
        """,
        [
            tx.scope.user_id,
            candidate_id,
            claim.category.value,
            key.seal_text(CLAIM, candidate_id, claim.content),
            key.compute_digest(claim.content),
            sealed_vector,
            claim.confidence,
            claim.basis.value,
            claim.operation.value,
            claim.target_id,
            [claim.session_id] if claim.session_id else [],
            list(claim.message_ids),
            claim.extractor,
            CandidateStatus.PENDING.value,
            held,
            claim.wish_id,
            claim.compute_time(tx.now) if claim.is_wish else None,
            tx.now,
        ],
    )
    return candidate_id


async def list_candidates(
    tx: Transaction,
    key: PersonKey,
    status: CandidateStatus | None,
    limit: int,
    *,
    held: bool = False,
    offset: int = 0,
) -> list[Candidate]:
    """Return candidates, newest first; with `held`, those that only a review ends."""
    return await _CANDIDATES.fetch_all(
        tx,
        key,
        """
        status = coalesce(%s::text, status) AND (NOT %s OR held_reason IS NOT NULL)
        ORDER BY created_at DESC, candidate_id DESC LIMIT %s OFFSET %s
        """,
        status and status.value,
        held,
        limit,
        offset,
    )


async def list_pending(
    tx: Transaction, key: PersonKey
) -> list[tuple[Candidate, Embedding | None]]:
    """Return what waits for corroboration, with vectors of unnamed embedders."""
    return await _PENDING.fetch_all(tx, key, "status = 'pending'")


async def list_waiting(
    tx: Transaction, key: PersonKey, ids: Sequence[UUID]
) -> list[Candidate]:
    """Return which of these candidates are pending and not held back."""
    return await _CANDIDATES.fetch_all(
        tx,
        key,
        """
        candidate_id = ANY(%s) AND status = 'pending'
          AND held_reason IS NULL
        """,
        list(ids),
    )


async def list_unconfirmed(
    tx: Transaction, key: PersonKey, session_ids: Sequence[UUID]
) -> list[Candidate]:
    """Return what was understood of these sessions and waits or was rejected."""
    return await _CANDIDATES.fetch_all(
        tx,
        key,
        "session_ids && %s::uuid[] AND status <> 'confirmed' AND operation <> 'delete'",
        list(session_ids),
    )


async def list_open_wishes(tx: Transaction, key: PersonKey) -> list[Candidate]:
    """Return the wishes to forget for which nobody has searched yet, oldest first."""
    return await _CANDIDATES.fetch_all(
        tx, key, OPEN_WISH + "ORDER BY created_at, candidate_id"
    )


async def list_questions(
    tx: Transaction, key: PersonKey, since: datetime, *, with_asked: bool
) -> list[ForgetQuestion]:
    """Return what a wish since a time may have meant, the newest and likeliest first.

    Only memories in use and what is still to be read of what was said; without what the
    person was asked about already, unless `with_asked`.
    """
    rows = await tx.fetch_all(
        """
        SELECT candidate_id, target_id, claim, coalesce(wished_at, created_at), wish_id
        FROM memory_candidates
        WHERE user_id = %(user_id)s AND status = 'pending' AND operation = 'delete'
          AND basis = 'requested' AND held_reason = 'ambiguous'
          AND greatest(created_at, wished_at) >= %(since)s
          AND (%(with_asked)s OR asked_at IS NULL)
          AND (EXISTS (
              SELECT FROM user_memories AS meant
              WHERE meant.user_id = memory_candidates.user_id
                AND meant.memory_id = memory_candidates.target_id AND meant.is_active
          ) OR target_id IS NULL AND EXISTS (
              SELECT FROM session_messages AS said
              WHERE said.user_id = memory_candidates.user_id
                AND said.message_id = ANY(memory_candidates.message_ids)
                AND said.forgotten_at IS NULL
          ))
        ORDER BY coalesce(wished_at, created_at) DESC, confidence DESC, candidate_id
        """,
        {"user_id": tx.scope.user_id, "since": since, "with_asked": with_asked},
    )
    return read_rows("memory_candidates", rows, partial(_parse_question, key))


async def delete_message_questions(
    tx: Transaction, message_ids: Sequence[UUID]
) -> list[UUID]:
    """Remove questions about what was said in these messages; return which."""
    return await tx.fetch_column(
        """
        DELETE FROM memory_candidates
        WHERE user_id = %s AND operation = 'delete' AND target_id IS NULL
          AND held_reason = 'ambiguous' AND message_ids && %s::uuid[]
        RETURNING candidate_id
        """,
        [tx.scope.user_id, list(message_ids)],
    )


async def list_questioned_sources(tx: Transaction, since: datetime) -> set[UUID]:
    """Return the messages of memories in use that a wish since a time may mean."""
    found = await tx.fetch_column(
        """
        SELECT unnest(meant.source_message_ids)
        FROM memory_candidates AS asked JOIN user_memories AS meant
          ON meant.user_id = asked.user_id AND meant.memory_id = asked.target_id
        WHERE asked.user_id = %s AND asked.status = 'pending'
          AND asked.operation = 'delete' AND asked.held_reason = 'ambiguous'
          AND greatest(asked.created_at, asked.wished_at) >= %s AND meant.is_active
        """,
        [tx.scope.user_id, since],
    )
    return set(found)


async def set_question_time(tx: Transaction, candidate_ids: Sequence[UUID]) -> None:
    """Note that the person was asked about these candidates."""
    await tx.execute(
        """
        UPDATE memory_candidates SET asked_at = coalesce(asked_at, %s)
        WHERE user_id = %s AND candidate_id = ANY(%s)
        """,
        [tx.now, tx.scope.user_id, list(candidate_ids)],
    )


async def erase_candidate(tx: Transaction, candidate_id: UUID) -> None:
    """Remove a candidate."""
    await tx.execute(
        "DELETE FROM memory_candidates WHERE user_id = %s AND candidate_id = %s",
        [tx.scope.user_id, candidate_id],
    )


async def lock_candidate(
    tx: Transaction, key: PersonKey, candidate_id: UUID
) -> tuple[Candidate, Embedding | None] | None:
    """Return one candidate with its vector, locked until the transaction ends."""
    row = await tx.fetch_one(
        SELECT_WITH_VECTOR + "WHERE user_id = %s AND candidate_id = %s FOR UPDATE",
        [tx.scope.user_id, candidate_id],
    )
    return _parse_with_vector(key, row) if row else None


async def is_rejected(tx: Transaction, key: PersonKey, content: str) -> bool:
    """Tell whether the person rejected exactly this claim before.

    Who did not want something forgotten has not rejected it.
    """
    row = await tx.fetch_one(
        """
        SELECT 1 FROM memory_candidates
        WHERE user_id = %s AND claim_digest = %s AND status = 'rejected'
          AND operation <> 'delete' LIMIT 1
        """,
        [tx.scope.user_id, key.compute_digest(content)],
    )
    return row is not None


async def corroborate_candidate(
    tx: Transaction,
    candidate_id: UUID,
    *,
    confidence: float,
    session_ids: Sequence[UUID],
    message_ids: Sequence[UUID],
    held: QuarantineReason | None,
) -> None:
    """Keep what another sighting added to a waiting candidate."""
    await tx.execute(
        """
        UPDATE memory_candidates SET
            session_ids = %(session_ids)s,
            message_ids = %(message_ids)s,
            confidence = greatest(confidence, %(confidence)s),
            held_reason = %(held)s
        WHERE user_id = %(user_id)s AND candidate_id = %(candidate_id)s
        """,
        {
            "session_ids": list(session_ids),
            "message_ids": list(message_ids),
            "confidence": confidence,
            "held": held,
            "user_id": tx.scope.user_id,
            "candidate_id": candidate_id,
        },
    )


async def renew_wish(tx: Transaction, candidate_id: UUID, claim: Claim) -> None:
    """Keep that something was wished again, which the person may be asked about anew.

    A wish that was said before the one that is known changes nothing.
    """
    await tx.execute(
        """
        UPDATE memory_candidates SET
            wish_id = %(wish_id)s, wished_at = %(at)s, asked_at = NULL
        WHERE user_id = %(user_id)s AND candidate_id = %(candidate_id)s
          AND coalesce(wished_at, created_at) <= %(at)s
        """,
        {
            "wish_id": claim.wish_id,
            "at": claim.compute_time(tx.now),
            "user_id": tx.scope.user_id,
            "candidate_id": candidate_id,
        },
    )


async def set_claim(
    tx: Transaction, key: PersonKey, candidate_id: UUID, content: str
) -> None:
    """Let a candidate claim something else."""
    await tx.execute(
        """
        UPDATE memory_candidates SET claim = %s, claim_digest = %s
        WHERE user_id = %s AND candidate_id = %s
        """,
        [
            key.seal_text(CLAIM, candidate_id, content),
            key.compute_digest(content),
            tx.scope.user_id,
            candidate_id,
        ],
    )


async def close_candidate(
    tx: Transaction,
    candidate_id: UUID,
    status: CandidateStatus,
    memory_id: UUID | None,
) -> None:
    """Close a candidate."""
    await tx.execute(
        """
        UPDATE memory_candidates SET status = %s, memory_id = %s, reviewed_at = %s
        WHERE user_id = %s AND candidate_id = %s
        """,
        [status.value, memory_id, tx.now, tx.scope.user_id, candidate_id],
    )


async def list_source_messages(
    tx: Transaction, memory_ids: Sequence[UUID]
) -> list[UUID]:
    """Return the messages that candidates of or about these memories rest on."""
    rows = await tx.fetch_all(
        """
        SELECT message_ids FROM memory_candidates
        WHERE user_id = %s AND (memory_id = ANY(%s) OR target_id = ANY(%s))
        """,
        [tx.scope.user_id, list(memory_ids), list(memory_ids)],
    )
    return [message for row in rows for message in row[0]]


async def erase_all(tx: Transaction) -> list[UUID]:
    """Remove every candidate but wishes that wait; return which there were."""
    return await tx.fetch_column(
        "DELETE FROM memory_candidates WHERE user_id = %s AND NOT ("
        + OPEN_WISH
        + ") RETURNING candidate_id",
        [tx.scope.user_id],
    )


async def erase_about(
    tx: Transaction, memory_ids: Sequence[UUID], message_ids: Sequence[UUID]
) -> list[UUID]:
    """Remove candidates that became these memories or rest on these messages.

    Returns which they were.
    """
    return await tx.fetch_column(
        """
        DELETE FROM memory_candidates WHERE user_id = %s AND (
            memory_id = ANY(%s) OR target_id = ANY(%s) OR message_ids && %s::uuid[]
        )
        RETURNING candidate_id
        """,
        [tx.scope.user_id, list(memory_ids), list(memory_ids), list(message_ids)],
    )


async def delete_candidates(
    tx: Transaction, candidate_ids: Sequence[UUID]
) -> list[UUID]:
    """Remove candidates; return which of them were there."""
    return await tx.fetch_column(
        """
        DELETE FROM memory_candidates WHERE user_id = %s AND candidate_id = ANY(%s)
        RETURNING candidate_id
        """,
        [tx.scope.user_id, list(candidate_ids)],
    )


def _parse_embedding(key: PersonKey, row: TupleRow) -> Embedding | None:
    candidate_id, sealed = row[0], row[-1]
    if sealed is None:
        return None
    data = key.open(EMBEDDING, candidate_id, sealed)
    return Embedding("", np.frombuffer(data, dtype=np.float32))


def _parse_with_vector(
    key: PersonKey, row: TupleRow
) -> tuple[Candidate, Embedding | None]:
    return _parse_candidate(key, row[:-1]), _parse_embedding(key, row)


def _parse_question(key: PersonKey, row: TupleRow) -> ForgetQuestion:
    candidate_id, memory_id, claim, wished_at, wish_id = row
    content = key.open_text(CLAIM, candidate_id, claim)
    return ForgetQuestion(candidate_id, memory_id, content, wished_at, wish_id)


def _parse_candidate(key: PersonKey, row: TupleRow) -> Candidate:
    (
        candidate_id,
        category,
        claim,
        confidence,
        basis,
        operation,
        target_id,
        session_ids,
        message_ids,
        extractor,
        status,
        *rest,
        held,
        wished_at,
        wish_id,
    ) = row
    return Candidate(
        candidate_id,
        Category(category),
        key.open_text(CLAIM, candidate_id, claim),
        confidence,
        Basis(basis),
        FindingOperation(operation),
        target_id,
        tuple(session_ids),
        tuple(message_ids),
        extractor,
        CandidateStatus(status),
        *rest,
        held_reason=held and QuarantineReason(held),
        wished_at=wished_at,
        wish_id=wish_id,
    )


_CANDIDATES: Final = SealedRows("memory_candidates", SELECT, _parse_candidate)
_PENDING: Final = SealedRows(
    "memory_candidates", SELECT_WITH_VECTOR, _parse_with_vector
)
