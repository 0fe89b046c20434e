"""The memories in use, and what claims and time change in them, in one transaction."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from heapq import nlargest
from typing import Final, NamedTuple
from uuid import UUID

import numpy as np

from gieok.accounts import store as accounts
from gieok.database import Change, Transaction, VectorMissing
from gieok.kernel.errors import ConfigurationError
from gieok.kernel.language import Basis, SourcedMemory
from gieok.kernel.logs import get_logger
from gieok.kernel.offload import run_aside, run_in_thread, yield_to_loop
from gieok.memories import store
from gieok.memories.capacity import select_surplus
from gieok.memories.claims import Claim
from gieok.memories.decay import merge_confidence
from gieok.memories.duplicate import ContradictionTest, assume_compatible
from gieok.memories.fact_index import FactIndex
from gieok.memories.history import record_step
from gieok.memories.model import (
    DeletePolicy,
    Embedding,
    Fact,
    Memory,
    SourceType,
    Trigger,
    merge_trust,
)
from gieok.memories.origins import HistoryAction, HistoryEntry
from gieok.memories.removal import erase_memories, erase_messages
from gieok.memories.replies import TermSplitter
from gieok.memories.restatement import ErasedWording, Restatement, list_restatements
from gieok.memories.source_store import list_by_sources
from gieok.memories.supersede import (
    can_contradict,
    is_later,
    is_overtaken,
    split_by_time,
)
from gieok.privacy import Ledger, PersonKey
from gieok.settings import Settings

SubcategoryLookup = Callable[[Embedding | None], str | None]
"""Names the part of a person's life that something is about, by its vector."""


MAX_LATER: Final = 3
"""Memories said since, the nearest, that a late one is compared with."""

log = get_logger("gieok.memories")


class _Comparable(NamedTuple):
    """A memory as it is compared."""

    memory: Memory
    sourced: SourcedMemory

    @classmethod
    def from_fact(cls, memory: Memory, embedding: Embedding) -> "_Comparable":
        """Return it with its vector."""
        return cls(memory, SourcedMemory(memory.content, embedding.vector))

    def compute_nearness(self, other: "_Comparable") -> float:
        """Return the cosine of the two."""
        return float(self.sourced.vector @ other.sourced.vector)


class ErasedByWish(NamedTuple):
    """A wish to forget that was carried out, and what was known of what it names."""

    claim: Claim
    contents: list[str]


@dataclass(slots=True)
class ActiveMemories:
    """What is in use of a person, kept in step with what is written."""

    tx: Transaction
    key: PersonKey
    settings: Settings
    trigger: str
    subcategory_of: SubcategoryLookup = lambda _: None
    contradicts: ContradictionTest = assume_compatible
    split: TermSplitter = str.split
    """Splits a text into the terms by which what says the same again is known."""
    facts: FactIndex = field(default_factory=FactIndex)
    time_zone: str = field(init=False, default="UTC")
    erased: dict[tuple[UUID, ...], ErasedByWish] = field(
        default_factory=dict[tuple[UUID, ...], ErasedByWish], repr=False
    )
    """Wishes to forget that were carried out, by the messages in which they stand."""
    _hidden: set[UUID] = field(default_factory=set[UUID], init=False, repr=False)
    """Messages of wishes that were hidden, and no memory with them."""
    _forgotten: set[UUID] = field(default_factory=set[UUID], init=False, repr=False)
    """Messages that the person asked to forget, with what rests on them."""
    confirmed: set[UUID] = field(default_factory=set[UUID], repr=False)
    """Memories that claims created or confirmed in this transaction."""

    async def load_facts(self) -> None:
        """Read what is active; call it once, before the first claim."""
        self.time_zone = (await accounts.get_person(self.tx)).time_zone
        found = await store.list_facts(self.tx, self.key)
        self.facts = await run_aside(
            sum(len(fact.memory.content) for fact in found),
            lambda: FactIndex.from_facts(found),
        )

    async def create_memory(self, claim: Claim, candidate_id: UUID) -> UUID:
        """Keep what a claim says; return the memory that holds it."""
        memory = self._build_memory(claim, candidate_id)
        held = await store.upsert_memory(self.tx, self.key, memory, claim.embedding)
        self.confirmed.add(held)
        if claim.embedding is None:
            person = self.tx.scope.user_id
            self.tx.publish(VectorMissing(person, claim.session_id or person))
        if held in self.facts:
            await self._merge_claim(claim, held)
            await self._set_requested_category(claim, held)
            await self._mark_contradicted(held)
            return held
        self.facts[held] = Fact(memory, claim.embedding)
        await self._record_step(
            HistoryAction.CREATED, held, claim, new=(claim.content, claim.confidence)
        )
        await self._mark_contradicted(held, claim)
        return held

    async def reinforce_memory(self, claim: Claim, target: UUID) -> UUID:
        """Confirm a memory because a claim repeats it; return the memory."""
        self.confirmed.add(target)
        await store.confirm_memory(
            self.tx, self.key, await self._merge_claim(claim, target)
        )
        await self._set_requested_category(claim, target)
        await self._mark_contradicted(target)
        return target

    async def supersede_memory(self, claim: Claim, target: UUID, by: UUID) -> None:
        """Take a memory out of use because another in use says what is true now."""
        if target == by:
            return
        before = self.facts.pop(target).memory
        await store.deactivate_memory(self.tx, self.key, before, "superseded", by=by)
        if before.is_pinned and claim.trust.is_high:
            await self._pin_successor(by)
        await self._set_stricter_policy(by, before.delete_policy)
        after = self.facts[by].memory
        await self._record_step(
            HistoryAction.UPDATED,
            target,
            claim,
            old=(before.content, before.confidence),
            new=(after.content, after.confidence),
        )

    async def retract_memory(self, claim: Claim, target: UUID) -> bool:
        """Erase what the person asked to forget; set aside what they denied.

        What was said again after they asked stays. False if what they asked to forget
        stays, or was gone already.
        """
        if claim.basis is Basis.REQUESTED:
            versions = await store.collect_versions(self.tx, [target])
            found = [
                await store.find_memory(self.tx, self.key, each) for each in versions
            ]
            known = [memory for memory in found if memory]
            wish = self.erased.setdefault(claim.message_ids, ErasedByWish(claim, []))
            wish.contents.extend(memory.content for memory in known)
            kept = {each.memory_id for each in known if is_overtaken(claim, each)}
            gone = [each for each in versions if each not in kept] if known else []
            erased = [each for each in known if each.memory_id not in kept]
            again = await self._list_restatements(claim, erased)
            gone += [each.memory.memory_id for each in again]
            await erase_memories(self.tx, gone, claim.message_ids)
            if not gone:
                self._hidden.update(claim.message_ids)
            for each in gone:
                self.facts.pop(each, None)
            for each in again:
                await self._keep_rest(claim, each)
            return bool(known) and target not in kept
        before = self.facts.pop(target).memory
        await store.deactivate_memory(self.tx, self.key, before, "denied")
        await self._record_step(
            HistoryAction.DEACTIVATED,
            target,
            claim,
            old=(before.content, before.confidence),
        )
        return True

    async def _list_restatements(
        self, claim: Claim, erased: Sequence[Memory]
    ) -> list[Restatement]:
        """Return what of the same talk says again what a wish erased."""
        wish, split = claim.preview or claim.content, self.split
        messages = [said for each in erased for said in each.source_message_ids]
        sessions = {each.source_session_id for each in erased} - {None}
        if not messages:
            return []
        found = await list_by_sources(
            self.tx, self.key, [*filter(None, sessions)], messages, []
        )
        gone = {each.memory_id for each in erased}
        others = [
            each
            for each in found
            if each.memory_id not in gone and not is_overtaken(claim, each)
        ]
        return await run_in_thread(
            lambda: list_restatements(
                [ErasedWording.from_memory(each, wish, split) for each in erased],
                others,
                split,
            )
        )

    async def _keep_rest(self, claim: Claim, told: Restatement) -> None:
        """Keep what a memory in use said besides what was erased with it."""
        if told.rest is None or not told.memory.is_active:
            return
        memory = replace(
            told.memory,
            memory_id=self.tx.new_id(),
            content=told.rest,
            preview=None,
            source_candidate_ids=(),
        )
        held = await store.upsert_memory(self.tx, self.key, memory, None)
        if held in self.facts:
            return
        self.facts[held] = Fact(memory, None)
        person = self.tx.scope.user_id
        self.tx.publish(VectorMissing(person, memory.source_session_id or person))
        await self._record_step(
            HistoryAction.CREATED, held, claim, new=(told.rest, memory.confidence)
        )

    async def erase_messages(self, message_ids: Sequence[UUID]) -> None:
        """Erase what the person said and asked to forget, with what rests on it."""
        self._forgotten.update(message_ids)
        for memory_id in await erase_messages(self.tx, self.key, message_ids):
            self.facts.pop(memory_id, None)

    async def hide_messages(self, message_ids: Sequence[UUID]) -> None:
        """Have the words of a wish never found or read again."""
        await erase_memories(self.tx, [], message_ids)
        self._hidden.update(message_ids)

    async def record_messages(self, ledger: Ledger) -> None:
        """Enter in the ledger which messages are never to be read again.

        Those that were hidden with a memory are entered with that (`attest_pending`).
        """
        person, at = self.tx.scope.user_id, self.tx.now
        await ledger.append_messages(person, self._forgotten, at)
        await ledger.append_messages(person, self._hidden, at, alone=True)

    async def expire_memories(self) -> None:
        """Take out of use what the person's retention no longer covers."""
        for memory in await store.list_overdue(self.tx, self.key):
            await self._deactivate_memory(
                memory, HistoryAction.EXPIRED, Trigger.RETENTION
            )

    async def deactivate_surplus(self, *, keep: UUID | None = None) -> None:
        """Take the weakest out of use while there are too many, but never `keep`.

        What was created or confirmed now gives way after all other unpinned ones.
        """
        most = self.settings.max_memories - (keep in self.facts)
        memories = [fact.memory for known, fact in self.facts.items() if known != keep]
        if len(memories) <= most:
            return
        surplus = await run_in_thread(
            lambda: select_surplus(memories, most, self.tx.now, self.confirmed)
        )
        for weak in surplus:
            await self._deactivate_memory(
                weak, HistoryAction.DEACTIVATED, Trigger.CAPACITY
            )
            self.facts.pop(weak.memory_id)

    @property
    def expires_at(self) -> datetime | None:
        """When the person's retention ends for what is confirmed now."""
        days = self.settings.retention_days
        return self.tx.now + timedelta(days=days) if days else None

    async def _mark_contradicted(
        self, memory_id: UUID, claim: Claim | None = None
    ) -> None:
        """Note what in use says otherwise than a memory that was just read.

        Of a new one, what its claim was made of is read as well. Nothing is taken out
        of use by it: of two, the earlier names the later.
        """
        own = self.facts[memory_id]
        if own.embedding is None:
            return
        found = await run_in_thread(lambda: self._list_contradicting(own, claim))
        earlier, later = split_by_time(own.memory, found)
        by = later.memory_id if later else self._find_later_mark(own.memory)
        if earlier or by or own.memory.contradicted_by:
            older = [each.memory_id for each in earlier]
            await store.set_contradicted(self.tx, older, memory_id, by)
            changed = [Change("user_memory", each) for each in older]
            self.tx.record_changes(*changed, Change("user_memory", memory_id))

    def _find_later_mark(self, memory: Memory) -> UUID | None:
        """Return what was found to contradict a memory and was said later still."""
        by = self.facts.get(memory.contradicted_by) if memory.contradicted_by else None
        return by.memory.memory_id if by and is_later(by.memory, memory) else None

    def _list_contradicting(self, own: Fact, claim: Claim | None) -> list[Memory]:
        """Return what is in use and says otherwise than one fact, or the other way.

        The later of two is compared as the new one, beside all that was said before it.
        Where nothing can compare them, which is logged, both stand.
        """
        if own.embedding is None or self.contradicts is assume_compatible:
            return []
        this = _Comparable.from_fact(own.memory, own.embedding)
        sourced = this.sourced if claim is None else claim.add_source(this.sourced)
        others: list[_Comparable] = []
        for fact in self.facts.values():
            yield_to_loop()
            if (
                fact is not own
                and fact.embedding is not None
                and fact.embedding.embedder == own.embedding.embedder
                and can_contradict(own.memory, fact.memory)
            ):
                others.append(_Comparable.from_fact(fact.memory, fact.embedding))
        since = [each for each in others if is_later(each.memory, this.memory)]
        try:
            found = self._compare(
                sourced, [o for o in others if not is_later(o.memory, this.memory)]
            )
            for each in nlargest(MAX_LATER, since, key=this.compute_nearness):
                before = [o for o in others if is_later(each.memory, o.memory)]
                if this.memory in self._compare(each.sourced, [this, *before]):
                    found.append(each.memory)
        except ConfigurationError as error:
            log.warning("contradictions_not_compared", reason=str(error))
            return []
        return found

    def _compare(
        self, new: SourcedMemory, known: Sequence[_Comparable]
    ) -> list[Memory]:
        """Return what a memory says otherwise than of what was said before it."""
        places = self.contradicts(
            new,
            [each.sourced.content for each in known],
            np.array([each.sourced.vector for each in known]),
        )
        return [known[place].memory for place in places]

    async def _merge_claim(self, claim: Claim, target: UUID) -> Memory:
        """Return what a memory is once the claim repeats it, and write that down."""
        fact = self.facts[target]
        before = fact.memory
        said_at = claim.compute_time(self.tx.now)
        after = replace(
            before,
            confidence=merge_confidence(
                before.confidence_at(self.tx.now), claim.confidence
            ),
            source_message_ids=join_ids(before.source_message_ids, claim.message_ids),
            usage_count=before.usage_count + 1,
            trust=merge_trust(before.trust, claim.trust),
            last_confirmed_at=max(before.last_confirmed_at, said_at),
            worded_at=before.find_worded_at(claim.content, said_at),
            expires_at=self.expires_at,
        )
        self.facts[target] = replace(fact, memory=after)
        await self._record_step(
            HistoryAction.MERGED,
            target,
            claim,
            old=(before.content, before.confidence),
            new=(after.content, after.confidence),
        )
        return after

    async def _set_requested_category(self, claim: Claim, memory_id: UUID) -> None:
        """Give a memory that the person asks for again the category they asked for.

        They chose it, or that of the memory is not allowed any more.
        """
        fact = self.facts[memory_id]
        before = fact.memory.category
        is_wrong = before not in self.settings.allowed_categories
        asked = claim.is_category_given or is_wrong
        if claim.basis is not Basis.REQUESTED or before is claim.category or not asked:
            return
        category = claim.category
        self.facts[memory_id] = replace(
            fact, memory=replace(fact.memory, category=category)
        )
        memory = await store.get_memory(self.tx, self.key, memory_id)
        await store.set_category(self.tx, self.key, replace(memory, category=category))

    async def _pin_successor(self, memory_id: UUID) -> None:
        """Keep pinned what the person themselves said instead of a pinned memory."""
        fact = self.facts[memory_id]
        self.facts[memory_id] = replace(
            fact, memory=replace(fact.memory, is_pinned=True)
        )
        await store.set_pinned(self.tx, memory_id, pinned=True)

    async def _set_stricter_policy(self, memory_id: UUID, policy: DeletePolicy) -> None:
        """Let what took a memory's place end as strictly as the person set for it."""
        fact = self.facts[memory_id]
        if policy.strictness <= fact.memory.delete_policy.strictness:
            return
        memory = replace(fact.memory, delete_policy=policy)
        self.facts[memory_id] = replace(fact, memory=memory)
        await store.set_policy(self.tx, memory_id, policy)

    async def _deactivate_memory(
        self, memory: Memory, action: HistoryAction, reason: str
    ) -> None:
        await store.deactivate_memory(self.tx, self.key, memory, reason)
        entry = HistoryEntry(
            memory.memory_id,
            action,
            memory.content,
            None,
            memory.confidence,
            None,
            None,
            reason,
            self.tx.now,
        )
        await record_step(self.tx, self.key, entry)

    def _build_memory(self, claim: Claim, candidate_id: UUID) -> Memory:
        requested = claim.basis is Basis.REQUESTED
        return Memory(
            memory_id=self.tx.new_id(),
            revision=1,
            content=claim.content,
            category=claim.category,
            confidence=claim.confidence,
            source_type=SourceType.EXPLICIT if requested else SourceType.INFERRED,
            source_session_id=claim.session_id,
            source_message_ids=claim.message_ids,
            source_candidate_ids=(candidate_id,),
            preview=claim.preview,
            extractor=claim.extractor,
            usage_count=0,
            last_used_at=None,
            last_confirmed_at=claim.compute_time(self.tx.now),
            expires_at=self.expires_at,
            superseded_by=None,
            inactive_reason=None,
            created_at=self.tx.now,
            updated_at=self.tx.now,
            is_active=True,
            trust=claim.trust,
            subcategory=self.subcategory_of(claim.embedding),
            is_directive=claim.is_directive,
            time_zone=self.time_zone,
        )

    async def _record_step(
        self,
        action: HistoryAction,
        memory_id: UUID,
        claim: Claim,
        *,
        old: tuple[str, float] | tuple[None, None] = (None, None),
        new: tuple[str, float] | tuple[None, None] = (None, None),
    ) -> None:
        entry = HistoryEntry(
            memory_id,
            action,
            old[0],
            new[0],
            old[1],
            new[1],
            claim.session_id,
            self.trigger,
            self.tx.now,
        )
        await record_step(self.tx, self.key, entry)


def join_ids(some: Sequence[UUID], more: Sequence[UUID]) -> tuple[UUID, ...]:
    """Return the ids of both, each once, in order."""
    return tuple(dict.fromkeys((*some, *more)))
