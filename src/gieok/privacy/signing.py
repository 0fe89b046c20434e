"""The installation's own signatures; one key for each use, and none ever changes."""

import hashlib
import hmac

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


class InstallationSigner:
    """Signs with Ed25519 for one use, such as `gieok/audit-seal`."""

    def __init__(self, naming_secret: bytes, use: bytes) -> None:
        seed = hmac.digest(naming_secret, use, hashlib.sha256)
        self._key = Ed25519PrivateKey.from_private_bytes(seed)

    @property
    def public_key(self) -> bytes:
        """Return the 32 bytes with which anybody can check a signature."""
        return self._key.public_key().public_bytes_raw()

    def sign(self, message: bytes) -> bytes:
        """Return the signature of a message."""
        return self._key.sign(message)

    def verify(self, message: bytes, signature: bytes) -> bool:
        """Tell whether this installation signed the message as it is."""
        try:
            self._key.public_key().verify(signature, message)
        except InvalidSignature:
            return False
        return True
