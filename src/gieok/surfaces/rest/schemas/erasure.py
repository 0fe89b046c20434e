"""Receipts of erasures (A15, E19)."""

from typing import Self
from uuid import UUID

from pydantic import Field

from gieok.erasure import Receipt
from gieok.privacy import ErasureKind
from gieok.surfaces.rest.schemas.shared import ResponseModel, Time


class ErasureReceipt(ResponseModel):
    """Proof of an erasure: ids, counts and times, signed, without content."""

    receipt_id: UUID
    user_id: UUID = Field(description="The person's pseudonym.")
    kind: ErasureKind
    about: UUID
    number: int = Field(description="How often the person was erased with this.")
    requested_at: Time
    finished_at: Time
    backups_until: Time = Field(
        description="Until then an old backup may hold what was erased."
    )
    parts: dict[str, str]
    counts: dict[str, int]
    signature: str = Field(description="Ed25519 over all other fields, in hex.")

    @classmethod
    def from_receipt(cls, receipt: Receipt) -> Self:
        """Return the receipt."""
        return cls.from_fields(receipt, signature=receipt.signature.hex())


class ReceiptList(ResponseModel):
    """Receipts, newest first."""

    receipts: list[ErasureReceipt]
