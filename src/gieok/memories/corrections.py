"""Which memory a correction is of, and what becomes of a memory in the end."""

from uuid import UUID

from gieok.database import Audit, Change, RetentionEnded, Transaction, schedule_event
from gieok.kernel.errors import InvalidInputError, NotFoundError
from gieok.kernel.language import Category
from gieok.memories import store
from gieok.memories.model import DeletePolicy, Memory
from gieok.memories.store import get_memory
from gieok.privacy import PersonKey


async def get_corrected(
    tx: Transaction, key: PersonKey, memory_id: UUID, content: str
) -> Memory:
    """Return the memory in use that a correction is of.

    Where the same correction was made before, that is the memory which it made.

    Raises:
        NotFoundError: the person has no such memory, or it is not in use.
    """
    named = await get_memory(tx, key, memory_id)
    if named.is_active:
        return named
    by = named.superseded_by
    after = await store.find_memory(tx, key, by) if by else None
    if after is None or not after.is_active or after.content != content:
        raise NotFoundError("memory")
    return after


def is_corrected(
    memory: Memory,
    memory_id: UUID,
    category: Category | None,
    policy: DeletePolicy | None,
) -> bool:
    """Tell whether a memory is what a correction of another has made of it already."""
    has_category = category in {None, memory.category}
    has_policy = policy in {None, memory.delete_policy}
    return memory.memory_id != memory_id and has_category and has_policy


async def apply_policy(
    tx: Transaction, key: PersonKey, memory_id: UUID, policy: DeletePolicy | str
) -> Memory:
    """Say what becomes of a memory once its time is over (A06); return it.

    The caller holds the person's lock.

    Raises:
        InvalidInputError: there is no such policy.
        NotFoundError: the person has no such memory.
    """
    if policy not in set(DeletePolicy):
        field, known = "delete_policy", ", ".join(DeletePolicy)
        raise InvalidInputError(field, f"it must be one of {known}")
    before = await get_memory(tx, key, memory_id)
    reason = f"delete_policy_{policy}"
    tx.record_audit(Audit("access", "user_memories", memory_id, reason))
    if before.delete_policy == policy:
        return before
    await store.set_policy(tx, memory_id, DeletePolicy(policy))
    tx.record_changes(Change("user_memory", memory_id))
    tx.record_audit(Audit("update", "user_memories", memory_id, reason))
    if before.expires_at:
        await schedule_event(tx, RetentionEnded, before.expires_at)
    return await get_memory(tx, key, memory_id)
