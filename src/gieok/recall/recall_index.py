"""A person's messages and memories in memory, as recall searches them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

import numpy as np

from gieok.kernel.language import Tokenizer
from gieok.kernel.portions import split_portions
from gieok.memories import Fact
from gieok.recall.store import StoredEntries
from gieok.search.codec import IndexEntry, decode_entries
from gieok.search.lexicon import hash_terms
from gieok.search.person_index import PersonIndex
from gieok.search.rows import RowKind, SearchRows
from gieok.search.text_entries import TextOrigin, build_entry, hash_speaker
from gieok.sessions import Message

_SESSION_BITS = (1 << 63) - 1


@dataclass(slots=True)
class RecallIndex(PersonIndex):
    """A person's index whose rows are messages and memories, under their ids."""

    facts: dict[int, Fact] = field(default_factory=dict[int, Fact])
    """The rows that are memories."""

    def add_stored(self, found: StoredEntries) -> None:
        """Take in stored items; one that is there already gets its vector."""
        if not found.ids:
            return
        codes = found.sessions & np.uint64(_SESSION_BITS)
        columns = decode_entries(found.entries, codes, dimension=self.dimension)
        comparable = columns.embedded & found.comparable
        self.upsert_rows(found.ids, replace(columns, embedded=comparable))

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
        self.upsert_rows([said.message_id.bytes for said in new], columns)

    def set_facts(self, facts: Sequence[Fact], tokenizer: Tokenizer) -> None:
        """Replace all facts."""
        mask = self.index.items.kinds != RowKind.MEMORY
        if not mask.all():
            self.select_rows(mask)
        first = len(self.ids)
        self.facts = {first + place: fact for place, fact in enumerate(facts)}
        if facts:
            ids = [fact.memory.memory_id.bytes for fact in facts]
            self.upsert_rows(ids, self._build_fact_rows(facts, tokenizer))

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


def build_message_entry(message: Message, tokenizer: Tokenizer) -> IndexEntry:
    """Return what recall keeps of a message, still without its vector."""
    name = hash_speaker(message.speaker, tokenizer)
    origin = TextOrigin(message.role, message.position, message.created_at, name)
    return build_entry(message.content, origin, tokenizer)


def derive_session_code(session_id: UUID) -> int:
    """Return the number by which the index tells sessions apart."""
    return session_id.int & _SESSION_BITS
