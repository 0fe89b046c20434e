"""Erases a whole person: ledger, rows in batches, keys, and last the person itself.

The ledger comes first: from then on the erasure can be killed anywhere and is finished
by whoever comes next, the same call or `Erasure.replay`. The last transaction holds the
person's row while the keys are destroyed, so nobody who comes back meanwhile loses
theirs, and takes whatever was written in between.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, LiteralString

from gieok.accounts import store as accounts
from gieok.database import (
    Audit,
    Change,
    Database,
    KeyOutdated,
    schedule_event,
)
from gieok.database.jobs import delete_person_jobs
from gieok.erasure import person_store as store
from gieok.kernel.errors import NotFoundError
from gieok.kernel.scope import Scope
from gieok.privacy import ErasureKind, LedgerEntry, Vault, receipt_store
from gieok.privacy.receipt_issuer import RENEWED_AFTER, ReceiptIssuer
from gieok.privacy.receipts import Receipt

BATCH: Final = 5_000
"""Rows that one transaction removes."""
REASON: Final = "person_deleted"
ERASURE_BEGUN: Final = "erasure_begun"
AUDITED_TABLES: Final = ("session_messages", "user_memories")
"""Tables whose rows the audit log names."""
ErasureProgress = Callable[[str, int], object]
"""Told a table and how many of its rows are gone by now."""


@dataclass(frozen=True, slots=True)
class PersonEraser:
    """Removes people and what they said, and signs for it."""

    database: Database
    vault: Vault
    issuer: ReceiptIssuer

    async def erase_person(self, scope: Scope, progress: ErasureProgress) -> Receipt:
        """Erase the person; whoever was erased before gets that receipt again.

        Raises:
            NotFoundError: there is no such person, and never was.
        """
        number = await self._get_next_number(scope)
        if number is None:
            return await self._get_last_receipt(scope)
        entry = LedgerEntry(
            scope.user_id,
            ErasureKind.PERSON,
            scope.user_id,
            number,
            self.database.clock(),
        )
        at = await self.vault.keystore.ledger.append(entry)
        counts = await self.delete_rows(
            scope, (*store.CONTENT_TABLES, *store.PERSON_TABLES), progress
        )
        async with self.database.begin(scope) as tx:
            there = await store.lock_person(tx)
            if there is not None and there < number:
                await delete_person_jobs(tx)
                keys = await self.vault.destroy(scope)
                tx.record_audit(Audit("delete", "users", scope.user_id, REASON))
                receipt = await self.issuer.sign(
                    tx, replace(entry, at=at), {**counts, "user_keys": keys}
                )
                await accounts.delete_person(tx)
                return receipt
        return await self._get_last_receipt(scope)

    async def erase_content(self, scope: Scope) -> int:
        """Erase all a person said and all that became of it; the person stays.

        Returns how many rows that were.
        """
        counts = await self.delete_rows(scope, store.CONTENT_TABLES, lambda _, __: None)
        async with self.database.begin(scope) as tx:
            await store.lock_person(tx)
            for table in store.CONTENT_TABLES:
                await store.delete_batch(tx, table, 2**31 - 1)
            tx.record_changes(Change("person", scope.user_id, "delete"))
            tx.record_audit(
                Audit("delete", "users", scope.user_id, "consent_withdrawn")
            )
            await schedule_event(tx, KeyOutdated, tx.now + RENEWED_AFTER)
        return sum(counts.values())

    async def delete_rows(
        self, scope: Scope, tables: Sequence[LiteralString], progress: ErasureProgress
    ) -> dict[str, int]:
        """Remove the person's rows from tables, a batch a transaction."""
        counts: dict[str, int] = {}
        for table in tables:
            gone = BATCH
            while gone == BATCH:
                async with self.database.begin(scope) as tx:
                    gone = await store.delete_batch(tx, table, BATCH)
                    if gone and table in AUDITED_TABLES:
                        tx.record_audit(
                            Audit("delete", "users", scope.user_id, ERASURE_BEGUN)
                        )
                counts[table] = counts.get(table, 0) + gone
                progress(table, counts[table])
        return {table: count for table, count in counts.items() if count}

    async def _get_next_number(self, scope: Scope) -> int | None:
        """Return which erasure of the person this is; None if nothing is there."""
        held = await self.vault.keystore.list_keys(scope.user_id)
        async with self.database.begin(scope) as tx:
            if held:
                await accounts.insert_person(tx)
            there = await store.get_incarnation(tx)
        return None if there is None else there + 1

    async def _get_last_receipt(self, scope: Scope) -> Receipt:
        async with self.database.begin(scope) as tx:
            receipt = await receipt_store.find_person_receipt(tx)
        if receipt is None:
            thing = "person"
            raise NotFoundError(thing)
        return receipt
