"""Exports and imports of one person's data."""

import asyncio
import base64
import binascii
import secrets
import tempfile
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, BinaryIO, Final
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from gieok.accounts import Accounts
from gieok.accounts import store as account_store
from gieok.cache import Cache
from gieok.database import Audit, Database, ExportsExpired, schedule_event
from gieok.kernel.errors import ConflictError, NotFoundError
from gieok.kernel.scope import Scope
from gieok.memories import list_cache
from gieok.portability import archive_file, import_gieok, import_other, store
from gieok.portability.export_rows import count_unreadable, export_lines
from gieok.portability.import_rows import RowWriter
from gieok.portability.model import (
    Archive,
    Imported,
    RowProgress,
    Source,
    ignore_progress,
)
from gieok.privacy import PersonKey, Vault
from gieok.profile import Profile
from gieok.profile.tutor_cards import TABLE as TUTOR_CARDS
from gieok.profile.tutor_cards import TutorCards
from gieok.recall import Recall
from gieok.settings import SettingsService

CHUNK_BYTES: Final = 256 * 1024
EXPORT_LIFETIME: Final = timedelta(hours=24)
_ID_BYTES: Final = 16
_KEY_BYTES: Final = 32
_LENGTH_BYTES: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Portability:
    """Exports and imports for everyone."""

    database: Database
    vault: Vault
    accounts: Accounts
    settings: SettingsService
    recall: Recall
    profile: Profile
    tutor_cards: TutorCards | None
    cache: Cache
    pair_retention: timedelta
    """How long turns that come in from an archive are kept word for word."""

    async def export(self, scope: Scope) -> AsyncIterator[bytes]:
        """Yield everything about the person as lines of JSON, in chunks of bytes.

        What it holds is as of one moment. The last line is a manifest with the count
        and SHA-256 of each part: an export without one was cut off. It waits on disk,
        sealed with a key nobody keeps, while the caller reads. The audit log keeps
        that it was made.

        Raises:
            UnavailableError: the table of the tutor's cards does not answer.
        """
        await self._audit_export(scope, "export_read")
        card = await self._load_tutor_card(scope)
        cipher, chunks = AESGCM(secrets.token_bytes(_KEY_BYTES)), 0
        with tempfile.TemporaryFile() as spool:
            key = await self.vault.get_reading_key(scope)
            async with self.database.begin(scope) as tx:
                async for chunk in _join_chunks(export_lines(tx, key, card)):
                    sealed = cipher.encrypt(_build_nonce(chunks), chunk, None)
                    spool.write(len(sealed).to_bytes(_LENGTH_BYTES, "big") + sealed)
                    chunks += 1
            spool.seek(0)
            for position in range(chunks):
                size = int.from_bytes(spool.read(_LENGTH_BYTES), "big")
                yield cipher.decrypt(_build_nonce(position), spool.read(size), None)

    async def prepare(
        self,
        scope: Scope,
        *,
        lasts: timedelta = EXPORT_LIFETIME,
        progress: RowProgress = ignore_progress,
    ) -> Archive:
        """Keep an export in the database until its token fetches it, or it expires.

        It is sealed with a key that stands in the token alone. When something of the
        person's is erased, it goes as well; what is erased while it is made is not in
        it. It takes the place of the one that waits.

        Raises:
            UnavailableError: the table of the tutor's cards does not answer.
            ConflictError: another one of theirs is still being made.
        """
        await self._audit_export(scope, "export_prepared")
        while True:
            secret = secrets.token_bytes(_KEY_BYTES)
            async with self.database.begin(scope) as tx:
                await tx.lock_person()
                export_id, until = tx.new_id(), tx.now + lasts
                await store.insert_mark(tx, export_id, until)
                await schedule_event(tx, ExportsExpired, until)
            await self._write_export(scope, export_id, until, AESGCM(secret), progress)
            async with self.database.begin(scope) as tx:
                if await store.has_mark(tx, export_id):
                    await store.delete_others(tx, export_id)
                    break
                await store.delete_export(tx, export_id)
        token = base64.urlsafe_b64encode(export_id.bytes + secret).decode().rstrip("=")
        return Archive(token, until)

    async def _write_export(
        self,
        scope: Scope,
        export_id: UUID,
        until: datetime,
        cipher: AESGCM,
        progress: RowProgress,
    ) -> None:
        """Keep the pieces of an export as of now."""
        key = await self.vault.get_reading_key(scope)
        card = await self._load_tutor_card(scope)
        position = rows = 0
        async with self.database.begin(scope) as tx:
            async for chunk in _join_chunks(export_lines(tx, key, card)):
                if position == 0 and not await store.lock_exports(tx):
                    reason = "another export of theirs is still being made"
                    raise ConflictError(reason)
                sealed = cipher.encrypt(_build_nonce(position), chunk, export_id.bytes)
                await store.insert_chunk(tx, export_id, position, sealed, until)
                position += 1
                rows += chunk.count(b"\n")
                progress(rows)

    async def fetch(self, scope: Scope, token: str) -> AsyncIterator[bytes]:
        """Yield a prepared export as `export` does.

        Raises:
            NotFoundError: the person has no export of this token, it has expired,
                something was erased since, or another one took its place, also when
                that was only after some of it was read.
        """
        export_id, secret = _parse_token(token)
        cipher, position = AESGCM(secret), 0
        while sealed := await self._read_chunk(scope, export_id, position):
            try:
                chunk = cipher.decrypt(_build_nonce(position), sealed, export_id.bytes)
            except InvalidTag:
                raise NotFoundError("export") from None
            if position == 0:
                await self._audit_export(scope, "export_fetched")
            position += 1
            yield chunk
        mark = await self._read_chunk(scope, export_id, store.MARK)
        if position == 0 or mark is None:
            raise NotFoundError("export")

    async def is_waiting(self, scope: Scope, token: str) -> bool:
        """Tell whether a prepared export is still there, expired or not."""
        export_id, _ = _parse_token(token)
        async with self.database.begin(scope) as tx:
            return await store.has_mark(tx, export_id)

    async def expire(self, scope: Scope) -> None:
        """Remove the exports that have expired."""
        async with self.database.begin(scope) as tx:
            await store.delete_expired(tx)
            if due := await store.find_next_expiry(tx):
                await schedule_event(tx, ExportsExpired, due)

    async def load(
        self,
        scope: Scope,
        file: BinaryIO,
        source: Source = Source.GIEOK,
        progress: RowProgress = ignore_progress,
    ) -> Imported:
        """Take in an export of gieok's, or an archive of another product's.

        An export makes an empty person what the exported one was, with the same ids
        and times; the plan and the audit log stay this installation's own. An archive
        adds to what is there: nothing twice, and nothing that was erased. Whatever is
        wrong with a file, all of it is refused and nothing was written. No memory of
        a file is trusted further than an import may be, whatever the file says.

        Raises:
            InvalidFileError: what is wrong with the file, and where in it.
            ConflictError: something is kept of the person already.
            NotPermittedError: the person does not agree to storage or, for an archive,
                does not allow memory.
        """
        key = await self.vault.get_key(scope)
        settings = await self.settings.get(scope)
        archive = None
        if source is not Source.GIEOK:
            archive = await asyncio.to_thread(archive_file.open_archive, file)
        begins_at = file.tell()
        with import_gieok.translate_errors():
            try:
                async with self._begin_import(scope, key, progress) as writer:
                    taken = (
                        await import_gieok.import_file(writer, file)
                        if archive is None
                        else await import_other.import_archive(
                            writer,
                            settings,
                            source,
                            archive,
                            self.vault.keystore.ledger,
                            pair_retention=self.pair_retention,
                        )
                    )
            except import_gieok.UntracedError:
                file.seek(begins_at)
                async with self._begin_import(scope, key, progress) as writer:
                    taken = await import_gieok.import_file(writer, file, at_once=1)
        self.recall.drop(scope)
        await list_cache.drop_lists(self.cache, scope.user_id)
        return taken

    @asynccontextmanager
    async def _begin_import(
        self, scope: Scope, key: PersonKey, progress: RowProgress
    ) -> AsyncGenerator[RowWriter]:
        async with self.database.begin(scope) as tx:
            yield await import_gieok.begin_import(tx, key, self.accounts, progress)

    async def unreadable(self, scope: Scope) -> Mapping[str, int]:
        """Return how many of the person's rows cannot be read, by table.

        They are left out wherever rows are listed, searched, shown or exported. A
        sealed card of the tutor's table counts as a row.

        Raises:
            UnavailableError: the table of the tutor's cards does not answer.
        """
        key = await self.vault.get_reading_key(scope)
        async with self.database.begin(scope) as tx:
            found = await count_unreadable(tx, key)
        if self.tutor_cards and await self.tutor_cards.is_unreadable(scope):
            return {**found, TUTOR_CARDS: 1}
        return found

    async def _load_tutor_card(self, scope: Scope) -> Mapping[str, Any]:
        """Return what the tutor's table holds of the person, if there is one."""
        return await self.tutor_cards.load(scope) if self.tutor_cards else {}

    async def _read_chunk(
        self, scope: Scope, export_id: UUID, position: int
    ) -> bytes | None:
        async with self.database.begin(scope) as tx:
            return await store.get_chunk(tx, export_id, position)

    async def _audit_export(self, scope: Scope, reason: str) -> None:
        """Note an export before anything leaves, and bring the card up to date."""
        await self.profile.refresh(scope)
        async with self.database.begin(scope) as tx:
            await account_store.insert_person(tx)
            tx.record_audit(Audit("export", "users", scope.user_id, reason))


async def _join_chunks(lines: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Put lines together to pieces worth a round trip."""
    gathered = bytearray()
    async for line in lines:
        gathered += line
        if len(gathered) >= CHUNK_BYTES:
            yield bytes(gathered)
            gathered.clear()
    if gathered:
        yield bytes(gathered)


def _build_nonce(position: int) -> bytes:
    """Return the nonce of a piece; its key seals no other piece of that position."""
    return position.to_bytes(12, "big")


def _parse_token(token: str) -> tuple[UUID, bytes]:
    try:
        data = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
    except (binascii.Error, ValueError):
        data = b""
    if len(data) != _ID_BYTES + _KEY_BYTES:
        raise NotFoundError("export")
    return UUID(bytes=data[:_ID_BYTES]), data[_ID_BYTES:]
