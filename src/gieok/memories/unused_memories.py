"""What is kept of a person but not in use, as far as a wish to forget may mean it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple
from uuid import UUID

import numpy as np

from gieok.database import Database
from gieok.kernel.language import Category, KnownMemory, Tokenizer
from gieok.kernel.offload import run_in_thread, yield_to_loop
from gieok.kernel.scope import Scope
from gieok.memories import candidate_store, store
from gieok.memories.consolidator import Consolidator
from gieok.memories.model import Embedding
from gieok.privacy import PersonKey

MOST_READ: Final = 2_000
"""Memories out of use that are read for a wish, and candidates: the newest of more."""
MOST_WEIGHED: Final = 40
"""Those of both that a model weighs: they share most words with the wish, or are the
nearest to it."""


class _UnusedMemory(NamedTuple):
    item: KnownMemory
    embedding: Embedding | None


@dataclass(frozen=True, slots=True)
class UnusedMemories:
    """The memories out of use and the waiting candidates of one person."""

    database: Database
    consolidator: Consolidator
    tokenizer: Tokenizer
    scope: Scope
    key: PersonKey

    async def find_near(self, wish: str) -> tuple[KnownMemory, ...]:
        """Return what a wish to forget may mean, the likeliest last."""
        (own,) = await self.consolidator.embed_texts([wish])
        async with self.database.begin(self.scope) as tx:
            facts = await store.list_unused(tx, self.key, MOST_READ)
            waiting = await candidate_store.list_waiting_facts(tx, self.key, MOST_READ)
        kept = [
            _build_unused(
                f.memory.memory_id, f.memory.content, f.memory.category, f.embedding
            )
            for f in facts
        ]
        kept += [
            _build_unused(c.candidate_id, c.claim, c.category, vector)
            for c, vector in waiting
        ]
        if not kept:
            return ()
        terms = {*self.tokenizer.terms(wish)}
        return await run_in_thread(lambda: _select_near(terms, own, kept))


def _build_unused(
    each: UUID, content: str, category: Category, embedding: Embedding | None
) -> _UnusedMemory:
    item = KnownMemory(str(each), content, category, is_in_use=False)
    return _UnusedMemory(item, embedding)


def _select_near(
    terms: set[str], own: Embedding | None, kept: Sequence[_UnusedMemory]
) -> tuple[KnownMemory, ...]:
    ranked = sorted(kept, key=lambda each: _measure_nearness(terms, own, each))
    return tuple(each.item for each in ranked[-MOST_WEIGHED:])


def _measure_nearness(
    terms: set[str], own: Embedding | None, kept: _UnusedMemory
) -> tuple[int, float]:
    """Return how many words of a wish something holds, and how near their vectors are.

    Candidates do not say which embedder their vectors are of.
    """
    yield_to_loop()
    content, other = kept.item.content.lower(), kept.embedding
    shared = sum(term in content for term in terms)
    if own is None or other is None or other.vector.size != own.vector.size:
        return shared, 0.0
    if other.embedder not in ("", own.embedder):
        return shared, 0.0
    return shared, float(np.dot(own.vector, other.vector))
