"""What is in use of a person, so that what says the same is found at once.

Each text is normalised and each vector laid beside the others once, not once a claim: a
person may have thousands of memories, and others are served meanwhile.
"""

from collections.abc import Iterable, Iterator, MutableMapping
from dataclasses import dataclass, field
from typing import Final, Self
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from gieok.kernel.language import Vectors
from gieok.kernel.offload import yield_to_loop
from gieok.memories.model import Embedding, Fact
from gieok.text.same_wording import normalize_content

_ROUNDING: Final = 1e-6
"""By which two cosines of the same vectors may differ, as rows of different tables."""


@dataclass(slots=True)
class _VectorTable:
    """Vectors of one embedder, a row each, in no particular order."""

    rows: Vectors
    """As many as `owners`, and room for more."""
    owners: list[UUID] = field(default_factory=list[UUID])
    places: dict[UUID, int] = field(default_factory=dict[UUID, int])

    def add_vector(self, owner: UUID, vector: Vectors) -> None:
        count = len(self.owners)
        if count == len(self.rows):
            spare = np.zeros((max(64, count), vector.size), np.float32)
            self.rows = np.concatenate([self.rows, spare])
        self.rows[count] = vector
        self.places[owner] = count
        self.owners.append(owner)

    def remove_vector(self, owner: UUID) -> None:
        place, last = self.places.pop(owner), self.owners.pop()
        if last != owner:
            self.rows[place] = self.rows[len(self.owners)]
            self.owners[place], self.places[last] = last, place

    def measure_similarity(self, vector: Vectors) -> NDArray[np.float32]:
        return self.rows[: len(self.owners)] @ vector


@dataclass(slots=True)
class FactIndex(MutableMapping[UUID, Fact]):
    """Facts by the ids of their memories, in the order in which they came."""

    _facts: dict[UUID, Fact] = field(default_factory=dict[UUID, Fact])
    _wordings: dict[str, dict[UUID, None]] = field(
        default_factory=dict[str, dict[UUID, None]], repr=False
    )
    _tables: dict[tuple[str, int], _VectorTable] = field(
        default_factory=dict[tuple[str, int], _VectorTable], repr=False
    )

    @classmethod
    def from_facts(cls, facts: Iterable[Fact]) -> Self:
        """Return an index of facts; of many, in a thread, while others go on."""
        index = cls()
        for fact in facts:
            yield_to_loop()
            index[fact.memory.memory_id] = fact
        return index

    def __getitem__(self, memory_id: UUID) -> Fact:
        """Return a fact."""
        return self._facts[memory_id]

    def __setitem__(self, memory_id: UUID, fact: Fact) -> None:
        """Take in a fact, or what it is now."""
        before = self._facts.get(memory_id)
        if before is None or before.memory.content != fact.memory.content:
            self._remove_wording(memory_id, before)
            wording = normalize_content(fact.memory.content)
            self._wordings.setdefault(wording, {})[memory_id] = None
        if before is None or before.embedding is not fact.embedding:
            self._remove_vector(memory_id, before)
            if fact.embedding is not None:
                self._add_vector(memory_id, fact.embedding)
        self._facts[memory_id] = fact

    def __delitem__(self, memory_id: UUID) -> None:
        """Let go of a fact."""
        before = self._facts.pop(memory_id)
        self._remove_wording(memory_id, before)
        self._remove_vector(memory_id, before)

    def __iter__(self) -> Iterator[UUID]:
        """Go through the ids."""
        return iter(self._facts)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._facts)

    def find_repeat(self, content: str) -> Fact | None:
        """Return the first fact of the same wording, as `normalize_content` tells."""
        same = self._wordings.get(normalize_content(content))
        return self._facts[next(iter(same))] if same else None

    def list_near(self, embedding: Embedding | None, least: float) -> list[Fact]:
        """Return facts of at least this cosine to a vector, the nearest first.

        Those of another embedder are not compared.
        """
        table = self._find_table(embedding)
        if table is None or embedding is None:
            return []
        shares = table.measure_similarity(embedding.vector)
        near = np.flatnonzero(shares >= least)
        order = near[np.argsort(-shares[near])].tolist()
        return [self._facts[table.owners[place]] for place in order]

    def count_nearer(self, embedding: Embedding | None, memory_id: UUID) -> int:
        """Return how many facts are nearer to a vector than one of them is.

        None is, where that one has no vector to compare, or is at a right angle.
        """
        table = self._find_table(embedding)
        if table is None or embedding is None or memory_id not in table.places:
            return 0
        shares = table.measure_similarity(embedding.vector)
        own = shares[table.places[memory_id]]
        return int((shares > own + _ROUNDING).sum()) if own else 0

    def _find_table(self, embedding: Embedding | None) -> _VectorTable | None:
        if embedding is None:
            return None
        return self._tables.get((embedding.embedder, embedding.vector.size))

    def _add_vector(self, memory_id: UUID, embedding: Embedding) -> None:
        table = self._find_table(embedding)
        if table is None:
            size = embedding.vector.size
            table = _VectorTable(np.zeros((0, size), np.float32))
            self._tables[embedding.embedder, size] = table
        table.add_vector(memory_id, embedding.vector)

    def _remove_vector(self, memory_id: UUID, before: Fact | None) -> None:
        table = self._find_table(before.embedding) if before else None
        if table is not None:
            table.remove_vector(memory_id)

    def _remove_wording(self, memory_id: UUID, before: Fact | None) -> None:
        if before is None:
            return
        wording = normalize_content(before.memory.content)
        same = self._wordings[wording]
        del same[memory_id]
        if not same:
            del self._wordings[wording]
