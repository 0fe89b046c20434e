"""What a person decides about candidates, inside one transaction (A05, A07).

On a page, through an app, or in the words in which they answer an agent's question.
"""

from datetime import datetime
from uuid import UUID

from gieok.database import Audit, Change, Transaction
from gieok.kernel.errors import ConflictError, NotFoundError
from gieok.kernel.language import Embedder, Role
from gieok.memories import candidate_store, store
from gieok.memories.claims import Candidate, CandidateStatus, Claim
from gieok.memories.model import Embedding
from gieok.memories.removal import delete_overdue
from gieok.privacy import PersonKey
from gieok.sessions import message_store


async def require_pending(
    tx: Transaction, key: PersonKey, candidate_id: UUID
) -> tuple[Candidate, Embedding | None]:
    """Return a candidate that nobody has reviewed, with its vector.

    Raises:
        NotFoundError: the person has no such candidate.
        ConflictError: it was reviewed already.
    """
    found = await candidate_store.lock_candidate(tx, key, candidate_id)
    if found is None:
        thing = "candidate"
        raise NotFoundError(thing)
    candidate, _ = found
    if candidate.status is not CandidateStatus.PENDING:
        reason = f"the candidate is {candidate.status.value}"
        raise ConflictError(reason)
    return found


async def is_pending(tx: Transaction, key: PersonKey, candidate_id: UUID) -> bool:
    """Tell whether a candidate is there and nobody has reviewed it."""
    found = await candidate_store.lock_candidate(tx, key, candidate_id)
    return found is not None and found[0].status is CandidateStatus.PENDING


async def delete_overdue_target(tx: Transaction, key: PersonKey, claim: Claim) -> None:
    """Remove the memory that a person says may go, if its time is over."""
    target = claim.target_id and await store.find_memory(tx, key, claim.target_id)
    if target and target.expires_at and target.expires_at <= tx.now:
        await delete_overdue(tx, [target.memory_id])


async def find_claim_time(
    tx: Transaction, key: PersonKey, candidate: Candidate
) -> datetime:
    """Return when a candidate was last said; when it was read, if nobody can tell."""
    messages = await message_store.list_messages_by_id(tx, key, candidate.message_ids)
    said = [message.spoken_at for message in messages if message.role is Role.USER]
    return max(said, default=candidate.created_at)


async def reject_candidate(
    tx: Transaction, key: PersonKey, candidate_id: UUID, reason: str = "user_review"
) -> None:
    """Refuse a waiting candidate; raises as `require_pending`.

    Of what the person does not want forgotten that they said, nothing is kept.
    """
    candidate, _ = await require_pending(tx, key, candidate_id)
    if candidate.is_message_question:
        await candidate_store.erase_candidate(tx, candidate_id)
        tx.record_changes(Change("memory_candidate", candidate_id, "delete"))
    else:
        await candidate_store.close_candidate(
            tx, candidate_id, CandidateStatus.REJECTED, None
        )
        tx.record_changes(Change("memory_candidate", candidate_id))
    tx.record_audit(Audit("update", "memory_candidates", candidate_id, reason))


def build_reviewed_claim(
    candidate: Candidate, embedding: Embedding | None, embedder: Embedder
) -> Claim:
    """Return the claim that a candidate makes, on the basis it always had.

    Its vector names no embedder: it counts if it is as long as this one's are.
    """
    vector = None
    if embedding is not None and embedding.vector.size == embedder.dimension:
        vector = Embedding(embedder.name, embedding.vector)
    return Claim(
        content=candidate.claim,
        category=candidate.category,
        confidence=candidate.confidence,
        basis=candidate.basis,
        operation=candidate.operation,
        target_id=candidate.target_id,
        session_id=candidate.session_ids[0] if candidate.session_ids else None,
        message_ids=candidate.message_ids,
        preview=None,
        extractor=candidate.extractor,
        embedding=vector,
        is_reviewed=True,
    )
