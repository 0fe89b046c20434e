"""Takes in archives of other products as conversations and memories of a person."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from gieok.accounts import store as accounts
from gieok.database import Change, SessionClosed
from gieok.kernel.errors import NotPermittedError
from gieok.kernel.language import Role
from gieok.portability.archive_file import OpenedArchive
from gieok.portability.archive_rows import (
    ArchiveIds,
    ArchiveRows,
    build_branch,
    build_conversation,
    build_rows,
    find_branch_start,
)
from gieok.portability.checking import locate_errors
from gieok.portability.export_rows import BATCH
from gieok.portability.import_gieok import schedule_follow_up
from gieok.portability.import_rows import ImportRow, RowWriter
from gieok.portability.model import Imported, Source
from gieok.portability.parts import MEMORIES, MESSAGES, PAIRS, SESSIONS, ExportPart
from gieok.privacy import Ledger
from gieok.sessions import Session, message_store, reader_store, session_store
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
    erased does not. Where it took another way since, that is one of its own.

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
    until = tx.now + pair_retention
    adding = _ArchiveWriter(writer, ledger, naming, language, until)
    with locate_errors(member=archive.member):
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
    naming: ArchiveIds
    language: str
    until: datetime
    """When turns are no longer kept word for word."""

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
        if known and known.completed_at:
            kept = await message_store.list_message_times(tx, about)
            start = find_branch_start(found[MESSAGES], kept, known.completed_at)
            if start is not None:
                await self._write_branch(found[MESSAGES], start)
                return
        await self._write_batches(SESSIONS, [head])
        start = known.message_count if known else 0
        added = found[MESSAGES][start:]
        await self._write_batches(MESSAGES, added)
        pairs = await self._select_pairs(found[PAIRS], added)
        await self._write_batches(PAIRS, pairs)
        if known and added:  # rows of an earlier version may be there uncounted
            await self._extend_session(known, head, pairs=len(pairs))
        if added:
            tx.publish(SessionClosed(tx.scope.user_id, about))

    async def _write_branch(self, messages: Sequence[ImportRow], start: int) -> None:
        """Write what was said from a position on as a conversation of its own.

        An answer comes with what it answers, unless that was erased: said once, it is
        learned from where it was said first.
        """
        is_answer = messages[start]["role"] == Role.ASSISTANT and start > 0
        if is_answer:
            asked = UUID(messages[start - 1]["message_id"])
            is_answer = bool(await message_store.find_existing(self.writer.tx, [asked]))
        branch = build_branch(messages, start, is_answer=is_answer)
        await self._write_conversation(
            build_conversation(
                self.naming,
                branch,
                self.language,
                self.until,
                read_count=int(is_answer),
            )
        )

    async def _select_pairs(
        self, pairs: Sequence[ImportRow], added: Sequence[ImportRow]
    ) -> list[ImportRow]:
        """Return pairs of which a message is new, and the other one still there."""
        new = {UUID(row["message_id"]) for row in added}
        touched = [row for row in pairs if _list_messages(row) & new]
        others = set[UUID]().union(*map(_list_messages, touched)) - new
        there = new | await message_store.find_existing(self.writer.tx, others)
        return [row for row in touched if _list_messages(row) <= there]

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
