"""Signs receipts with Ed25519, so that whoever has the public key can check them.

What is signed is the JSON of all fields but the signature: names sorted, no spaces,
times in UTC with microseconds.
"""

import json
from dataclasses import asdict
from datetime import UTC, datetime
from uuid import UUID

from gieok.erasure.model import Receipt
from gieok.privacy import signing


class ReceiptSigner:
    """The installation's own key for receipts; it never changes."""

    def __init__(self, naming_secret: bytes) -> None:
        self._signer = signing.InstallationSigner(
            naming_secret, b"gieok/erasure-receipt"
        )

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
