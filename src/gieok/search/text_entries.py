"""What one text is found by: its terms, who said it, and where it stands."""

from datetime import datetime
from typing import Final, NamedTuple

from gieok.kernel.language import Role, Tokenizer
from gieok.search.codec import IndexEntry
from gieok.search.lexicon import hash_name, hash_terms
from gieok.search.rows import NO_NAME, Speaker, is_question

_SPEAKERS: Final = {
    Role.USER: Speaker.USER,
    Role.ASSISTANT: Speaker.ASSISTANT,
    Role.SYSTEM: Speaker.SYSTEM,
}


class TextOrigin(NamedTuple):
    """Who said a text, when, and at which position; `name` as `hash_speaker` has it."""

    role: Role
    position: int
    at: datetime
    name: int


def hash_speaker(name: str | None, tokenizer: Tokenizer) -> int:
    """Return the number of a speaker's name; NO_NAME for none."""
    return hash_name(tokenizer.terms(name)) if name else NO_NAME


def build_entry(text: str, origin: TextOrigin, tokenizer: Tokenizer) -> IndexEntry:
    """Return the entry of a text, still without its vector."""
    return IndexEntry(
        speaker=_SPEAKERS[origin.role],
        asks=is_question(text),
        position=origin.position,
        at=origin.at.timestamp(),
        name=origin.name,
        terms=hash_terms(tokenizer.terms(text)),
        vector=None,
    )
