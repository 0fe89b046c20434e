"""A person's messages, memories and summaries in memory, as recall searches them."""

from collections.abc import Collection, Container, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

import numpy as np

from gieok.kernel.language import Role, Tokenizer
from gieok.kernel.portions import split_portions
from gieok.memories import Fact
from gieok.recall.fact_columns import FactColumns
from gieok.recall.model import Filters, HitKind
from gieok.recall.store import StoredEntries
from gieok.recall.summary_store import SummaryEntry
from gieok.search.codec import IndexEntry, decode_entries
from gieok.search.person_index import PersonIndex
from gieok.search.rows import (
    NO_NAME,
    NO_SESSION,
    Hashes,
    RowKind,
    RowMask,
    SearchRows,
)
from gieok.search.text_entries import TextOrigin, build_entry, hash_speaker
from gieok.sessions import Message

ID_BYTES = 16
_SESSION_BITS = (1 << 63) - 1


@dataclass(slots=True)
class RecallIndex(PersonIndex):
    """A person's index of messages, memories and summaries, under their ids."""

    facts: dict[bytes, Fact] = field(default_factory=dict[bytes, Fact])
    """The rows that are memories."""
    fact_columns: FactColumns = field(
        default_factory=lambda: FactColumns.from_facts(())
    )
    """What decides which of them may be found, in their order."""
    summaries: dict[bytes, SummaryEntry] = field(
        default_factory=dict[bytes, SummaryEntry]
    )
    """Summaries and episodes, by their id: each sentence is a row under the id and its
    number."""
    finer: dict[bytes, frozenset[HitKind]] = field(
        default_factory=dict[bytes, frozenset[HitKind]]
    )
    """By which other kinds what a summary or episode tells is found as well."""

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

    def remove_messages(self, ids: Collection[bytes]) -> None:
        """Remove the rows of messages that say something else now."""
        self._remove_rows([each for each in ids if each in self.places])

    def select_messages(self, ids: Container[bytes]) -> None:
        """Remove the rows of all messages but these."""
        kinds = self.index.items.kinds
        rows = np.flatnonzero(kinds == RowKind.MESSAGE).tolist()
        said = [self.ids[row] for row in rows]
        self._remove_rows([each for each in said if each not in ids])

    def list_changed_facts(self, facts: Sequence[Fact]) -> list[Fact]:
        """Return the facts that are not here, or not as they are now."""
        here = self.facts
        return [
            fact
            for fact in facts
            if not _is_same_fact(here.get(fact.memory.memory_id.bytes), fact)
        ]

    def set_facts(
        self, facts: Sequence[Fact], changed: Sequence[Fact], terms: Sequence[Hashes]
    ) -> None:
        """Replace all facts, of which `changed` are not here as they are now.

        `terms` are theirs.
        """
        kept = {fact.memory.memory_id.bytes: fact for fact in facts}
        renewed = [fact.memory.memory_id.bytes for fact in changed]
        gone = self.facts.keys() - (kept.keys() - set(renewed))
        self._remove_rows(gone)
        self.facts = kept
        self.fact_columns = FactColumns.from_facts(facts)
        if changed:
            self.upsert_rows(renewed, self._build_fact_rows(changed, terms))

    def list_fact_places(self) -> list[int]:
        """Return the rows of the memories, in the order of `fact_columns`."""
        return [self.places[item_id] for item_id in self.facts]

    def set_summaries(self, found: Sequence[SummaryEntry]) -> None:
        """Replace all summaries and episodes."""
        self._remove_rows(
            [
                _build_row_id(item_id, place)
                for item_id, each in self.summaries.items()
                for place in range(len(each.entries))
            ]
        )
        self.summaries = {each.item_id.bytes: each for each in found}
        parts = [(each, place) for each in found for place in range(len(each.entries))]
        if not parts:
            return
        nowhere = np.full(len(parts), NO_SESSION)
        columns = decode_entries(
            [each.entries[place] for each, place in parts],
            nowhere,
            dimension=self.dimension,
        )
        comparable = np.array([each.is_comparable for each, _ in parts])
        rows = replace(
            columns,
            embedded=columns.embedded & comparable,
            kinds=np.full(len(parts), RowKind.SUMMARY, np.int8),
        )
        ids = [_build_row_id(each.item_id.bytes, place) for each, place in parts]
        self.upsert_rows(ids, rows)
        told = set(self.index.items.sessions.tolist())
        episodes = {each.session_id for each in found if each.kind is HitKind.EPISODE}
        self.finer = {
            each.item_id.bytes: _list_finer(each, told, episodes) for each in found
        }

    def find_summary(self, row_id: bytes) -> SummaryEntry | None:
        """Return the summary or episode of which a row is a sentence, if it is one."""
        return self.summaries.get(row_id[:ID_BYTES])

    def mark_summaries(self, filters: Filters) -> RowMask:
        """Return which sentences may be found: of no summary whose sources are too."""
        marked = np.zeros(len(self.ids), np.bool_)
        for item_id, each in self.summaries.items():
            if filters.has_kind(each.kind) and self._is_allowed(each, filters):
                for place in range(len(each.entries)):
                    marked[self.places[_build_row_id(item_id, place)]] = True
        return marked

    def _is_allowed(self, entry: SummaryEntry, filters: Filters) -> bool:
        """Tell whether it is of whom is asked, and not found as it was said."""
        if filters.session_id is not None:
            if entry.session_id != filters.session_id:
                return False
        elif not (filters.any_persona or filters.can_hear(entry.persona_id)):
            return False
        return not any(
            filters.has_kind(kind) or kind in filters.unless_kept
            for kind in self.finer[entry.item_id.bytes]
        )

    def _remove_rows(self, ids: Collection[bytes]) -> None:
        if ids:
            gone = [self.places[each] for each in ids]
            mask = np.ones(len(self.ids), np.bool_)
            mask[gone] = False
            self.select_rows(mask)

    def _build_fact_rows(
        self, facts: Sequence[Fact], terms: Sequence[Hashes]
    ) -> SearchRows:
        vectors = np.zeros((len(facts), self.dimension), np.float32)
        embedded = np.zeros(len(facts), np.bool_)
        for place, fact in enumerate(facts):
            held = fact.embedding
            if held is not None and held.embedder == self.embedder:
                vectors[place], embedded[place] = held.vector, True
        memories = [fact.memory for fact in facts]
        return SearchRows.from_terms(
            terms,
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


def _is_same_fact(before: Fact | None, now: Fact) -> bool:
    if before is None or before.memory != now.memory:
        return False
    held, made = before.embedding, now.embedding
    if held is None or made is None:
        return held is made
    return held.embedder == made.embedder and np.array_equal(held.vector, made.vector)


def _list_finer(
    entry: SummaryEntry, told: Container[int], episodes: Container[UUID | None]
) -> frozenset[HitKind]:
    if entry.kind in {HitKind.DAY_SUMMARY, HitKind.WEEK_SUMMARY}:
        return frozenset({HitKind.SESSION_SUMMARY})
    if entry.session_id is None:
        return frozenset()
    finer: set[HitKind] = set()
    if derive_session_code(entry.session_id) in told:
        finer.add(HitKind.MESSAGE)
    if entry.kind is HitKind.SESSION_SUMMARY and entry.session_id in episodes:
        finer.add(HitKind.EPISODE)
    return frozenset(finer)


def build_sentence_entry(
    text: str, place: int, at: datetime, tokenizer: Tokenizer
) -> IndexEntry:
    """Return what recall keeps of a sentence of a summary, still without its vector."""
    origin = TextOrigin(Role.SYSTEM, place, at, NO_NAME)
    return build_entry(text, origin, tokenizer)


def _build_row_id(item_id: bytes, place: int) -> bytes:
    return item_id + bytes([place])


def build_message_entry(message: Message, tokenizer: Tokenizer) -> IndexEntry:
    """Return what recall keeps of a message, still without its vector."""
    name = hash_speaker(message.speaker, tokenizer)
    origin = TextOrigin(message.role, message.position, message.spoken_at, name)
    return build_entry(message.content, origin, tokenizer)


def derive_session_code(session_id: UUID) -> int:
    """Return the number by which the index tells sessions apart."""
    return session_id.int & _SESSION_BITS
