"""Where the key of a device's file comes from."""

import hashlib
import json
import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from gieok.device.shredding import shred_file, write_file
from gieok.kernel.errors import KeyFileError

KEY_BYTES: Final = 32
_SALT_BYTES: Final = 16
_NONCE_BYTES: Final = 12
_COST: Final = 2**15
_BLOCK: Final = 8
_MEMORY: Final = 64 * 1024 * 1024
_PURPOSE: Final = b"gieok device key 1"


class DeviceKeyProvider(Protocol):
    """Gives the key of one device's file: 32 bytes, the same every time."""

    def load_key(self, *, is_new: bool) -> bytes:
        """Return the key; one is made only for a file that is new.

        Raises:
            KeyFileError: there is none, or it does not open.
        """
        ...

    def destroy_key(self) -> None:
        """Make what was sealed with the key unreadable for good."""
        ...


@dataclass(frozen=True, slots=True)
class PassphraseKeys:
    """A random key in a file, wrapped by a passphrase (scrypt, AES-256-GCM)."""

    path: Path
    passphrase: str = field(repr=False)

    def load_key(self, *, is_new: bool) -> bytes:
        """Return the key, made only for a file that is new.

        Raises:
            KeyFileError: the passphrase is another one, or the file is damaged or gone.
        """
        if is_new and not self.path.exists():
            return self._create_key()
        try:
            found = json.loads(self.path.read_text("utf-8"))
            salt, nonce, wrapped = (
                bytes.fromhex(found[name]) for name in ("salt", "nonce", "key")
            )
            cipher = AESGCM(self._derive_key(salt))
            return cipher.decrypt(nonce, wrapped, _PURPOSE)
        except InvalidTag as error:
            raise KeyFileError(
                f"The passphrase does not open {self.path.name}."
            ) from error
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise KeyFileError(
                f"{self.path.name} is missing or no key file of a device."
            ) from error

    def destroy_key(self) -> None:
        """Overwrite and remove the file."""
        with suppress(FileNotFoundError):
            shred_file(self.path)

    def _create_key(self) -> bytes:
        key, salt = os.urandom(KEY_BYTES), os.urandom(_SALT_BYTES)
        nonce = os.urandom(_NONCE_BYTES)
        wrapped = AESGCM(self._derive_key(salt)).encrypt(nonce, key, _PURPOSE)
        spelled = {"salt": salt.hex(), "nonce": nonce.hex(), "key": wrapped.hex()}
        try:
            write_file(self.path, json.dumps({"v": 1} | spelled).encode())
        except OSError as error:
            raise KeyFileError(f"{self.path.name} cannot be written.") from error
        return key

    def _derive_key(self, salt: bytes) -> bytes:
        return hashlib.scrypt(
            self.passphrase.encode(),
            salt=salt,
            n=_COST,
            r=_BLOCK,
            p=1,
            maxmem=_MEMORY,
            dklen=KEY_BYTES,
        )
