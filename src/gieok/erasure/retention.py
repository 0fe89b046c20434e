"""Removes what is no longer kept: raw conversation first, memories by their policy.

What was derived from a conversation stays as long as its own purpose allows; only what
quotes it goes with it. A session's row stays, without what was said in it (A20).
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from gieok.database import (
    Audit,
    Change,
    Database,
    RetentionEnded,
    Transaction,
    expect,
)
from gieok.erasure import retention_store as store
from gieok.kernel.language import Basis, Operation
from gieok.kernel.scope import Scope
from gieok.memories import Memories, candidate_store, listing
from gieok.memories import store as memory_store
from gieok.memories.model import Claim
from gieok.privacy import PersonKey, Vault
from gieok.sessions.threads import delete_threads

BATCH: Final = 1_000
"""Messages that one transaction looks at."""
REASON: Final = "retention"


@dataclass(frozen=True, slots=True)
class Retention:
    """What is kept of everyone, and for how long."""

    database: Database
    vault: Vault
    memories: Memories
    messages: timedelta
    """How long messages are kept that are in no pair; a pair says so itself."""

    async def expire(self, scope: Scope) -> int:
        """Remove what is no longer kept by now; return how many messages and memories.

        A memory whose time is over is erased if its policy is `retention_expire`; if it
        is `manual_review`, the person is asked once, by a candidate, and it goes when
        that is confirmed; else it stays.
        Running it twice changes nothing.
        """
        gone = 0
        while taken := await self._messages(scope):
            gone += taken
        gone += await self._memories(scope)
        await self.plan(scope)
        return gone

    async def plan(self, scope: Scope) -> None:
        """Enter when the next thing of the person's is no longer kept."""
        async with self.database.begin(scope) as tx:
            days = self.messages / timedelta(days=1)
            if due := await store.next_due(tx, days):
                await expect(tx, RetentionEnded, due)

    async def _messages(self, scope: Scope) -> int:
        async with self.database.begin(scope) as tx:
            before = tx.now - self.messages
            sessions = await store.lock_sessions(tx, before, BATCH)
            pairs = await store.delete_pairs(tx, sessions)
            messages = await store.delete_messages(tx, sessions, before)
            if not messages:
                return 0
            await tx.lock_person()
            changed = await store.drop_previews(tx, messages)
            await delete_threads(tx, await store.emptied(tx, sessions))
            for entity, ids in (
                ("conversation_pair", pairs),
                ("session_message", messages),
            ):
                tx.number(*(Change(entity, each, "delete") for each in ids))
            tx.number(*(Change("user_memory", each) for each in changed))
            tx.audit(
                *(
                    Audit("delete", "session_messages", each, REASON)
                    for each in sessions
                )
            )
        await listing.drop(self.memories.cache, scope.user_id)
        return len(messages)

    async def _memories(self, scope: Scope) -> int:
        key = await self.vault.key(scope)
        async with self.database.begin(scope) as tx:
            await tx.lock_person()
            expired = await store.overdue(tx, "retention_expire")
            expired += await store.approved(tx)
            if expired:
                await memory_store.erase(tx, expired)
                await candidate_store.erase_about(tx, expired, ())
            tx.number(*(Change("user_memory", each, "delete") for each in expired))
            tx.audit(
                *(Audit("delete", "user_memories", each, REASON) for each in expired)
            )
            await self._ask(tx, key)
        await listing.drop(self.memories.cache, scope.user_id)
        return len(expired)

    async def _ask(self, tx: Transaction, key: PersonKey) -> None:
        """Propose to forget memories that somebody has to review."""
        for memory_id in await store.overdue(tx, "manual_review"):
            memory = await memory_store.get(tx, key, memory_id)
            assert memory is not None  # noqa: S101 - it was just found
            claim = Claim(
                content=memory.content,
                category=memory.category,
                confidence=memory.confidence,
                basis=Basis.OBSERVED,
                operation=Operation.DELETE,
                target_id=memory_id,
                session_id=None,
                message_ids=(),
                preview=None,
                extractor=REASON,
                embedding=None,
            )
            candidate = await candidate_store.insert(tx, key, claim, None)
            tx.number(Change("memory_candidate", candidate))
            tx.audit(Audit("create", "memory_candidates", candidate, REASON))
