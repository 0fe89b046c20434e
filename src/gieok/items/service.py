"""Keeps items under keys, and finds them by what they mean."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

from gieok.database import Change, Database, ItemsExpired, expect
from gieok.items import store
from gieok.items.entries import entries, joined, kind_of
from gieok.items.executor import Executor
from gieok.items.finding import Finder
from gieok.items.kept import Kept
from gieok.items.model import Answer, Operation
from gieok.items.notes import ENTITY, note_removed
from gieok.items.queue import Queue
from gieok.kernel.language import Embedder, Tokenizer
from gieok.kernel.portions import split_portions
from gieok.kernel.scope import Scope
from gieok.privacy import PersonKey, Vault
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
    finder: Finder
    queue: Queue

    @classmethod
    def over(
        cls,
        database: Database,
        vault: Vault,
        settings: SettingsService,
        embedder: Embedder,
        tokenizer: Tokenizer,
        most_bytes: int = 256 * 2**20,
    ) -> Self:
        """Return the items; `most_bytes` bounds the vectors held in memory."""
        finder = Finder(database, embedder, tokenizer, Kept(most_bytes))
        executor = Executor(database, vault, settings, finder)
        return cls(
            database, vault, finder, Queue(executor.run, max(1, database.size // 2))
        )

    async def batch(self, scope: Scope, ops: Sequence[Operation]) -> list[Answer]:
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
        return await self.queue.answer(scope, ops)

    async def index(self, scope: Scope) -> int:
        """Make a vector for every item that lacks one; return how many were made.

        Raises:
            ModelUnavailableError: the embedder does not answer; words are searchable
                already, and the job tries again.
        """
        async with self.database.begin(scope) as tx:
            await tx.lock_person()
        key = await self.vault.key(scope)
        done = 0
        while batch := await self._waiting(scope, key):
            for portion in split_portions(batch, _length, PORTION):
                await self._make_searchable(scope, key, portion)
            done += len(batch)
        return done

    async def sweep(self, scope: Scope) -> int:
        """Remove the items whose time to live is over; return how many."""
        async with self.database.begin(scope) as tx:
            await tx.lock_person()
            gone = await store.delete(tx, await store.expired(tx))
            note_removed(tx, gone, "expired")
            if due := await store.next_expiry(tx):
                await expect(tx, ItemsExpired, due)
        return len(gone)

    def drop(self, scope: Scope) -> None:
        """Forget what is held in memory of a person."""
        self.finder.kept.drop(scope.user_id)

    async def _waiting(self, scope: Scope, key: PersonKey) -> list[store.Waiting]:
        async with self.database.begin(scope) as tx:
            return await store.waiting(tx, key, self.finder.embedder.name, BATCH)

    async def _make_searchable(
        self, scope: Scope, key: PersonKey, batch: Sequence[store.Waiting]
    ) -> None:
        texts = [text for one in batch for text in one.content.texts]
        vectors = await self.finder.embedder.passages(texts)
        tokenizer, made, start = self.finder.tokenizer, list[bytes](), 0
        for one in batch:
            end = start + len(one.content.texts)
            parts = await asyncio.to_thread(
                entries,
                one.content,
                one.position,
                one.updated_at,
                tokenizer,
                vectors[start:end],
            )
            made.append(joined(kind_of(one.content), parts))
            start = end
        async with self.database.begin(scope) as tx:
            await tx.lock_person()
            tx.number(Change(ENTITY, batch[0].item_id))
            await tx.journal.write(tx)
            rows = list(zip(batch, made, strict=True))
            await store.make_searchable(tx, key, rows, self.finder.embedder.name)


def _length(one: store.Waiting) -> int:
    return sum(map(len, one.content.texts))
