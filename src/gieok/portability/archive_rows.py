"""Turns what an archive of another product holds to rows of an export."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from typing import Any, Final

from gieok.kernel.ids import derive_pseudonym
from gieok.kernel.language import Category, Role
from gieok.kernel.scope import Scope
from gieok.memories import Trust
from gieok.portability import archives
from gieok.portability.archives import (
    ImportedConversation,
    ImportedMemory,
    ImportedMessage,
)
from gieok.portability.export_rows import to_json_value
from gieok.portability.import_rows import ARCHIVED, ImportRow
from gieok.portability.model import Source
from gieok.portability.parts import MEMORIES, MESSAGES, PAIRS, SESSIONS, ExportPart

CONFIDENCE: Final = 0.7
"""What another product found is believed less than what a person says here."""
ArchiveRows = Mapping[ExportPart, Sequence[ImportRow]]


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
        yield build_conversation(naming, talk, language, until)


def build_conversation(
    naming: "ArchiveIds",
    talk: ImportedConversation,
    language: str,
    until: datetime,
    *,
    read_count: int = 0,
) -> ArchiveRows:
    """Return a conversation of an archive as rows of an export.

    Its first `read_count` messages are there already, and are learned from elsewhere.
    """
    session_id = naming.derive_id("session", talk.name)
    messages = _build_messages(naming, session_id, talk)
    pairs = _build_pairs(naming, session_id, messages, until)
    session = _build_session(session_id, talk, language, len(pairs))
    session |= dict.fromkeys(("extracted_count", "remembered_count"), read_count)
    return {SESSIONS: [session], MESSAGES: messages, PAIRS: pairs}


def find_branch_start(
    messages: Sequence[ImportRow], kept: Mapping[int, datetime], end: datetime
) -> int | None:
    """Return where messages take another way than the conversation that is kept.

    Something there was edited or answered anew, or another way is shown again. None
    where the conversation just went on, or has nothing new. `kept` says when what is
    kept of it was said, by position. Where nothing is, that counts which was said after
    its `end`.
    """
    times = [datetime.fromisoformat(row["created_at"]) for row in messages]
    if kept:
        compared = enumerate(times)
        return next((at for at, time in compared if kept.get(at, time) != time), None)
    if end in times:
        return None
    return next((at for at, time in enumerate(times) if time > end), None)


def build_branch(
    messages: Sequence[ImportRow], start: int, *, is_answer: bool
) -> ImportedConversation:
    """Return what was said from a position on; an answer with what it answers."""
    head = messages[start]
    said = [
        ImportedMessage(
            Role(row["role"]), row["content"], datetime.fromisoformat(row["created_at"])
        )
        for row in messages[start - is_answer :]
    ]
    return ImportedConversation(f"{head['session_id']}/{head['created_at']}", said)


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
