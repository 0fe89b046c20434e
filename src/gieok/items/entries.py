"""What an item is found by: one entry for each of its texts."""

from dataclasses import replace
from datetime import datetime
from typing import Final

from gieok.items.sealed import ItemContent
from gieok.kernel.language import Role, Tokenizer, Vectors
from gieok.search.codec import encode_entry
from gieok.search.rows import RowKind
from gieok.search.text_entries import TextOrigin, build_entry, hash_speaker

MAX_TEXTS: Final = 64


def encode_entries(
    content: ItemContent,
    position: int,
    at: datetime,
    tokenizer: Tokenizer,
    vectors: Vectors | None = None,
) -> list[bytes]:
    """Return the entries of an item; without vectors its words alone find it."""
    role, first = content.role or Role.USER, position * MAX_TEXTS
    name = hash_speaker(content.speaker, tokenizer)
    entries = [
        build_entry(text, TextOrigin(role, first + place, at, name), tokenizer)
        for place, text in enumerate(content.texts)
    ]
    if vectors is not None:
        entries = [
            replace(entry, vector=vector)
            for entry, vector in zip(entries, vectors, strict=True)
        ]
    return [encode_entry(entry) for entry in entries]


def get_row_kind(content: ItemContent) -> RowKind:
    """Return what an item is: said in a conversation, or a fact of its own."""
    said = content.speaker is not None or content.role is not None
    return RowKind.MESSAGE if said else RowKind.MEMORY
