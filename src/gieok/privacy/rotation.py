"""Rotation of keys: every step may be interrupted, and goes on where it stopped.

A person's next key is first added, then known to every process, and only then used;
what older keys sealed is sealed again, in batches, each row only if it is still as it
was read. A key is destroyed when nothing has needed it for an hour. What does not open
keeps its key for 30 days, as it may have been damaged beside its bytes and be put
right; but not against what a receipt promises.
"""

import asyncio
import secrets
import struct
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Final, NamedTuple, Protocol
from uuid import UUID

from psycopg.rows import TupleRow

from gieok.database import Database
from gieok.kernel.errors import ConflictError, GieokError, UnavailableError
from gieok.kernel.scope import Actor, Scope
from gieok.privacy import receipt_store
from gieok.privacy.keyring import Keyring
from gieok.privacy.keys import KEY_BYTES, KMS_MARK
from gieok.privacy.keystore import Keystore, WrappingUsage
from gieok.privacy.readable_rows import UNREADABLE, log_unreadable
from gieok.privacy.sealed_columns import SEALED_COLUMNS, SealedColumn
from gieok.privacy.vault import KNOWN_SECONDS, PersonKey, Vault, derive_digest_key

BATCH: Final = 500
SETTLES_IN: Final = timedelta(seconds=2 * KNOWN_SECONDS)
"""After this every process that lives knows a new key."""
DESTROYED_AFTER: Final = timedelta(hours=1)
"""Nobody holds on to a key for longer."""
UNREADABLE_KEPT: Final = timedelta(days=30)
"""How long the key of something is kept that does not open."""
LAST_EPOCH: Final = 2**15 - 1

Progress = Callable[[int, int], None]
"""Is told (done, in all)."""


def _ignore_progress(_done: int, _total: int) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class KeyStatus:
    """Which keys there are."""

    wrapping_key: str
    """The one that wraps new keys."""
    is_file_sealed: bool
    """Whether AWS KMS seals the key file, so that it opens nothing by itself."""
    wrappings: tuple[WrappingUsage, ...]
    people: int
    rotating: int
    """People whose rotation has not come to its end."""


class ResealedBatch(NamedTuple):
    """What became of sealed values."""

    sealed: int
    unopened: Mapping[bytes, bool]
    """Digests of those that do not open, and whether their key is still held."""


class SealedStore(Protocol):
    """Keeps something of people outside the database, sealed with their keys."""

    async def reseal(self, scope: Scope, key: PersonKey) -> int:
        """Seal with the newest key what an older one sealed; return how many values.

        Raises:
            UnavailableError: it does not answer; the older key is still needed.
        """
        ...


@dataclass(frozen=True, slots=True)
class KeyRotation:
    """Rotation of everyone's keys, for whoever runs the installation."""

    database: Database
    vault: Vault
    stores: tuple[SealedStore, ...] = ()

    @property
    def keystore(self) -> Keystore:
        """Return where the keys are."""
        return self.vault.keystore

    async def get_status(self) -> KeyStatus:
        """Return which keys there are."""
        ring = await self.vault.provider.load_current()
        return KeyStatus(
            ring.key_id,
            ring.is_sealed,
            await self.keystore.list_wrappings(),
            len(await self.keystore.list_people()),
            len(await self.keystore.list_rotating()),
        )

    async def rotate_wrapping(self, progress: Progress = _ignore_progress) -> int:
        """Put every key under a new wrapping key; return how many it took.

        A rotation that was interrupted goes on. The key file keeps the wrapping keys
        before the newest until `retire`. With AWS KMS configured, everything that is
        not wrapped by its configured key is; without, what it wrapped moves to the
        key file. Processes of either configuration open both meanwhile.

        Raises:
            KeyFileError: the file cannot be written, or does not open a key.
            ConflictError: another process is rotating.
        """
        async with self.keystore.lock_rotation():
            ring = await self.vault.provider.load_current()
            if ring.is_sealed and ring.kms is not None:
                await ring.seal_file()
            elif ring.kms is None and not await self._is_interrupted(ring):
                ring = ring.rotate_and_write()
            return await self._rewrap_all(ring, progress)

    async def retire(self) -> int:
        """Destroy wrapping keys of the key file that wrap nothing new; how many.

        These are the ones before the newest; with AWS KMS all, and KMS seals the file.
        Every process has to have been started again since the rotation.

        Raises:
            KeyFileError: as `rotate_wrapping`.
            ConflictError: another process is rotating, or KMS has all keys already.
        """
        async with self.keystore.lock_rotation():
            ring = await self.vault.provider.load_current()
            await self._rewrap_all(ring, _ignore_progress)
            return await ring.remove_old_keys()

    async def rotate_token_secret(self) -> None:
        """Replace the secret that signs tokens; the keys of the file stay.

        A process that runs signs and verifies with the secret it began with: once
        every server was started again, no token from before opens anything.

        Raises:
            KeyFileError: the file cannot be written, or AWS KMS refuses or is not set.
            UnavailableError: AWS KMS seals the file and does not answer.
            ConflictError: another process is rotating.
        """
        async with self.keystore.lock_rotation():
            ring = await self.vault.provider.load_current()
            await ring.replace_token_secret()

    async def renew(
        self,
        people: Iterable[UUID] | None = None,
        *,
        settles_in: timedelta = SETTLES_IN,
        destroyed_after: timedelta = DESTROYED_AFTER,
        progress: Progress = _ignore_progress,
    ) -> int:
        """Give people new keys and seal everything anew; return how many values.

        Without `people` it is everybody. Who is being given one already is brought
        further instead. It waits once for `settles_in`; old keys are destroyed by
        `finish`, later.

        Raises:
            UnavailableError: a store does not answer; old keys stay until it does.
            GieokError: what went wrong first with somebody, whose old key stays;
                everybody else's was replaced.
        """
        chosen = tuple(await self.keystore.list_people() if people is None else people)
        await self.begin(chosen, settles_in=settles_in)
        await asyncio.sleep(settles_in.total_seconds())
        return await self._reseal_all(chosen, destroyed_after, progress)

    async def begin(
        self, people: Iterable[UUID], *, settles_in: timedelta = SETTLES_IN
    ) -> int:
        """Add new keys for people, to be taken into use by `finish`; return how many.

        Who is being given one already gets no other.
        """
        return sum(
            [await self._add_next_key(user_id, settles_in) for user_id in people]
        )

    async def finish(
        self,
        *,
        destroyed_after: timedelta = DESTROYED_AFTER,
        progress: Progress = _ignore_progress,
    ) -> int:
        """Bring every rotation under way to its end; return how many values.

        For a daily job. Raises as `renew`.
        """
        people = await self.keystore.list_rotating()
        return await self._reseal_all(people, destroyed_after, progress)

    async def _reseal_all(
        self, people: Sequence[UUID], destroyed_after: timedelta, progress: Progress
    ) -> int:
        sealed, failure = 0, None
        for done, user_id in enumerate(people, start=1):
            try:
                sealed += await self._reseal_person(user_id, destroyed_after)
            except UnavailableError:
                raise
            except GieokError as error:
                failure = failure or error
            progress(done, len(people))
        if failure is not None:
            raise failure
        return sealed

    async def _add_next_key(self, user_id: UUID, settles_in: timedelta) -> bool:
        held = await self.keystore.list_keys(user_id)
        if len(held) != 1:
            return False
        (old,) = held
        if old.epoch >= LAST_EPOCH:
            raise ConflictError("the person's key was rotated too often")
        provider = self.vault.provider
        digest = old.digest_wrapped or await provider.wrap(
            derive_digest_key(await provider.unwrap(old.wrapped))
        )
        wrapped = await provider.wrap(secrets.token_bytes(KEY_BYTES))
        new = old._replace(
            epoch=old.epoch + 1,
            wrapped_by=provider.key_id,
            wrapped=wrapped,
            digest_wrapped=digest,
        )
        return await self.keystore.add_key(user_id, new, settles_in)

    async def _reseal_person(self, user_id: UUID, destroyed_after: timedelta) -> int:
        scope = Scope(user_id, Actor.ADMIN)
        self.vault.forget(scope)
        held = await self.keystore.list_keys(user_id)
        if len(held) < 2 or not held[-1].is_settled:  # noqa: PLR2004 - old and new
            return 0
        key = await self.vault.unwrap_keys(scope, held)
        sealed = 0
        may_open_again = False
        for column in SEALED_COLUMNS:
            done = await self._reseal_column(scope, key, column)
            sealed += done.sealed
            may_open_again = may_open_again or any(done.unopened.values())
        for store in self.stores:
            sealed += await store.reseal(scope, key)
        if may_open_again and not await self._is_promised(scope):
            destroyed_after = max(destroyed_after, UNREADABLE_KEPT)
        await self.keystore.delete_older_keys(user_id, key.epoch, destroyed_after)
        self.vault.forget(scope)
        return sealed

    async def _is_promised(self, scope: Scope) -> bool:
        """Tell whether a receipt says that old keys of the person are destroyed."""
        async with self.database.begin(scope) as tx:
            return await receipt_store.has_receipt_since(tx, tx.now - UNREADABLE_KEPT)

    async def _reseal_column(
        self, scope: Scope, key: PersonKey, column: SealedColumn
    ) -> ResealedBatch:
        """Return what became of all values of a column; what does not open is left."""
        sealed, unopened = 0, dict[bytes, bool]()
        while any(
            batch := await reseal_batch(self.database, scope, key, column, unopened)
        ):
            sealed += batch.sealed
            unopened |= batch.unopened
        if unopened:
            log_unreadable(column.table, len(unopened))
        return ResealedBatch(sealed, unopened)

    async def _is_interrupted(self, ring: Keyring) -> bool:
        """Tell whether a rotation to the file's newest key left some under others."""
        if ring.file is None:
            return False
        waits = await self.keystore.list_wrapped_otherwise(ring.key_id, 1)
        by_kms = any(key.wrapped.startswith(KMS_MARK) for _, key in waits)
        return bool(waits) and bool(ring.file.previous or by_kms)

    async def _rewrap_all(self, provider: Keyring, progress: Progress) -> int:
        wrappings = await self.keystore.list_wrappings()
        total = sum(w.keys for w in wrappings if w.wrapped_by != provider.key_id)
        done = 0
        while batch := await self.keystore.list_wrapped_otherwise(
            provider.key_id, BATCH
        ):
            for user_id, old in batch:
                digest = old.digest_wrapped
                new = old._replace(
                    wrapped_by=provider.key_id,
                    wrapped=await _rewrap_key(provider, old.wrapped),
                    digest_wrapped=digest and await _rewrap_key(provider, digest),
                )
                await self.keystore.rewrap(user_id, old, new)
            done += len(batch)
            progress(done, max(done, total))
        probe = await self.keystore.get_probe()
        if probe is not None:
            moved = await _rewrap_key(provider, probe)
            await self.keystore.replace_probe(provider.key_id, moved)
        return done


async def _rewrap_key(provider: Keyring, wrapped: bytes) -> bytes:
    return await provider.wrap(await provider.unwrap(wrapped))


async def reseal_batch(
    database: Database,
    scope: Scope,
    key: PersonKey,
    column: SealedColumn,
    unopened: Collection[bytes] = (),
) -> ResealedBatch:
    """Seal one batch of a column with the newest key, but of what is `unopened`."""
    async with database.begin(scope) as tx:
        rows = await tx.fetch_all(
            f"""
            SELECT {column.selected} FROM {column.table}
            WHERE user_id = %s AND {column.stored} IS NOT NULL
              AND substring({column.stored} FROM 2 FOR 2) <> %s
              AND sha256({column.stored}) <> ALL(%s::bytea[]) LIMIT %s
            """,
            [scope.user_id, struct.pack(">H", key.epoch), list(unopened), BATCH],
        )
        opened, closed = _open_rows(key, column, rows)
        if not opened:
            return ResealedBatch(0, closed)
        sealed = [
            key.seal(
                column.bound_to,
                row[0],
                data,
                revision=row[1],
                bound=column.to_provenance(row[3:]),
            )
            for row, data in opened
        ]
        changed = await tx.fetch_all(
            f"""
            UPDATE {column.table} SET {column.column} = {column.write}
            FROM unnest(%s::uuid[], %s::bytea[], %s::bytea[]) AS new (id, old, sealed)
            WHERE user_id = %s AND {column.row} = new.id AND {column.stored} = new.old
            RETURNING new.id, new.sealed
            """,
            [
                [row[0] for row, _ in opened],
                [bytes(row[2]) for row, _ in opened],
                sealed,
                scope.user_id,
            ],
        )
        if column.provenance:
            tx.record_sealed_rows(column.table, dict(changed))
    return ResealedBatch(len(opened), closed)


def _open_rows(
    key: PersonKey, column: SealedColumn, rows: Iterable[TupleRow]
) -> tuple[list[tuple[TupleRow, bytes]], dict[bytes, bool]]:
    """Return rows with what they hold, and what does not open, see `ResealedBatch`."""
    opened, closed = list[tuple[TupleRow, bytes]](), dict[bytes, bool]()
    for row in rows:
        try:
            opened.append((row, column.open(key, row)))
        except UNREADABLE:
            closed[sha256(row[2]).digest()] = key.has_key_of(row[2])
    return opened, closed
