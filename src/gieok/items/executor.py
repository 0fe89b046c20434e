"""Does what some calls of one person ask, in one transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self
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
from gieok.items import screening, store
from gieok.items.checks import checked
from gieok.items.finding import Asked, Finder
from gieok.items.model import (
    Answer,
    Get,
    ListNamespaces,
    Namespace,
    Operation,
    Search,
)
from gieok.items.names import listed
from gieok.items.notes import ENTITY, TABLE, note, note_read, note_removed
from gieok.items.screening import Screened, screened
from gieok.items.sealed import item_id
from gieok.kernel.errors import NotPermittedError
from gieok.kernel.scope import Scope
from gieok.privacy import PersonKey, Vault
from gieok.settings import Settings, SettingsService
from gieok.settings.consenting import require_holdable

Name = tuple[Namespace, str]
Outcome = Sequence[Answer] | NotPermittedError
"""What becomes of a call: one answer for each operation, or why it was refused."""


class Call(NamedTuple):
    """The operations of one call, checked, and its writes as they may be kept."""

    ops: Sequence[Operation]
    puts: Mapping[Name, Screened]

    @classmethod
    async def of(cls, ops: Sequence[Operation]) -> Self:
        """Return a call that can be done.

        Raises:
            InvalidInputError: names what of an operation cannot be accepted.
        """
        puts = {
            (put.namespace, put.key): await screened(put) for put in checked(list(ops))
        }
        return cls([await screening.asked(op) for op in ops], puts)

    @property
    def size(self) -> int:
        """Characters that it writes."""
        return sum(len(one.text or "") for one in self.puts.values())

    def reads(self, written: Mapping[Name, object]) -> bool:
        """Tell whether it may read what is written under these names."""
        return bool(written) and any(
            (op.namespace, op.key) in written
            if isinstance(op, Get)
            else isinstance(op, Search | ListNamespaces)
            for op in self.ops
        )


@dataclass(frozen=True, slots=True)
class Executor:
    """The transactions over everyone's items."""

    database: Database
    vault: Vault
    settings: SettingsService
    finder: Finder

    async def run(self, scope: Scope, calls: Sequence[Call]) -> list[Outcome]:
        """Do all calls, reading first; return what became of each, in their order.

        Of several writes of one key the last stays.
        """
        writes = any(call.puts for call in calls)
        every = [op for call in calls for op in call.ops]
        key = await self.vault.key(scope)
        asked = await self.finder.asked(scope, key, every)
        async with self.database.begin(scope, durable=writes) as tx:
            asking = await store.ask_ground(tx) if asked else None
            settings = await self.settings.within(tx)
            ground = asking and await store.ground(asking)
            refused = [_refusal(settings, call) for call in calls]
            done = [call for call, why in zip(calls, refused, strict=True) if not why]
            puts: dict[Name, Screened] = {}
            for call in done:
                puts |= call.puts
            if puts:
                await accounts.insert(tx)
                await tx.lock_person()
            ops = [op for call in done for op in call.ops]
            if settings.is_enabled:
                answers = await self._read(tx, key, ops, (asked, ground))
            else:
                answers = [_nothing(op) for op in ops]
            await self._write(tx, key, list(puts.values()))
        following = iter(answers)
        return [
            why or [next(following) for _ in call.ops]
            for call, why in zip(calls, refused, strict=True)
        ]

    async def _read(
        self,
        tx: Transaction,
        key: PersonKey,
        ops: Sequence[Operation],
        known: tuple[Asked, store.Ground | None],
    ) -> list[Answer]:
        names = {(op.namespace, op.key) for op in ops if isinstance(op, Get)}
        rows = {name: item_id(key, *name) for name in names}
        held = await store.by_id(tx, key, rows.values()) if rows else {}
        answers: list[Answer] = []
        for op in ops:
            if isinstance(op, Get):
                answers.append(held.get(rows[op.namespace, op.key]))
            elif isinstance(op, Search):
                answers.append(await self.finder.search(tx, key, op, *known))
            elif isinstance(op, ListNamespaces):
                answers.append(listed(await store.namespaces(tx, key), op))
            else:
                answers.append(None)
        await note_read(tx, ops, answers)
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
            note(tx, "create", _rows(new, is_new=True))
            note(tx, "update", _rows(new, is_new=False))
            if any(put.texts for _, put, _ in kept):
                tx.announce(VectorMissing(tx.scope.user_id, tx.scope.user_id))
        gone = [row for row, _, text in named if text is None]
        if gone:
            note_removed(tx, await store.delete(tx, gone), "put")
        if any(put.ttl_minutes for _, put, _ in kept) and (
            due := await store.next_expiry(tx)
        ):
            await expect(tx, ItemsExpired, due)


def _refusal(settings: Settings, call: Call) -> NotPermittedError | None:
    """Return why a person's settings forbid a call, or None."""
    texts = [one.text for one in call.puts.values() if one.text is not None]
    if texts and not settings.is_enabled:
        return NotPermittedError("memory is switched off in the person's settings")
    try:
        require_holdable(settings, *texts)
    except NotPermittedError as error:
        return error
    return None


def _rows(new: Mapping[UUID, bool], *, is_new: bool) -> list[UUID]:
    return [row for row, created in new.items() if created is is_new]


def _nothing(op: Operation) -> Answer:
    return () if isinstance(op, Search | ListNamespaces) else None
