"""One person's items in memory, kept current by the change feed's number."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from uuid import UUID

import numpy as np

from gieok.kernel.language import Role, Tokenizer
from gieok.memories import Fact
from gieok.recall.codec import Entry, packed, unpacked
from gieok.recall.index import Index
from gieok.recall.items import NO_NAME, Items, Kind, Speaker, is_question
from gieok.recall.lexicon import hash_name, hash_terms
from gieok.recall.store import Sealed
from gieok.sessions import Message

_SPEAKERS = {
    Role.USER: Speaker.USER,
    Role.ASSISTANT: Speaker.ASSISTANT,
    Role.SYSTEM: Speaker.SYSTEM,
}
_SESSION_BITS = (1 << 63) - 1


class Row(NamedTuple):
    """What a row of the index stands for; `id` is of a message unless it is a fact."""

    id: bytes
    fact: Fact | None


@dataclass(slots=True)
class Held:
    """A person's index and what its rows stand for, as of change number `head`."""

    dimension: int
    head: int = -1
    rows: list[Row] = field(default_factory=list[Row])
    places: dict[bytes, int] = field(default_factory=dict[bytes, int])
    index: Index = field(init=False)

    def __post_init__(self) -> None:
        self.index = Index.build(Items.empty(self.dimension))

    @property
    def size(self) -> int:
        """Bytes of vectors held, the bulk of it."""
        return self.index.items.vectors.nbytes

    def add_sealed(self, found: Sequence[Sealed]) -> None:
        """Take in stored items; one that is there already gets its vector."""
        if not found:
            return
        codes = [_code(item.session_id) for item in found]
        columns = unpacked(
            [item.entry for item in found], codes, dimension=self.dimension
        )
        self._add([Row(item.item_id, None) for item in found], columns)

    def add_messages(self, messages: Sequence[Message], tokenizer: Tokenizer) -> None:
        """Take in messages that have no stored item yet, by their words alone."""
        new = [said for said in messages if said.message_id.bytes not in self.places]
        if not new:
            return
        entries = [packed(entry_of(message, tokenizer)) for message in new]
        codes = [_code(message.session_id.bytes) for message in new]
        columns = unpacked(entries, codes, dimension=self.dimension)
        self._add([Row(said.message_id.bytes, None) for said in new], columns)

    def set_facts(self, facts: Sequence[Fact], tokenizer: Tokenizer) -> None:
        """Replace all facts."""
        mask = self.index.items.kinds != Kind.MEMORY
        if not mask.all():
            self.index = self.index.keep(mask)
            self.rows = [row for row in self.rows if row.fact is None]
            self.places = {row.id: place for place, row in enumerate(self.rows)}
        if facts:
            rows = [Row(fact.memory.memory_id.bytes, fact) for fact in facts]
            self._add(rows, self._fact_columns(facts, tokenizer))

    def _add(self, rows: Sequence[Row], columns: Items) -> None:
        there = np.array([row.id in self.places for row in rows])
        if there.any():
            old = [row for row in rows if row.id in self.places]
            self._embed(old, columns.take(there))
            columns = columns.take(~there)
            rows = [row for row in rows if row.id not in self.places]
        if rows:
            first = len(self.rows)
            self.places.update((row.id, first + n) for n, row in enumerate(rows))
            self.rows.extend(rows)
            self.index = self.index.append(columns)

    def _embed(self, rows: Sequence[Row], columns: Items) -> None:
        known = columns.embedded
        places = np.array([self.places[row.id] for row in rows])[known]
        if places.size:
            self.index = self.index.embed(places, columns.vectors[known])

    def _fact_columns(self, facts: Sequence[Fact], tokenizer: Tokenizer) -> Items:
        vectors = np.zeros((len(facts), self.dimension), np.float32)
        embedded = np.zeros(len(facts), np.bool_)
        for place, fact in enumerate(facts):
            held = fact.embedding
            if held is not None and held.vector.size == self.dimension:
                vectors[place], embedded[place] = held.vector, True
        memories = [fact.memory for fact in facts]
        return Items.of(
            [hash_terms(tokenizer.terms(memory.content)) for memory in memories],
            vectors=vectors,
            embedded=embedded,
            at=[memory.last_confirmed_at.timestamp() for memory in memories],
            kinds=np.full(len(facts), Kind.MEMORY),
            confidence=[memory.confidence for memory in memories],
            uses=[memory.usage_count for memory in memories],
            used_at=[
                memory.last_used_at.timestamp() if memory.last_used_at else np.nan
                for memory in memories
            ],
        )


def entry_of(message: Message, tokenizer: Tokenizer) -> Entry:
    """Return what recall keeps of a message, still without its vector."""
    speaker = message.speaker
    return Entry(
        speaker=_SPEAKERS[message.role],
        asks=is_question(message.content),
        position=message.position,
        at=message.created_at.timestamp(),
        name=hash_name(tokenizer.terms(speaker)) if speaker else NO_NAME,
        terms=hash_terms(tokenizer.terms(message.content)),
        vector=None,
    )


def session_code(session_id: UUID) -> int:
    """Return the number by which the index tells sessions apart."""
    return _code(session_id.bytes)


def _code(session_id: bytes) -> int:
    return int.from_bytes(session_id[8:], "big") & _SESSION_BITS
