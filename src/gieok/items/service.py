"""Keeps items under keys, and finds them by what they mean."""

import asyncio
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Final, Self
from uuid import UUID

from gieok.accounts import store as accounts
from gieok.database import (
    Audit,
    Change,
    Database,
    ItemsExpired,
    Transaction,
    VectorMissing,
    expect,
)
from gieok.database.journal import AuditEvent
from gieok.items import screening, store
from gieok.items.checks import checked
from gieok.items.entries import entries, joined, kind_of
from gieok.items.finding import Asked, Finder
from gieok.items.kept import Kept
from gieok.items.model import (
    Answer,
    Get,
    Item,
    ListNamespaces,
    Operation,
    Search,
)
from gieok.items.names import listed
from gieok.items.screening import Screened, screened
from gieok.items.sealed import item_id
from gieok.kernel.errors import NotPermittedError
from gieok.kernel.language import Embedder, Tokenizer
from gieok.kernel.scope import Scope
from gieok.privacy import PersonKey, Vault
from gieok.settings import SettingsService
from gieok.settings.consenting import require_holdable

BATCH: Final = 64
"""Items embedded between two transactions."""
ENTITY: Final = "store_item"
TABLE: Final = "store_items"


@dataclass(frozen=True, slots=True)
class Items:
    """The items of everyone, one person at a time."""

    database: Database
    vault: Vault
    settings: SettingsService
    finder: Finder

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
        return cls(database, vault, settings, finder)

    async def batch(self, scope: Scope, ops: Sequence[Operation]) -> list[Answer]:
        """Do what is asked in one transaction: first all reading, then all writing.

        Of several writes of one key the last stays. What is never kept, such as card
        numbers, is masked in values and in questions (A19). What is kept is found by
        its words at once and by its meaning as soon as the worker has made its vector.
        For a person who switched memory off nothing is found, and only removing is
        allowed.

        Raises:
            InvalidInputError: what is asked cannot be done; nothing was.
            NotPermittedError: memory is switched off in the person's settings.
        """
        puts = [await screened(put) for put in checked(ops)]
        texts = [put.text for put in puts]
        ops = [screening.asked(op) for op in ops]
        # Of two who write the same, the one who came later has the last word.
        async with self.finder.kept.turn(scope.user_id) if puts else nullcontext():
            key = await self.vault.key(scope)
            asked = await self.finder.asked(scope, key, ops)
            async with self.database.begin(scope, durable=bool(puts)) as tx:
                asking = await store.ask_ground(tx) if asked else None
                settings = await self.settings.within(tx)
                enabled = settings.is_enabled
                ground = asking and await store.ground(asking)
                if not enabled and any(text is not None for text in texts):
                    reason = "memory is switched off in the person's settings"
                    raise NotPermittedError(reason)
                require_holdable(settings, *filter(None, texts))
                if puts:
                    await accounts.insert(tx)
                    await tx.lock_person()
                read = ops if enabled else ()
                answers = await self._read(tx, key, read, (asked, ground))
                await self._write(tx, key, puts)
        return answers if enabled else [_nothing(op) for op in ops]

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
            await self._make_searchable(scope, key, batch)
            done += len(batch)
        return done

    async def sweep(self, scope: Scope) -> int:
        """Remove the items whose time to live is over; return how many."""
        async with self.database.begin(scope) as tx:
            await tx.lock_person()
            gone = await store.delete(tx, await store.expired(tx))
            _note_removed(tx, gone, "expired")
            if due := await store.next_expiry(tx):
                await expect(tx, ItemsExpired, due)
        return len(gone)

    def drop(self, scope: Scope) -> None:
        """Forget what is held in memory of a person."""
        self.finder.kept.drop(scope.user_id)

    async def _read(
        self,
        tx: Transaction,
        key: PersonKey,
        ops: Sequence[Operation],
        known: tuple[Asked, store.Ground | None],
    ) -> list[Answer]:
        gets = {
            op: item_id(key, op.namespace, op.key) for op in ops if isinstance(op, Get)
        }
        held = await store.by_id(tx, key, set(gets.values())) if gets else {}
        answers: list[Answer] = []
        for op in ops:
            if isinstance(op, Get):
                answers.append(held.get(gets[op]))
            elif isinstance(op, Search):
                answers.append(await self.finder.search(tx, key, op, *known))
            elif isinstance(op, ListNamespaces):
                answers.append(listed(await store.namespaces(tx, key), op))
            else:
                answers.append(None)
        await _note_read(tx, ops, answers)
        return answers

    async def _write(
        self, tx: Transaction, key: PersonKey, puts: Sequence[Screened]
    ) -> None:
        named = [
            (item_id(key, put.namespace, put.key), put, text) for put, text, _ in puts
        ]
        for (row, _, _), (_, _, screen) in zip(named, puts, strict=True):
            if screen.is_masked:
                tx.audit(Audit("mask", TABLE, row, "pii", screen.flags))
        kept = [(row, put, text) for row, put, text in named if text is not None]
        if kept:
            new = await store.put(tx, key, kept)
            tx.number(*(Change(ENTITY, row) for row, _, _ in kept))
            _note(tx, "create", [row for row, is_new in new.items() if is_new])
            _note(tx, "update", [row for row, is_new in new.items() if not is_new])
            if any(put.texts for _, put, _ in kept):
                tx.announce(VectorMissing(tx.scope.user_id, tx.scope.user_id))
        gone = [row for row, _, text in named if text is None]
        if gone:
            _note_removed(tx, await store.delete(tx, gone), "put")
        if any(put.ttl_minutes for _, put, _ in kept) and (
            due := await store.next_expiry(tx)
        ):
            await expect(tx, ItemsExpired, due)

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


def _nothing(op: Operation) -> Answer:
    return () if isinstance(op, Search | ListNamespaces) else None


def _found(answer: Answer) -> list[Item]:
    if isinstance(answer, Item):
        return [answer]
    return [each for each in answer or () if isinstance(each, Item)]


async def _note_read(
    tx: Transaction, ops: Sequence[Operation], answers: Sequence[Answer]
) -> None:
    """Log what was read (D16), and start times to live anew."""
    found: list[UUID] = []
    refreshed: set[UUID] = set()
    for op, answer in zip(ops, answers, strict=True):
        items = _found(answer)
        found += [item.item_id for item in items]
        if isinstance(op, Get | Search) and op.refresh:
            refreshed |= {item.item_id for item in items if item.ttl_minutes}
    if refreshed:
        await tx.lock_person()
        await store.refresh(tx, refreshed)
    _note(tx, "access", found)


def _note_removed(tx: Transaction, gone: Sequence[UUID], reason: str) -> None:
    tx.number(*(Change(ENTITY, row, "delete") for row in gone))
    _note(tx, "delete", gone, reason)


def _note(
    tx: Transaction,
    event: AuditEvent,
    rows: Sequence[UUID],
    reason: str = "store",
) -> None:
    """Log one line for all rows of a batch that met the same."""
    if rows:
        target = rows[0] if len(rows) == 1 else tx.scope.user_id
        tx.audit(Audit(event, TABLE, target, reason, {"n": len(rows)}))
