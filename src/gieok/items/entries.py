"""What an item is found by: one entry for each of its texts."""

import struct
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from gieok.items.sealed import ItemContent
from gieok.kernel.language import Role, Tokenizer, Vectors
from gieok.search.codec import IndexEntry, encode_entry
from gieok.search.lexicon import hash_name, hash_terms
from gieok.search.rows import NO_NAME, RowKind, Speaker, is_question

MOST_TEXTS: Final = 64
_LENGTH: Final = struct.Struct(">I")
_SPEAKERS: Final = {
    Role.USER: Speaker.USER,
    Role.ASSISTANT: Speaker.ASSISTANT,
    Role.SYSTEM: Speaker.SYSTEM,
}


def encode_entries(
    content: ItemContent,
    position: int,
    at: datetime,
    tokenizer: Tokenizer,
    vectors: Vectors | None = None,
) -> list[bytes]:
    """Return the entries of an item; without vectors its words alone find it."""
    name = hash_name(tokenizer.terms(content.speaker)) if content.speaker else NO_NAME
    return [
        encode_entry(
            IndexEntry(
                speaker=_SPEAKERS[content.role or Role.USER],
                asks=is_question(text),
                position=position * MOST_TEXTS + place,
                at=at.timestamp(),
                name=name,
                terms=hash_terms(tokenizer.terms(text)),
                vector=None if vectors is None else vectors[place],
            )
        )
        for place, text in enumerate(content.texts)
    ]


def get_row_kind(content: ItemContent) -> RowKind:
    """Return what an item is: said in a conversation, or a fact of its own."""
    said = content.speaker is not None or content.role is not None
    return RowKind.MESSAGE if said else RowKind.MEMORY


def join_entries(kind: RowKind, parts: Sequence[bytes]) -> bytes:
    """Return the kind and the entries of an item as one value."""
    return bytes([kind]) + b"".join(_LENGTH.pack(len(part)) + part for part in parts)


def split_entries(whole: bytes) -> tuple[RowKind, list[bytes]]:
    """Return what `joined` joined."""
    return RowKind(whole[0]), list(_iterate_entries(whole))


def _iterate_entries(whole: bytes) -> Iterator[bytes]:
    place = 1
    while place < len(whole):
        (length,) = _LENGTH.unpack_from(whole, place)
        start = place + _LENGTH.size
        place = start + length
        yield whole[start:place]
