"""Takes in archives of other products as conversations and memories of a person."""

import json
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any, BinaryIO, Final

from gieok.accounts import store as accounts
from gieok.database import SessionClosed
from gieok.kernel.errors import NotPermittedError
from gieok.kernel.ids import derive_pseudonym
from gieok.kernel.language import Category, Role
from gieok.kernel.scope import Scope
from gieok.portability import archives
from gieok.portability.archives import Conversation, Fact
from gieok.portability.checking import on, refuse
from gieok.portability.loading import followed
from gieok.portability.model import Imported, Source
from gieok.portability.parts import MEMORIES, MESSAGES, PAIRS, SESSIONS, Part
from gieok.portability.reading import BATCH, plain
from gieok.portability.writing import Row, Writer
from gieok.settings import Settings

MOST_BYTES: Final = 256 * 2**20
INSIDE: Final = "conversations.json"
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
KEPT: Final = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Opened:
    """The JSON of an archive, and the file of a ZIP that it was read from."""

    value: Any = field(repr=False)
    member: str | None = None


def opened(file: BinaryIO) -> Opened:
    """Return the JSON of an archive, or of the one inside a ZIP file.

    Raises:
        InvalidFileError: there is none, it is damaged, or it is over 256 MiB.
    """
    if not zipfile.is_zipfile(file):
        file.seek(0)
        return Opened(_parsed(file.read(MOST_BYTES + 1)))
    member, text = _unpacked(file)
    with on(member=member):
        return Opened(_parsed(text), member)


def _unpacked(file: BinaryIO) -> tuple[str, bytes]:
    """Return name and content of the file with conversations inside a ZIP file."""
    member = None
    try:
        with zipfile.ZipFile(file) as packed:
            names = [each for each in packed.namelist() if each.endswith(INSIDE)]
            if not names:
                refuse("it is not JSON, nor a ZIP file with conversations.json")
            member = INSIDE
            with packed.open(names[0]) as inside:
                return member, inside.read(MOST_BYTES + 1)
    except DAMAGED:
        with on(member=member):
            refuse("it is damaged or cannot be unpacked")


def _parsed(text: bytes) -> Any:
    if len(text) > MOST_BYTES:
        refuse("it is too large")
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        with on(line=error.lineno):
            refuse("it is not JSON, nor a ZIP file with conversations.json")
    except (ValueError, RecursionError):
        refuse("it is not JSON, nor a ZIP file with conversations.json")


def rows_of(
    source: Source, archive: Any, naming: "Naming", language: str, now: datetime
) -> Iterator[tuple[Part, list[Row]]]:
    """Yield what an archive holds as rows of an export, parts before what needs them.

    Raises:
        InvalidFileError: it is not an archive of this product.
    """
    if source is Source.MEM0:
        for fact in archives.mem0(archive, now):
            yield MEMORIES, [_memory(naming, fact, now)]
        return
    read = archives.chatgpt if source is Source.CHATGPT else archives.claude
    for talk in read(archive, now):
        session_id = naming.id("session", talk.name)
        messages = _messages(naming, session_id, talk)
        pairs = _pairs(naming, session_id, messages, now)
        yield SESSIONS, [_session(session_id, talk, language, len(pairs))]
        yield MESSAGES, messages
        yield PAIRS, pairs


@dataclass(frozen=True, slots=True)
class Naming:
    """Gives things of an archive the same ids whenever it is read."""

    secret: bytes = field(repr=False)
    scope: Scope
    source: Source

    def id(self, kind: str, name: str) -> str:
        """Return the id of a thing by the name it has in its archive."""
        person = self.scope.user_id.hex
        return str(
            derive_pseudonym(self.secret, "archive", person, self.source, kind, name)
        )


def _blank(part: Part, values: Row) -> Row:
    return {**dict.fromkeys((*part.plain, *part.sealed)), **values}


def _memory(naming: Naming, fact: Fact, now: datetime) -> Row:
    return _blank(
        MEMORIES,
        {
            "memory_id": naming.id("memory", fact.name),
            "revision": 1,
            "content": fact.text,
            "category": Category.CONTEXT.value,
            "confidence": CONFIDENCE,
            "relevance_score": 0,
            "source_type": "inferred",
            "source_message_ids": [],
            "source_candidate_ids": [],
            "extractor": naming.source.value,
            "trust": "observed",
            "usage_count": 0,
            "delete_policy": "user_delete",
            "is_active": True,
            "last_confirmed_at": plain(now),
            "created_at": plain(fact.created_at),
            "updated_at": plain(fact.updated_at),
        },
    )


def _session(session_id: str, talk: Conversation, language: str, pairs: int) -> Row:
    begin, end = plain(talk.said[0].at), plain(talk.said[-1].at)
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
    return _blank(
        SESSIONS,
        {
            **counts,
            "total_cost": "0",
            "not_kept": {},
            "session_id": session_id,
            "status": "completed",
            "language": language,
            "message_count": len(talk.said),
            "unsummed_until": len(talk.said),
            "pair_count": pairs,
            "total_turns": pairs,
            "episode_deleted": False,
            "created_at": begin,
            "updated_at": end,
            "completed_at": end,
            "ended_reason": "imported",
        },
    )


def _messages(naming: Naming, session_id: str, talk: Conversation) -> list[Row]:
    return [
        _blank(
            MESSAGES,
            {
                "message_id": naming.id("message", f"{talk.name}/{position}"),
                "session_id": session_id,
                "position": position,
                "role": said.role.value,
                "content": said.text,
                "created_at": plain(said.at),
            },
        )
        for position, said in enumerate(talk.said)
    ]


def _pairs(
    naming: Naming, session_id: str, messages: Sequence[Row], now: datetime
) -> list[Row]:
    asked = [
        (one, next_)
        for one, next_ in pairwise(messages)
        if (one["role"], next_["role"]) == (Role.USER, Role.ASSISTANT)
    ]
    return [
        _blank(
            PAIRS,
            {
                "pair_id": naming.id("pair", one["message_id"]),
                "session_id": session_id,
                "turn_index": turn,
                "user_message_id": one["message_id"],
                "assistant_message_id": next_["message_id"],
                "sensitive_flags": {},
                "retention_until": plain(now + KEPT),
                "created_at": next_["created_at"],
            },
        )
        for turn, (one, next_) in enumerate(asked)
    ]


async def take(
    writer: Writer, settings: Settings, source: Source, archive: Opened
) -> Imported:
    """Add what an archive holds to a person, in the writer's transaction.

    Its conversations are extracted and summed up like any other, later.

    Raises:
        InvalidFileError: it is not an archive of this product.
        NotPermittedError: the person does not allow memory.
    """
    if not settings.is_enabled:
        raise NotPermittedError("memory is switched off")
    tx = writer.tx
    writer.skips_known = True
    language = (await accounts.get(tx)).language
    naming = Naming(writer.accounts.naming_secret, tx.scope, source)
    with on(member=archive.member):
        for part, rows in rows_of(source, archive.value, naming, language, tx.now):
            for start in range(0, len(rows), BATCH):
                written = await writer.put(part, rows[start : start + BATCH])
                if part is SESSIONS:
                    tx.announce(
                        *(SessionClosed(tx.scope.user_id, each) for each in written)
                    )
    await followed(tx, writer)
    return Imported(writer.counts)
