"""Removes what is no longer kept, each kind of thing after its own time (A20).

What was derived from a conversation stays as long as its own purpose allows; only what
quotes it goes with it. A session's row stays, without what was said in it.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

from gieok.database import (
    Audit,
    Change,
    Database,
    RetentionEnded,
    Transaction,
    schedule_event,
)
from gieok.episodes.writer import erase_episodes
from gieok.erasure import retention_store as store
from gieok.kernel.language import Basis, FindingOperation
from gieok.kernel.scope import Scope
from gieok.memories import (
    DeletePolicy,
    Memories,
    Memory,
    candidate_store,
    list_cache,
)
from gieok.memories import store as memory_store
from gieok.memories.claims import Claim
from gieok.memories.corrections import apply_policy
from gieok.memories.removal import RETENTION_REASON as REASON
from gieok.memories.removal import delete_overdue
from gieok.memories.source_store import delete_previews
from gieok.privacy import PersonKey, Vault
from gieok.search.summary_entry_store import delete_entries
from gieok.sessions import removal_store
from gieok.sessions.threads import delete_threads
from gieok.settings import Keep, Purpose, SettingsService

BATCH: Final = 1_000
"""Rows that one transaction looks at."""
OVERDUE_AFTER: Final = timedelta(hours=1)
"""When what a pass should have removed, and could not, is looked at again."""
WEEK_SUMMARY_MARGIN: Final = timedelta(days=10)
"""How much longer than a week's summary the summaries of its sessions are needed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """What is kept of everyone, and for how long."""

    database: Database
    vault: Vault
    memories: Memories
    settings: SettingsService
    messages: timedelta
    """How long messages are kept that are in no pair; a pair says so itself."""
    keep: Keep

    async def expire(self, scope: Scope) -> int:
        """Remove what is no longer kept by now; return how many things.

        A memory whose time is over is erased if its policy is `retention_expire`; if it
        is `manual_review`, the person is asked once, by a candidate, and it goes when
        that is confirmed; else it stays.
        Running it twice changes nothing.
        """
        gone = await _run_batches(self._expire_messages, scope) + await _run_batches(
            self._expire_memories, scope
        )
        gone += await _run_batches(self._expire_derived, scope)
        # What is overdue still could not go: it is not looked at every minute.
        await self._schedule_next(scope, overdue_in=OVERDUE_AFTER)
        return gone

    async def schedule(self, scope: Scope) -> None:
        """Enter when the next thing of the person's is no longer kept."""
        await self._schedule_next(scope, overdue_in=timedelta(0))

    async def _schedule_next(self, scope: Scope, *, overdue_in: timedelta) -> None:
        async with self.database.begin(scope) as tx:
            spans, longer = (
                await self._compute_periods(tx),
                await self._compute_extension(tx),
            )
            if due := await store.find_next_due(tx, self.messages, longer, spans):
                at = due if due > tx.now else tx.now + overdue_in
                await schedule_event(tx, RetentionEnded, at)

    async def set_policy(
        self, scope: Scope, memory_id: UUID, policy: DeletePolicy | str
    ) -> Memory:
        """Say what becomes of a memory once its time is over (A06); return it.

        Raises:
            InvalidInputError: there is no such policy.
            NotFoundError: the person has no such memory.
        """
        key = await self.vault.get_key(scope)
        async with self.database.begin(scope) as tx:
            await tx.lock_person()
            return await apply_policy(tx, key, memory_id, policy)

    async def _expire_messages(self, scope: Scope) -> int:
        async with self.database.begin(scope) as tx:
            until = tx.now - await self._compute_extension(tx)
            before = until - self.messages
            sessions = await removal_store.lock_sessions_before(
                tx, before, until, BATCH
            )
            pairs = await removal_store.delete_pairs(tx, sessions, until)
            messages = await removal_store.delete_messages(tx, sessions, before)
            if not messages:
                return 0
            await tx.lock_person()
            changed = await delete_previews(tx, messages)
            asked = await candidate_store.delete_message_questions(tx, messages)
            ended = await removal_store.list_ended_threads(tx, sessions)
            await delete_threads(tx, ended)
            tx.record_changes(
                *(Change("conversation_pair", each, "delete") for each in pairs),
                *(Change("session_message", each, "delete") for each in messages),
                *(Change("memory_candidate", each, "delete") for each in asked),
                *(Change("user_memory", each) for each in changed),
            )
            tx.record_audit(
                *(
                    Audit("delete", "session_messages", each, REASON)
                    for each in sessions
                )
            )
        await list_cache.drop_lists(self.memories.cache, scope.user_id)
        return len(messages)

    async def _expire_memories(self, scope: Scope) -> int:
        key = await self.vault.get_key(scope)
        async with self.database.begin(scope) as tx:
            await tx.lock_person()
            expired = await store.list_overdue(tx, DeletePolicy.RETENTION_EXPIRE, BATCH)
            expired += await store.list_approved(tx)
            await delete_overdue(tx, expired)
            await self._propose_reviews(tx, key)
        await list_cache.drop_lists(self.memories.cache, scope.user_id)
        return len(expired)

    async def _expire_derived(self, scope: Scope) -> int:
        """Remove a batch of episodes, candidates and summaries of sessions."""
        async with self.database.begin(scope) as tx:
            spans = await self._compute_periods(tx)
            summarized = await removal_store.delete_summaries_before(
                tx, tx.now - spans.summaries, BATCH
            )
            await delete_entries(tx, summarized)
            await tx.lock_person()
            episodes = await store.list_old_episodes(tx, tx.now - spans.episodes, BATCH)
            await erase_episodes(tx, episodes, REASON)
            waiting = await store.list_old_candidates(
                tx, tx.now - spans.candidates, BATCH
            )
            claims = await candidate_store.delete_candidates(tx, waiting)
            tx.record_changes(*(Change("session", each) for each in summarized))
            tx.record_audit(
                *(Audit("update", "sessions", each, REASON) for each in summarized)
            )
            tx.record_changes(
                *(Change("memory_candidate", each, "delete") for each in claims)
            )
            tx.record_audit(
                *(Audit("delete", "memory_candidates", each, REASON) for each in claims)
            )
        return len(summarized) + len(episodes) + len(claims)

    async def _compute_extension(self, tx: Transaction) -> timedelta:
        """Return how much longer than others' the person's words are kept."""
        settings = await self.settings.read_settings(tx)
        if settings.words_days is None or Purpose.WORDS in settings.withheld:
            return timedelta(0)
        return max(timedelta(days=settings.words_days) - self.messages, timedelta(0))

    async def _compute_periods(self, tx: Transaction) -> store.RetentionPeriods:
        own = (await self.settings.read_settings(tx)).retention_days
        episodes = min(self.keep.episodes, own or self.keep.episodes)
        return store.RetentionPeriods(
            timedelta(days=self.keep.weeks) + WEEK_SUMMARY_MARGIN,
            timedelta(days=episodes),
            timedelta(days=self.keep.candidates),
        )

    async def _propose_reviews(self, tx: Transaction, key: PersonKey) -> None:
        """Propose to forget memories that somebody has to review, and can read."""
        overdue = await store.list_overdue(tx, DeletePolicy.MANUAL_REVIEW, BATCH)
        for memory in await memory_store.list_memories_by_id(tx, key, overdue):
            claim = Claim(
                content=memory.content,
                category=memory.category,
                confidence=memory.confidence,
                basis=Basis.OBSERVED,
                operation=FindingOperation.DELETE,
                target_id=memory.memory_id,
                session_id=None,
                message_ids=(),
                preview=None,
                extractor=REASON,
                embedding=None,
            )
            candidate = await candidate_store.insert_candidate(tx, key, claim, None)
            tx.record_changes(Change("memory_candidate", candidate))
            tx.record_audit(Audit("create", "memory_candidates", candidate, REASON))


async def _run_batches(batch: Callable[[Scope], Awaitable[int]], scope: Scope) -> int:
    """Remove batch after batch until nothing is left to remove."""
    gone = 0
    while taken := await batch(scope):
        gone += taken
    return gone
