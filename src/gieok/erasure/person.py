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
    schedule_event,
)
from gieok.database.jobs import delete_person_jobs
from gieok.erasure import person_store as store
from gieok.erasure.model import PARTS, Receipt
from gieok.erasure.signing import ReceiptSigner
from gieok.kernel.errors import NotFoundError
from gieok.kernel.scope import Scope
from gieok.privacy import ErasureKind, LedgerEntry, Vault

BATCH: Final = 5_000
"""Rows that one transaction removes."""
KEYSTORE_BACKUPS: Final = timedelta(hours=24)
"""How long backups of the keystore may be kept (docs/howto/privacy.md)."""
RENEWED_AFTER: Final = timedelta(hours=20)
"""When a person from whom less was erased gets a new key."""
RENEWED_WITHIN: Final = timedelta(hours=24)
"""When the key before it is destroyed, if a worker runs (`Rotation.finish`)."""
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
    signer: ReceiptSigner

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
                receipt = await self._sign_receipt(
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

    async def issue_receipt(
        self, tx: Transaction, entry: LedgerEntry, counts: dict[str, int]
    ) -> Receipt:
        """Keep the receipt of an erasure of less than a person and return it.

        The person's key, which opens what was erased in older backups, is due.
        """
        await schedule_event(tx, KeyOutdated, tx.now + RENEWED_AFTER)
        return await self._sign_receipt(tx, entry, counts)

    async def _sign_receipt(
        self, tx: Transaction, entry: LedgerEntry, counts: dict[str, int]
    ) -> Receipt:
        readable = timedelta() if entry.kind is ErasureKind.PERSON else RENEWED_WITHIN
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
            receipt = await store.find_person_receipt(tx)
        if receipt is None:
            thing = "person"
            raise NotFoundError(thing)
        return receipt
