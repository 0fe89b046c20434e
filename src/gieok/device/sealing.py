"""Seals what a device keeps: on its disk nobody reads a word without the key."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from gieok.kernel.errors import TamperedError

_NONCE_BYTES: Final = 12
_COMPACT: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class BodySealer:
    """Seals bodies with AES-256-GCM, each bound to its table and row."""

    key: bytes = field(repr=False)
    _cipher: AESGCM = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_cipher", AESGCM(self.key))

    def seal(self, table: str, row: str, body: Mapping[str, Any]) -> bytes:
        """Return a body as it may lie on a disk."""
        plain = _COMPACT.encode(body)
        nonce = os.urandom(_NONCE_BYTES)
        bound = f"{table}|{row}".encode()
        return nonce + self._cipher.encrypt(nonce, plain.encode(), bound)

    def open(self, table: str, row: str, sealed: bytes) -> dict[str, Any]:
        """Return a body.

        Raises:
            TamperedError: it was sealed with another key, changed or moved.
        """
        nonce, text = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
        try:
            plain = self._cipher.decrypt(nonce, text, f"{table}|{row}".encode())
        except (InvalidTag, ValueError) as error:
            raise TamperedError(table) from error
        return json.loads(plain.decode("utf-8", "surrogatepass"))
