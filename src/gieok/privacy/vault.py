"""AES-256-GCM under a key per person, bound to the exact place a value stands in.

Record: version (1 byte) ‖ key epoch (2) ‖ nonce (12) ‖ ciphertext ‖ tag (16).
The associated data names person, table, column, row and revision, so a value that is
moved to another row, column or person, or replaced by one of another revision, does not
open. In version 2 it covers the row's provenance too (see `provenance`): whoever
changes that beside the value makes it unreadable.
Texts are padded to 64 bytes, so that their length tells little (NIST SP 800-38D;
research/sync_privacy.md §2.2).
"""

import asyncio
import hashlib
import hmac
import secrets
import struct
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import NamedTuple
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from gieok.database.stale_keys import record_sealing_key
from gieok.kernel.errors import ConflictError, TamperedError
from gieok.kernel.scope import Scope
from gieok.privacy.keyring import Keyring
from gieok.privacy.keys import KEY_BYTES
from gieok.privacy.keystore import Keystore, WrappedKey

VERSION = 1
"""Of values that are bound to their place alone."""
VERSION_WITH_PROVENANCE = 2
NONCE_BYTES = 12
PADDING = 64
CACHED_KEYS = 10_000
KNOWN_SECONDS = 60.0
"""For how long a process may use a key without asking the keystore again."""
_HEADER = struct.Struct(">BH")
_NONCE_AT = _HEADER.size
_BOUND = bytes([VERSION_WITH_PROVENANCE])
_BODY_AT = _NONCE_AT + NONCE_BYTES
_LENGTH = struct.Struct(">I")
_FIRST = _LENGTH.pack(0)
"""The revision of what is never revised, or was not yet."""
_ID_BYTES = 16
_UNOPENED = (InvalidTag, KeyError, ValueError)
"""What is raised where a value is not what was sealed for its place."""


class Place(NamedTuple):
    """Where a sealed value stands."""

    table: str
    column: str


class PersonKey:
    """Seals with a person's newest key and opens what any of their keys sealed."""

    __slots__ = (
        "_bindings",
        "_ciphers",
        "_destroyed",
        "_digest_key",
        "_epoch",
        "_person",
        "incarnation",
        "is_doubted",
    )

    def __init__(
        self,
        user_id: UUID,
        epoch: int,
        key: bytes,
        *,
        others: Mapping[int, bytes] | None = None,
        digest_key: bytes | None = None,
        incarnation: int = 0,
    ) -> None:
        self.incarnation = incarnation
        """How often the person had been erased when their first key was made."""
        self.is_doubted = False
        """Whether something did not open: the key may be one of before an erasure."""
        self._person = user_id.bytes
        self._epoch = epoch
        self._destroyed = False
        self._bindings: dict[tuple[Place, bytes], bytes] = {}
        self._ciphers: dict[bytes, AESGCM] = {}
        for each, secret in {**(others or {}), epoch: key}.items():
            cipher = AESGCM(secret)
            for version in (VERSION, VERSION_WITH_PROVENANCE):
                self._ciphers[_HEADER.pack(version, each)] = cipher
        self._digest_key = digest_key or derive_digest_key(key)

    @property
    def epoch(self) -> int:
        """Return the number of the key that seals."""
        return self._epoch

    @property
    def is_destroyed(self) -> bool:
        """Return whether the key seals nothing any more."""
        return self._destroyed

    def destroy(self) -> None:
        """Seal nothing more: nobody could ever open it."""
        self._destroyed = True

    def is_current(self, sealed: bytes) -> bool:
        """Tell whether the newest key sealed this."""
        return sealed[1:_NONCE_AT] == struct.pack(">H", self._epoch)

    def has_key_of(self, sealed: bytes) -> bool:
        """Tell whether the key that this names is among the person's."""
        return bytes([VERSION]) + sealed[1:_NONCE_AT] in self._ciphers

    def seal(
        self,
        place: Place,
        row_id: UUID,
        data: bytes,
        *,
        revision: int = 0,
        bound: bytes = b"",
    ) -> bytes:
        """Return the data sealed for one place, row and revision.

        It opens only beside the provenance that is `bound`.

        Raises:
            ConflictError: the person was erased meanwhile.
        """
        if self._destroyed:
            reason = "the person was erased meanwhile"
            raise ConflictError(reason)
        record_sealing_key(self)
        nonce = secrets.token_bytes(NONCE_BYTES)
        version = VERSION_WITH_PROVENANCE if bound else VERSION
        header = _HEADER.pack(version, self._epoch)
        cipher = self._ciphers[header]
        placed = self._get_binding(place, header)
        placed += row_id.bytes + _LENGTH.pack(revision) + bound
        return header + nonce + cipher.encrypt(nonce, data, placed)

    def open(
        self,
        place: Place,
        row_id: UUID,
        sealed: bytes,
        *,
        revision: int = 0,
        bound: bytes = b"",
    ) -> bytes:
        """Return what was sealed for this place, row and revision.

        A value that was sealed before provenance was `bound` opens beside any.

        Raises:
            TamperedError: it was changed, or sealed for somewhere else.
        """
        row = row_id.bytes + (_LENGTH.pack(revision) if revision else _FIRST)
        if sealed[:1] == _BOUND:
            row += bound
        try:
            return self._open_row(place, row, sealed)
        except _UNOPENED as error:
            self._note_failure()
            raise TamperedError(".".join(place)) from error

    def open_each(
        self, place: Place, row_ids: bytes, sealed: Iterable[bytes]
    ) -> Sequence[bytes | None]:
        """Return what was sealed at revision 0 for many rows of one place.

        The rows' ids are given one after the other, sixteen bytes each. One that was
        changed, or sealed for somewhere else, is None.
        """
        revision = _FIRST
        starts = range(0, len(row_ids), _ID_BYTES)
        ids = (row_ids[at : at + _ID_BYTES] for at in starts)
        opened: list[bytes | None] = []
        for row_id, each in zip(ids, sealed, strict=True):
            try:
                opened.append(self._open_row(place, row_id + revision, each))
            except _UNOPENED:
                self._note_failure()
                opened.append(None)
        return opened

    def _get_binding(self, place: Place, header: bytes) -> bytes:
        """Return the part of the associated data that all rows of a place share."""
        known = self._bindings.get((place, header))
        if known is None:
            version, epoch = _HEADER.unpack(header)
            table, column = place.table.encode(), place.column.encode()
            lengths = struct.pack(">HBB", epoch, len(table), len(column))
            known = b"gieok%d" % version + self._person + lengths + table + column
            self._bindings[place, header] = known
        return known

    def _open_row(self, place: Place, row: bytes, sealed: bytes) -> bytes:
        """Return what a row holds; `row` is what it is bound to besides its place.

        The header names the key: no other one is tried.
        """
        header = sealed[:_NONCE_AT]
        cipher, nonce = self._ciphers[header], sealed[_NONCE_AT:_BODY_AT]
        placed = self._get_binding(place, header) + row
        return cipher.decrypt(nonce, sealed[_BODY_AT:], placed)

    def _note_failure(self) -> None:
        """Note that something did not open, for this key and whoever used it."""
        self.is_doubted = True
        record_sealing_key(self)

    def seal_text(
        self,
        place: Place,
        row_id: UUID,
        text: str,
        *,
        revision: int = 0,
        bound: bytes = b"",
    ) -> bytes:
        """Return a text, padded and sealed."""
        data = text.encode("utf-8")
        padded = _LENGTH.pack(len(data)) + data
        padded += bytes(-len(padded) % PADDING)
        return self.seal(place, row_id, padded, revision=revision, bound=bound)

    def open_text(
        self,
        place: Place,
        row_id: UUID,
        sealed: bytes,
        *,
        revision: int = 0,
        bound: bytes = b"",
    ) -> str:
        """Return a sealed text.

        Raises:
            TamperedError: as `open`.
        """
        padded = self.open(place, row_id, sealed, revision=revision, bound=bound)
        return unpad_text(padded)

    def compute_digest(self, text: str) -> bytes:
        """Return a keyed digest: equal texts of one person meet, nobody else's do."""
        return hmac.digest(self._digest_key, text.encode("utf-8"), hashlib.sha256)


class StrangerKey(PersonKey):
    """Stands for the key of somebody who has none, for as long as one reads."""

    __slots__ = ()

    def __init__(self, user_id: UUID) -> None:
        super().__init__(user_id, 0, secrets.token_bytes(KEY_BYTES))
        self.destroy()

    def _open_row(self, place: Place, row: bytes, sealed: bytes) -> bytes:
        """Fail: what stands there was sealed since the key was asked for."""
        del place, row, sealed
        reason = "the person was not known a moment ago: ask again"
        raise ConflictError(reason)


def unpad_text(padded: bytes) -> str:
    """Return the text that a sealed value holds."""
    (length,) = _LENGTH.unpack_from(padded)
    return padded[_LENGTH.size : _LENGTH.size + length].decode("utf-8")


class CachedKey(NamedTuple):
    """A person's key as the keystore had it."""

    key: PersonKey
    wrapped_keys: tuple[WrappedKey, ...]
    checked_at: float
    """By the monotonic clock, in seconds."""

    @property
    def is_fresh(self) -> bool:
        """Return whether the keystore need not be asked."""
        if self.key.is_destroyed or self.key.is_doubted:
            return False
        return monotonic() - self.checked_at < KNOWN_SECONDS


def derive_digest_key(key: bytes) -> bytes:
    """Return what a person's digests are keyed with, from their first key.

    Later keys carry it along: digests stay, so that equal texts go on meeting.
    """
    return hmac.digest(key, b"gieok/digest", hashlib.sha256)


@dataclass(frozen=True, slots=True)
class Vault:
    """Finds the key of a person; the newest 10,000 stay open in memory."""

    keystore: Keystore
    provider: Keyring
    opened: OrderedDict[UUID, CachedKey]
    _loading: dict[UUID, asyncio.Task[PersonKey]] = field(
        default_factory=dict[UUID, asyncio.Task[PersonKey]], repr=False
    )

    async def verify(self) -> None:
        """Make sure this key provider is the one that wrapped this keystore.

        Raises:
            KeyFileError: it is not; nothing was written.
        """
        probe = await self.keystore.get_probe()
        if probe is None:
            wrapped = await self.provider.wrap(secrets.token_bytes(KEY_BYTES))
            await self.keystore.save_probe(self.provider.key_id, wrapped)
            probe = await self.keystore.get_probe()
        assert probe is not None  # noqa: S101 - it was just written
        await self.provider.unwrap(probe)

    async def get_key(self, scope: Scope) -> PersonKey:
        """Return the person's key, made on first sight.

        The keystore is asked again after a minute, so that a rotated key is known
        everywhere soon, and at once when the key was refused or opened something not.
        Who asks while somebody else does gets the same answer.

        Raises:
            KeyFileError: the provider cannot unwrap it.
            ConflictError: the keystore is of before the person's last erasure.
            DatabaseUnavailableError: the keystore does not answer.
            UnavailableError: AWS KMS does not answer.
        """
        person = scope.user_id
        known = self.opened.get(person)
        if known is not None and known.is_fresh:
            self.opened.move_to_end(person)
            return known.key
        asking = self._loading.get(person)
        if asking is None:
            asking = asyncio.create_task(self._load_key(scope, known))
            self._loading[person] = asking
            asking.add_done_callback(lambda _: self._loading.pop(person))
        return await asyncio.shield(asking)

    async def find_key(self, scope: Scope) -> PersonKey | None:
        """Return the person's key; none is made for somebody who has none.

        That of somebody erased in another process may be known for a minute more; their
        rows are gone before it is.

        Raises:
            KeyFileError, ConflictError, UnavailableError: as `get_key`.
            DatabaseUnavailableError: the keystore does not answer.
        """
        known = self.opened.get(scope.user_id)
        is_known = known is not None and known.is_fresh
        if is_known or await self.keystore.list_keys(scope.user_id):
            return await self.get_key(scope)
        return None

    async def get_reading_key(self, scope: Scope) -> PersonKey:
        """Return the person's key to read with; none is made for who has none.

        Of somebody without a key nothing is kept, and theirs opens and seals nothing.

        Raises:
            KeyFileError, ConflictError, UnavailableError: as `get_key`.
            DatabaseUnavailableError: the keystore does not answer.
        """
        return await self.find_key(scope) or StrangerKey(scope.user_id)

    async def _load_key(self, scope: Scope, known: CachedKey | None) -> PersonKey:
        held = await self.keystore.list_keys(scope.user_id)
        if not held:
            wrapped = await self.provider.wrap(secrets.token_bytes(KEY_BYTES))
            await self.keystore.save_first_key(
                scope.user_id, self.provider.key_id, wrapped
            )
            held = await self.keystore.list_keys(scope.user_id)
        if known is not None and known.wrapped_keys == held:
            key = known.key
            if key.is_destroyed:
                raise ConflictError("the keystore is older: run gieok restore-check")
            key.is_doubted = False
        else:
            key = await self.unwrap_keys(scope, held)
        self.opened[scope.user_id] = CachedKey(key, held, monotonic())
        self.opened.move_to_end(scope.user_id)
        if len(self.opened) > CACHED_KEYS:
            self.opened.popitem(last=False)
        return key

    async def unwrap_keys(self, scope: Scope, held: Sequence[WrappedKey]) -> PersonKey:
        """Return a person's keys as one; the newest that all processes know seals.

        Raises:
            KeyFileError: the provider cannot unwrap them.
        """
        keys = {each.epoch: await self.provider.unwrap(each.wrapped) for each in held}
        settled = [each for each in held if each.is_settled] or held[:1]
        sealing, digest = settled[-1].epoch, held[-1].digest_wrapped
        return PersonKey(
            scope.user_id,
            sealing,
            keys[sealing],
            others=keys,
            digest_key=await self.provider.unwrap(digest) if digest else None,
            incarnation=held[-1].incarnation,
        )

    async def destroy(self, scope: Scope) -> int:
        """Destroy every key of the person; return how many there were.

        What they sealed opens nowhere from then on, in no backup of the data either.
        """
        known = self.opened.pop(scope.user_id, None)
        if known is not None:
            known.key.destroy()
        return await self.keystore.delete_keys(scope.user_id)

    def forget(self, scope: Scope) -> None:
        """Ask the keystore again the next time this person's key is needed."""
        self.opened.pop(scope.user_id, None)
