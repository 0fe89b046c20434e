"""Opens consolidations with the embedder of an installation and what goes by it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gieok.database import Transaction
from gieok.kernel.errors import UnavailableError
from gieok.kernel.language import Embedder, Vectors
from gieok.memories.active_memories import ActiveMemories
from gieok.memories.consolidation import Consolidation
from gieok.memories.duplicate import (
    ContradictionTest,
    DifferenceTest,
    assume_compatible,
    assume_same,
)
from gieok.memories.model import Embedding
from gieok.memories.replies import TermSplitter
from gieok.privacy import PersonKey
from gieok.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidator:
    """What claims are embedded and compared with."""

    embedder: Embedder
    slot_of: Callable[[Vectors], str | None] | None = None
    """Names the slot of a person's life that a vector of `embedder` is about."""
    differs: DifferenceTest = assume_same
    """Tells different facts from other wordings of one, by vectors of `embedder`."""
    split: TermSplitter = str.split
    """Splits a text into the terms by which it is searched."""
    contradicts: ContradictionTest = assume_compatible
    """Tells which memories a new one says otherwise than, by vectors of `embedder`."""

    async def open_consolidation(
        self, tx: Transaction, key: PersonKey, settings: Settings, trigger: str
    ) -> Consolidation:
        """Return what settles claims, with what is active; the person is locked."""
        active = ActiveMemories(
            tx,
            key,
            settings,
            trigger,
            self.find_subcategory,
            self.contradicts,
            self.split,
        )
        await active.load_facts()
        return Consolidation(active, self.differs)

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding | None]:
        """Return vectors, or none of them when the embedder is away: a job follows."""
        if not texts:
            return []
        try:
            vectors = await self.embedder.passages(texts)
        except UnavailableError:
            return [None] * len(texts)
        return [Embedding(self.embedder.name, vector) for vector in vectors]

    def find_subcategory(self, embedding: Embedding | None) -> str | None:
        """Return the part of life that a vector of this embedder is about, or None."""
        if embedding is None or self.slot_of is None:
            return None
        is_own = embedding.embedder == self.embedder.name
        return self.slot_of(embedding.vector) if is_own else None
