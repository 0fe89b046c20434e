"""Takes in archives of other products as conversations and memories of a person."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from gieok.accounts import store as accounts
from gieok.database import Change, SessionClosed
from gieok.kernel.errors import NotPermittedError
from gieok.portability.archive_file import OpenedArchive
from gieok.portability.archive_rows import ArchiveIds, ArchiveRows, build_rows
from gieok.portability.checking import locate_errors
from gieok.portability.export_rows import BATCH
from gieok.portability.import_gieok import schedule_follow_up
from gieok.portability.import_rows import ImportRow, RowWriter
from gieok.portability.model import Imported, Source
from gieok.portability.parts import MEMORIES, MESSAGES, PAIRS, SESSIONS, ExportPart
from gieok.privacy import Ledger
from gieok.sessions import Session, reader_store, session_store
from gieok.settings import Settings


async def import_archive(
    writer: RowWriter,
    settings: Settings,
    source: Source,
    archive: OpenedArchive,
    ledger: Ledger,
    *,
    pair_retention: timedelta,
) -> Imported:
    """Add what an archive holds to a person, in the writer's transaction.

    Its conversations are extracted like any other, later, and not summed up. Of one
    that an archive brought before, only what was said since comes in; what the person
    erased does not.

    Raises:
        InvalidFileError: it is not an archive of this product.
        NotPermittedError: the person does not allow memory.
    """
    if not settings.is_enabled:
        raise NotPermittedError("memory is switched off")
    tx = writer.tx
    writer.skips_known = True
    language = (await accounts.get_person(tx)).language
    naming = ArchiveIds(writer.accounts.naming_secret, tx.scope, source)
    adding = _ArchiveWriter(writer, ledger)
    with locate_errors(member=archive.member):
        until = tx.now + pair_retention
        for found in build_rows(
            archive.value, naming, language, now=tx.now, until=until
        ):
            await adding.write_rows(found)
    await schedule_follow_up(tx, writer)
    return Imported(writer.counts)


@dataclass(frozen=True, slots=True)
class _ArchiveWriter:
    """Writes what is new of an archive: nothing twice, nothing that was erased."""

    writer: RowWriter
    ledger: Ledger

    async def write_rows(self, found: ArchiveRows) -> None:
        """Write the rows of a memory, or of a conversation as far as it is new."""
        if MEMORIES not in found:
            await self._write_conversation(found)
            return
        (memory,) = found[MEMORIES]
        if not await self._is_erased(UUID(memory["memory_id"])):
            await self._write_batches(MEMORIES, [memory])

    async def _is_erased(self, about: UUID) -> bool:
        person = self.writer.tx.scope.user_id
        return await self.ledger.is_erased_since(person, about)

    async def _write_conversation(self, found: ArchiveRows) -> None:
        tx, (head,) = self.writer.tx, found[SESSIONS]
        about = UUID(head["session_id"])
        known = await session_store.get_session(tx, about)
        if known is None and await self._is_erased(about):
            return
        await self._write_batches(SESSIONS, [head])
        start = known.message_count if known else 0
        added = found[MESSAGES][start:]
        await self._write_batches(MESSAGES, added)
        ids = {UUID(row["message_id"]) for row in added}
        pairs = [row for row in found[PAIRS] if _list_messages(row) <= ids]
        await self._write_batches(PAIRS, pairs)
        if known and added:  # rows of an earlier version may be there uncounted
            await self._extend_session(known, head, pairs=len(pairs))
        if added:
            tx.publish(SessionClosed(tx.scope.user_id, about))

    async def _write_batches(
        self, part: ExportPart, rows: Sequence[ImportRow]
    ) -> set[UUID]:
        """Write rows, some at once; return the ids of those that are new."""
        written = set[UUID]()
        for start in range(0, len(rows), BATCH):
            written.update(
                await self.writer.write_rows(part, rows[start : start + BATCH])
            )
        return written

    async def _extend_session(
        self, known: Session, head: ImportRow, *, pairs: int
    ) -> None:
        """Have a session count what was added to it, none of which is summed up."""
        tx, about = self.writer.tx, known.session_id
        count = head["message_count"]
        await session_store.extend_session(
            tx,
            about,
            messages=count - known.message_count,
            pairs=pairs,
            until=datetime.fromisoformat(head["updated_at"]),
        )
        await reader_store.set_position(tx, about, "unsummarized_end", count)
        tx.record_changes(Change("session", about))


def _list_messages(pair: ImportRow) -> set[UUID]:
    return {UUID(pair["user_message_id"]), UUID(pair["assistant_message_id"])}
