"""Takes in archives of other products as conversations and memories of a person."""

import json
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any, BinaryIO, Final
from uuid import UUID

from gieok.accounts import store as accounts
from gieok.database import Change, SessionClosed
from gieok.kernel.errors import NotPermittedError
from gieok.kernel.ids import derive_pseudonym
from gieok.kernel.language import Category, Role
from gieok.kernel.scope import Scope
from gieok.memories import Trust
from gieok.portability import archives
from gieok.portability.archives import ImportedConversation, ImportedMemory
from gieok.portability.checking import locate_errors, reject_file
from gieok.portability.export_rows import BATCH, to_json_value
from gieok.portability.import_gieok import schedule_follow_up
from gieok.portability.import_rows import ARCHIVED, ImportRow, RowWriter
from gieok.portability.model import Imported, Source
from gieok.portability.parts import MEMORIES, MESSAGES, PAIRS, SESSIONS, ExportPart
from gieok.privacy import Ledger
from gieok.sessions import Session, reader_store, session_store
from gieok.settings import Settings

MOST_BYTES: Final = 256 * 2**20
CONVERSATIONS_FILE: Final = "conversations.json"
DAMAGED: Final = (
    EOFError,
    KeyError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
    lzma.LZMAError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)
"""What unpacking raises for a ZIP that was cut off, changed, or locked."""
CONFIDENCE: Final = 0.7
"""What another product found is believed less than what a person says here."""
ArchiveRows = Mapping[ExportPart, Sequence[ImportRow]]


@dataclass(frozen=True, slots=True)
class OpenedArchive:
    """The JSON of an archive, and the file of a ZIP that it was read from."""

    value: Any = field(repr=False)
    member: str | None = None


def open_archive(file: BinaryIO) -> OpenedArchive:
    """Return the JSON of an archive, or of the one inside a ZIP file.

    Raises:
        InvalidFileError: there is none, it is damaged, or it is over 256 MiB.
    """
    if not zipfile.is_zipfile(file):
        file.seek(0)
        return OpenedArchive(_parse_json(file.read(MOST_BYTES + 1)))
    member, text = _unpack_archive(file)
    with locate_errors(member=member):
        return OpenedArchive(_parse_json(text), member)


def _unpack_archive(file: BinaryIO) -> tuple[str, bytes]:
    """Return name and content of the file with conversations inside a ZIP file."""
    member = None
    try:
        with zipfile.ZipFile(file) as packed:
            names = [
                each for each in packed.namelist() if each.endswith(CONVERSATIONS_FILE)
            ]
            if not names:
                reject_file("it is not JSON, nor a ZIP file with conversations.json")
            member = CONVERSATIONS_FILE
            with packed.open(names[0]) as inside:
                return member, inside.read(MOST_BYTES + 1)
    except DAMAGED:
        with locate_errors(member=member):
            reject_file("it is damaged or cannot be unpacked")


def _parse_json(text: bytes) -> Any:
    if len(text) > MOST_BYTES:
        reject_file("it is too large")
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        with locate_errors(line=error.lineno):
            reject_file("it is not JSON, nor a ZIP file with conversations.json")
    except (ValueError, RecursionError):
        reject_file("it is not JSON, nor a ZIP file with conversations.json")


def build_rows(
    archive: Any,
    naming: "ArchiveIds",
    language: str,
    *,
    now: datetime,
    until: datetime,
) -> Iterator[ArchiveRows]:
    """Yield what an archive holds as rows of an export: a memory or a conversation.

    `until` is when turns are no longer kept word for word.

    Raises:
        InvalidFileError: it is not an archive of this product.
    """
    if naming.source is Source.MEM0:
        for fact in archives.read_mem0(archive, now):
            yield {MEMORIES: [_build_memory(naming, fact, now)]}
        return
    is_chatgpt = naming.source is Source.CHATGPT
    read = archives.read_chatgpt if is_chatgpt else archives.read_claude
    for talk in read(archive, now):
        session_id = naming.derive_id("session", talk.name)
        messages = _build_messages(naming, session_id, talk)
        pairs = _build_pairs(naming, session_id, messages, until)
        session = _build_session(session_id, talk, language, len(pairs))
        yield {SESSIONS: [session], MESSAGES: messages, PAIRS: pairs}


@dataclass(frozen=True, slots=True)
class ArchiveIds:
    """Gives things of an archive the same ids whenever it is read."""

    secret: bytes = field(repr=False)
    scope: Scope
    source: Source

    def derive_id(self, kind: str, name: str) -> str:
        """Return the id of a thing by the name it has in its archive."""
        person = self.scope.user_id.hex
        return str(
            derive_pseudonym(self.secret, "archive", person, self.source, kind, name)
        )


def _build_row(part: ExportPart, values: ImportRow) -> ImportRow:
    return {**dict.fromkeys((*part.plain, *part.sealed)), **values}


def _build_memory(naming: ArchiveIds, fact: ImportedMemory, now: datetime) -> ImportRow:
    return _build_row(
        MEMORIES,
        {
            "memory_id": naming.derive_id("memory", fact.name),
            "revision": 1,
            "content": fact.text,
            "category": Category.CONTEXT.value,
            "confidence": CONFIDENCE,
            "relevance_score": 0,
            "source_type": "inferred",
            "source_message_ids": [],
            "source_candidate_ids": [],
            "extractor": naming.source.value,
            "trust": Trust.IMPORT.value,
            "usage_count": 0,
            "delete_policy": "user_delete",
            "is_active": True,
            "is_pinned": False,
            "last_confirmed_at": to_json_value(now),
            "created_at": to_json_value(fact.created_at),
            "updated_at": to_json_value(fact.updated_at),
        },
    )


def _build_session(
    session_id: str, talk: ImportedConversation, language: str, pairs: int
) -> ImportRow:
    begin, end = to_json_value(talk.messages[0].at), to_json_value(talk.messages[-1].at)
    counts = dict.fromkeys(
        (
            "extracted_count",
            "total_tokens",
            "summarized_count",
            "summary_revision",
            "unsummed_from",
            "remembered_count",
        ),
        0,
    )
    return _build_row(
        SESSIONS,
        {
            **counts,
            "total_cost": "0",
            "not_kept": {},
            "session_id": session_id,
            "status": "completed",
            "language": language,
            "message_count": len(talk.messages),
            "unsummed_until": len(talk.messages),
            "pair_count": pairs,
            "total_turns": pairs,
            "episode_deleted": False,
            "created_at": begin,
            "updated_at": end,
            "completed_at": end,
            "ended_reason": ARCHIVED,
        },
    )


def _build_messages(
    naming: ArchiveIds, session_id: str, talk: ImportedConversation
) -> list[ImportRow]:
    return [
        _build_row(
            MESSAGES,
            {
                "message_id": naming.derive_id("message", f"{talk.name}/{position}"),
                "session_id": session_id,
                "position": position,
                "role": said.role.value,
                "content": said.text,
                "is_withheld": False,
                "created_at": to_json_value(said.at),
            },
        )
        for position, said in enumerate(talk.messages)
    ]


def _build_pairs(
    naming: ArchiveIds, session_id: str, messages: Sequence[ImportRow], until: datetime
) -> list[ImportRow]:
    asked = [
        (one, next_)
        for one, next_ in pairwise(messages)
        if (one["role"], next_["role"]) == (Role.USER, Role.ASSISTANT)
    ]
    return [
        _build_row(
            PAIRS,
            {
                "pair_id": naming.derive_id("pair", one["message_id"]),
                "session_id": session_id,
                "turn_index": turn,
                "user_message_id": one["message_id"],
                "assistant_message_id": next_["message_id"],
                "sensitive_flags": {},
                "retention_until": to_json_value(until),
                "created_at": next_["created_at"],
            },
        )
        for turn, (one, next_) in enumerate(asked)
    ]


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
