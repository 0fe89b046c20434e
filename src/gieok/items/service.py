"""Keeps items under keys, and finds them by what they mean."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Self

from gieok.database import Change, Database, ItemsExpired, schedule_event
from gieok.items import index_store, store
from gieok.items.auditing import ENTITY, record_removed
from gieok.items.entries import encode_entries, get_row_kind
from gieok.items.executor import ItemExecutor
from gieok.items.finder import ItemFinder
from gieok.items.item_index import ItemIndex
from gieok.items.model import Operation, OperationAnswer
from gieok.items.queue import CallQueue
from gieok.kernel.language import Embedder, Tokenizer
from gieok.kernel.portions import split_portions
from gieok.kernel.scope import Scope
from gieok.privacy import PersonKey, Vault
from gieok.search.codec import join_entries
from gieok.search.index_cache import IndexCache
from gieok.settings import SettingsService

BATCH: Final = 64
"""Items read at once to be embedded."""
PORTION: Final = 8_000
"""Characters embedded between two transactions."""


@dataclass(frozen=True, slots=True)
class Items:
    """The items of everyone, one person at a time."""

    database: Database
    vault: Vault
    finder: ItemFinder
    queue: CallQueue

    @classmethod
    def create(
        cls,
        database: Database,
        vault: Vault,
        settings: SettingsService,
        embedder: Embedder,
        tokenizer: Tokenizer,
        max_bytes: int = 256 * 2**20,
    ) -> Self:
        """Return the items; `max_bytes` bounds the vectors held in memory."""
        indexes = IndexCache(
            partial(ItemIndex, embedder.dimension, embedder.name), max_bytes
        )
        finder = ItemFinder(database, embedder, tokenizer, indexes)
        executor = ItemExecutor(database, vault, settings, finder)
        return cls(
            database, vault, finder, CallQueue(executor.run, max(1, database.size // 2))
        )

    async def batch(
        self, scope: Scope, ops: Sequence[Operation]
    ) -> list[OperationAnswer]:
        """Do what is asked in one transaction: first all reading, then all writing.

        A person's calls are done in the order in which they were made, those that wait
        for each other together in one transaction; there is no limit to how many wait.
        A call that is cancelled while it waits does nothing.

        Of several writes of one key the last stays. What is never kept, such as card
        numbers, is masked in values and in questions (A19). What is kept is found by
        its words at once and by its meaning as soon as the worker has made its vector.
        For a person who switched memory off nothing is found, and only removing is
        allowed.

        Raises:
            InvalidInputError: what is asked cannot be done; nothing was.
            NotPermittedError: memory is switched off in the person's settings.
        """
        return await self.queue.answer_call(scope, ops)

    async def index(self, scope: Scope) -> int:
        """Make a vector for every item that lacks one; return how many were made.

        Raises:
            ModelUnavailableError: the embedder does not answer; words are searchable
                already, and the job tries again.
        """
        async with self.database.begin(scope) as tx:
            await tx.lock_person()
        key = await self.vault.get_key(scope)
        done = 0
        while batch := await self._list_waiting(scope, key):
            for portion in split_portions(batch, _count_characters, PORTION):
                await self._index_items(scope, key, portion)
            done += len(batch)
        return done

    async def sweep(self, scope: Scope) -> int:
        """Remove the items whose time to live is over; return how many."""
        async with self.database.begin(scope) as tx:
            await tx.lock_person()
            gone = await store.delete_items(tx, await store.list_expired(tx))
            record_removed(tx, gone, "expired")
            if due := await store.find_next_expiry(tx):
                await schedule_event(tx, ItemsExpired, due)
        return len(gone)

    def drop(self, scope: Scope) -> None:
        """Forget what is held in memory of a person."""
        self.finder.indexes.remove_index(scope.user_id)

    async def _list_waiting(
        self, scope: Scope, key: PersonKey
    ) -> list[index_store.UnembeddedItem]:
        async with self.database.begin(scope) as tx:
            return await index_store.list_unembedded(
                tx, key, self.finder.embedder.name, BATCH
            )

    async def _index_items(
        self, scope: Scope, key: PersonKey, batch: Sequence[index_store.UnembeddedItem]
    ) -> None:
        texts = [text for one in batch for text in one.content.texts]
        vectors = await self.finder.embedder.passages(texts)
        tokenizer, made, start = self.finder.tokenizer, list[bytes](), 0
        for one in batch:
            end = start + len(one.content.texts)
            parts = await asyncio.to_thread(
                encode_entries,
                one.content,
                one.position,
                one.updated_at,
                tokenizer,
                vectors[start:end],
            )
            made.append(join_entries(get_row_kind(one.content), parts))
            start = end
        async with self.database.begin(scope) as tx:
            await tx.lock_person()
            tx.record_changes(Change(ENTITY, batch[0].item_id))
            await tx.journal.write(tx)
            rows = list(zip(batch, made, strict=True))
            await index_store.store_entries(tx, key, rows, self.finder.embedder.name)


def _count_characters(one: index_store.UnembeddedItem) -> int:
    return sum(map(len, one.content.texts))
