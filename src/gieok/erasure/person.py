"""Erases a whole person: ledger, rows in batches, keys, and last the person itself.

The ledger comes first: from then on the erasure can be killed anywhere and is finished
by whoever comes next, the same call or `Erasure.replay`. The last transaction holds the
person's row while the keys are destroyed, so nobody who comes back meanwhile loses
theirs, and takes whatever was written in between.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final, LiteralString

from gieok.accounts import store as accounts
from gieok.database import (
    Audit,
    Change,
    Database,
    KeyOutdated,
    Transaction,
    expect,
)
from gieok.erasure import person_store as store
from gieok.erasure.model import PARTS, Receipt
from gieok.erasure.signing import Signer
from gieok.kernel.errors import NotFoundError
from gieok.kernel.scope import Scope
from gieok.privacy import Kind, LedgerEntry, Vault

BATCH: Final = 5_000
"""Rows that one transaction removes."""
KEYSTORE_BACKUPS: Final = timedelta(hours=24)
"""How long backups of the keystore may be kept (docs/howto/privacy.md)."""
RENEWED_AFTER: Final = timedelta(hours=20)
"""When a person from whom less was erased gets a new key."""
RENEWED_WITHIN: Final = timedelta(hours=24)
"""When the key before it is destroyed, if a worker runs (`Rotation.finish`)."""
REASON: Final = "person_deleted"
BEGUN: Final = "erasure_begun"
NAMED: Final = ("session_messages", "user_memories")
"""Tables whose rows the audit log names."""
Progress = Callable[[str, int], object]
"""Told a table and how many of its rows are gone by now."""


@dataclass(frozen=True, slots=True)
class Removal:
    """Removes people and what they said, and signs for it."""

    database: Database
    vault: Vault
    signer: Signer

    async def person(self, scope: Scope, progress: Progress) -> Receipt:
        """Erase the person; whoever was erased before gets that receipt again.

        Raises:
            NotFoundError: there is no such person, and never was.
        """
        number = await self._number(scope)
        if number is None:
            return await self._last(scope)
        entry = LedgerEntry(
            scope.user_id, Kind.PERSON, scope.user_id, number, self.database.clock()
        )
        at = await self.vault.keystore.ledger.append(entry)
        counts = await self.rows(scope, (*store.CONTENT, *store.WITH_PERSON), progress)
        async with self.database.begin(scope) as tx:
            there = await store.lock(tx)
            if there is not None and there < number:
                await store.delete_jobs(tx)
                keys = await self.vault.destroy(scope)
                tx.audit(Audit("delete", "users", scope.user_id, REASON))
                receipt = await self._signed(
                    tx, replace(entry, at=at), {**counts, "user_keys": keys}
                )
                await store.delete_person(tx)
                return receipt
        return await self._last(scope)

    async def content(self, scope: Scope) -> int:
        """Erase all a person said and all that became of it; the person stays.

        Returns how many rows that were.
        """
        counts = await self.rows(scope, store.CONTENT, lambda _, __: None)
        async with self.database.begin(scope) as tx:
            await store.lock(tx)
            for table in store.CONTENT:
                await store.delete_some(tx, table, 2**31 - 1)
            tx.number(Change("person", scope.user_id, "delete"))
            tx.audit(Audit("delete", "users", scope.user_id, "consent_withdrawn"))
            await expect(tx, KeyOutdated, tx.now + RENEWED_AFTER)
        return sum(counts.values())

    async def rows(
        self, scope: Scope, tables: Sequence[LiteralString], progress: Progress
    ) -> dict[str, int]:
        """Remove the person's rows from tables, a batch a transaction."""
        counts: dict[str, int] = {}
        for table in tables:
            gone = BATCH
            while gone == BATCH:
                async with self.database.begin(scope) as tx:
                    gone = await store.delete_some(tx, table, BATCH)
                    if gone and table in NAMED:
                        tx.audit(Audit("delete", "users", scope.user_id, BEGUN))
                counts[table] = counts.get(table, 0) + gone
                progress(table, counts[table])
        return {table: count for table, count in counts.items() if count}

    async def sign(
        self, tx: Transaction, entry: LedgerEntry, counts: dict[str, int]
    ) -> Receipt:
        """Keep the receipt of an erasure of less than a person and return it.

        The person's key, which opens what was erased in older backups, is due.
        """
        await expect(tx, KeyOutdated, tx.now + RENEWED_AFTER)
        return await self._signed(tx, entry, counts)

    async def _signed(
        self, tx: Transaction, entry: LedgerEntry, counts: dict[str, int]
    ) -> Receipt:
        readable = timedelta() if entry.kind is Kind.PERSON else RENEWED_WITHIN
        receipt = Receipt(
            receipt_id=tx.new_id(),
            user_id=entry.user_id,
            kind=entry.kind,
            about=entry.about,
            number=entry.number,
            requested_at=entry.at,
            finished_at=tx.now,
            backups_until=tx.now + readable + KEYSTORE_BACKUPS,
            parts=PARTS[entry.kind],
            counts=counts,
            signature=b"",
        )
        receipt = replace(receipt, signature=self.signer.sign(receipt))
        await tx.journal.write(tx)
        await store.add_receipt(tx, receipt)
        return receipt

    async def _number(self, scope: Scope) -> int | None:
        """Return which erasure of the person this is; None if nothing is there."""
        held = await self.vault.keystore.held(scope.user_id)
        async with self.database.begin(scope) as tx:
            if held:
                await accounts.insert(tx)
            there = await store.incarnation(tx)
        return None if there is None else there + 1

    async def _last(self, scope: Scope) -> Receipt:
        async with self.database.begin(scope) as tx:
            receipt = await store.last_of_person(tx)
        if receipt is None:
            thing = "person"
            raise NotFoundError(thing)
        return receipt
