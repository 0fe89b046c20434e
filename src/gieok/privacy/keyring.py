"""The secrets of an installation, and what wraps the keys of its people.

A key file, AWS KMS, or both while it moves from one to the other. Writing follows the
configuration, reading follows the data: a process opens what another one wrapped by the
other means. With KMS alone the key file is sealed by KMS too, so that whoever has the
file has nothing.
"""

import secrets
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

from gieok.kernel.errors import ConfigurationError, ConflictError, KeyFileError
from gieok.privacy import key_file
from gieok.privacy.keys import KEY_BYTES, KMS_MARK, FileKeyProvider

if TYPE_CHECKING:
    from gieok.privacy.aws import AwsKeyProvider


@dataclass(slots=True, repr=False)
class Keyring:
    """Wraps by AWS KMS if there is one, otherwise by the key file; opens both."""

    path: Path
    naming_secret: bytes
    """Turns names from outside into pseudonyms; it never changes."""
    token_secret: bytes
    """Signs the bearer tokens of a local server."""
    file: FileKeyProvider | None
    """None when KMS seals the key file."""
    kms: "AwsKeyProvider | None" = None
    """Wraps what is new."""
    reader: "AwsKeyProvider | None" = None
    """Opens what KMS wrapped, once that was needed."""

    @classmethod
    async def open(
        cls,
        path: Path,
        *,
        probe: bytes | None = b"",
        kms_key: str | None = None,
        leaving_kms: bool = False,
    ) -> Self:
        """Open the key file, or make it where the keystore has no probe (None) yet.

        `leaving_kms` lets an installation that KMS wraps be opened without `kms_key`,
        so that `rotate_and_write` can move it to the key file.

        Raises:
            KeyFileError: the file is missing, damaged, exposed, or needs KMS.
            ConfigurationError: boto3 is missing, or finds no region or credentials.
            UnavailableError: KMS does not answer.
        """
        if probe is not None and probe.startswith(KMS_MARK):
            _require_kms(kms_key, leaving=leaving_kms)
        kms = None if kms_key is None else await _import_provider().connect(kms_key)
        if kms is not None and probe is None:
            key_file.create_file(
                path, await _seal_secrets(kms, secrets.token_bytes(2 * KEY_BYTES))
            )
        sealed, by = _read_sealed_secrets(path)
        if not sealed:
            file = FileKeyProvider.open(path, create=probe is None)
            return cls(path, file.naming_secret, file.token_secret, file, kms)
        if not leaving_kms:
            _require_kms(kms_key, leaving=False, name=by)
        reader = kms or await _import_provider().connect_reader(by)
        naming_secret, token_secret = await _open_secrets(reader, sealed)
        return cls(path, naming_secret, token_secret, None, kms, reader)

    @property
    def key_id(self) -> str:
        """Name of what wraps new keys."""
        wrapping = self.kms or self.file
        return wrapping.key_id if wrapping else ""

    @property
    def is_sealed(self) -> bool:
        """Whether KMS seals the key file."""
        return self.file is None

    async def wrap(self, key: bytes) -> bytes:
        """Return the key, sealed.

        Raises:
            KeyFileError: the file was rotated, or KMS refuses.
            UnavailableError: KMS does not answer.
        """
        return await (self.kms or self._get_file()).wrap(key)

    async def unwrap(self, wrapped: bytes) -> bytes:
        """Return the key again, whichever means wrapped it; raises as `wrap`."""
        if not wrapped.startswith(KMS_MARK):
            return await self._get_file().unwrap(wrapped)
        if self.reader is None:
            self.reader = self.kms or await _import_provider().connect_reader()
        return await self.reader.unwrap(wrapped)

    async def load_current(self) -> Self:
        """Return the ring with the key file as it is now, its secret of tokens too.

        Raises:
            KeyFileError: the file is missing, damaged or exposed, or KMS refuses.
            ConfigurationError: as `open`.
            UnavailableError: KMS seals the file and does not answer.
        """
        sealed, by = _read_sealed_secrets(self.path)
        if not sealed:
            file = self._read_file()
            return replace(self, token_secret=file.token_secret, file=file)
        reader = self.kms or await _import_provider().connect_reader(by)
        _, token_secret = await _open_secrets(reader, sealed)
        return replace(self, token_secret=token_secret, file=None, reader=reader)

    def rotate_and_write(self) -> Self:
        """Return the ring with a new wrapping key in its file; those before stay.

        Raises:
            KeyFileError: the file cannot be written.
        """
        if self.file is not None:
            return replace(self, file=self.file.rotate_and_write())
        fresh = FileKeyProvider.generate(
            self.path, self.naming_secret, self.token_secret
        )
        return replace(self, file=fresh.write())

    async def replace_token_secret(self) -> None:
        """Write the file with a new secret of tokens; all else in it stays.

        Raises:
            KeyFileError: the file cannot be written, or KMS refuses or is not set.
            UnavailableError: KMS does not answer.
        """
        secret = secrets.token_bytes(KEY_BYTES)
        if self.file is not None:
            replace(self.file, token_secret=secret).write()
            return
        _require_kms(self.kms and self.kms.key_id, leaving=False)
        await replace(self, token_secret=secret).seal_file()

    async def remove_old_keys(self) -> int:
        """Destroy wrapping keys of the file that wrap nothing new; return how many.

        With KMS these are all, and KMS seals what else the file holds.

        Raises:
            ConflictError: KMS has all keys; it retires its own itself.
            KeyFileError: the file cannot be written.
        """
        if self.file is None:
            raise ConflictError("the key provider retires its keys itself")
        if self.kms is None:
            self.file.remove_old_keys()
            return len(self.file.previous)
        await self.seal_file()
        return len(self.file.wrapping_keys)

    async def seal_file(self) -> None:
        """Let KMS seal the key file, which holds no wrapping key then.

        Raises:
            KeyFileError: the file cannot be written, or KMS refuses.
            UnavailableError: KMS does not answer.
        """
        if self.kms is not None:
            both = self.naming_secret + self.token_secret
            key_file.replace_file(self.path, await _seal_secrets(self.kms, both))

    def _get_file(self) -> FileKeyProvider:
        return self.file or self._read_file()

    def _read_file(self) -> FileKeyProvider:
        return FileKeyProvider.open(self.path, create=False)


def _import_provider() -> "type[AwsKeyProvider]":
    try:
        from gieok.privacy.aws import AwsKeyProvider  # noqa: PLC0415 - an extra
    except ImportError:
        problem = "AWS KMS needs boto3: run `pip install 'gieok[aws]'`."
        raise ConfigurationError(problem) from None
    return AwsKeyProvider


async def _open_secrets(reader: "AwsKeyProvider", sealed: bytes) -> tuple[bytes, bytes]:
    """Return the secret of names and that of tokens, as KMS sealed them."""
    both = await reader.unwrap(sealed, "key-file")
    return both[:KEY_BYTES], both[KEY_BYTES:]


async def _seal_secrets(kms: "AwsKeyProvider", both: bytes) -> dict[str, object]:
    """Return what a key file holds that opens nothing without KMS."""
    wrapped = await kms.wrap(both, "key-file")
    return {"version": 2, "kms": kms.key_id, "sealed": key_file.encode_bytes(wrapped)}


def _read_sealed_secrets(path: Path) -> tuple[bytes, str]:
    """Return the secrets as a key of KMS sealed them, and its name, if it did."""
    if not path.exists():
        return b"", ""
    with key_file.read_fields(path) as fields:
        sealed = fields.get("sealed")
        return (
            (key_file.decode_bytes(sealed), str(fields["kms"])) if sealed else (b"", "")
        )


def _require_kms(kms_key: str | None, *, leaving: bool, name: str = "") -> None:
    if kms_key is None and not leaving:
        named = f" ({name})" if name else ""
        problem = (
            f"AWS KMS{named} wraps the keys of this installation. Set GIEOK_KMS_KEY, "
            "or leave KMS with `gieok keys rotate --to-file`."
        )
        raise KeyFileError(problem)
