"""One person's items in memory, kept current by the change feed's number."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

import numpy as np

from gieok.kernel.language import Role, Tokenizer
from gieok.kernel.portions import split_portions
from gieok.memories import Fact
from gieok.recall.store import StoredEntries
from gieok.search.codec import IndexEntry, decode_entries
from gieok.search.index import SearchIndex
from gieok.search.lexicon import hash_name, hash_terms
from gieok.search.rows import NO_NAME, RowKind, SearchRows, Speaker, is_question
from gieok.sessions import Message

_BYTES_A_ROW = 400
_BYTES_A_PERSON = 16_384
_SPEAKERS = {
    Role.USER: Speaker.USER,
    Role.ASSISTANT: Speaker.ASSISTANT,
    Role.SYSTEM: Speaker.SYSTEM,
}
_SESSION_BITS = (1 << 63) - 1


@dataclass(slots=True)
class PersonIndex:
    """A person's index and what its rows stand for, as of `change_number`."""

    dimension: int
    embedder: str
    incarnation: int
    """Erasures of the person before: another one's rows are somebody else's."""
    change_number: int = -1
    ids: list[bytes] = field(default_factory=list[bytes])
    """What each row is: the id of a message or of a memory."""
    places: dict[bytes, int] = field(default_factory=dict[bytes, int])
    facts: dict[int, Fact] = field(default_factory=dict[int, Fact])
    """The rows that are memories."""
    index: SearchIndex = field(init=False)

    def __post_init__(self) -> None:
        self.index = SearchIndex.build(SearchRows.create_empty(self.dimension))

    @property
    def size(self) -> int:
        """Bytes held, about: vectors, terms and what goes with each row and person."""
        items = self.index.items
        rows = len(self.ids) * _BYTES_A_ROW
        return items.vectors.nbytes + 3 * items.terms.nbytes + rows + _BYTES_A_PERSON

    def add_stored(self, found: StoredEntries) -> None:
        """Take in stored items; one that is there already gets its vector."""
        if not found.ids:
            return
        codes = found.sessions & np.uint64(_SESSION_BITS)
        columns = decode_entries(found.entries, codes, dimension=self.dimension)
        comparable = columns.embedded & found.comparable
        self._add_rows(found.ids, replace(columns, embedded=comparable))

    def select_unknown(self, messages: Sequence[Message], most: int) -> list[Message]:
        """Return the first messages that are not here, up to so many characters."""
        new = [said for said in messages if said.message_id.bytes not in self.places]
        nothing: list[Message] = []
        return next(split_portions(new, lambda said: len(said.content), most), nothing)

    def add_messages(self, new: Sequence[Message], entries: Sequence[bytes]) -> None:
        """Take in messages that have no stored item yet, by their words alone."""
        if not new:
            return
        codes = [derive_session_code(message.session_id) for message in new]
        columns = decode_entries(entries, codes, dimension=self.dimension)
        self._add_rows([said.message_id.bytes for said in new], columns)

    def set_facts(self, facts: Sequence[Fact], tokenizer: Tokenizer) -> None:
        """Replace all facts."""
        mask = self.index.items.kinds != RowKind.MEMORY
        if not mask.all():
            self.index = self.index.select_rows(mask)
            self.ids = [self.ids[row] for row in np.flatnonzero(mask)]
            self.places = {row_id: place for place, row_id in enumerate(self.ids)}
        first = len(self.ids)
        self.facts = {first + place: fact for place, fact in enumerate(facts)}
        if facts:
            ids = [fact.memory.memory_id.bytes for fact in facts]
            self._add_rows(ids, self._build_fact_rows(facts, tokenizer))

    def _add_rows(self, ids: list[bytes], columns: SearchRows) -> None:
        known = self.places.keys() & ids
        if known:
            there = np.array([row_id in known for row_id in ids])
            self._set_vectors(
                [each for each in ids if each in known], columns.select_rows(there)
            )
            columns = columns.select_rows(~there)
            ids = [each for each in ids if each not in known]
        if ids:
            first = len(self.ids)
            self.places.update(zip(ids, range(first, first + len(ids)), strict=True))
            self.ids += ids
            self.index = self.index.append_rows(columns)

    def _set_vectors(self, ids: Sequence[bytes], columns: SearchRows) -> None:
        known = columns.embedded
        places = np.array([self.places[row_id] for row_id in ids])[known]
        if places.size:
            self.index = self.index.set_vectors(places, columns.vectors[known])

    def _build_fact_rows(
        self, facts: Sequence[Fact], tokenizer: Tokenizer
    ) -> SearchRows:
        vectors = np.zeros((len(facts), self.dimension), np.float32)
        embedded = np.zeros(len(facts), np.bool_)
        for place, fact in enumerate(facts):
            held = fact.embedding
            if held is not None and held.embedder == self.embedder:
                vectors[place], embedded[place] = held.vector, True
        memories = [fact.memory for fact in facts]
        return SearchRows.from_terms(
            [hash_terms(tokenizer.terms(memory.content)) for memory in memories],
            vectors=vectors,
            embedded=embedded,
            at=[memory.last_confirmed_at.timestamp() for memory in memories],
            kinds=np.full(len(facts), RowKind.MEMORY),
            confidence=[memory.confidence for memory in memories],
            uses=[memory.usage_count for memory in memories],
            used_at=[
                memory.last_used_at.timestamp() if memory.last_used_at else np.nan
                for memory in memories
            ],
        )


def build_entry(message: Message, tokenizer: Tokenizer) -> IndexEntry:
    """Return what recall keeps of a message, still without its vector."""
    speaker = message.speaker
    return IndexEntry(
        speaker=_SPEAKERS[message.role],
        asks=is_question(message.content),
        position=message.position,
        at=message.created_at.timestamp(),
        name=hash_name(tokenizer.terms(speaker)) if speaker else NO_NAME,
        terms=hash_terms(tokenizer.terms(message.content)),
        vector=None,
    )


def derive_session_code(session_id: UUID) -> int:
    """Return the number by which the index tells sessions apart."""
    return session_id.int & _SESSION_BITS
