"""Signs receipts with Ed25519, so that whoever has the public key can check them.

What is signed is the JSON of all fields but the signature: names sorted, no spaces,
times in UTC with microseconds.
"""

import hashlib
import hmac
import json
from dataclasses import asdict
from datetime import UTC, datetime
from uuid import UUID

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from gieok.erasure.model import Receipt


class Signer:
    """The installation's own key for receipts; it never changes."""

    def __init__(self, naming_secret: bytes) -> None:
        seed = hmac.digest(naming_secret, b"gieok/erasure-receipt", hashlib.sha256)
        self._key = Ed25519PrivateKey.from_private_bytes(seed)

    @property
    def public_key(self) -> bytes:
        """Return the 32 bytes with which anybody can check a receipt."""
        return self._key.public_key().public_bytes_raw()

    def sign(self, receipt: Receipt) -> bytes:
        """Return the signature of a receipt, whatever it holds as its signature."""
        return self._key.sign(signed_bytes(receipt))

    def verify(self, receipt: Receipt) -> bool:
        """Tell whether this installation signed the receipt as it is."""
        try:
            self._key.public_key().verify(receipt.signature, signed_bytes(receipt))
        except InvalidSignature:
            return False
        return True


def signed_bytes(receipt: Receipt) -> bytes:
    """Return what a receipt's signature covers."""
    fields = asdict(receipt)
    del fields["signature"]
    spelled = json.dumps(fields, default=_plain, sort_keys=True, separators=(",", ":"))
    return spelled.encode()


def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    assert isinstance(value, UUID)  # noqa: S101 - there is nothing else in a receipt
    return str(value)
