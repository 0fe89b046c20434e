"""What becomes of claims, inside one transaction: confirm, merge, supersede, erase."""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

import numpy as np

from gieok.database import (
    Audit,
    Change,
    ForgettingRequested,
    MemoriesForgotten,
    RetentionEnded,
    Transaction,
    VectorMissing,
    schedule_event,
)
from gieok.kernel.language import Basis, Category, FindingOperation
from gieok.memories import (
    candidate_store,
    history_store,
    pending_receipts,
    profile_documents,
    store,
)
from gieok.memories.capacity import select_surplus
from gieok.memories.decay import merge_confidence
from gieok.memories.duplicate import (
    ContradictionTest,
    DifferenceTest,
    assume_compatible,
    assume_same,
    find_duplicate,
    is_same_fact,
)
from gieok.memories.model import (
    Candidate,
    CandidateStatus,
    Claim,
    Embedding,
    Fact,
    HistoryAction,
    HistoryEntry,
    Memory,
    Outcome,
    QuarantineReason,
    SourceType,
    Trigger,
)
from gieok.memories.promote import should_promote
from gieok.memories.quarantine import find_quarantine_reason
from gieok.memories.source_store import list_wordless_sessions
from gieok.memories.supersede import can_supersede
from gieok.privacy import PersonKey
from gieok.sessions.removal import forget_messages
from gieok.sessions.removal_store import list_pairs_of
from gieok.settings import Settings
from gieok.settings.consent_rules import can_store_texts
from gieok.summaries import withdraw_messages, withdraw_wordless
from gieok.text.same_wording import normalize_content

TABLE: Final = "user_memories"
FORGET_REASON: Final = "user_request"
"""Why a memory was erased, in the audit log, if a receipt is owed for it."""


SubcategoryLookup = Callable[[Embedding | None], str | None]
"""Names the part of a person's life that something is about, by its vector."""


@dataclass(slots=True)
class Consolidation:
    """Settles claims one after the other against what is active."""

    tx: Transaction
    key: PersonKey
    settings: Settings
    trigger: str
    subcategory_of: SubcategoryLookup = lambda _: None
    differs: DifferenceTest = assume_same
    contradicts: ContradictionTest = assume_compatible
    facts: dict[UUID, Fact] = field(default_factory=dict[UUID, Fact])
    erased: list[str] = field(default_factory=list[str], repr=False)
    """What was known of what the person asked to forget."""
    not_kept: Counter[Category] = field(default_factory=Counter[Category])
    """Claims that the person's settings do not let be kept."""

    async def load_facts(self) -> None:
        """Read what is active; call it once, before the first claim."""
        found = await store.list_facts(self.tx, self.key)
        self.facts = {fact.memory.memory_id: fact for fact in found}

    async def consolidate_claims(self, claims: Sequence[Claim]) -> tuple[Outcome, ...]:
        """Settle every claim that the person's settings allow, then make room."""
        await self.expire_memories()
        outcomes = [
            outcome
            for claim in sorted(claims, key=_is_open_wish)
            if (outcome := await self._consolidate_claim(claim)) is not None
        ]
        if self.erased and not any(map(_is_open_wish, claims)):
            await self._request_message_search(claims)
        await self.deactivate_surplus()
        if self.expires_at:
            await schedule_event(self.tx, RetentionEnded, self.expires_at)
        return tuple(outcomes)

    async def _request_message_search(self, claims: Sequence[Claim]) -> None:
        """Have everything said searched for what was erased without naming more."""
        wish = next(c for c in claims if c.operation is FindingOperation.DELETE)
        said = wish.preview or self.erased[0]
        await self._save_wish(
            _replace_operation(replace(wish, content=said), wish.operation, None)
        )
        self.erased.clear()

    async def _consolidate_claim(self, claim: Claim) -> Outcome | None:
        if self._is_target_missing(claim):
            return None
        claim = self._resolve_operation(claim)
        adds = claim.operation in (FindingOperation.ADD, FindingOperation.UPDATE)
        if claim.target_id is None and not adds:
            return await self._save_wish(claim) if _is_open_wish(claim) else None
        if self._drop_disallowed(claim) or await self._is_rejected(claim):
            return None
        held = find_quarantine_reason(claim, self.facts, self.settings.max_memories)
        if claim.target_id is not None and _is_wish(claim) and not held:
            return await self._erase_wished(claim, claim.target_id)
        return await self._propose_claim(claim, held)

    def _drop_disallowed(self, claim: Claim) -> bool:
        """Count a claim of a category that is not allowed; True if it goes no further.

        To forget something is always allowed.
        """
        if claim.operation is FindingOperation.DELETE:
            return False
        if claim.category not in self.settings.allowed_categories:
            self.not_kept[claim.category] += 1
            return True
        return not can_store_texts(self.settings, claim.content)

    async def _propose_claim(
        self, claim: Claim, held: QuarantineReason | None
    ) -> Outcome:
        """Keep a claim as a candidate, and carry it out if the policy says so."""
        forgets = claim.operation is FindingOperation.DELETE
        if held is QuarantineReason.AMBIGUOUS and forgets:
            claim = replace(claim, message_ids=())
        candidate_id, claim, sessions = await self._save_candidate(claim, held)
        policy = self.settings.promotion_policy
        named = self._describe_claim(claim)
        memory_id = None
        confirmed = not held and should_promote(
            claim.basis, claim.confidence, sessions, policy
        )
        if confirmed:
            memory_id = await self.apply_claim(claim, candidate_id)
        return Outcome(
            claim.operation,
            candidate_id,
            memory_id,
            claim.target_id,
            confirmed=confirmed,
            content=named,
        )

    async def _erase_wished(self, claim: Claim, target: UUID) -> Outcome:
        """Erase what the person plainly asked to forget; no candidate is left of it."""
        named = self._describe_claim(claim)
        await self._retract_memory(claim, target)
        return Outcome(
            claim.operation, None, None, target, confirmed=True, content=named
        )

    def _is_target_missing(self, claim: Claim) -> bool:
        """Tell whether what it would repeat or take out is not in use any more."""
        missing = claim.target_id is not None and claim.target_id not in self.facts
        return missing and claim.operation is not FindingOperation.UPDATE

    def _describe_claim(self, claim: Claim) -> str:
        """Return what a claim is about, in the words the person knows it by."""
        target = self.facts.get(claim.target_id) if claim.target_id else None
        forgets = claim.operation is FindingOperation.DELETE
        return target.memory.content if target and forgets else claim.content

    async def _save_wish(self, claim: Claim) -> Outcome:
        """Keep a wish to forget until everything said has been searched for it.

        The words of the wish are never found or read again themselves.
        """
        if claim.message_ids:
            await erase_memories(self.tx, [], claim.message_ids)
        parts = [claim.content, *self.erased]
        named = "\n".join(line for part in parts if (line := " ".join(part.split())))
        wish = replace(claim, content=named, message_ids=(), embedding=None)
        candidate_id = await candidate_store.insert_candidate(
            self.tx, self.key, wish, None
        )
        self.tx.record_changes(Change("memory_candidate", candidate_id))
        person = self.tx.scope.user_id
        self.tx.publish(ForgettingRequested(person, person))
        return Outcome(
            claim.operation,
            candidate_id,
            None,
            None,
            confirmed=False,
            content=claim.content,
        )

    async def _is_rejected(self, claim: Claim) -> bool:
        """Tell whether the person refused this; who asks for it has changed course."""
        if claim.basis is Basis.REQUESTED:
            return False
        return await candidate_store.is_rejected(self.tx, self.key, claim.content)

    def _resolve_operation(self, claim: Claim) -> Claim:
        """Return the claim with an operation that fits what is known."""
        if claim.target_id is not None and claim.target_id not in self.facts:
            if _is_wish(claim):
                return claim
            updates = claim.operation is FindingOperation.UPDATE
            claim = _replace_operation(
                claim, FindingOperation.ADD if updates else claim.operation, None
            )
        if claim.operation not in (FindingOperation.ADD, FindingOperation.UPDATE):
            return claim
        if claim.is_target_named and claim.target_id is not None:
            return claim
        believed = claim.is_reviewed or claim.target_id is None
        if not believed and not self._can_supersede(claim):
            claim = _replace_operation(claim, FindingOperation.ADD, None)
        twin = find_duplicate(
            claim.content, claim.embedding, self.facts.values(), self.differs
        )
        if twin is None or twin.memory.memory_id == claim.target_id:
            return claim
        return _replace_operation(
            claim, FindingOperation.REINFORCE, twin.memory.memory_id
        )

    def _can_supersede(self, claim: Claim) -> bool:
        """Tell whether a claim is about the memory that it would replace."""
        target = self.facts.get(claim.target_id) if claim.target_id else None
        return target is not None and can_supersede(claim, target, self.facts.values())

    async def _save_candidate(
        self, claim: Claim, held: QuarantineReason | None
    ) -> tuple[UUID, Claim, int]:
        """Keep the claim as a candidate.

        Returns it, the claim with all the messages it was seen in, and in how many
        sessions that was.
        """
        for waiting, embedding in await candidate_store.list_pending(self.tx, self.key):
            if self._is_same_claim(claim, waiting, embedding):
                here = (claim.session_id,) if claim.session_id else ()
                session_ids = _join_ids(waiting.session_ids, here)
                message_ids = _join_ids(waiting.message_ids, claim.message_ids)
                await candidate_store.corroborate_candidate(
                    self.tx,
                    waiting.candidate_id,
                    confidence=claim.confidence,
                    session_ids=session_ids,
                    message_ids=message_ids,
                    held=held,
                )
                seen = replace(claim, message_ids=message_ids)
                return waiting.candidate_id, seen, len(session_ids)
        new = await candidate_store.insert_candidate(self.tx, self.key, claim, held)
        self.tx.record_changes(Change("memory_candidate", new))
        return new, claim, 1

    def _is_same_claim(
        self, claim: Claim, waiting: Candidate, embedding: Embedding | None
    ) -> bool:
        target = (waiting.operation, waiting.target_id)
        if (claim.operation, claim.target_id) != target:
            return False
        if normalize_content(claim.content) == normalize_content(waiting.claim):
            return True
        texts = claim.content, waiting.claim
        return is_same_fact(texts, (claim.embedding, embedding), self.differs)

    async def apply_reviewed(self, claim: Claim, candidate_id: UUID) -> UUID | None:
        """Carry out a claim that a person reviewed, as far as it still fits."""
        await self.expire_memories()
        memory_id = await self.apply_claim(self._resolve_operation(claim), candidate_id)
        if self.erased:
            await self._request_message_search([claim])
        await self.deactivate_surplus(keep=memory_id)
        return memory_id

    async def apply_claim(self, claim: Claim, candidate_id: UUID) -> UUID | None:
        """Carry out a confirmed claim; return the memory that now holds it."""
        match claim.operation, claim.target_id:
            case FindingOperation.DELETE, UUID() as target:
                await self._retract_memory(claim, target)
                memory_id = None
            case FindingOperation.REINFORCE, UUID() as target:
                memory_id = await self._reinforce_memory(claim, target)
            case FindingOperation.UPDATE, UUID() as target:
                memory_id = await self._create_memory(claim, candidate_id)
                await self._supersede_memory(claim, target, memory_id)
            case ((FindingOperation.ADD | FindingOperation.UPDATE), None):
                memory_id = await self._create_memory(claim, candidate_id)
            case _:
                memory_id = None
        status = CandidateStatus.CONFIRMED
        await candidate_store.close_candidate(self.tx, candidate_id, status, memory_id)
        return memory_id

    async def _create_memory(self, claim: Claim, candidate_id: UUID) -> UUID:
        memory = self._build_memory(claim, candidate_id)
        held = await store.upsert_memory(self.tx, self.key, memory, claim.embedding)
        if claim.embedding is None:
            person = self.tx.scope.user_id
            self.tx.publish(VectorMissing(person, claim.session_id or person))
        if held in self.facts:
            await self._merge_claim(claim, held)
            await self._mark_contradicted(held)
            return held
        self.facts[held] = Fact(memory, claim.embedding)
        await self._record_step(
            HistoryAction.CREATED, held, claim, new=(claim.content, claim.confidence)
        )
        await self._mark_contradicted(held)
        return held

    async def _mark_contradicted(self, memory_id: UUID) -> None:
        """Note what in use says otherwise than a memory that was just said.

        Nothing is taken out of use by it. What was said in one session goes together,
        and only the person's own request contradicts what they asked for or reviewed.
        """
        own = self.facts[memory_id]
        if own.embedding is None:
            return
        others = [
            (fact.memory, fact.embedding.vector)
            for fact in self.facts.values()
            if fact is not own
            and fact.embedding is not None
            and fact.embedding.embedder == own.embedding.embedder
            and not _is_same_session(fact.memory, own.memory)
            and (own.memory.trust.is_high or not fact.memory.trust.is_high)
        ]
        places = await asyncio.to_thread(
            self.contradicts,
            (own.memory.content, own.embedding.vector),
            [memory.content for memory, _ in others],
            np.array([vector for _, vector in others]),
        )
        older = [others[place][0].memory_id for place in places]
        if older or own.memory.contradicted_by:
            await store.set_contradicted(self.tx, older, memory_id)
            changed = [Change("user_memory", each) for each in older]
            self.tx.record_changes(*changed, Change("user_memory", memory_id))

    async def _reinforce_memory(self, claim: Claim, target: UUID) -> UUID:
        await store.confirm_memory(
            self.tx, self.key, await self._merge_claim(claim, target)
        )
        await self._mark_contradicted(target)
        return target

    async def _merge_claim(self, claim: Claim, target: UUID) -> Memory:
        """Return what a memory is once the claim repeats it, and write that down."""
        fact = self.facts[target]
        before = fact.memory
        after = replace(
            before,
            confidence=merge_confidence(
                before.confidence_at(self.tx.now), claim.confidence
            ),
            source_message_ids=_join_ids(before.source_message_ids, claim.message_ids),
            usage_count=before.usage_count + 1,
            trust=max(before.trust, claim.trust, key=lambda trust: trust.rank),
            last_confirmed_at=self.tx.now,
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

    async def _supersede_memory(self, claim: Claim, target: UUID, by: UUID) -> None:
        if target == by:
            return
        before = self.facts.pop(target).memory
        await store.deactivate_memory(self.tx, self.key, before, "superseded", by=by)
        if before.is_pinned and claim.trust.is_high:
            await self._pin_successor(by)
        await self._record_step(
            HistoryAction.UPDATED,
            target,
            claim,
            old=(before.content, before.confidence),
            new=(claim.content, claim.confidence),
        )

    async def _pin_successor(self, memory_id: UUID) -> None:
        """Keep pinned what the person themselves said instead of a pinned memory."""
        fact = self.facts[memory_id]
        self.facts[memory_id] = replace(
            fact, memory=replace(fact.memory, is_pinned=True)
        )
        await store.set_pinned(self.tx, memory_id, pinned=True)

    async def _retract_memory(self, claim: Claim, target: UUID) -> None:
        """Erase what the person asked to forget; set aside what they denied."""
        if claim.basis is Basis.REQUESTED:
            versions = await store.collect_versions(self.tx, [target])
            found = [
                await store.find_memory(self.tx, self.key, each) for each in versions
            ]
            self.erased += [memory.content for memory in found if memory]
            await erase_memories(self.tx, versions, claim.message_ids)
            self.facts.pop(target, None)
            return
        before = self.facts.pop(target).memory
        await store.deactivate_memory(self.tx, self.key, before, "denied")
        await self._record_step(
            HistoryAction.DEACTIVATED,
            target,
            claim,
            old=(before.content, before.confidence),
        )

    async def expire_memories(self) -> None:
        """Take out of use what the person's retention no longer covers."""
        for memory in await store.list_overdue(self.tx, self.key):
            await self._deactivate_memory(
                memory, HistoryAction.EXPIRED, Trigger.RETENTION
            )

    async def deactivate_surplus(self, *, keep: UUID | None = None) -> None:
        """Take the weakest out of use while there are too many, but never `keep`."""
        most = self.settings.max_memories - (keep in self.facts)
        memories = [fact.memory for known, fact in self.facts.items() if known != keep]
        for weak in select_surplus(memories, most, self.tx.now):
            await self._deactivate_memory(
                weak, HistoryAction.DEACTIVATED, Trigger.CAPACITY
            )
            self.facts.pop(weak.memory_id)

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

    @property
    def expires_at(self) -> datetime | None:
        """When the person's retention ends for what is confirmed now."""
        days = self.settings.retention_days
        return self.tx.now + timedelta(days=days) if days else None

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
            last_confirmed_at=self.tx.now,
            expires_at=self.expires_at,
            superseded_by=None,
            inactive_reason=None,
            created_at=self.tx.now,
            updated_at=self.tx.now,
            is_active=True,
            trust=claim.trust,
            subcategory=self.subcategory_of(claim.embedding),
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


async def record_step(tx: Transaction, key: PersonKey, entry: HistoryEntry) -> None:
    """Write one step of a memory's life: history, change feed and audit (D03)."""
    await history_store.insert_entry(tx, key, entry)
    tx.record_changes(Change("user_memory", entry.memory_id))
    event = "create" if entry.action is HistoryAction.CREATED else "update"
    tx.record_audit(
        Audit(
            event,
            TABLE,
            entry.memory_id,
            entry.trigger,
            {
                "action": entry.action.value,
                "old_confidence": entry.old_confidence,
                "new_confidence": entry.new_confidence,
                "session_id": entry.session_id and str(entry.session_id),
            },
        )
    )


async def erase_memories(
    tx: Transaction,
    memory_ids: Sequence[UUID],
    message_ids: Sequence[UUID] = (),
    reason: str = FORGET_REASON,
) -> None:
    """Remove memories with their history, candidates and search entries.

    The earlier versions whose place they took go with them. The messages they came
    from, those of their candidates and those given are never found or read again.
    """
    memory_ids = await store.collect_versions(tx, memory_ids)
    told = await candidate_store.list_source_messages(tx, memory_ids)
    wordless = await list_wordless_sessions(tx, memory_ids)
    sources = [*await store.delete_memories(tx, memory_ids), *told, *message_ids]
    await profile_documents.delete_document(tx)
    for candidate_id in await candidate_store.erase_about(tx, memory_ids, sources):
        tx.record_changes(Change("memory_candidate", candidate_id, "delete"))
    await forget_messages(tx, sources)
    for pair_id in await list_pairs_of(tx, sources):
        tx.record_changes(Change("conversation_pair", pair_id))
    await withdraw_messages(tx, sources)
    await withdraw_wordless(tx, wordless)
    for memory_id in memory_ids:
        tx.record_changes(Change("user_memory", memory_id, "delete"))
        tx.record_audit(Audit("delete", TABLE, memory_id, reason))
    if reason == FORGET_REASON:
        await pending_receipts.insert_pending(tx, memory_ids)
    if memory_ids:
        tx.publish(MemoriesForgotten(tx.scope.user_id, tx.scope.user_id))


def _join_ids(some: Sequence[UUID], more: Sequence[UUID]) -> tuple[UUID, ...]:
    return tuple(dict.fromkeys((*some, *more)))


def _is_same_session(one: Memory, other: Memory) -> bool:
    sessions = one.source_session_id, other.source_session_id
    return sessions[0] is not None and sessions[0] == sessions[1]


def _is_wish(claim: Claim) -> bool:
    """Tell whether the person asks to forget something."""
    return claim.operation is FindingOperation.DELETE and claim.basis is Basis.REQUESTED


def _is_open_wish(claim: Claim) -> bool:
    """Tell whether it asks to forget something that is no memory, or more than one."""
    return _is_wish(claim) and claim.target_id is None


def _replace_operation(
    claim: Claim, operation: FindingOperation, target: UUID | None
) -> Claim:
    return replace(claim, operation=operation, target_id=target)
