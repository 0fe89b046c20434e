"""Which claims wait for the person because they may have been planted (issue 5).

What is written only follows from what a user said; that a user pasted it, or was made
to say it, shows in what it asks for, what it would undo, and how much of it there is.
"""

from collections.abc import Mapping
from typing import Final
from uuid import UUID

from gieok.kernel.language import Basis, FindingOperation
from gieok.memories.claims import Claim
from gieok.memories.model import Fact, QuarantineReason, Trust
from gieok.memories.promote import MIN_STATED_CONFIDENCE
from gieok.text.pattern_file import PatternFile

_LISTS: Final = PatternFile("gieok.memories", "patterns.toml")

MIN_CAP: Final = 10
_WEIGHTY: Final = _LISTS.compile_list("quarantine.weighty")
_ONESELF: Final = _LISTS.compile_list("quarantine.oneself")


def find_quarantine_reason(
    claim: Claim, facts: Mapping[UUID, Fact], most: int
) -> QuarantineReason | None:
    """Return why a claim needs review, or None; `most` is how many memories may be.

    One session may bring half of them, and always ten.
    """
    if claim.is_suspicious and claim.operation is not FindingOperation.DELETE:
        return QuarantineReason.SUSPICIOUS
    if _is_ambiguous(claim):
        return QuarantineReason.AMBIGUOUS
    if _is_high_impact(claim):
        return QuarantineReason.HIGH_IMPACT
    if _is_contradiction(claim, facts):
        return QuarantineReason.CONTRADICTION
    if _is_over_share(claim, facts, max(MIN_CAP, most // 2)):
        return QuarantineReason.INFLUENCE
    return None


def _is_ambiguous(claim: Claim) -> bool:
    """Tell whether it would take a memory away that may not be meant."""
    takes_away = claim.operation in (FindingOperation.UPDATE, FindingOperation.DELETE)
    return takes_away and claim.confidence < MIN_STATED_CONFIDENCE


def _is_high_impact(claim: Claim) -> bool:
    """Tell whether much depends on it, and nobody plainly said it of themselves."""
    if claim.operation is FindingOperation.DELETE or claim.basis is Basis.REQUESTED:
        return False
    said = claim.basis is Basis.STATED and _ONESELF.search(claim.content)
    return not said and _WEIGHTY.search(claim.content) is not None


def _is_contradiction(claim: Claim, facts: Mapping[UUID, Fact]) -> bool:
    """Tell whether it undoes what the person reviewed, or asked for, unasked."""
    target = facts.get(claim.target_id) if claim.target_id else None
    undoes = claim.operation in (FindingOperation.UPDATE, FindingOperation.DELETE)
    if target is None or not undoes or claim.basis is Basis.REQUESTED:
        return False
    return not target.memory.trust.can_be_contradicted_by(Trust(claim.basis.value))


def _is_over_share(claim: Claim, facts: Mapping[UUID, Fact], most: int) -> bool:
    adds = claim.operation in (FindingOperation.ADD, FindingOperation.UPDATE)
    if claim.session_id is None or not adds:
        return False
    here = (f.memory.source_session_id == claim.session_id for f in facts.values())
    return sum(here) >= most
