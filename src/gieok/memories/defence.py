"""Which claims wait for the person because they may have been planted (issue 5).

What is written only follows from what a user said; that a user pasted it, or was made
to say it, shows in what it asks for, what it would undo, and how much of it there is.
"""

from collections.abc import Mapping
from typing import Final
from uuid import UUID

from gieok.kernel.language import Basis, Operation
from gieok.memories.model import Claim, Fact, HeldReason

LEAST_CAP: Final = 10


def held_reason(
    claim: Claim, facts: Mapping[UUID, Fact], most: int
) -> HeldReason | None:
    """Return why a claim needs review, or None; `most` is how many memories may be.

    One session may bring half of them, and always ten.
    """
    if claim.is_suspicious and claim.operation is not Operation.DELETE:
        return HeldReason.SUSPICIOUS
    if _contradicts(claim, facts):
        return HeldReason.CONTRADICTION
    if _exceeds(claim, facts, max(LEAST_CAP, most // 2)):
        return HeldReason.INFLUENCE
    return None


def _contradicts(claim: Claim, facts: Mapping[UUID, Fact]) -> bool:
    """Tell whether it undoes what the person asked for, without their asking."""
    target = facts.get(claim.target_id) if claim.target_id else None
    undoes = claim.operation in (Operation.UPDATE, Operation.DELETE)
    if target is None or not undoes or claim.basis is Basis.REQUESTED:
        return False
    return target.memory.trust.is_high


def _exceeds(claim: Claim, facts: Mapping[UUID, Fact], most: int) -> bool:
    adds = claim.operation in (Operation.ADD, Operation.UPDATE)
    if claim.session_id is None or not adds:
        return False
    here = (f.memory.source_session_id == claim.session_id for f in facts.values())
    return sum(here) >= most
