"""Takes back what was learned of special categories: health, belief and their like.

What was said stays where it was said, but is never found, summed up or learned from
again. Whatever rests on it alone goes, and so does what names such a category itself.
"""

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from gieok.database import (
    Audit,
    Change,
    Database,
    KeyOutdated,
    Transaction,
    expect,
)
from gieok.episodes.keeping import erase as erase_episodes
from gieok.erasure import retention_store, store
from gieok.erasure import special_store as special
from gieok.erasure.person import RENEWED_AFTER
from gieok.items import store as items
from gieok.items.service import ENTITY as ITEM
from gieok.kernel.scope import Scope
from gieok.memories import store as memories
from gieok.memories.consolidation import erase as erase_memories
from gieok.memories.withdrawal import withdraw
from gieok.privacy import PersonKey, Vault
from gieok.summaries import withdraw_messages, withdraw_sessions

REASON: Final = "consent_withdrawn"
BATCH: Final = 1_000
"""Texts that one transaction looks at."""
_FIRST: Final = UUID(int=0)

Touching = dict[str, list[UUID]]
"""Ids of rows that touch a special category, by table."""


@dataclass(frozen=True, slots=True)
class SpecialCategories:
    """What touches a special category, of everyone."""

    database: Database
    vault: Vault

    async def erase(self, scope: Scope) -> int:
        """Erase what was learned of them; return how many things.

        Running it twice changes nothing.
        """
        await self.database.wait_for_writers(scope)
        key = await self.vault.key(scope)
        found = await self._found(scope, key)
        if not any(found.values()):
            return 0
        async with self.database.begin(scope) as tx:
            said = await special.with_pairs(tx, found["session_messages"])
            summed = found["sessions"]
            await store.lock(tx, [*await special.sessions_of(tx, said), *summed])
            await tx.lock_person()
            gone = await _withdraw_said(tx, key, said)
            await special.drop_summaries(tx, summed)
            await withdraw_sessions(tx, summed)
            await special.delete_history(tx, found["memory_history"])
            await expect(tx, KeyOutdated, tx.now + RENEWED_AFTER)
            return gone + await _erase_named(tx, found)

    async def _found(self, scope: Scope, key: PersonKey) -> Touching:
        found: Touching = {}
        for column in special.TEXTS:
            ids = found.setdefault(column.table, [])
            last: UUID | None = _FIRST
            while last is not None:
                async with self.database.begin(scope) as tx:
                    some, last = await special.touching(tx, key, column, last, BATCH)
                ids += some
        return {table: list(dict.fromkeys(ids)) for table, ids in found.items()}


async def _withdraw_said(
    tx: Transaction, key: PersonKey, message_ids: list[UUID]
) -> int:
    """Put messages out of reach, with what rests on them alone."""
    await retention_store.drop_previews(tx, message_ids)
    gone = await withdraw(tx, key, (), message_ids, REASON)
    summaries = await withdraw_messages(tx, message_ids)
    resting = await store.episodes(tx, message_ids)
    await erase_episodes(tx, resting, REASON)
    await memories.forget_messages(tx, message_ids)
    tx.number(*(Change("session_message", each) for each in message_ids))
    return len(gone.memories) + len(gone.candidates) + len(resting) + summaries


async def _erase_named(tx: Transaction, found: Touching) -> int:
    """Erase what names a special category itself."""
    there = set(await memories.all_ids(tx))
    named = [each for each in found["user_memories"] if each in there]
    await erase_memories(tx, named, reason=REASON)
    claims = await special.delete_candidates(tx, found["memory_candidates"])
    tx.number(*(Change("memory_candidate", each, "delete") for each in claims))
    tx.audit(*(Audit("delete", "memory_candidates", each, REASON) for each in claims))
    told = set(await store.all_episodes(tx)).intersection(found["episodes"])
    await erase_episodes(tx, sorted(told), REASON)
    kept = await items.delete(tx, found["store_items"])
    tx.number(*(Change(ITEM, each, "delete") for each in kept))
    tx.audit(*(Audit("delete", "store_items", each, REASON) for each in kept))
    return len(named) + len(claims) + len(told) + len(kept)
