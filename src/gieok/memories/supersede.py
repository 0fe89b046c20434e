"""When a claim may take the place of a memory: it has to be about the same thing.

A model names the memory that a claim replaces; any model can be wrong, and then a piece
of homework replaces a name. So the memory has to be among those nearest to the claim,
whatever the embedder: a rank, because cosines of different embedders do not compare.
Otherwise both are kept.
"""

from collections.abc import Iterable

from gieok.memories.duplicate import compute_similarity
from gieok.memories.model import Claim, Fact

MOST_NEARER = 4
"""Memories that may be nearer to the claim than the one it replaces. Of the changes in
`training/people`, the replaced item is among the nearest five of 10 to 16."""


def can_supersede(claim: Claim, target: Fact, facts: Iterable[Fact]) -> bool:
    """Tell whether a claim is near enough to the memory that it would replace.

    Without vectors to compare, the model is believed.
    """
    own = compute_similarity(claim.embedding, target.embedding)
    if own == 0:
        return True
    nearer = (
        compute_similarity(claim.embedding, fact.embedding) > own for fact in facts
    )
    return sum(nearer) <= MOST_NEARER
