"""Finds what a person said or is known for, and keeps it findable."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np

from gieok.database import Audit, Change, Database, Transaction
from gieok.kernel.errors import InvalidInputError, UnavailableError
from gieok.kernel.language import Embedder, Tokenizer, Vectors
from gieok.kernel.offload import run_aside, run_in_thread
from gieok.kernel.portions import split_portions
from gieok.kernel.scope import Scope
from gieok.memories import Fact, Memories
from gieok.pii import mask_text
from gieok.privacy import PersonKey, Vault
from gieok.recall import store
from gieok.recall.hits import (
    RankedRow,
    build_memory_hit,
    build_message_hit,
    build_summary_hit,
)
from gieok.recall.model import Filters, Hit, HitKind
from gieok.recall.recall_index import ID_BYTES, RecallIndex, build_message_entry
from gieok.recall.selection import (
    rank_newer,
    rank_rows,
    select_allowed,
    select_sessions,
)
from gieok.recall.summary_indexer import ENTITY, SummaryIndexer
from gieok.recall.summary_store import load_summary_entries, load_texts
from gieok.search.codec import encode_entry
from gieok.search.index_cache import IndexCache
from gieok.search.lexicon import hash_terms
from gieok.search.question import QueryAdaptation, remove_names, select_speaker
from gieok.search.rank import SearchQuery, measure_signals
from gieok.search.rows import Hashes, RowMask
from gieok.sessions import Message
from gieok.sessions.masking import mask_unmasked
from gieok.sessions.message_store import list_messages_by_id
from gieok.sessions.reader_store import claim_indexing
from gieok.settings import Settings
from gieok.settings.consent_rules import can_store_texts
from gieok.text.cleaning import clean_text
from gieok.text.time_expressions import extract_time_span

MAX_HITS = 200
BATCH = 64
"""Messages read at once to be embedded."""
PORTION = 8_000
"""Characters embedded between two transactions: some seconds of work, which is what a
server that stops loses."""
NEWEST_UNSEARCHABLE = 500
"""Messages that are searched by their words before the indexing job reached them."""
UNSEARCHABLE_CHARACTERS = 100_000
"""Characters of those at most: half a second of morphology; the newest come first."""
LONGEST_QUESTION_BYTES = 32_000
NOTHING = Filters()
MEMORIES = Filters(kinds=[HitKind.MEMORY])
_SEARCHED: Final = ("session_message", "user_memory", ENTITY)
"""Entities whose changes have the rows of each kind brought up to date."""


class SearchPart(NamedTuple):
    """How many hits are wanted, of what."""

    limit: int
    filters: Filters


class FoundParts(NamedTuple):
    """What was found of each part, in their order, for a person of this language.

    `zone` is theirs too. Both are empty where memory is off or nobody is known.
    """

    parts: tuple[tuple[Hit, ...], ...]
    zone: str = ""
    language: str = ""
    newer: tuple[Hit, ...] = ()
    """Memories that say otherwise than what was found, and were found in no part."""


class ParsedQuestion(NamedTuple):
    """A question, masked; what of it is embedded; and its terms, hashed."""

    text: str
    nameless: str
    terms: Hashes


@dataclass(slots=True, kw_only=True)
class Recall:
    """Search over everyone's memory, one person at a time.

    `max_bytes` bounds the vectors held in memory; the least recently asked go first.
    Without `adapt_query` a question finds everything by its own vector.
    """

    database: Database
    vault: Vault
    memories: Memories
    embedder: Embedder
    tokenizer: Tokenizer
    adapt_query: QueryAdaptation | None = None
    max_bytes: int = 256 * 2**20
    _indexes: IndexCache[RecallIndex] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._indexes = IndexCache(self._create_index, self.max_bytes)

    async def search(
        self,
        scope: Scope,
        question: str,
        *,
        limit: int = 10,
        filters: Filters = NOTHING,
    ) -> tuple[Hit, ...]:
        """Return what answers a question best, best first.

        Without an embedder that answers, words alone decide. Nothing is found for a
        person who switched memory off, and no memory of a category they do not allow;
        what they wrote or imported counts in any until they have chosen some.

        Raises:
            InvalidInputError: an empty question or a limit outside 1 to 200.
        """
        found = await self.search_each(scope, question, [SearchPart(limit, filters)])
        return found.parts[0]

    async def search_each(
        self,
        scope: Scope,
        question: str,
        parts: Sequence[SearchPart],
        *,
        with_newer: bool = False,
    ) -> FoundParts:
        """Return what `search` finds for each of several filters, in their order.

        The question is read and embedded once. `with_newer` finds the newer memories
        in use that say otherwise than what was found as well, however they rank.

        Raises:
            InvalidInputError: an empty question or a limit outside 1 to 200.
        """
        clean = await run_aside(
            len(question),
            lambda: clean_text("query", question, max_bytes=LONGEST_QUESTION_BYTES),
        )
        if not all(1 <= part.limit <= MAX_HITS for part in parts):
            field_name = "limit"
            raise InvalidInputError(field_name, f"it must be from 1 to {MAX_HITS}")
        key = await self.vault.get_reading_key(scope)
        read = await asyncio.to_thread(
            self._parse_question, clean, await self._load_names(scope, key)
        )
        vector = await self._embed_question(read.nameless)
        async with self.database.begin(scope, durable=False) as tx:
            person = await store.read_person_state(tx)
            settings = await self.memories.settings.read_settings(tx)
            if person is None or not settings.is_enabled:
                return FoundParts(tuple(() for _ in parts))
            sessions = [
                await self._resolve_sessions(tx, part.filters) for part in parts
            ]
            now = tx.now.astimezone(ZoneInfo(person.zone))
            asked = _build_query(read, vector, now, self.adapt_query)
            held = await self._load_index(tx, key, person)
            await asyncio.sleep(0)  # others' turn, between bringing up to date and rank
            defaults = self.memories.settings.defaults
            ranked = _rank_parts(
                held,
                asked,
                [*zip(parts, sessions, strict=True)],
                lambda filters: select_allowed(
                    held, filters, settings, defaults, tx.now
                ),
                with_newer=with_newer,
            )
            found = [await self._build_hits(tx, key, best) for best in ranked]
            hits = [await _filter_storable(settings, each) for each in found]
            count = sum(len(each) for each in hits)
            tx.record_audit(
                Audit("access", "recall_items", scope.user_id, "recall", {"n": count})
            )
        newer = hits.pop() if with_newer else ()
        return FoundParts(tuple(hits), person.zone, person.language, newer)

    async def index(self, scope: Scope) -> int:
        """Make everything of a person findable; return how many things were new.

        That is messages, memories, episodes and summaries.

        Raises:
            ModelUnavailableError: the embedder does not answer; words are searchable
                already, and the job tries again.
        """
        async with self.database.begin(scope) as tx:
            await claim_indexing(tx)
            await tx.lock_person()
        key = await self.vault.get_key(scope)
        done = await self.memories.embed(scope)
        while batch := await self._list_waiting(scope, key):
            for portion in split_portions(batch, _count_characters, PORTION):
                done += await self._index_messages(scope, key, portion)
        summaries = SummaryIndexer(self.database, self.embedder, self.tokenizer)
        return done + await summaries.index(scope, key)

    def drop(self, scope: Scope) -> None:
        """Forget what is held in memory of a person."""
        self._indexes.remove_index(scope.user_id)

    async def _list_waiting(self, scope: Scope, key: PersonKey) -> list[Message]:
        async with self.database.begin(scope) as tx:
            await mask_unmasked(tx, key)
            waiting = await store.list_unindexed(tx, key, BATCH)
            name = self.embedder.name
            return waiting or await store.list_unembedded(tx, key, name, BATCH)

    async def _index_messages(
        self, scope: Scope, key: PersonKey, batch: Sequence[Message]
    ) -> int:
        vectors = await self.embedder.passages([said.content for said in batch])
        entries = await asyncio.to_thread(
            lambda: [build_message_entry(said, self.tokenizer) for said in batch]
        )
        full = [
            (said, encode_entry(replace(entry, vector=vector)))
            for said, entry, vector in zip(batch, entries, vectors, strict=True)
        ]
        async with self.database.begin(scope) as tx:
            # Sessions before counters, as everyone who records takes them.
            await store.lock_sessions(tx, [said.session_id for said in batch])
            held = await list_messages_by_id(
                tx, key, [said.message_id for said in batch]
            )
            same = {(said.message_id, said.content) for said in held}
            full = [one for one in full if (one[0].message_id, one[0].content) in same]
            tx.record_changes(Change("recall_item", batch[0].message_id))
            await tx.journal.write(tx)
            await store.upsert_entries(tx, key, full, self.embedder.name)
        return len(full)

    async def _load_names(self, scope: Scope, key: PersonKey) -> Hashes:
        """Return who spoke; reads the person's items if they are not in memory."""
        held = self._indexes.find_index(scope.user_id)
        if held is None:
            async with self.database.begin(scope) as tx:
                person = await store.read_person_state(tx)
                if person is None:
                    return np.zeros(0, np.uint64)
                held = await self._load_index(tx, key, person)
        return held.index.items.names

    async def _embed_question(self, text: str) -> Vectors | None:
        try:
            return (await self.embedder.queries([text]))[0]
        except UnavailableError:
            return None

    def _parse_question(self, question: str, names: Hashes) -> ParsedQuestion:
        """Read a question: in a thread, as morphology may be busy with long texts."""
        text, terms = mask_text(question), self.tokenizer.terms
        nameless = remove_names(text, names, terms)
        return ParsedQuestion(text, nameless, hash_terms(terms(text)))

    async def _load_index(
        self, tx: Transaction, key: PersonKey, head: store.PersonState
    ) -> RecallIndex:
        """Return the person's index, brought up to where they stand."""
        return await self._indexes.load_index(
            tx.scope.user_id,
            (head.incarnation, head.number),
            lambda held: self._update_index(tx, key, held),
        )

    async def _update_index(
        self, tx: Transaction, key: PersonKey, held: RecallIndex
    ) -> RecallIndex:
        first = held.change_number < 0
        changed: set[tuple[str, str]] = set()
        if not first:
            changed = await store.list_changed_entities(tx, held.change_number)
        if ("feed", "delete") in changed:
            held, first = self._create_index(held.incarnation), True
        elif any(operation == "delete" for _, operation in changed):
            # What goes with what was deleted is not always told of by itself.
            held.select_messages(await store.list_entry_ids(tx))
            changed |= {(entity, "delete") for entity in _SEARCHED}
        entities = {entity for entity, _ in changed}
        if not first and "session_message" in entities:
            held.remove_messages(
                await store.list_changed_messages(tx, held.change_number)
            )
        held.add_stored(
            await store.load_entries(
                tx, key, since=held.change_number, embedder=self.embedder.name
            )
        )
        if first or entities & {"conversation_pair", "session_message"}:
            newest = await store.list_unindexed(tx, key, NEWEST_UNSEARCHABLE)
            new = held.select_unknown(newest, UNSEARCHABLE_CHARACTERS)
            entries = await asyncio.to_thread(
                lambda: [
                    encode_entry(build_message_entry(said, self.tokenizer))
                    for said in new
                ]
            )
            held.add_messages(new, entries)
        if first or entities & {"user_memory", "user"}:
            await self._set_facts(held, await self.memories.facts(tx, key))
        if first or entities & {ENTITY, "episode"}:
            found = await load_summary_entries(tx, key, self.embedder.name)
            await run_in_thread(lambda: held.set_summaries(found))
        return held

    async def _set_facts(self, held: RecallIndex, facts: Sequence[Fact]) -> None:
        def update() -> None:
            changed = held.list_changed_facts(facts)
            texts = [fact.memory.content for fact in changed]
            terms = [hash_terms(self.tokenizer.terms(text)) for text in texts]
            held.set_facts(facts, changed, terms)

        await run_aside(sum(len(fact.memory.content) for fact in facts), update)

    def _create_index(self, incarnation: int) -> RecallIndex:
        return RecallIndex(self.embedder.dimension, self.embedder.name, incarnation)

    async def _resolve_sessions(
        self, tx: Transaction, filters: Filters
    ) -> Sequence[UUID] | None:
        if filters.session_id is not None:
            return [filters.session_id]
        if filters.persona_id is not None:
            return await store.list_persona_sessions(tx, filters.persona_id)
        if filters.listener is not None:
            return await store.list_heard_sessions(tx, filters.listener)
        return None

    async def _build_hits(
        self, tx: Transaction, key: PersonKey, best: Sequence[RankedRow]
    ) -> tuple[Hit, ...]:
        summaries = [each.summary for each in best if each.summary is not None]
        texts = await load_texts(
            tx, key, [(each.kind, each.item_id) for each in summaries]
        )
        wanted = [
            UUID(bytes=found.id)
            for found in best
            if found.fact is None and found.summary is None
        ]
        said = {
            message.message_id.bytes: message
            for message in (
                await list_messages_by_id(tx, key, wanted) if wanted else ()
            )
        }
        hits = (
            build_memory_hit(found.fact.memory, found, tx.now)
            if found.fact is not None
            else build_message_hit(said.get(found.id), found)
            if found.summary is None
            else build_summary_hit(texts.get(found.id[:ID_BYTES]), found)
            for found in best
        )
        return tuple(hit for hit in hits if hit is not None)


def _rank_parts(
    held: RecallIndex,
    asked: SearchQuery,
    parts: Sequence[tuple[SearchPart, Sequence[UUID] | None]],
    select: Callable[[Filters], RowMask],
    *,
    with_newer: bool,
) -> list[list[RankedRow]]:
    """Return the best rows of each part, which is of some sessions or of any.

    `with_newer` adds what says otherwise than those and is newer.
    """
    scores = measure_signals(held.index, asked)
    ranked = [
        rank_rows(
            held,
            asked,
            scores,
            select(part.filters) & select_sessions(held, among),
            part.limit,
        )
        for part, among in parts
    ]
    if with_newer:
        rows = [row for best in ranked for row in best]
        ranked.append(rank_newer(held, asked, scores, select(MEMORIES), rows))
    return ranked


async def _filter_storable(settings: Settings, found: Sequence[Hit]) -> tuple[Hit, ...]:
    return await run_aside(
        sum(len(hit.content) for hit in found),
        lambda: tuple(hit for hit in found if can_store_texts(settings, hit.content)),
    )


def _build_query(
    read: ParsedQuestion,
    vector: Vectors | None,
    now: datetime,
    adapt_query: QueryAdaptation | None,
) -> SearchQuery:
    span = extract_time_span(read.text, now)
    return SearchQuery(
        read.terms,
        vector,
        now=now.timestamp(),
        interval=span and (span[0].timestamp(), span[1].timestamp()),
        favours=select_speaker(read.text),
        memory_vector=adapt_query(vector)
        if adapt_query is not None and vector is not None
        else None,
    )


def _count_characters(said: Message) -> int:
    return len(said.content)
