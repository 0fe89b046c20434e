"""Key providers: they wrap the keys of people and never hand out their own."""

import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Protocol, Self

from cryptography.hazmat.primitives.keywrap import (
    InvalidUnwrap,
    aes_key_unwrap,
    aes_key_wrap,
)

from gieok.kernel.errors import KeyFileError
from gieok.privacy import key_file

KEY_BYTES = 32
KMS_MARK: Final = b"aws-kms:"
"""Begins everything that AWS KMS wrapped."""


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
            KeyFileError: it is missing, damaged, sealed by AWS KMS, or others can read
                it.
        """
        if create and not path.exists():
            secret = secrets.token_bytes
            fresh = cls.generate(path, secret(KEY_BYTES), secret(KEY_BYTES))
            key_file.create_file(path, fresh.fields)
        with key_file.read_fields(path) as fields:
            if "sealed" in fields:
                problem = (
                    f"AWS KMS seals the key file {path}: set "
                    f"GIEOK_KMS_KEY={fields['kms']}."
                )
                raise KeyFileError(problem)
            return cls(
                path=path,
                key_id=str(fields["key_id"]),
                wrapping_key=_decode_key(fields["wrapping_key"]),
                naming_secret=_decode_key(fields["naming_secret"]),
                token_secret=_decode_key(fields["token_secret"]),
                previous={
                    str(name): _decode_key(key)
                    for name, key in fields.get("previous", {}).items()
                },
            )

    @classmethod
    def generate(cls, path: Path, naming_secret: bytes, token_secret: bytes) -> Self:
        """Return a file with a new wrapping key, not written yet."""
        name, key = secrets.token_hex(8), secrets.token_bytes(KEY_BYTES)
        return cls(path, name, key, naming_secret, token_secret)

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
            "another installation, or was rotated on another machine. Put the right "
            "file back, or the newest one."
        )
        raise KeyFileError(problem)

    @property
    def wrapping_keys(self) -> Mapping[str, bytes]:
        """Return every wrapping key of the file, by name."""
        return {**self.previous, self.key_id: self.wrapping_key}

    @property
    def fields(self) -> Mapping[str, object]:
        """Return what the file holds."""
        fields: dict[str, object] = {
            "version": 1,
            "key_id": self.key_id,
            "wrapping_key": key_file.encode_bytes(self.wrapping_key),
            "naming_secret": key_file.encode_bytes(self.naming_secret),
            "token_secret": key_file.encode_bytes(self.token_secret),
        }
        if self.previous:
            fields["previous"] = {
                name: key_file.encode_bytes(key) for name, key in self.previous.items()
            }
        return fields

    def rotate_and_write(self) -> Self:
        """Return the file with a new wrapping key; the ones before stay in it.

        Raises:
            KeyFileError: it cannot be written.
        """
        fresh = self.generate(self.path, self.naming_secret, self.token_secret)
        return replace(fresh, previous=self.wrapping_keys).write()

    def remove_old_keys(self) -> Self:
        """Write the file without the wrapping keys before the newest, and return it."""
        return replace(self, previous={}).write()

    def write(self) -> Self:
        """Put this in place of the file; a crash leaves the one or the other.

        Raises:
            KeyFileError: it cannot be written.
        """
        key_file.replace_file(self.path, self.fields)
        return self


def _decode_key(text: str) -> bytes:
    key = key_file.decode_bytes(text)
    if len(key) != KEY_BYTES:
        raise ValueError
    return key
