"""Secrets that nobody can guess, and what is stored of them."""

import hashlib
import secrets
from typing import Final

RANDOM_BYTES: Final = 32
"""So random that a plain digest of it cannot be turned around."""
LONGEST_SECRET: Final = 128
"""Longest text that is looked at as a secret."""


def generate_secret() -> str:
    """Return a new secret."""
    return secrets.token_urlsafe(RANDOM_BYTES)


def hash_secret(secret: str) -> bytes:
    """Return what is stored in the place of a secret, whatever text it is."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()
