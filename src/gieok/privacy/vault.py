"""AES-256-GCM under a key per person, bound to the exact place a value stands in.

Record: version (1 byte) ‖ key epoch (2) ‖ nonce (12) ‖ ciphertext ‖ tag (16).
The associated data names person, table, column, row and revision, so a value that is
moved to another row, column or person, or replaced by an older one, does not open.
Texts are padded to 64 bytes, so that their length tells little (NIST SP 800-38D;
research/sync_privacy.md §2.2).
"""

import hashlib
import hmac
import secrets
import struct
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from gieok.kernel.errors import TamperedError
from gieok.kernel.scope import Scope
from gieok.privacy.keys import KEY_BYTES, KeyProvider
from gieok.privacy.keystore import Keystore

VERSION = 1
NONCE_BYTES = 12
PADDING = 64
CACHED_KEYS = 10_000
_HEADER = struct.Struct(">BH")
_BODY_AT = _HEADER.size + NONCE_BYTES
_LENGTH = struct.Struct(">I")


class Place(NamedTuple):
    """Where a sealed value stands."""

    table: str
    column: str


class PersonKey:
    """Seals and opens one person's values."""

    __slots__ = ("_cipher", "_digest_key", "_epoch", "_person")

    def __init__(self, user_id: UUID, epoch: int, key: bytes) -> None:
        self._person = user_id.bytes
        self._epoch = epoch
        self._cipher = AESGCM(key)
        self._digest_key = hmac.digest(key, b"gieok/digest", hashlib.sha256)

    def seal(
        self, place: Place, row_id: UUID, data: bytes, *, revision: int = 0
    ) -> bytes:
        """Return the data sealed for one place, row and revision."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        header = _HEADER.pack(VERSION, self._epoch)
        bound = self._binding(place) + row_id.bytes + _LENGTH.pack(revision)
        return header + nonce + self._cipher.encrypt(nonce, data, bound)

    def open(
        self, place: Place, row_id: UUID, sealed: bytes, *, revision: int = 0
    ) -> bytes:
        """Return what was sealed for this place, row and revision.

        Raises:
            TamperedError: it was changed, or sealed for somewhere else.
        """
        bound = self._binding(place) + row_id.bytes + _LENGTH.pack(revision)
        return self._opened(place, [(bound, sealed)])[0]

    def open_many(
        self, place: Place, row_ids: Iterable[bytes], sealed: Iterable[bytes]
    ) -> list[bytes]:
        """Return what was sealed at revision 0 for many rows of one place.

        A row's id is given as its sixteen bytes.

        Raises:
            TamperedError: one of them was changed, or sealed for somewhere else.
        """
        shared, revision = self._binding(place), _LENGTH.pack(0)
        bound = (shared + row_id + revision for row_id in row_ids)
        return self._opened(place, zip(bound, sealed, strict=True))

    def _binding(self, place: Place) -> bytes:
        """Return the part of the associated data that all rows of a place share."""
        table, column = place.table.encode(), place.column.encode()
        lengths = struct.pack(">HBB", self._epoch, len(table), len(column))
        return b"gieok1" + self._person + lengths + table + column

    def _opened(self, place: Place, rows: Iterable[tuple[bytes, bytes]]) -> list[bytes]:
        header, decrypt = _HEADER.pack(VERSION, self._epoch), self._cipher.decrypt
        opened: list[bytes] = []
        try:
            for bound, sealed in rows:
                if sealed[: _HEADER.size] != header:
                    raise TamperedError(".".join(place))
                nonce = sealed[_HEADER.size : _BODY_AT]
                opened.append(decrypt(nonce, sealed[_BODY_AT:], bound))
        except (InvalidTag, ValueError) as error:
            raise TamperedError(".".join(place)) from error
        return opened

    def seal_text(
        self, place: Place, row_id: UUID, text: str, *, revision: int = 0
    ) -> bytes:
        """Return a text, padded and sealed."""
        data = text.encode("utf-8")
        padded = _LENGTH.pack(len(data)) + data
        padded += bytes(-len(padded) % PADDING)
        return self.seal(place, row_id, padded, revision=revision)

    def open_text(
        self, place: Place, row_id: UUID, sealed: bytes, *, revision: int = 0
    ) -> str:
        """Return a sealed text.

        Raises:
            TamperedError: as `open`.
        """
        padded = self.open(place, row_id, sealed, revision=revision)
        (length,) = _LENGTH.unpack_from(padded)
        return padded[_LENGTH.size : _LENGTH.size + length].decode("utf-8")

    def digest(self, text: str) -> bytes:
        """Return a keyed digest: equal texts of one person meet, nobody else's do."""
        return hmac.digest(self._digest_key, text.encode("utf-8"), hashlib.sha256)


@dataclass(frozen=True, slots=True)
class Vault:
    """Finds the key of a person; the newest 10,000 stay open in memory."""

    keystore: Keystore
    provider: KeyProvider
    opened: OrderedDict[UUID, PersonKey]

    async def verify(self) -> None:
        """Make sure this key provider is the one that wrapped this keystore.

        Raises:
            KeyFileError: it is not; nothing was written.
        """
        probe = await self.keystore.probe()
        if probe is None:
            wrapped = await self.provider.wrap(secrets.token_bytes(KEY_BYTES))
            await self.keystore.keep_probe(self.provider.key_id, wrapped)
            probe = await self.keystore.probe()
        assert probe is not None  # noqa: S101 - it was just written
        await self.provider.unwrap(probe)

    async def key(self, scope: Scope) -> PersonKey:
        """Return the person's key, made on first sight.

        Raises:
            KeyFileError: the provider cannot unwrap it.
            DatabaseUnavailableError: the keystore does not answer.
        """
        known = self.opened.get(scope.user_id)
        if known is not None:
            self.opened.move_to_end(scope.user_id)
            return known
        held = await self.keystore.newest(scope.user_id)
        if held is None:
            wrapped = await self.provider.wrap(secrets.token_bytes(KEY_BYTES))
            await self.keystore.keep(scope.user_id, self.provider.key_id, wrapped)
            held = await self.keystore.newest(scope.user_id)
        assert held is not None  # noqa: S101 - it was just written
        epoch, wrapped = held
        key = PersonKey(scope.user_id, epoch, await self.provider.unwrap(wrapped))
        self.opened[scope.user_id] = key
        if len(self.opened) > CACHED_KEYS:
            self.opened.popitem(last=False)
        return key
