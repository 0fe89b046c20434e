"""What a text from outside must be before anything keeps it."""

import unicodedata

from gieok.kernel.errors import InvalidInputError

MAX_MESSAGE_BYTES = 1_000_000
"""Longest message accepted, in UTF-8 bytes."""
MAX_NAME_CHARACTERS = 128
"""Longest id that may come from outside (design.md §2)."""


def clean_text(field: str, value: object, *, max_bytes: int = MAX_MESSAGE_BYTES) -> str:
    """Return the text in NFC, or say which field is unusable and why.

    NFD Hangul (as macOS writes it) is composed, so that it is found like any other.

    Raises:
        InvalidInputError: not a string, nothing but white space, too long, a NUL
            character or half of a surrogate pair.
    """
    if not isinstance(value, str):
        raise InvalidInputError(field, "it must be a string")
    if "\x00" in value:
        raise InvalidInputError(field, "it holds a NUL character")
    try:
        size = len(value.encode("utf-8"))
    except UnicodeEncodeError:
        problem = "it holds half of a surrogate pair, which is not text"
        raise InvalidInputError(field, problem) from None
    if size > max_bytes:
        raise InvalidInputError(field, f"it is longer than {max_bytes:,} bytes")
    if not value.strip():
        raise InvalidInputError(field, "it is empty")
    return unicodedata.normalize("NFC", value)


def clean_name(field: str, value: object) -> str:
    """Return an opaque id from outside, or say what is wrong with it.

    Raises:
        InvalidInputError: as `clean_text`, or longer than 128 characters, or with
            control characters in it.
    """
    name = clean_text(field, value)
    if len(name) > MAX_NAME_CHARACTERS:
        problem = f"it is longer than {MAX_NAME_CHARACTERS} characters"
        raise InvalidInputError(field, problem)
    if any(unicodedata.category(character) == "Cc" for character in name):
        raise InvalidInputError(field, "it holds control characters")
    return name
