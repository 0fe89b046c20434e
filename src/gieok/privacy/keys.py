"""Key providers: they wrap the keys of people and never hand out their own."""

import base64
import binascii
import json
import os
import secrets
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self

from cryptography.hazmat.primitives.keywrap import (
    InvalidUnwrap,
    aes_key_unwrap,
    aes_key_wrap,
)

from gieok.kernel.errors import KeyFileError

KEY_BYTES = 32


class KeyProvider(Protocol):
    """Wraps and unwraps the keys of people."""

    @property
    def key_id(self) -> str:
        """Name of the wrapping key, kept beside everything it wrapped."""
        ...

    async def wrap(self, key: bytes) -> bytes:
        """Return the key, sealed."""
        ...

    async def unwrap(self, wrapped: bytes) -> bytes:
        """Return the key again.

        Raises:
            KeyFileError: another key wrapped it.
        """
        ...


@dataclass(frozen=True, slots=True, repr=False)
class FileKeyProvider:
    """A wrapping key in a file that only its owner can read (AES-KW, RFC 3394)."""

    path: Path
    key_id: str
    wrapping_key: bytes
    naming_secret: bytes
    """Turns names from outside into pseudonyms; it never changes."""
    token_secret: bytes
    """Signs the bearer tokens of a local server."""

    @classmethod
    def open(cls, path: Path, *, create: bool) -> Self:
        """Read the key file; make a new one where `create` allows it.

        Raises:
            KeyFileError: it is missing, damaged, or others can read it.
        """
        if not path.exists():
            if not create:
                problem = (
                    f"The key file {path} is missing, but sealed data exists. Put the "
                    "file back: without it nothing can be read."
                )
                raise KeyFileError(problem)
            _write_new(path)
        _require_private(path)
        try:
            fields = json.loads(path.read_text("utf-8"))
            return cls(
                path=path,
                key_id=str(fields["key_id"]),
                wrapping_key=_decoded(fields["wrapping_key"]),
                naming_secret=_decoded(fields["naming_secret"]),
                token_secret=_decoded(fields["token_secret"]),
            )
        except (OSError, ValueError, KeyError, TypeError) as error:
            problem = (
                f"The key file {path} cannot be read ({type(error).__name__}). Put a "
                "copy of the undamaged file back: without it nothing can be read."
            )
            raise KeyFileError(problem) from error

    async def wrap(self, key: bytes) -> bytes:
        """Return the key, sealed."""
        return aes_key_wrap(self.wrapping_key, key)

    async def unwrap(self, wrapped: bytes) -> bytes:
        """Return the key again."""
        try:
            return aes_key_unwrap(self.wrapping_key, wrapped)
        except InvalidUnwrap as error:
            problem = (
                f"The key file {self.path} does not open this keystore: it belongs to "
                "another installation. Put the right file back."
            )
            raise KeyFileError(problem) from error


def _decoded(text: str) -> bytes:
    try:
        key = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError from error
    if len(key) != KEY_BYTES:
        raise ValueError
    return key


def _write_new(path: Path) -> None:
    fresh = {
        "version": 1,
        "key_id": secrets.token_hex(8),
        "wrapping_key": base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode(),
        "naming_secret": base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode(),
        "token_secret": base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode(),
    }
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Written whole under another name, then linked: two processes starting at
        # once agree on one key, and a crash leaves no half of a file.
        draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(fresh, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    except OSError as error:
        problem = f"The key file {path} cannot be written ({error.strerror})."
        raise KeyFileError(problem) from error


def _require_private(path: Path) -> None:
    if os.name == "posix" and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        problem = f"Others can read the key file {path}: run `chmod 600 {path}`."
        raise KeyFileError(problem)
