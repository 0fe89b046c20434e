"""What a person asks to be said, corrected and forgotten at once."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from gieok.database import Transaction
from gieok.kernel.language import Basis, Category, FindingOperation
from gieok.memories import store
from gieok.memories.claims import Claim, MemoryEdit
from gieok.memories.model import Embedding
from gieok.memories.permission import ignore_default_categories, require_allowed
from gieok.memories.removal import erase_memories
from gieok.settings import Settings


def require_edits_allowed(
    settings: Settings,
    defaults: Settings,
    said: Sequence[MemoryEdit],
    texts: Sequence[str],
) -> Settings:
    """Return the settings under which all of this may be kept.

    Raises:
        NotPermittedError: as `require_allowed`.
    """
    own = ignore_default_categories(settings, defaults)
    for edit, text in zip(said, texts, strict=True):
        require_allowed(own, edit.category, text)
    return own


def build_edit_claims(edit: MemoryEdit, text: str, basis: Basis) -> list[Claim]:
    """Return the claim of what is new, or one for each memory it is said instead of."""
    targets = edit.memory_ids or (None,)
    requested = [
        build_requested_claim(text, edit.category, target, None) for target in targets
    ]
    return [replace(claim, basis=basis, is_asked_for=True) for claim in requested]


def build_requested_claim(
    text: str, category: Category, target_id: UUID | None, embedding: Embedding | None
) -> Claim:
    """Return a claim that somebody with the right to makes, of a memory or none."""
    return Claim(
        content=text,
        category=category,
        confidence=1.0,
        basis=Basis.REQUESTED,
        operation=FindingOperation.UPDATE if target_id else FindingOperation.ADD,
        target_id=target_id,
        session_id=None,
        message_ids=(),
        preview=None,
        extractor="remember",
        embedding=embedding,
        is_target_named=target_id is not None,
    )


async def erase_edited(tx: Transaction, edits: Sequence[MemoryEdit]) -> None:
    """Erase the memories that edits forget, as far as the person still has them."""
    unwanted = {each for e in edits if e.content is None for each in e.memory_ids}
    if not unwanted:
        return
    known = await store.list_ids(tx)
    await erase_memories(tx, [each for each in known if each in unwanted])
