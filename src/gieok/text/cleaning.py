"""What a text from outside must be before anything keeps it."""

import json
import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Any

from gieok.kernel.errors import InvalidInputError

MAX_MESSAGE_BYTES = 1_000_000
"""Longest message accepted, in UTF-8 bytes."""
MAX_NAME_CHARACTERS = 128
"""Longest id that may come from outside (design.md §2)."""
MAX_MARKS = 30
"""Combining marks kept in a row: what Unicode's Stream-Safe Text Format allows
(UAX 15 §13). Normalisation sorts them, in a time that grows with their square."""
_LAST_MARK = 0x1F000
_FIRST_PICTURE = 0x2190
"""The first arrow; everything pictorial stands after it."""
_HALF_PAIR = "it holds half of a surrogate pair, which is not text"
_DOT_SEGMENTS = frozenset({".", ".."})
_LONGEST_DECOMPOSED_NAME = 4 * MAX_NAME_CHARACTERS


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
        raise InvalidInputError(field, _HALF_PAIR) from None
    if size > max_bytes:
        raise InvalidInputError(field, f"it is longer than {max_bytes:,} bytes")
    if not value.strip():
        raise InvalidInputError(field, "it is empty")
    return normalize_unicode(value)


def clean_json(field: str, value: Mapping[str, Any]) -> str:
    """Return an object as JSON.

    Raises:
        InvalidInputError: it holds what JSON does not know or half of a surrogate
            pair, or is too long.
    """
    try:
        json.dumps(dict(value), ensure_ascii=False).encode()
        return clean_text(field, json.dumps(dict(value), allow_nan=False))
    except UnicodeEncodeError:
        raise InvalidInputError(field, _HALF_PAIR) from None
    except (TypeError, ValueError, RecursionError):
        raise InvalidInputError(field, "it cannot be written as JSON") from None


def parse_json(text: str) -> Any:
    """Return the value of JSON that is kept; half of a surrogate pair is "?".

    Earlier versions kept such halves, which nobody can be sent.
    """
    value = json.loads(text)
    if "\\ud" not in text:
        return value
    spelled = json.dumps(value, ensure_ascii=False)
    return json.loads(spelled.encode(errors="replace"))


def normalize_unicode(text: str) -> str:
    """Return the text in NFC, with `MAX_MARKS` combining marks in a row at most."""
    if text.isascii():
        return text
    # Some marks are two in NFC.
    return _trim_mark_runs(unicodedata.normalize("NFC", _trim_mark_runs(text)))


def _trim_mark_runs(text: str) -> str:
    # Of more marks in a row, at least one stands at a multiple of their number.
    if _collect_marks().isdisjoint(text[:: MAX_MARKS + 1]):
        return text
    return _build_mark_pattern().sub(r"\1", text)


@cache
def _collect_marks() -> frozenset[str]:
    """Return the characters that normalisation sorts, or that decompose to such."""
    every = map(chr, range(0x300, _LAST_MARK + 1))
    return frozenset(
        mark
        for mark in every
        if unicodedata.combining(unicodedata.normalize("NFKD", mark)[0])
    )


@cache
def _build_mark_pattern() -> re.Pattern[str]:
    """Return an expression for longer runs of combining marks; group 1 is kept."""
    marks = "".join(sorted(_collect_marks()))
    return re.compile(f"([{marks}]{{{MAX_MARKS}}})[{marks}]+")


def remove_emoji(text: str) -> str:
    """Return the text with a space for every emoji, arrow or other picture."""
    return "".join(
        " " if ord(sign) >= _FIRST_PICTURE and not sign.isalnum() else sign
        for sign in text
    )


def require_path_segments(field: str, name: str) -> None:
    """Refuse an id that, in the path of a URL, leads to another place.

    Clients take away "." and "..", and some also what is spelled "%2e" or parted by a
    backslash, before they ask.

    Raises:
        InvalidInputError: a part of it is "." or "..".
    """
    parts = re.split(r"[/\\]", name.lower().replace("%2e", "."))
    if not _DOT_SEGMENTS.isdisjoint(part.strip() for part in parts):
        raise InvalidInputError(field, "a part of it is . or .., which URLs leave out")


def clean_name(field: str, value: object) -> str:
    """Return an opaque id from outside, or say what is wrong with it.

    Raises:
        InvalidInputError: as `clean_text`, or longer than 128 characters, or with
            control characters in it.
    """
    too_long = f"it is longer than {MAX_NAME_CHARACTERS} characters"
    if isinstance(value, str) and len(value) > _LONGEST_DECOMPOSED_NAME:
        raise InvalidInputError(field, too_long)
    name = clean_text(field, value)
    if len(name) > MAX_NAME_CHARACTERS:
        raise InvalidInputError(field, too_long)
    if not name.isprintable() and any(
        unicodedata.category(character) == "Cc" for character in name
    ):
        raise InvalidInputError(field, "it holds control characters")
    return name
