"""Key providers: they wrap the keys of people and never hand out their own."""

import base64
import binascii
import json
import os
import secrets
import stat
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
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
    previous: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    """Wrapping keys that may still hold something, by name; they wrap nothing new."""

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
                previous={
                    str(name): _decoded(key)
                    for name, key in fields.get("previous", {}).items()
                },
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            problem = (
                f"The key file {path} cannot be read ({type(error).__name__}). Put a "
                "copy of the undamaged file back: without it nothing can be read."
            )
            raise KeyFileError(problem) from error

    async def wrap(self, key: bytes) -> bytes:
        """Return the key, sealed.

        Raises:
            KeyFileError: the file was rotated and no longer has this wrapping key.
        """
        if self.key_id not in type(self).open(self.path, create=False).wrapping_keys:
            problem = (
                f"The key file {self.path} was rotated while this process ran. "
                "Start it again."
            )
            raise KeyFileError(problem)
        return aes_key_wrap(self.wrapping_key, key)

    async def unwrap(self, wrapped: bytes) -> bytes:
        """Return the key again, also if the file was rotated since it was read.

        Raises:
            KeyFileError: another key wrapped it.
        """
        with suppress(InvalidUnwrap):
            return aes_key_unwrap(self.wrapping_key, wrapped)
        now = type(self).open(self.path, create=False)
        for key in (*self.previous.values(), *now.wrapping_keys.values()):
            with suppress(InvalidUnwrap):
                return aes_key_unwrap(key, wrapped)
        problem = (
            f"The key file {self.path} does not open this keystore: it belongs to "
            "another installation. Put the right file back."
        )
        raise KeyFileError(problem)

    @property
    def wrapping_keys(self) -> Mapping[str, bytes]:
        """Return every wrapping key of the file, by name."""
        return {**self.previous, self.key_id: self.wrapping_key}

    def rotated(self) -> Self:
        """Return the file with a new wrapping key; the ones before stay in it.

        Raises:
            KeyFileError: it cannot be written.
        """
        fresh = replace(
            self,
            key_id=secrets.token_hex(8),
            wrapping_key=secrets.token_bytes(KEY_BYTES),
            previous=self.wrapping_keys,
        )
        fresh.write()
        return fresh

    def retired(self) -> Self:
        """Return the file without the wrapping keys before the newest; as `rotated`."""
        alone = replace(self, previous={})
        alone.write()
        return alone

    def write(self) -> None:
        """Put this in place of the file; a crash leaves the one or the other.

        Raises:
            KeyFileError: it cannot be written.
        """
        fields: dict[str, object] = {
            "version": 1,
            "key_id": self.key_id,
            "wrapping_key": _encoded(self.wrapping_key),
            "naming_secret": _encoded(self.naming_secret),
            "token_secret": _encoded(self.token_secret),
        }
        if self.previous:
            fields["previous"] = {
                name: _encoded(key) for name, key in self.previous.items()
            }
        try:
            _draft(self.path, fields).replace(self.path)
        except OSError as error:
            problem = f"The key file {self.path} cannot be written ({error.strerror})."
            raise KeyFileError(problem) from error


def _encoded(key: bytes) -> str:
    return base64.b64encode(key).decode()


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
        "wrapping_key": _encoded(secrets.token_bytes(KEY_BYTES)),
        "naming_secret": _encoded(secrets.token_bytes(KEY_BYTES)),
        "token_secret": _encoded(secrets.token_bytes(KEY_BYTES)),
    }
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Written whole under another name, then linked: two processes starting at
        # once agree on one key, and a crash leaves no half of a file.
        draft = _draft(path, fresh)
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    except OSError as error:
        problem = f"The key file {path} cannot be written ({error.strerror})."
        raise KeyFileError(problem) from error


def _draft(path: Path, fields: Mapping[str, object]) -> Path:
    """Write a key file, safe on the disk, under a name nobody reads."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(fields, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    return draft


def _require_private(path: Path) -> None:
    if os.name == "posix" and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        problem = f"Others can read the key file {path}: run `chmod 600 {path}`."
        raise KeyFileError(problem)
