"""Finds what a person said or is known for, and keeps it findable."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from math import isnan
from typing import NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np

from gieok.database import Audit, Change, Database, Transaction
from gieok.kernel.aside import run_aside
from gieok.kernel.errors import InvalidInputError, UnavailableError
from gieok.kernel.language import Embedder, Tokenizer, Vectors
from gieok.kernel.portions import split_portions
from gieok.kernel.scope import Scope
from gieok.kernel.text import clean_text
from gieok.kernel.when import extract_time_span
from gieok.memories import Fact, Memories, Memory
from gieok.pii import masked
from gieok.privacy import PersonKey, Vault
from gieok.recall import store
from gieok.recall.asked import favoured, nameless
from gieok.recall.codec import packed
from gieok.recall.held import Held, entry_of, session_code
from gieok.recall.items import Hashes, Kind, Mask
from gieok.recall.model import Filters, Hit, HitKind
from gieok.recall.rank import Question, rank, relevance, top
from gieok.sessions import Message
from gieok.sessions.screening import mask_unmasked
from gieok.sessions.store import claim_indexing, list_messages_by_id
from gieok.settings import Settings
from gieok.settings.consenting import may_hold

MOST_HITS = 200
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


class Found(NamedTuple):
    """One row that was chosen; `fact` is None for a message."""

    id: bytes
    fact: Fact | None
    score: float
    relevance: float


class Read(NamedTuple):
    """A question, masked; what of it is embedded; and its terms."""

    text: str
    nameless: str
    terms: Sequence[str]


@dataclass(slots=True)
class Recall:
    """Search over everyone's memory, one person at a time.

    `most_bytes` bounds the vectors held in memory; the least recently asked go first.
    """

    database: Database
    vault: Vault
    memories: Memories
    embedder: Embedder
    tokenizer: Tokenizer
    most_bytes: int = 256 * 2**20
    _held: OrderedDict[UUID, Held] = field(
        default_factory=OrderedDict[UUID, Held], repr=False
    )
    _sizes: dict[UUID, int] = field(default_factory=dict[UUID, int], repr=False)
    _total: int = 0
    _locks: dict[UUID, asyncio.Lock] = field(
        default_factory=dict[UUID, asyncio.Lock], repr=False
    )

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
        person who switched memory off, and no memory of a category they do not allow.

        Raises:
            InvalidInputError: an empty question or a limit outside 1 to 200.
        """
        clean = clean_text("query", question, max_bytes=LONGEST_QUESTION_BYTES)
        if not 1 <= limit <= MOST_HITS:
            field_name = "limit"
            raise InvalidInputError(field_name, f"it must be from 1 to {MOST_HITS}")
        key = await self.vault.key(scope)
        read = await asyncio.to_thread(self._read, clean, await self._names(scope, key))
        vector = await self._vector(read.nameless)
        async with self.database.begin(scope, durable=False) as tx:
            person = await store.head(tx)
            settings = await self.memories.settings.within(tx)
            if person is None or not settings.is_enabled:
                return ()
            sessions = await self._sessions(tx, filters)
            held = await self._current(tx, key, person)
            # Nothing is awaited from here until the rows are chosen: another search
            # of the same person may bring the index up to date meanwhile.
            asked = _question(read, vector, tx.now.astimezone(ZoneInfo(person.zone)))
            allowed = _allowed(held, filters, settings, tx.now)
            if sessions is not None:
                codes = [session_code(session_id) for session_id in sessions]
                allowed &= np.isin(held.index.items.sessions, codes)
            scores = rank(held.index, asked)
            bearing = relevance(held.index, asked, allowed)
            best = [
                Found(
                    held.ids[row],
                    held.facts.get(row),
                    float(scores[row]),
                    float(bearing[row]),
                )
                for row in top(scores, limit, allowed).tolist()
            ]
            found = await self._hits(tx, key, best)
            hits = await _holdable(settings, found)
            tx.audit(
                Audit(
                    "access", "recall_items", scope.user_id, "recall", {"n": len(hits)}
                )
            )
        return hits

    async def index(self, scope: Scope) -> int:
        """Make every message and memory of a person findable; return how many were new.

        Raises:
            ModelUnavailableError: the embedder does not answer; words are searchable
                already, and the job tries again.
        """
        async with self.database.begin(scope) as tx:
            await claim_indexing(tx)
            await tx.lock_person()
        key = await self.vault.key(scope)
        done = await self.memories.embed(scope)
        while batch := await self._waiting(scope, key):
            for portion in split_portions(batch, _length, PORTION):
                done += await self._make_searchable(scope, key, portion)
        return done

    def drop(self, scope: Scope) -> None:
        """Forget what is held in memory of a person."""
        self._let_go(scope.user_id)

    async def _waiting(self, scope: Scope, key: PersonKey) -> list[Message]:
        async with self.database.begin(scope) as tx:
            await mask_unmasked(tx, key)
            waiting = await store.unsearchable(tx, key, BATCH)
            name = self.embedder.name
            return waiting or await store.without_vector(tx, key, name, BATCH)

    async def _make_searchable(
        self, scope: Scope, key: PersonKey, batch: Sequence[Message]
    ) -> int:
        vectors = await self.embedder.passages([said.content for said in batch])
        entries = await asyncio.to_thread(
            lambda: [entry_of(said, self.tokenizer) for said in batch]
        )
        full = [
            (said, packed(replace(entry, vector=vector)))
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
            tx.number(Change("recall_item", batch[0].message_id))
            await tx.journal.write(tx)
            await store.put(tx, key, full, self.embedder.name)
        return len(full)

    async def _names(self, scope: Scope, key: PersonKey) -> Hashes:
        """Return who spoke; reads the person's items if they are not in memory."""
        held = self._held.get(scope.user_id)
        if held is None:
            async with self.database.begin(scope) as tx:
                person = await store.head(tx)
                if person is None:
                    return np.zeros(0, np.uint64)
                held = await self._current(tx, key, person)
        return held.index.items.names

    async def _vector(self, text: str) -> Vectors | None:
        try:
            return (await self.embedder.queries([text]))[0]
        except UnavailableError:
            return None

    def _read(self, question: str, names: Hashes) -> Read:
        """Read a question: in a thread, as morphology may be busy with long texts."""
        text, terms = masked(question), self.tokenizer.terms
        return Read(text, nameless(text, names, terms), terms(text))

    async def _current(self, tx: Transaction, key: PersonKey, head: store.Head) -> Held:
        """Return the person's index, brought up to where they stand."""
        person = tx.scope.user_id
        lock = self._locks.setdefault(person, asyncio.Lock())
        async with lock:
            held = self._held.get(person)
            if held is None or held.incarnation != head.incarnation:
                held = self._nothing(head.incarnation)
            if head.number > held.head:
                held = await self._refreshed(tx, key, held, head.number)
            self._keep(person, held)
        return held

    async def _refreshed(
        self, tx: Transaction, key: PersonKey, held: Held, number: int
    ) -> Held:
        first = held.head < 0
        changed: set[tuple[str, str]] = set()
        if not first:
            changed = await store.changed_entities(tx, held.head)
        if any(operation == "delete" for _, operation in changed):
            held, first = self._nothing(held.incarnation), True
        entities = {entity for entity, _ in changed}
        held.add_stored(
            await store.items(tx, key, since=held.head, embedder=self.embedder.name)
        )
        if first or entities & {"conversation_pair", "session_message"}:
            newest = await store.unsearchable(tx, key, NEWEST_UNSEARCHABLE)
            new = held.unknown(newest, UNSEARCHABLE_CHARACTERS)
            entries = await asyncio.to_thread(
                lambda: [packed(entry_of(said, self.tokenizer)) for said in new]
            )
            held.add_messages(new, entries)
        if first or "user_memory" in entities:
            facts = await self.memories.facts(tx, key)
            held.set_facts(facts, self.tokenizer)
        held.head = number
        return held

    def _nothing(self, incarnation: int) -> Held:
        return Held(self.embedder.dimension, self.embedder.name, incarnation)

    def _keep(self, person: UUID, held: Held) -> None:
        self._held[person] = held
        self._held.move_to_end(person)
        size = held.size
        self._total += size - self._sizes.get(person, 0)
        self._sizes[person] = size
        while len(self._held) > 1 and self._total > self.most_bytes:
            self._let_go(next(iter(self._held)))

    def _let_go(self, person: UUID) -> None:
        self._held.pop(person, None)
        self._locks.pop(person, None)
        self._total -= self._sizes.pop(person, 0)

    async def _sessions(
        self, tx: Transaction, filters: Filters
    ) -> Sequence[UUID] | None:
        if filters.session_id is not None:
            return [filters.session_id]
        if filters.persona_id is not None:
            return await store.persona_sessions(tx, filters.persona_id)
        return None

    async def _hits(
        self, tx: Transaction, key: PersonKey, best: Sequence[Found]
    ) -> tuple[Hit, ...]:
        wanted = [UUID(bytes=found.id) for found in best if found.fact is None]
        said = {
            message.message_id.bytes: message
            for message in (
                await list_messages_by_id(tx, key, wanted) if wanted else ()
            )
        }
        hits = (
            _memory_hit(found.fact.memory, found, tx.now)
            if found.fact is not None
            else _message_hit(said.get(found.id), found.score)
            for found in best
        )
        return tuple(hit for hit in hits if hit is not None)


async def _holdable(settings: Settings, found: Sequence[Hit]) -> tuple[Hit, ...]:
    return await run_aside(
        sum(len(hit.content) for hit in found),
        lambda: tuple(hit for hit in found if may_hold(settings, hit.content)),
    )


def _question(read: Read, vector: Vectors | None, now: datetime) -> Question:
    span = extract_time_span(read.text, now)
    return Question.of(
        read.terms,
        vector=vector,
        now=now.timestamp(),
        interval=span and (span[0].timestamp(), span[1].timestamp()),
        favours=favoured(read.text),
    )


def _length(said: Message) -> int:
    return len(said.content)


def _allowed(held: Held, filters: Filters, settings: Settings, now: datetime) -> Mask:
    """Return which rows may be found, sessions aside."""
    items = held.index.items
    facts = items.kinds == Kind.MEMORY
    wants_messages = filters.kinds is None or HitKind.MESSAGE in filters.kinds
    allowed = ~facts & (wants_messages and filters.categories is None)
    if filters.kinds is None or HitKind.MEMORY in filters.kinds:
        for row, fact in held.facts.items():
            allowed[row] = _may_be_found(fact.memory, filters, settings, now)
    if filters.since is not None:
        allowed &= items.at >= filters.since.timestamp()
    if filters.until is not None:
        allowed &= items.at < filters.until.timestamp()
    return allowed


def _may_be_found(
    memory: Memory, filters: Filters, settings: Settings, now: datetime
) -> bool:
    if memory.category not in settings.allowed_categories:
        return False
    if filters.categories is not None and memory.category not in filters.categories:
        return False
    if memory.expires_at is not None and memory.expires_at <= now:
        return False
    return memory.confidence_at(now) >= filters.min_confidence


def _memory_hit(memory: Memory, found: Found, now: datetime) -> Hit:
    return Hit(
        kind=HitKind.MEMORY,
        id=memory.memory_id,
        content=memory.content,
        score=found.score,
        at=memory.last_confirmed_at.astimezone(UTC),
        session_id=memory.source_session_id,
        category=memory.category,
        confidence=round(memory.confidence_at(now), 4),
        trust=memory.trust,
        relevance=None if isnan(found.relevance) else round(found.relevance, 3),
    )


def _message_hit(message: Message | None, score: float) -> Hit | None:
    if message is None:
        return None
    return Hit(
        kind=HitKind.MESSAGE,
        id=message.message_id,
        content=message.content,
        score=score,
        at=message.created_at.astimezone(UTC),
        session_id=message.session_id,
        position=message.position,
        role=message.role,
    )
