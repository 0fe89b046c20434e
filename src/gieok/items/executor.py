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
    schedule_event,
)
from gieok.items import index_store, masking, store
from gieok.items.auditing import ENTITY, TABLE, audit_rows, record_reads, record_removed
from gieok.items.checks import validate_operations
from gieok.items.finder import ItemFinder, ParsedQueries
from gieok.items.masking import MaskedPut, mask_put
from gieok.items.model import (
    Get,
    ListNamespaces,
    Namespace,
    Operation,
    OperationAnswer,
    Search,
)
from gieok.items.names import select_namespaces
from gieok.items.sealed import derive_item_id
from gieok.kernel.errors import NotPermittedError
from gieok.kernel.offload import run_aside
from gieok.kernel.scope import Scope
from gieok.privacy import PersonKey, Vault
from gieok.settings import Settings, SettingsService
from gieok.settings.consent_rules import require_storable

ItemName = tuple[Namespace, str]
CallOutcome = Sequence[OperationAnswer] | NotPermittedError
"""What becomes of a call: one answer for each operation, or why it was refused."""


class ItemCall(NamedTuple):
    """The operations of one call, checked, and its writes as they may be kept."""

    ops: Sequence[Operation]
    puts: Mapping[ItemName, MaskedPut]

    @classmethod
    async def from_operations(cls, ops: Sequence[Operation]) -> Self:
        """Return a call that can be done.

        Raises:
            InvalidInputError: names what of an operation cannot be accepted.
        """
        puts = {
            (put.namespace, put.key): await mask_put(put)
            for put in validate_operations(list(ops))
        }
        return cls([await masking.mask_question(op) for op in ops], puts)

    @property
    def size(self) -> int:
        """Characters that it writes."""
        return sum(len(one.text or "") for one in self.puts.values())

    def can_read(self, written: Mapping[ItemName, object]) -> bool:
        """Tell whether it may read what is written under these names."""
        return bool(written) and any(
            (op.namespace, op.key) in written
            if isinstance(op, Get)
            else isinstance(op, Search | ListNamespaces)
            for op in self.ops
        )


@dataclass(frozen=True, slots=True)
class ItemExecutor:
    """The transactions over everyone's items."""

    database: Database
    vault: Vault
    settings: SettingsService
    finder: ItemFinder

    async def run(self, scope: Scope, calls: Sequence[ItemCall]) -> list[CallOutcome]:
        """Do all calls, reading first; return what became of each, in their order.

        Of several writes of one key the last stays.
        """
        writes = any(call.puts for call in calls)
        every = [op for call in calls for op in call.ops]
        get_key = self.vault.get_key if writes else self.vault.get_reading_key
        key = await get_key(scope)
        asked = await self.finder.parse_queries(scope, key, every)
        async with self.database.begin(scope, durable=writes) as tx:
            asking = await index_store.send_state_query(tx) if asked else None
            settings = await self.settings.read_settings(tx)
            search_state = asking and await index_store.read_search_state(asking)
            refused = [await _find_refusal(settings, call) for call in calls]
            done = [call for call, why in zip(calls, refused, strict=True) if not why]
            puts: dict[ItemName, MaskedPut] = {}
            for call in done:
                puts |= call.puts
            if puts:
                await accounts.insert_person(tx)
                await tx.lock_person()
            ops = [op for call in done for op in call.ops]
            if settings.is_enabled:
                answers = await self._read_answers(tx, key, ops, (asked, search_state))
            else:
                answers = [_get_empty_answer(op) for op in ops]
            await self._write_puts(tx, key, list(puts.values()))
        following = iter(answers)
        return [
            why or [next(following) for _ in call.ops]
            for call, why in zip(calls, refused, strict=True)
        ]

    async def _read_answers(
        self,
        tx: Transaction,
        key: PersonKey,
        ops: Sequence[Operation],
        known: tuple[ParsedQueries, index_store.SearchState | None],
    ) -> list[OperationAnswer]:
        names = {(op.namespace, op.key) for op in ops if isinstance(op, Get)}
        rows = {name: derive_item_id(key, *name) for name in names}
        held = await store.get_items(tx, key, rows.values()) if rows else {}
        answers: list[OperationAnswer] = []
        for op in ops:
            if isinstance(op, Get):
                answers.append(held.get(rows[op.namespace, op.key]))
            elif isinstance(op, Search):
                answers.append(await self.finder.search_items(tx, key, op, *known))
            elif isinstance(op, ListNamespaces):
                answers.append(
                    select_namespaces(await store.list_namespaces(tx, key), op)
                )
            else:
                answers.append(None)
        await record_reads(tx, ops, answers)
        return answers

    async def _write_puts(
        self, tx: Transaction, key: PersonKey, puts: Sequence[MaskedPut]
    ) -> None:
        named = [
            (derive_item_id(key, put.namespace, put.key), put, text)
            for put, text, _ in puts
        ]
        for (row, _, _), (_, _, screen) in zip(named, puts, strict=True):
            if screen.is_masked:
                tx.record_audit(Audit("mask", TABLE, row, "pii", screen.flags))
        kept = [(row, put, text) for row, put, text in named if text is not None]
        if kept:
            new = await store.upsert_items(tx, key, kept)
            tx.record_changes(*(Change(ENTITY, row) for row, _, _ in kept))
            audit_rows(tx, "create", _select_rows(new, is_new=True))
            audit_rows(tx, "update", _select_rows(new, is_new=False))
            if any(put.texts for _, put, _ in kept):
                tx.publish(VectorMissing(tx.scope.user_id, tx.scope.user_id))
        gone = [row for row, _, text in named if text is None]
        if gone:
            tx.record_erasure()
            record_removed(tx, await store.delete_items(tx, gone), "put")
        if any(put.ttl_minutes for _, put, _ in kept) and (
            due := await store.find_next_expiry(tx)
        ):
            await schedule_event(tx, ItemsExpired, due)


async def _find_refusal(settings: Settings, call: ItemCall) -> NotPermittedError | None:
    """Return why a person's settings forbid a call, or None."""
    texts = [one.text for one in call.puts.values() if one.text is not None]
    if texts and not settings.is_enabled:
        return NotPermittedError("memory is switched off in the person's settings")
    try:
        await run_aside(call.size, lambda: require_storable(settings, *texts))
    except NotPermittedError as error:
        return error
    return None


def _select_rows(new: Mapping[UUID, bool], *, is_new: bool) -> list[UUID]:
    return [row for row, created in new.items() if created is is_new]


def _get_empty_answer(op: Operation) -> OperationAnswer:
    return () if isinstance(op, Search | ListNamespaces) else None
