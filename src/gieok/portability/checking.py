"""What a line of an export must be before anything of it is written."""

import json
from collections.abc import Callable, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final, NoReturn, cast
from uuid import UUID

from gieok.kernel.errors import InvalidInputError
from gieok.kernel.language import Category
from gieok.portability.parts import BY_NAME, FORMAT, VERSION, Part

FILE: Final = "file"
MOST_LINE_BYTES: Final = 16 * 2**20
MOST_TEXT_BYTES: Final = 1_000_000
MOST_WORD_CHARACTERS: Final = 1_000
CATEGORIES: Final = frozenset(category.value for category in Category)


def refuse(problem: str) -> NoReturn:
    """Refuse the file.

    Raises:
        InvalidInputError: always.
    """
    raise InvalidInputError(FILE, problem)


def parsed(spelled: bytes) -> dict[str, Any]:
    """Return the object of one line.

    Raises:
        InvalidInputError: it is not one, or too long.
    """
    if len(spelled) > MOST_LINE_BYTES:
        refuse("a line is too long")
    try:
        value = json.loads(spelled, parse_constant=_no_number)
    except (ValueError, RecursionError):
        refuse("a line is not JSON")
    if not isinstance(value, dict):
        refuse("a line is not an object")
    return cast("dict[str, Any]", value)


def check_header(header: Mapping[str, Any]) -> None:
    """Make sure that a file is an export of a version that can be read.

    Raises:
        InvalidInputError: it is not.
    """
    if header.get("format") != FORMAT:
        refuse("it is not an export of gieok")
    if header.get("version") != VERSION:
        refuse("its version is not one that can be read")


def part_of(entry: Mapping[str, Any]) -> Part:
    """Return the part a line is of; raises as `row_of`."""
    name = entry.get("part")
    if not isinstance(name, str) or name not in BY_NAME:
        refuse("a line belongs to no part")
    return BY_NAME[name]


def row_of(part: Part, entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row of a line.

    Raises:
        InvalidInputError: it lacks a field, has an unknown one, or one holds what
            does not belong there.
    """
    row = entry.get("row")
    if set(entry) != {"part", "row"} or not isinstance(row, dict):
        refuse("a line is not a row")
    row = cast("dict[str, Any]", row)
    if set(row) != {*part.plain, *part.sealed}:
        refuse("a row has other fields than its part")
    for column in part.texts:
        _check_text(row[column], MOST_TEXT_BYTES)
    for column, kind in part.plain.items():
        _check_plain(column, kind, row[column])
    return row


def _check_plain(column: str, kind: str, value: object) -> None:
    if column == "category" and value not in CATEGORIES:
        refuse("a row has an unknown category")
    if kind.endswith("[]"):
        _check_list(column, value)
    elif value is not None and not _KINDS[kind](value):
        refuse("a field does not hold what belongs there")


def _is_time(value: object) -> bool:
    """Tell a moment from what PostgreSQL would read as one, such as "infinity"."""
    return datetime.fromisoformat(str(value)).tzinfo is not None


def _is_word(value: object) -> bool:
    _check_text(value, MOST_WORD_CHARACTERS)
    return True


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _tells(read: Callable[[str], object]) -> Callable[[object], bool]:
    """Return what tells whether a value is a text that can be read so."""

    def reads(value: object) -> bool:
        try:
            return isinstance(value, str) and read(value) not in (None, False)
        except (ArithmeticError, ValueError):
            return False

    return reads


_KINDS: Final[Mapping[str, Callable[[object], bool]]] = {
    "uuid": _tells(UUID),
    "text": _is_word,
    "integer": _is_whole,
    "bigint": _is_whole,
    "numeric": _tells(lambda value: Decimal(value).is_finite()),
    "double precision": lambda value: isinstance(value, int | float),
    "boolean": lambda value: isinstance(value, bool),
    "date": _tells(date.fromisoformat),
    "timestamptz": _tells(_is_time),
    "jsonb": lambda value: isinstance(value, dict),
    "bytea": _tells(lambda value: bytes.fromhex(value).hex() == value),
}


def _check_list(column: str, value: object) -> None:
    if not isinstance(value, list):
        refuse("a field does not hold what belongs there")
    for each in cast("list[object]", value):
        _check_text(each, MOST_WORD_CHARACTERS)
        if not isinstance(each, str) or (
            column == "allowed_categories" and each not in CATEGORIES
        ):
            refuse("a field does not hold what belongs there")


def _check_text(value: object, most_bytes: int) -> None:
    if value is None:
        return
    if not isinstance(value, str) or "\x00" in value:
        refuse("a field does not hold what belongs there")
    try:
        size = len(value.encode())
    except UnicodeEncodeError:
        refuse("a field does not hold what belongs there")
    if size > most_bytes:
        refuse("a text is too long")


def _no_number(_name: str) -> NoReturn:
    raise ValueError
