"""Signs for what was erased, in the transaction that erases it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Final
from uuid import UUID

from gieok.database import KeyOutdated, Transaction, schedule_event
from gieok.privacy import receipt_store
from gieok.privacy.ledger import ErasureKind, Ledger, LedgerEntry
from gieok.privacy.receipts import PARTS, Receipt, ReceiptSigner

KEYSTORE_BACKUPS: Final = timedelta(hours=24)
"""How long backups of the keystore may be kept (docs/howto/privacy.md)."""
RENEWED_AFTER: Final = timedelta(hours=20)
"""When a person from whom less was erased gets a new key."""
RENEWED_WITHIN: Final = timedelta(hours=24)
"""When the key before it is destroyed, if a worker runs (`Rotation.finish`)."""


@dataclass(frozen=True, slots=True)
class ReceiptIssuer:
    """Enters erasures in the ledger and keeps a signed receipt of each."""

    ledger: Ledger
    signer: ReceiptSigner

    async def attest_memories(
        self, tx: Transaction, gone: Sequence[tuple[UUID, datetime]]
    ) -> tuple[Receipt, ...]:
        """Enter forgotten memories in the ledger and return a receipt for each.

        `gone` says which, and when they were erased. The caller holds the person.
        """
        entries = [
            LedgerEntry(tx.scope.user_id, ErasureKind.MEMORY, memory_id, 0, at)
            for memory_id, at in gone
        ]
        await self.ledger.append_many(entries)
        return tuple(
            [await self.issue(tx, entry, {"user_memories": 1}) for entry in entries]
        )

    async def issue(
        self, tx: Transaction, entry: LedgerEntry, counts: dict[str, int]
    ) -> Receipt:
        """Keep the receipt of an erasure of less than a person and return it.

        The person's key, which opens what was erased in older backups, is due.
        """
        await schedule_event(tx, KeyOutdated, tx.now + RENEWED_AFTER)
        return await self.sign(tx, entry, counts)

    async def sign(
        self,
        tx: Transaction,
        entry: LedgerEntry,
        counts: dict[str, int],
        more_parts: Mapping[str, str] = MappingProxyType({}),
    ) -> Receipt:
        """Keep the receipt of an erasure, signed, and return it.

        `more_parts` says what became of what lies outside the database.
        """
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
            parts={**PARTS[entry.kind], **more_parts},
            counts=counts,
            signature=b"",
        )
        receipt = replace(receipt, signature=self.signer.sign(receipt))
        await tx.journal.write(tx)
        await receipt_store.add_receipt(tx, receipt)
        return receipt
