"""What becomes of claims, inside one transaction: confirm, merge, supersede, erase."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from gieok.database import Change, ForgettingRequested, RetentionEnded, schedule_event
from gieok.kernel.language import Basis, Category, FindingOperation
from gieok.kernel.offload import run_aside
from gieok.memories import candidate_store
from gieok.memories.active_memories import ActiveMemories, join_ids
from gieok.memories.claims import (
    Candidate,
    CandidateStatus,
    Claim,
    ForgetWish,
    Outcome,
)
from gieok.memories.duplicate import DifferenceTest, assume_same, find_duplicate
from gieok.memories.model import QuarantineReason
from gieok.memories.promote import should_promote
from gieok.memories.quarantine import find_quarantine_reason
from gieok.memories.supersede import build_denial, can_supersede, is_overtaken
from gieok.memories.waiting_claims import WaitingClaims
from gieok.settings import Policy
from gieok.settings.consent_rules import can_store_texts


@dataclass(slots=True)
class Consolidation:
    """Settles claims one after the other against what is active."""

    active: ActiveMemories
    differs: DifferenceTest = assume_same
    not_kept: Counter[Category] = field(default_factory=Counter[Category])
    """Claims that the person's settings do not let be kept."""
    _waiting: WaitingClaims | None = field(default=None, init=False, repr=False)
    """What waits, once it was read."""

    async def consolidate_claims(self, claims: Sequence[Claim]) -> tuple[Outcome, ...]:
        """Settle every claim that the person's settings allow, then make room."""
        await self.active.expire_memories()
        outcomes = [
            outcome
            for claim in sorted(claims, key=_get_turn)
            if (outcome := await self._consolidate_claim(claim)) is not None
        ]
        await self._request_message_searches()
        await self.active.deactivate_surplus()
        if self.active.expires_at:
            await schedule_event(self.active.tx, RetentionEnded, self.active.expires_at)
        return tuple(outcomes)

    async def _request_message_searches(self) -> None:
        """Have everything said searched for what each wish erased, by its own words."""
        for claim, contents in self.active.erased.values():
            said = claim.preview or next(iter(contents), claim.content)
            await self._insert_wish(replace(claim, content=said), contents)
        self.active.erased.clear()

    async def _consolidate_claim(self, claim: Claim) -> Outcome | None:
        target = claim.target_id
        if target is not None and claim.is_wish and not self._find_reason(claim):
            return await self._erase_wished(claim, target)
        if self._is_target_missing(claim):
            return None
        claim = self._resolve_operation(claim)
        adds = claim.operation in (FindingOperation.ADD, FindingOperation.UPDATE)
        if claim.target_id is None and not adds:
            return await self._save_wish(claim) if _is_open_wish(claim) else None
        held = self._find_reason(claim)
        allowed = self._apply_settings(claim)
        if allowed is None or await self._is_rejected(claim):
            return None
        denies = allowed.operation is FindingOperation.DELETE and not allowed.is_wish
        if denies and self._is_overtaken(allowed):
            return None
        return await self._propose_claim(allowed, held)

    def _find_reason(self, claim: Claim) -> QuarantineReason | None:
        """Return why a claim waits for the person's review, or None."""
        return find_quarantine_reason(
            claim, self.active.facts, self.active.settings.max_memories
        )

    def _apply_settings(self, claim: Claim) -> Claim | None:
        """Return what of a claim may be carried out; count a category not allowed.

        To forget something is always allowed. Of a change that may not be kept it
        stays true that what was known is over.
        """
        if claim.operation is FindingOperation.DELETE:
            return claim
        settings = self.active.settings
        is_allowed = claim.category in settings.allowed_categories
        if is_allowed and can_store_texts(settings, claim.content):
            return claim
        if not is_allowed:
            self.not_kept[claim.category] += 1
        before = self.active.facts.get(claim.target_id) if claim.target_id else None
        if before is None or claim.operation is not FindingOperation.UPDATE:
            return None
        repeats = self._find_twin(claim) == claim.target_id
        return None if repeats else build_denial(claim, before)

    async def _propose_claim(
        self, claim: Claim, held: QuarantineReason | None
    ) -> Outcome:
        """Keep a claim as a candidate, and carry it out if the policy says so.

        What waits for a review goes on waiting when it is repeated, unless the person
        now says it in a way that counts by itself.
        """
        waiting = await self._find_waiting(claim)
        if waiting is not None and (held or not self._is_promoted(claim)):
            held = waiting.held_reason or held
        forgets = claim.operation is FindingOperation.DELETE
        if held is QuarantineReason.AMBIGUOUS and forgets:
            claim = replace(claim, message_ids=())
        candidate_id, claim, sessions = await self._save_candidate(claim, waiting, held)
        named = self._describe_claim(claim)
        memory_id = None
        confirmed = not held and self._is_promoted(claim, sessions)
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

    async def _erase_wished(self, claim: Claim, target: UUID) -> Outcome | None:
        """Erase what the person plainly asked to forget; no candidate is left of it.

        It may be out of use, or gone already: then the wish counts by its words alone.
        """
        named = self._describe_claim(claim)
        self._waiting = None
        if not await self.active.retract_memory(claim, target):
            return None
        return Outcome(
            claim.operation, None, None, target, confirmed=True, content=named
        )

    def _is_target_missing(self, claim: Claim) -> bool:
        """Tell whether what it would repeat or take out is not in use any more."""
        missing = (
            claim.target_id is not None and claim.target_id not in self.active.facts
        )
        return missing and claim.operation is not FindingOperation.UPDATE

    def _describe_claim(self, claim: Claim) -> str:
        """Return what a claim is about, in the words the person knows it by."""
        target = self.active.facts.get(claim.target_id) if claim.target_id else None
        forgets = claim.operation is FindingOperation.DELETE
        return target.memory.content if target and forgets else claim.content

    async def _save_wish(self, claim: Claim) -> Outcome:
        """Keep a wish to forget until everything said has been searched for it.

        The words of the wish are never found or read again themselves.
        """
        if claim.message_ids:
            await self.active.hide_messages(claim.message_ids)
            self._waiting = None
        carried_out = self.active.erased.pop(claim.message_ids, None)
        candidate_id = await self._insert_wish(
            claim, carried_out.contents if carried_out else []
        )
        return Outcome(
            claim.operation,
            candidate_id,
            None,
            None,
            confirmed=False,
            content=claim.content,
        )

    async def _insert_wish(self, claim: Claim, erased: Sequence[str]) -> UUID:
        """Keep the words of a wish, and of what it erased; return the candidate."""
        wish = replace(
            claim,
            content=ForgetWish(claim.content, tuple(erased)).to_claim(),
            target_id=None,
            message_ids=(),
            embedding=None,
        )
        candidate_id = await candidate_store.insert_candidate(
            self.active.tx, self.active.key, wish, None
        )
        self.active.tx.record_changes(Change("memory_candidate", candidate_id))
        person = self.active.tx.scope.user_id
        self.active.tx.publish(ForgettingRequested(person, person))
        return candidate_id

    async def _is_rejected(self, claim: Claim) -> bool:
        """Tell whether the person refused this; who asks for it has changed course."""
        if claim.basis is Basis.REQUESTED:
            return False
        return await candidate_store.is_rejected(
            self.active.tx, self.active.key, claim.content
        )

    def _resolve_operation(self, claim: Claim) -> Claim:
        """Return the claim with an operation that fits what is known."""
        if claim.target_id is not None and claim.target_id not in self.active.facts:
            if claim.is_wish:
                return claim
            updates = claim.operation is FindingOperation.UPDATE
            claim = _replace_operation(
                claim, FindingOperation.ADD if updates else claim.operation, None
            )
        if claim.operation not in (FindingOperation.ADD, FindingOperation.UPDATE):
            return claim
        if claim.operation is FindingOperation.UPDATE and claim.target_id is not None:
            chosen = claim.is_target_named or claim.is_reviewed
            if chosen or self._can_supersede(claim):
                return claim
            claim = _replace_operation(claim, FindingOperation.ADD, None)
        twin = self._find_twin(claim)
        if twin is None:
            return claim
        return _replace_operation(claim, FindingOperation.REINFORCE, twin)

    def _find_twin(self, claim: Claim) -> UUID | None:
        """Return the memory in use that says what a claim says, if there is one."""
        twin = find_duplicate(
            claim.content, claim.embedding, self.active.facts, self.differs
        )
        return twin and twin.memory.memory_id

    def _can_supersede(self, claim: Claim) -> bool:
        """Tell whether a claim is about the memory that it would replace."""
        target = claim.target_id
        return target is not None and can_supersede(claim, target, self.active.facts)

    def _is_overtaken(self, claim: Claim) -> bool:
        """Tell whether what a claim would take out of use was said again since."""
        target = self.active.facts.get(claim.target_id) if claim.target_id else None
        return target is not None and is_overtaken(claim, target.memory)

    def _is_promoted(self, claim: Claim, sessions: int = 1) -> bool:
        """Tell whether a claim seen in so many sessions becomes a memory.

        Whatever the policy lets in as new, to say again what is in use confirms it.
        """
        repeats = claim.operation is FindingOperation.REINFORCE
        policy = Policy.STATED if repeats else self.active.settings.promotion_policy
        return should_promote(claim.basis, claim.confidence, sessions, policy)

    async def _find_waiting(self, claim: Claim) -> Candidate | None:
        """Return the candidate that makes the same claim and waits, if there is one."""
        waiting = await self._load_waiting()
        return waiting.find_same(claim, self.differs)

    async def _load_waiting(self) -> WaitingClaims:
        """Return what waits; it is read once, and again after something was erased."""
        if self._waiting is None:
            pending = await candidate_store.list_pending(
                self.active.tx, self.active.key
            )
            self._waiting = await run_aside(
                sum(len(each.claim) for each, _ in pending),
                lambda: WaitingClaims.from_candidates(pending),
            )
        return self._waiting

    async def _save_candidate(
        self, claim: Claim, waiting: Candidate | None, held: QuarantineReason | None
    ) -> tuple[UUID, Claim, int]:
        """Keep the claim as a candidate, or with the one that waits.

        Returns it, the claim with all the messages it was seen in, and in how many
        sessions that was.
        """
        if waiting is None:
            new = await candidate_store.insert_candidate(
                self.active.tx, self.active.key, claim, held
            )
            self.active.tx.record_changes(Change("memory_candidate", new))
            made = _build_candidate(claim, new, held, self.active.tx.now)
            (await self._load_waiting()).set_candidate(made, claim.embedding)
            return new, claim, 1
        here = (claim.session_id,) if claim.session_id else ()
        session_ids = join_ids(waiting.session_ids, here)
        message_ids = join_ids(waiting.message_ids, claim.message_ids)
        await candidate_store.corroborate_candidate(
            self.active.tx,
            waiting.candidate_id,
            confidence=claim.confidence,
            session_ids=session_ids,
            message_ids=message_ids,
            held=held,
        )
        if claim.is_wish:
            await candidate_store.renew_wish(
                self.active.tx, waiting.candidate_id, claim
            )
        corroborated = replace(
            waiting,
            confidence=max(waiting.confidence, claim.confidence),
            session_ids=session_ids,
            message_ids=message_ids,
            held_reason=held,
        )
        (await self._load_waiting()).set_candidate(corroborated, claim.embedding)
        seen = replace(claim, message_ids=message_ids)
        return waiting.candidate_id, seen, len(session_ids)

    async def apply_reviewed(self, claim: Claim, candidate_id: UUID) -> UUID | None:
        """Carry out a claim that a person reviewed, as far as it still fits."""
        await self.active.expire_memories()
        memory_id = await self.apply_claim(self._resolve_operation(claim), candidate_id)
        await self._request_message_searches()
        await self.active.deactivate_surplus(keep=memory_id)
        return memory_id

    async def apply_claim(self, claim: Claim, candidate_id: UUID) -> UUID | None:
        """Carry out a confirmed claim; return the memory that now holds it."""
        match claim.operation, claim.target_id:
            case FindingOperation.DELETE, UUID() as target:
                await self.active.retract_memory(claim, target)
                self._waiting = None
                memory_id = None
            case FindingOperation.DELETE, None if claim.is_wish and claim.message_ids:
                await self.active.erase_messages(claim.message_ids)
                self._waiting = None
                memory_id = None
            case FindingOperation.REINFORCE, UUID() as target:
                memory_id = await self.active.reinforce_memory(claim, target)
            case FindingOperation.UPDATE, UUID() as target:
                memory_id = await self._apply_update(claim, target, candidate_id)
            case ((FindingOperation.ADD | FindingOperation.UPDATE), None):
                memory_id = await self.active.create_memory(claim, candidate_id)
            case _:
                memory_id = None
        status = CandidateStatus.CONFIRMED
        await candidate_store.close_candidate(
            self.active.tx, candidate_id, status, memory_id
        )
        if self._waiting is not None:
            self._waiting.remove_candidate(candidate_id)
        return memory_id

    async def _apply_update(
        self, claim: Claim, target: UUID, candidate_id: UUID
    ) -> UUID:
        """Keep what a claim says instead of a memory; return what holds it now.

        That is the memory that says it already, unless the person gave the wording.
        What was said before the memory was takes nobody's place: it is out of use from
        the start, unless it is true beside it.
        """
        is_late = self._is_overtaken(claim)
        twin = None if claim.is_target_named else self._find_twin(claim)
        if twin is not None and (is_late or twin != target):
            kept = await self.active.reinforce_memory(claim, twin)
        else:
            kept = await self.active.create_memory(claim, candidate_id)
        if not is_late:
            await self.active.supersede_memory(claim, target, kept)
        elif twin is None:
            await self.active.supersede_memory(claim, kept, target)
        return kept


def _is_open_wish(claim: Claim) -> bool:
    """Tell whether it asks to forget something that is no memory, or more than one."""
    return claim.is_wish and claim.target_id is None


def _get_turn(claim: Claim) -> tuple[bool, bool]:
    """Return when a claim is settled: wishes to forget after all else, open ones last.

    So they reach what else came from the messages in which they stand.
    """
    return claim.is_wish, _is_open_wish(claim)


def _build_candidate(
    claim: Claim, candidate_id: UUID, held: QuarantineReason | None, now: datetime
) -> Candidate:
    """Return the candidate that a claim was just kept as."""
    return Candidate(
        candidate_id,
        claim.category,
        claim.content,
        claim.confidence,
        claim.basis,
        claim.operation,
        claim.target_id,
        (claim.session_id,) if claim.session_id else (),
        claim.message_ids,
        claim.extractor,
        CandidateStatus.PENDING,
        None,
        now,
        None,
        held_reason=held,
        wished_at=claim.compute_time(now) if claim.is_wish else None,
    )


def _replace_operation(
    claim: Claim, operation: FindingOperation, target: UUID | None
) -> Claim:
    return replace(claim, operation=operation, target_id=target)
