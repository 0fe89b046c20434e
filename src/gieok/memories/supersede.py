"""When a claim may take the place of a memory: it has to be about the same thing.

A model names the memory that a claim replaces; any model can be wrong, and then a piece
of homework replaces a name. So the memory has to be among those nearest to the claim,
whatever the embedder: a rank, because cosines of different embedders do not compare.
Otherwise both are kept. What was said later counts, whatever is read first: a device
without a network may bring words that are older than what is known.
"""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from gieok.kernel.language import Basis, FindingOperation
from gieok.memories.claims import Claim
from gieok.memories.fact_index import FactIndex
from gieok.memories.model import Fact, Memory

MAX_NEARER = 4
"""Memories that may be nearer to the claim than the one it replaces. Of the changes in
`training/people`, the replaced item is among the nearest five of 10 to 16."""


def can_supersede(claim: Claim, target: UUID, facts: FactIndex) -> bool:
    """Tell whether a claim is near enough to the memory that it would replace.

    Without vectors to compare, the model is believed.
    """
    return facts.count_nearer(claim.embedding, target) <= MAX_NEARER


def build_denial(claim: Claim, before: Fact) -> Claim:
    """Return the claim that a memory is over, without what a change puts in its place.

    Who asks to remember the change does not ask to forget the memory.
    """
    return replace(
        claim,
        operation=FindingOperation.DELETE,
        basis=Basis.STATED if claim.basis is Basis.REQUESTED else claim.basis,
        content=before.memory.content,
        category=before.memory.category,
        embedding=before.embedding,
    )


def is_overtaken(claim: Claim, memory: Memory) -> bool:
    """Tell whether a memory was said, or said again, after a claim was.

    What the person reviewed, or corrected by naming the memory, is of now.
    """
    if claim.spoken_at is None or claim.is_reviewed or claim.is_target_named:
        return False
    return claim.spoken_at < memory.last_confirmed_at


def can_contradict(own: Memory, other: Memory) -> bool:
    """Tell whether of two memories the one said later may contradict the other.

    Of two said at the same time, `own` is the later. What was said in one session goes
    together, and not everything contradicts what the person asked for or reviewed.
    """
    session = own.source_session_id
    if session is not None and session == other.source_session_id:
        return False
    later, earlier = (other, own) if is_later(other, own) else (own, other)
    return earlier.trust.can_be_contradicted_by(later.trust)


def split_by_time(
    own: Memory, others: Sequence[Memory]
) -> tuple[list[Memory], Memory | None]:
    """Return what a memory is later than, and the last of what is later than it."""
    earlier = [other for other in others if not is_later(other, own)]
    later = [other for other in others if is_later(other, own)]
    return earlier, max(later, key=lambda each: each.last_confirmed_at, default=None)


def is_later(one: Memory, other: Memory) -> bool:
    """Tell whether a memory was said, or said again, after another."""
    return one.last_confirmed_at > other.last_confirmed_at
