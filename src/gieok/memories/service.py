"""Extracts, keeps, lists, corrects and forgets what is known about a person."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from gieok.accounts import store as accounts
from gieok.cache import Cache, LocalCache
from gieok.database import Audit, Change, Database, Transaction
from gieok.database.feed import get_feed_head
from gieok.guard.judge import Guard
from gieok.kernel.errors import ConflictError, NotFoundError
from gieok.kernel.language import (
    Basis,
    Category,
    Embedder,
    FindingOperation,
    Model,
    Tokenizer,
)
from gieok.kernel.offload import run_aside
from gieok.kernel.portions import split_portions
from gieok.kernel.scope import Scope
from gieok.memories import (
    candidate_store,
    history_store,
    list_cache,
    list_store,
    reviews,
    store,
    wishes,
)
from gieok.memories.active_memories import ActiveMemories
from gieok.memories.claims import (
    Candidate,
    CandidateStatus,
    ForgetQuestion,
    ForgetWish,
    MemoryEdit,
    Outcome,
)
from gieok.memories.consolidator import Consolidator
from gieok.memories.corrections import apply_policy, get_corrected, is_corrected
from gieok.memories.duplicate import find_nearest
from gieok.memories.edits import (
    build_edit_claims,
    build_requested_claim,
    erase_edited,
    require_edits_allowed,
)
from gieok.memories.extractor import MemoryExtractor
from gieok.memories.history import (
    audit_listing,
    audit_masked,
    build_history_entry,
    record_step,
)
from gieok.memories.history_pages import (
    HistoryPage,
    HistoryPlace,
    build_history_page,
)
from gieok.memories.inputs import require_limit
from gieok.memories.model import (
    DeletePolicy,
    Embedding,
    Fact,
    ListRequest,
    Memory,
    MemoryGrowth,
    PossibleMention,
    Trigger,
)
from gieok.memories.origins import (
    ForgetPreview,
    HistoryAction,
    HistoryEntry,
    MemoryOrigins,
)
from gieok.memories.pending_receipts import attest_pending
from gieok.memories.permission import (
    ignore_default_categories,
    is_extraction_allowed,
    require_allowed,
)
from gieok.memories.questions import insert_questions, read_questions
from gieok.memories.reading import ReadingProgress, has_extraction_failed
from gieok.memories.removal import (
    erase_all_memories,
    erase_memories,
    erase_messages,
)
from gieok.memories.rollback import build_origin, roll_back
from gieok.memories.rollback_store import list_active_from
from gieok.memories.store import get_memory
from gieok.pii import TextMasker, mask_text
from gieok.privacy import PersonKey, Vault
from gieok.privacy.receipt_issuer import ReceiptIssuer
from gieok.privacy.receipts import Receipt
from gieok.sessions import session_store
from gieok.settings import Settings, SettingsService
from gieok.settings.consent_rules import can_store_texts
from gieok.text.cleaning import clean_text

LONGEST_MEMORY_BYTES = 4_000
MAX_USED = 5
"""Memories that `growth` returns as those most often used."""
PORTION_CHARACTERS = 8_000
"""Characters embedded between two transactions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memories:
    """The memories of everyone."""

    database: Database
    vault: Vault
    settings: SettingsService
    receipts: ReceiptIssuer
    model: Model
    consolidator: Consolidator
    tokenizer: Tokenizer
    guard: Guard
    """Tells what waits for the person's review because it may have been planted."""
    cache: Cache = field(default_factory=LocalCache)

    @property
    def embedder(self) -> Embedder:
        """What gives memories their vectors."""
        return self.consolidator.embedder

    async def extract(self, scope: Scope, session_id: UUID) -> tuple[Outcome, ...]:
        """Read what a session holds unread and settle what it says (D05).

        Returns one outcome per claim; none when memory is switched off or nothing was
        said. Running it again changes nothing.

        Raises:
            ModelUnavailableError: nothing was read; the job tries again.
        """
        extractor = MemoryExtractor(
            database=self.database,
            vault=self.vault,
            settings=self.settings,
            model=self.model,
            tokenizer=self.tokenizer,
            guard=self.guard,
            consolidator=self.consolidator,
        )
        return await extractor.extract(scope, session_id)

    async def reading(self, scope: Scope, session_id: UUID) -> ReadingProgress:
        """Return how far what was said in a session has been read.

        Raises:
            NotFoundError: the person has no such session.
        """
        async with self.database.begin(scope) as tx:
            session = await session_store.get_session(tx, session_id)
            if session is None:
                thing = "session"
                raise NotFoundError(thing)
            settings = await self.settings.read_settings(tx)
            gave_up = bool(session.unread_count) and await has_extraction_failed(
                tx, session_id
            )
        return ReadingProgress.from_session(
            session, is_on=is_extraction_allowed(settings), gave_up=gave_up
        )

    async def remember(
        self, scope: Scope, content: str, *, category: Category | None = None
    ) -> Memory:
        """Keep a fact because someone with the right to says so; return it.

        A fact that is known already is confirmed instead of kept twice, in its category
        unless one is given. Something new is `context` unless one is given.

        Raises:
            InvalidInputError: an empty or overlong text.
            NotPermittedError: memory is off, or the category is not allowed.
        """
        text, screen = await self._prepare_text(content)
        return await self._keep(scope, text, screen, category)

    async def correct(
        self,
        scope: Scope,
        memory_id: UUID,
        content: str,
        *,
        category: Category | None = None,
        delete_policy: DeletePolicy | None = None,
    ) -> Memory:
        """Say what is true instead of a memory; return the one that says it now.

        The old one is out of use and stays in the history of the new one. `category` is
        the old one's unless another is given. As with `apply_edits`, the categories
        that the installation starts with forbid nothing here. Made once more, the same
        correction changes nothing and returns the same memory.

        Raises:
            NotFoundError: the person has no such memory, or it is not in use.
            InvalidInputError, NotPermittedError: as `remember`.
        """
        text, screen = await self._prepare_text(content)
        key = await self.vault.get_key(scope)
        async with self.database.begin(scope) as tx:
            before = await get_corrected(tx, key, memory_id, text)
            if is_corrected(before, memory_id, category, delete_policy):
                found = before.memory_id
                tx.record_audit(Audit("access", "user_memories", found, "corrected"))
                return before
        return await self._keep(scope, text, screen, category, before, delete_policy)

    async def apply_edits(
        self,
        scope: Scope,
        edits: Sequence[MemoryEdit],
        *,
        basis: Basis = Basis.REQUESTED,
    ) -> None:
        """Say, correct and forget several things for the person: all of it or none.

        What an edit names and is not there any more is passed over. The categories that
        the installation starts with forbid nothing here: the person writes this, or an
        app has it found in what they said. That is `basis` STATED: it may wait for the
        person, and what they rejected does not come back.

        Raises:
            InvalidInputError, NotPermittedError: as `remember`; nothing is changed.
        """
        said = [edit for edit in edits if edit.content is not None]
        drafts = [await self._prepare_text(edit.content or "") for edit in said]
        texts = [text for text, _ in drafts]
        key = await self.vault.get_key(scope)
        own = await self.settings.get(scope)
        require_edits_allowed(own, self.settings.defaults, said, texts)
        embeddings: list[Embedding | None] = []
        for portion in split_portions(texts, len, PORTION_CHARACTERS):
            embeddings += await self.consolidator.embed_texts(portion)
        judged = await self.guard.find_directives(texts)
        claims = [
            [
                replace(claim, embedding=vector, is_directive=directive)
                for claim in build_edit_claims(edit, text, basis)
            ]
            for edit, text, vector, directive in zip(
                said, texts, embeddings, judged, strict=True
            )
        ]
        async with self.database.begin(scope) as tx:
            await accounts.insert_person(tx)
            await tx.lock_person()
            settings = require_edits_allowed(
                await self.settings.read_settings(tx),
                self.settings.defaults,
                said,
                texts,
            )
            await erase_edited(tx, edits)
            consolidation = await self.consolidator.open_consolidation(
                tx, key, settings, Trigger.USER_REQUEST
            )
            for group, (_, screen) in zip(claims, drafts, strict=True):
                for outcome in await consolidation.consolidate_claims(group):
                    if outcome.memory_id is not None:
                        audit_masked(tx, outcome.memory_id, screen)
        await list_cache.drop_lists(self.cache, scope.user_id)

    async def _prepare_text(self, content: str) -> tuple[str, TextMasker]:
        """Return what may be kept of a text, and what was masked in it."""
        screen = TextMasker()
        clean = clean_text("content", content, max_bytes=LONGEST_MEMORY_BYTES)
        return await run_aside(len(clean), lambda: screen.mask_text(clean)), screen

    async def _keep(
        self,
        scope: Scope,
        text: str,
        screen: TextMasker,
        category: Category | None,
        target: Memory | None = None,
        policy: DeletePolicy | None = None,
    ) -> Memory:
        """Keep what the person asks for, in place of the memory that they named."""
        target_id = target.memory_id if target else None
        chosen = category or (target.category if target else Category.CONTEXT)
        key = await self.vault.get_key(scope)
        before = self._apply_defaults(await self.settings.get(scope), target_id)
        require_allowed(before, chosen, text)
        (embedding,) = await self.consolidator.embed_texts([text])
        (directive,) = await self.guard.find_directives([text])
        claim = replace(
            build_requested_claim(text, chosen, target_id, embedding),
            is_directive=directive,
            is_category_given=category is not None,
        )
        async with self.database.begin(scope) as tx:
            await accounts.insert_person(tx)
            await tx.lock_person()
            settings = self._apply_defaults(
                await self.settings.read_settings(tx), target_id
            )
            require_allowed(settings, chosen, text)
            consolidation = await self.consolidator.open_consolidation(
                tx, key, settings, Trigger.USER_REQUEST
            )
            (outcome,) = await consolidation.consolidate_claims([claim])
            assert outcome.memory_id is not None  # noqa: S101 - a request is kept
            audit_masked(tx, outcome.memory_id, screen)
            if policy is not None:
                return await apply_policy(tx, key, outcome.memory_id, policy)
            return await get_memory(tx, key, outcome.memory_id)

    def _apply_defaults(self, settings: Settings, target_id: UUID | None) -> Settings:
        """Return the settings for what is asked to be kept, in place of a memory."""
        if target_id is None:
            return settings
        return ignore_default_categories(settings, self.settings.defaults)

    async def page(
        self,
        scope: Scope,
        *,
        include_inactive: bool = False,
        category: Category | None = None,
        by_use: bool = False,
        limit: int = 100,
        offset: int = 0,
    ) -> tuple[tuple[Memory, ...], int]:
        """Return memories, newest first, and how many there are in all.

        With a category, only those of it; by use, those that prompts had most often
        first.
        """
        require_limit(limit)
        key = await self.vault.get_reading_key(scope)
        asked = ListRequest(
            not include_inactive, limit, max(0, offset), category, by_use
        )
        held = await list_cache.read_cached_page(self.cache, key, scope.user_id, asked)
        async with self.database.begin(scope, durable=False) as tx:
            page = await list_cache.load_page(tx, key, asked, held)
            await audit_listing(tx, "user_memories", "list", page.total)
        if held is None or page.stamp != held.stamp:
            await list_cache.write_cached_page(
                self.cache, key, scope.user_id, asked, page
            )
        return page.memories, page.total

    async def growth(self, scope: Scope, *, starts: Sequence[datetime]) -> MemoryGrowth:
        """Return how many memories in use came when, and those most often used.

        `starts` are the times from which on they are counted apart.
        """
        times, key = tuple(sorted(set(starts))), await self.vault.get_reading_key(scope)
        async with self.database.begin(scope, durable=False) as tx:
            counts = await list_store.count_created(tx, times)
            used = await list_store.list_most_used(tx, key, MAX_USED)
            await audit_listing(tx, "user_memories", "growth", len(used))
        return MemoryGrowth(times, tuple(counts), tuple(used))

    async def get(self, scope: Scope, memory_id: UUID) -> Memory:
        """Return one memory, active or not.

        Raises:
            NotFoundError: the person has no such memory.
        """
        key = await self.vault.get_reading_key(scope)
        async with self.database.begin(scope, durable=False) as tx:
            memory = await get_memory(tx, key, memory_id)
            tx.record_audit(Audit("access", "user_memories", memory_id, "get"))
        return memory

    async def sources(
        self, scope: Scope, memory_ids: Sequence[UUID]
    ) -> tuple[Memory, ...]:
        """Return the memories an answer rests on, in the order of their ids.

        One that was forgotten since is left out.

        Raises:
            InvalidInputError: more than 1,000 ids.
        """
        require_limit(max(1, len(memory_ids)))
        key = await self.vault.get_reading_key(scope)
        async with self.database.begin(scope, durable=False) as tx:
            found = await store.list_memories_by_id(tx, key, memory_ids)
            await audit_listing(tx, "user_memories", "sources", len(found))
        by_id = {memory.memory_id: memory for memory in found}
        wanted = dict.fromkeys(memory_ids)
        return tuple(by_id[each] for each in wanted if each in by_id)

    async def updates(
        self,
        scope: Scope,
        *,
        since: datetime | None = None,
        after: str | None = None,
        limit: int = 100,
    ) -> HistoryPage:
        """Return what happened to memories after a time, a page before, or both.

        Oldest first, in the order in which it became known: who goes on `after` the
        cursor of the page before misses nothing.

        Raises:
            InvalidInputError: a limit outside 1 to 1,000, or a cursor that was never
                given out, or not since a restore.
        """
        require_limit(limit)
        start = None if after is None else HistoryPlace.parse(after)
        key = await self.vault.get_reading_key(scope)
        async with self.database.begin(scope, durable=False) as tx:
            # Read first: what happens meanwhile has this number or a higher one.
            head = await get_feed_head(tx)
            if start is not None:
                start.require_reached(head)
            begin = start or HistoryPlace.begin()
            found = await history_store.list_after(tx, key, begin, since, limit + 1)
            page = build_history_page(found, start or HistoryPlace.begin(head), limit)
            await audit_listing(tx, "memory_history", "updates", len(page.entries))
        return page

    async def facts(self, tx: Transaction, key: PersonKey) -> Sequence[Fact]:
        """Return what is active and unexpired within a transaction, with vectors."""
        return await store.list_facts(tx, key)

    async def used(
        self, tx: Transaction, relevance: Mapping[UUID, float | None]
    ) -> None:
        """Count that memories were put into a prompt (D09).

        `relevance` is how far each bore on its question, from 0 to 1; None if unknown.
        """
        await tx.lock_person()
        await store.record_uses(tx, relevance)

    async def why(self, scope: Scope, memory_id: UUID) -> MemoryOrigins:
        """Return what a memory rests on, what it replaced and what stands beside it.

        Raises:
            NotFoundError: the person has no such memory.
        """
        key = await self.vault.get_reading_key(scope)
        async with self.database.begin(scope, durable=False) as tx:
            memory = await get_memory(tx, key, memory_id)
            tx.record_audit(Audit("access", "user_memories", memory_id, "why"))
            successor = memory.superseded_by
            after = await store.find_memory(tx, key, successor) if successor else None
            alike = await store.list_facts(tx, key, memory.category)
            return MemoryOrigins(
                memory=memory,
                replaced=tuple(await store.list_superseded(tx, key, memory_id)),
                replaced_by=(after,) if after else (),
                beside=find_nearest(memory_id, alike),
                history=tuple(await history_store.list_history(tx, key, memory_id)),
            )

    async def history(self, scope: Scope, memory_id: UUID) -> tuple[HistoryEntry, ...]:
        """Return what happened to a memory, oldest first."""
        key = await self.vault.get_reading_key(scope)
        async with self.database.begin(scope, durable=False) as tx:
            tx.record_audit(Audit("access", "memory_history", memory_id, "list"))
            return tuple(await history_store.list_history(tx, key, memory_id))

    async def deactivate(self, scope: Scope, memory_id: UUID) -> None:
        """Take a memory out of use without losing it (D10).

        Raises:
            NotFoundError: the person has no such memory.
            ConflictError: it is not in use.
        """
        key = await self.vault.get_key(scope)
        async with self.database.begin(scope) as tx:
            await tx.lock_person()
            memory = await get_memory(tx, key, memory_id)
            if not await store.deactivate_memory(tx, key, memory, "user_request"):
                reason = "the memory is not in use"
                raise ConflictError(reason)
            await record_step(
                tx, key, build_history_entry(tx, memory, HistoryAction.DEACTIVATED)
            )

    async def reactivate(self, scope: Scope, memory_id: UUID) -> Memory:
        """Put a memory back in use (D10).

        Raises:
            NotFoundError: the person has no such memory.
            ConflictError: it is in use, or another in use says the same.
        """
        key = await self.vault.get_key(scope)
        async with self.database.begin(scope) as tx:
            await tx.lock_person()
            settings = await self.settings.read_settings(tx)
            active = ActiveMemories(tx, key, settings, Trigger.USER_REQUEST)
            await active.expire_memories()
            memory = await get_memory(tx, key, memory_id)
            if memory.is_active:
                reason = "the memory is in use"
                raise ConflictError(reason)
            if await store.find_active_twin(tx, memory_id) is not None:
                reason = "another memory in use says the same"
                raise ConflictError(reason)
            await store.reactivate_memory(tx, key, memory, active.expires_at)
            await record_step(
                tx, key, build_history_entry(tx, memory, HistoryAction.REACTIVATED)
            )
            await active.load_facts()
            await active.deactivate_surplus(keep=memory_id)
            return await get_memory(tx, key, memory_id)

    async def deactivate_surplus(self, scope: Scope) -> None:
        """Take the weakest out of use while there are more than the person allows."""
        key = await self.vault.get_key(scope)
        async with self.database.begin(scope) as tx:
            await tx.lock_person()
            settings = await self.settings.read_settings(tx)
            count, _ = await list_store.count_memories(tx, only_active=True)
            if count > settings.max_memories:
                active = ActiveMemories(tx, key, settings, Trigger.CAPACITY)
                await active.load_facts()
                await active.deactivate_surplus()

    async def pin(self, scope: Scope, memory_id: UUID) -> Memory:
        """Have a memory stand first in every prompt, and not fade; return it.

        What the person's settings or the guard keep out of prompts stays out, and the
        person's retention holds for it as for any other.

        Raises:
            NotFoundError: the person has no such memory.
        """
        return await self._set_pinned(scope, memory_id, pinned=True)

    async def unpin(self, scope: Scope, memory_id: UUID) -> Memory:
        """Have a memory fade and rank as any other; return it.

        Raises:
            NotFoundError: the person has no such memory.
        """
        return await self._set_pinned(scope, memory_id, pinned=False)

    async def _set_pinned(
        self, scope: Scope, memory_id: UUID, *, pinned: bool
    ) -> Memory:
        key = await self.vault.get_key(scope)
        async with self.database.begin(scope) as tx:
            await tx.lock_person()
            before = await get_memory(tx, key, memory_id)
            tx.record_audit(Audit("access", "user_memories", memory_id, "pin"))
            if before.is_pinned is pinned:
                return before
            await store.set_pinned(tx, memory_id, pinned=pinned)
            tx.record_changes(Change("user_memory", memory_id))
            reason = "pinned" if pinned else "unpinned"
            tx.record_audit(Audit("update", "user_memories", memory_id, reason))
            return await get_memory(tx, key, memory_id)

    async def forgetting(self, scope: Scope, memory_id: UUID) -> ForgetPreview:
        """Return what `forget` would erase, without erasing it.

        Raises:
            NotFoundError: the person has no such memory.
        """
        key = await self.vault.get_key(scope)
        async with self.database.begin(scope, durable=False) as tx:
            memory = await get_memory(tx, key, memory_id)
            ids = await store.collect_versions(tx, [memory_id])
            found = [await get_memory(tx, key, each) for each in ids]
            told = await candidate_store.list_source_messages(tx, ids)
            tx.record_audit(Audit("access", "user_memories", memory_id, "forgetting"))
        sources = {*told, *(each for one in found for each in one.source_message_ids)}
        earlier = tuple(one for one in found if one.memory_id != memory_id)
        return ForgetPreview(memory, earlier, len(sources))

    async def forget(self, scope: Scope, memory_id: UUID) -> Receipt:
        """Erase a memory for good, with its history and candidates; return the receipt.

        The messages it came from are never found or read again. Earlier versions whose
        place it took go with it, and what says the same out of use, each with a receipt
        of its own.

        Raises:
            NotFoundError: the person has no such memory.
        """
        async with self.database.begin(scope) as tx:
            await tx.lock_person()
            if memory_id not in await store.list_ids(tx):
                raise NotFoundError("memory")
            await erase_memories(tx, [memory_id])
            signed = await attest_pending(tx, self.receipts)
        await list_cache.drop_lists(self.cache, scope.user_id)
        return next(each for each in signed if each.about == memory_id)

    async def forget_about(self, scope: Scope, wish: str) -> tuple[Outcome, ...]:
        """Erase the memories that a wish to forget names; return what became of it.

        `wish` is what a person would say, or only the thing: "my job". What may be
        meant but need not be waits as a candidate, one outcome each, not confirmed. To
        erase what was said of it too, use `Erasure.about`.

        Raises:
            InvalidInputError: an empty or overlong text.
            ModelUnavailableError: nothing was read or erased.
        """
        clean = clean_text("about", wish, max_bytes=LONGEST_MEMORY_BYTES)
        text = await run_aside(len(clean), lambda: mask_text(clean))
        key = await self.vault.get_key(scope)
        async with self.database.begin(scope) as tx:
            await accounts.insert_person(tx)
            asked = await wishes.load_wish_context(tx, key)
        findings = await wishes.interpret_wish(self.model, text, asked)
        claims = [
            wishes.build_wish_claim(finding, self.model.name) for finding in findings
        ]
        async with self.database.begin(scope) as tx:
            await tx.lock_person()
            settings = await self.settings.read_settings(tx)
            consolidation = await self.consolidator.open_consolidation(
                tx, key, settings, Trigger.USER_REQUEST
            )
            outcomes = await consolidation.consolidate_claims(claims)
        await list_cache.drop_lists(self.cache, scope.user_id)
        return outcomes

    async def open_wishes(self, scope: Scope) -> tuple[Candidate, ...]:
        """Return the wishes to forget for which nobody has searched yet."""
        key = await self.vault.get_reading_key(scope)
        async with self.database.begin(scope) as tx:
            return tuple(await candidate_store.list_open_wishes(tx, key))

    async def fulfil_wish(
        self,
        scope: Scope,
        candidate_id: UUID,
        message_ids: Sequence[UUID],
        possible: Sequence[PossibleMention] = (),
        *,
        inactive: Sequence[UUID] = (),
    ) -> tuple[Outcome, ...]:
        """Erase what was said of a wish, what rests on that alone, and the wish itself.

        `inactive` are memories out of use that it means; they go as well, an outcome
        each. What it possibly means waits until the person is asked; an outcome each. A
        wish that was taken back meanwhile is not carried out.
        """
        key = await self.vault.get_key(scope)
        async with self.database.begin(scope) as tx:
            await tx.lock_person()
            waiting = await candidate_store.list_open_wishes(tx, key)
            wish = next((w for w in waiting if w.candidate_id == candidate_id), None)
            if wish is None:
                return ()
            gone = await wishes.erase_inactive(tx, key, inactive)
            if message_ids:
                await self.vault.keystore.ledger.append_messages(
                    scope.user_id, message_ids, tx.now
                )
                await erase_messages(tx, key, message_ids)
            settings = await self.settings.read_settings(tx)
            asked = await insert_questions(
                tx,
                key,
                wish,
                [each for each in possible if can_store_texts(settings, each.content)],
            )
            tx.record_erasure()
            await candidate_store.erase_candidate(tx, candidate_id)
            tx.record_changes(Change("memory_candidate", candidate_id, "delete"))
        await list_cache.drop_lists(self.cache, scope.user_id)
        return (*gone, *asked)

    async def forget_messages(
        self, scope: Scope, message_ids: Sequence[UUID], *, alone: bool = False
    ) -> None:
        """Have what was said never be read again, with what rests on that alone.

        With `alone`, the memories that rest on it stay.
        """
        key = await self.vault.get_key(scope)
        async with self.database.begin(scope) as tx:
            await tx.lock_person()
            if alone:
                await erase_memories(tx, [], message_ids)
                tx.record_erasure()
            else:
                await erase_messages(tx, key, message_ids)
        await list_cache.drop_lists(self.cache, scope.user_id)

    async def forget_all(self, scope: Scope) -> int:
        """Erase every memory, active or not, and every candidate.

        A wish to forget stays until what was said of it is erased, without the memories
        that were erased for it. Returns how many memories there were; their receipts
        follow by a job.
        """
        key = await self.vault.get_key(scope)
        async with self.database.begin(scope) as tx:
            await accounts.insert_person(tx)
            await tx.lock_person()
            ids = await erase_all_memories(tx)
            for candidate_id in await candidate_store.erase_all(tx):
                tx.record_changes(Change("memory_candidate", candidate_id, "delete"))
            for wish in await candidate_store.list_open_wishes(tx, key):
                text, erased = ForgetWish.from_claim(wish.claim)
                if erased:
                    await candidate_store.set_claim(tx, key, wish.candidate_id, text)
        await list_cache.drop_lists(self.cache, scope.user_id)
        return len(ids)

    async def rollback(
        self,
        scope: Scope,
        *,
        since: datetime | None = None,
        session_id: UUID | None = None,
        dry_run: bool = False,
    ) -> tuple[UUID, ...]:
        """Take out of use what was learned since a time or from a session.

        What it had replaced or denied is in use again, candidates from there are
        expired. Returns the memories that are out of use now; each can be reactivated.
        With `dry_run`, those that would be, and nothing changes.

        Raises:
            InvalidInputError: neither is given, or a time without a zone.
        """
        origin = build_origin(since, session_id)
        if dry_run:
            async with self.database.begin(scope) as tx:
                return tuple(await list_active_from(tx, origin))
        key = await self.vault.get_key(scope)
        async with self.database.begin(scope) as tx:
            await accounts.insert_person(tx)
            await tx.lock_person()
            settings = await self.settings.read_settings(tx)
            withdrawn = await roll_back(tx, key, settings, origin)
        await list_cache.drop_lists(self.cache, scope.user_id)
        return tuple(withdrawn)

    async def candidates(
        self,
        scope: Scope,
        *,
        status: CandidateStatus | None = None,
        held: bool = False,
        limit: int = 100,
        offset: int = 0,
    ) -> tuple[Candidate, ...]:
        """Return candidates, newest first; `held` ones are in quarantine.

        The newest `offset` are left out.
        """
        require_limit(limit)
        key = await self.vault.get_reading_key(scope)
        async with self.database.begin(scope, durable=False) as tx:
            found = await candidate_store.list_candidates(
                tx, key, status, limit, held=held, offset=max(0, offset)
            )
            await audit_listing(tx, "memory_candidates", "list", len(found))
        return tuple(found)

    async def confirm(self, scope: Scope, candidate_id: UUID) -> Memory | None:
        """Carry out a candidate because a person reviewed it.

        Returns the memory, or None when the candidate was to forget one.

        Raises:
            NotFoundError: the person has no such candidate.
            ConflictError: it was reviewed already.
            NotPermittedError: as `remember`, unless it is to forget something.
        """
        key = await self.vault.get_key(scope)
        async with self.database.begin(scope) as tx:
            await tx.lock_person()
            settings = await self.settings.read_settings(tx)
            candidate, embedding = await reviews.require_pending(tx, key, candidate_id)
            if candidate.operation is not FindingOperation.DELETE:
                require_allowed(settings, candidate.category, candidate.claim)
            claim = reviews.build_reviewed_claim(candidate, embedding, self.embedder)
            if candidate.operation is not FindingOperation.DELETE:
                said = await reviews.find_claim_time(tx, key, candidate)
                claim = replace(claim, spoken_at=said)
            consolidation = await self.consolidator.open_consolidation(
                tx, key, settings, Trigger.USER_REVIEW
            )
            memory_id = await consolidation.apply_reviewed(claim, candidate_id)
            await consolidation.active.record_messages(self.vault.keystore.ledger)
            if candidate.operation is FindingOperation.DELETE:
                await reviews.delete_overdue_target(tx, key, claim)
            kept = memory_id and await get_memory(tx, key, memory_id)
        await list_cache.drop_lists(self.cache, scope.user_id)
        return kept

    async def reject(self, scope: Scope, candidate_id: UUID) -> None:
        """Refuse a candidate; exactly this claim is never proposed again.

        The person may still ask for it, see `remember`.

        Raises:
            NotFoundError, ConflictError: as `confirm`.
        """
        key = await self.vault.get_key(scope)
        async with self.database.begin(scope) as tx:
            await tx.lock_person()
            await reviews.reject_candidate(tx, key, candidate_id)

    async def questions(self, scope: Scope) -> tuple[ForgetQuestion, ...]:
        """Return what to ask the person about: what their last wish to forget may mean.

        A wish that may mean several things erases nothing. An agent asks, in its own
        words but naming the memory; the answer is understood when it is read, or an
        app calls `confirm` or `reject`. What was asked once is not returned again, and
        nothing while memory is off.
        """
        key = await self.vault.get_reading_key(scope)
        async with self.database.begin(scope, durable=False) as tx:
            settings = await self.settings.read_settings(tx)
            found = await self.read_questions(tx, key) if settings.is_enabled else ()
            await audit_listing(tx, "memory_candidates", "questions", len(found))
        return found

    async def read_questions(
        self, tx: Transaction, key: PersonKey
    ) -> tuple[ForgetQuestion, ...]:
        """Return what `questions` does, within a transaction."""
        return tuple(await read_questions(tx, key))

    async def embed(self, scope: Scope) -> int:
        """Give a vector to every active memory that lacks one of this embedder."""
        key = await self.vault.get_key(scope)
        async with self.database.begin(scope) as tx:
            lacking = await store.list_without_vector(tx, key, self.embedder.name)
        for portion in split_portions(lacking, _measure_length, PORTION_CHARACTERS):
            await self._embed_memories(scope, key, portion)
        return len(lacking)

    async def _embed_memories(
        self, scope: Scope, key: PersonKey, lacking: Sequence[Memory]
    ) -> None:
        vectors = await self.embedder.passages([memory.content for memory in lacking])
        async with self.database.begin(scope) as tx:
            await tx.lock_person()
            for memory, vector in zip(lacking, vectors, strict=True):
                embedding = Embedding(self.embedder.name, vector)
                named = replace(
                    memory, subcategory=self.consolidator.find_subcategory(embedding)
                )
                if await store.set_vector(tx, key, named, embedding):
                    tx.record_changes(Change("user_memory", memory.memory_id))


def _measure_length(memory: Memory) -> int:
    return len(memory.content)
