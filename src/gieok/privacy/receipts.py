"""Receipts of erasures: what they say, and the signature under it.

They are signed with Ed25519, so that whoever has the public key can check them. What is
signed is the JSON of all fields but the signature: names sorted, no spaces, times in
UTC with microseconds.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Final
from uuid import UUID

from gieok.privacy import signing
from gieok.privacy.ledger import ErasureKind

_PERSON: Final[Mapping[str, str]] = {
    "rows": "erased",
    "derived": "erased",
    "vectors": "erased",
    "checkpoints": "erased",
    "jobs": "erased",
    "caches": "dropped",
    "keys": "destroyed",
    "devices": "told_at_next_sync",
    "audit_log": "kept_without_content",
    "backups": "unreadable_without_key",
}
_PARTIAL: Final[Mapping[str, str]] = {
    **_PERSON,
    "keys": "renewal_due",
    "backups": "readable_until_key_renewed",
}
PARTS: Final[Mapping[ErasureKind, Mapping[str, str]]] = MappingProxyType(
    {
        **dict.fromkeys(ErasureKind, _PARTIAL),
        ErasureKind.PERSON: _PERSON,
        ErasureKind.MEMORY: {
            **_PARTIAL,
            "messages": "kept_unread",
            "checkpoints": "kept",
        },
    }
)
"""What becomes of each part."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """Proof of an erasure; it names ids, counts and times, and no content.

    `parts` says what became of each part. Until `backups_until` an old backup may hold
    what was erased, and a key that opens it. `number` counts how often the person was
    erased; 0 for less than a person.
    """

    receipt_id: UUID
    user_id: UUID
    kind: ErasureKind
    about: UUID
    number: int
    requested_at: datetime
    finished_at: datetime
    backups_until: datetime
    parts: Mapping[str, str]
    counts: Mapping[str, int]
    signature: bytes
    """Ed25519 over all other fields, see the module."""


class ReceiptSigner:
    """The installation's own key for receipts; it never changes."""

    def __init__(self, naming_secret: bytes) -> None:
        self._signer = signing.InstallationSigner(
            naming_secret, b"gieok/erasure-receipt"
        )
        self._links = signing.InstallationSigner(naming_secret, b"gieok/receipt-link")

    @property
    def public_key(self) -> bytes:
        """Return the 32 bytes with which anybody can check a receipt."""
        return self._signer.public_key

    def sign(self, receipt: Receipt) -> bytes:
        """Return the signature of a receipt, whatever it holds as its signature."""
        return self._signer.sign(encode_receipt(receipt))

    def verify(self, receipt: Receipt) -> bool:
        """Tell whether this installation signed the receipt as it is."""
        return self._signer.verify(encode_receipt(receipt), receipt.signature)

    def sign_link(self, told: bytes) -> bytes:
        """Return the signature of what an address of a receipt tells."""
        return self._links.sign(told)

    def verify_link(self, told: bytes, signature: bytes) -> bool:
        """Tell whether this installation made an address of a receipt."""
        return self._links.verify(told, signature)


def encode_receipt(receipt: Receipt) -> bytes:
    """Return what a receipt's signature covers."""
    fields = asdict(receipt)
    del fields["signature"]
    spelled = json.dumps(
        fields, default=_encode_plain, sort_keys=True, separators=(",", ":")
    )
    return spelled.encode()


def _encode_plain(value: object) -> str:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    assert isinstance(value, UUID)  # noqa: S101 - there is nothing else in a receipt
    return str(value)
