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
    schedule_event,
)
from gieok.episodes.writer import erase_episodes
from gieok.erasure import special_store as special
from gieok.erasure import store
from gieok.items import store as items
from gieok.items.service import ENTITY as ITEM
from gieok.kernel.scope import Scope
from gieok.memories import candidate_store, history_store
from gieok.memories import store as memories
from gieok.memories.removal import erase_memories
from gieok.memories.withdrawal import withdraw_sources
from gieok.privacy import PersonKey, Vault
from gieok.privacy.receipt_issuer import RENEWED_AFTER
from gieok.search.summary_entry_store import delete_entries
from gieok.sessions import removal_store
from gieok.sessions.removal import forget_messages
from gieok.summaries import withdraw_messages, withdraw_sessions

REASON: Final = "consent_withdrawn"
BATCH: Final = 1_000
"""Texts that one transaction looks at."""
_LOWEST_ID: Final = UUID(int=0)

SpecialRowIds = dict[str, list[UUID]]
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
        key = await self.vault.get_key(scope)
        found = await self._find_rows(scope, key)
        if not any(found.values()):
            return 0
        async with self.database.begin(scope) as tx:
            said = await special.list_with_pairs(tx, found["session_messages"])
            summarized = found["sessions"]
            await removal_store.lock_sessions(
                tx, [*await special.list_session_ids(tx, said), *summarized]
            )
            await tx.lock_person()
            gone = await _withdraw_messages(tx, key, said)
            await removal_store.delete_summaries(tx, summarized)
            await delete_entries(tx, summarized)
            await withdraw_sessions(tx, summarized)
            await history_store.delete_entries(tx, found["memory_history"])
            await schedule_event(tx, KeyOutdated, tx.now + RENEWED_AFTER)
            return gone + await _erase_named(tx, found)

    async def _find_rows(self, scope: Scope, key: PersonKey) -> SpecialRowIds:
        found: SpecialRowIds = {}
        for column in special.TEXTS:
            ids = found.setdefault(column.table, [])
            last: UUID | None = _LOWEST_ID
            while last is not None:
                async with self.database.begin(scope) as tx:
                    some, last = await special.find_special_rows(
                        tx, key, column, last, BATCH
                    )
                ids += some
        return {table: list(dict.fromkeys(ids)) for table, ids in found.items()}


async def _withdraw_messages(
    tx: Transaction, key: PersonKey, message_ids: list[UUID]
) -> int:
    """Put messages out of reach, with what rests on them alone."""
    gone = await withdraw_sources(tx, key, (), message_ids, REASON)
    summaries = await withdraw_messages(tx, message_ids)
    resting = await store.list_episodes(tx, message_ids)
    await erase_episodes(tx, resting, REASON)
    await forget_messages(tx, message_ids)
    pair_ids = await removal_store.list_pairs_of(tx, message_ids)
    tx.record_changes(*(Change("session_message", each) for each in message_ids))
    tx.record_changes(*(Change("conversation_pair", each) for each in pair_ids))
    return len(gone.memories) + len(gone.candidates) + len(resting) + summaries


async def _erase_named(tx: Transaction, found: SpecialRowIds) -> int:
    """Erase what names a special category itself."""
    there = set(await memories.list_ids(tx))
    named = [each for each in found["user_memories"] if each in there]
    await erase_memories(tx, named, reason=REASON)
    claims = await candidate_store.delete_candidates(tx, found["memory_candidates"])
    tx.record_changes(*(Change("memory_candidate", each, "delete") for each in claims))
    tx.record_audit(
        *(Audit("delete", "memory_candidates", each, REASON) for each in claims)
    )
    told = set(await store.list_all_episodes(tx)).intersection(found["episodes"])
    await erase_episodes(tx, sorted(told), REASON)
    kept = await items.delete_items(tx, found["store_items"])
    tx.record_changes(*(Change(ITEM, each, "delete") for each in kept))
    tx.record_audit(*(Audit("delete", "store_items", each, REASON) for each in kept))
    return len(named) + len(claims) + len(told) + len(kept)
