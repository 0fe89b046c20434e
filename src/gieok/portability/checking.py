"""What a line of an export must be before anything of it is written."""

import json
import math
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, Final, LiteralString, NoReturn, cast
from uuid import UUID

from gieok.kernel.errors import InvalidFileError, InvalidInputError
from gieok.kernel.language import Category, Emotion
from gieok.memories import HeldReason
from gieok.portability import documents
from gieok.portability.parts import BY_NAME, FORMAT, VERSION, Part
from gieok.summaries.periods import LAST, monday_of

MOST_LINE_BYTES: Final = 16 * 2**20
MOST_TEXT_BYTES: Final = 1_000_000
MOST_WORD_CHARACTERS: Final = 1_000
MOST_DEPTH: Final = 100
"""Lists and objects within one another; a value of the store has fewer."""
MOST: Final = 10**9
"""Largest count, and largest figure: what is added to one still fits its column."""
MOST_COUNTED: Final = 2**53
_EARLIEST: Final = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST: Final = datetime(9999, 12, 30, tzinfo=UTC)
_CHOICES: Final[Mapping[LiteralString, frozenset[str]]] = {
    "category": frozenset(Category),
    "allowed_categories": frozenset(Category),
    "emotion": frozenset(Emotion),
    "held_reason": frozenset(HeldReason),
    "language": frozenset({"ko", "en"}),
}


def refuse(problem: str) -> NoReturn:
    """Refuse the file.

    Raises:
        InvalidFileError: always.
    """
    raise InvalidFileError(problem)


@contextmanager
def on(
    *, member: str | None = None, line: int | None = None, entry: int | None = None
) -> Generator[None]:
    """Say where in the file it is that something is refused.

    Raises:
        InvalidFileError: with the place, unless it names one already.
    """
    try:
        yield
    except InvalidFileError as error:
        raise InvalidFileError(
            error.problem,
            member=error.member or member,
            line=error.line or line,
            entry=error.entry or entry,
        ) from error.__cause__
    except InvalidInputError as error:
        raise InvalidFileError(
            error.problem, member=member, line=line, entry=entry
        ) from None


def parsed(spelled: bytes) -> dict[str, Any]:
    """Return the object of one line.

    Raises:
        InvalidFileError: it is not one, or too long.
    """
    if len(spelled) > MOST_LINE_BYTES:
        refuse("a line is too long")
    try:
        value: object = json.loads(
            spelled.decode(), parse_constant=_no_number, parse_float=_finite
        )
    except (ValueError, RecursionError):
        refuse("a line is not JSON")
    if not isinstance(value, dict):
        refuse("a line is not an object")
    return cast("dict[str, Any]", value)


def check_json(value: object, depth: int = 0) -> None:
    """Make sure that a value of JSON can be written as JSON again, and be kept.

    Raises:
        InvalidFileError: it holds half of a surrogate pair, or is nested too deeply.
    """
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            refuse("a text holds half of a surrogate pair, which is not text")
    elif isinstance(value, dict | list):
        if depth > MOST_DEPTH:
            refuse("a value is nested too deeply")
        held = cast("dict[object, object] | list[object]", value)
        for each in held:
            check_json(each, depth + 1)
        if isinstance(held, dict):
            for each in held.values():
                check_json(each, depth + 1)


def check_header(header: Mapping[str, Any]) -> None:
    """Make sure that a file is an export of a version that can be read.

    Raises:
        InvalidFileError: it is not.
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
        InvalidFileError: it lacks a field, has an unknown one, or one holds what
            does not belong there.
    """
    row = entry.get("row")
    if set(entry) != {"part", "row"} or not isinstance(row, dict):
        refuse("a line is not a row")
    row = cast("dict[str, Any]", row)
    row = {name: value for name, value in row.items() if name not in part.repeated}
    check_json(row)
    check_row(part, row)
    return row


def check_row(part: Part, row: Mapping[str, Any]) -> None:
    """Make sure that a row holds what every reader of its table can read.

    Of what an import leaves out, only the names of the fields are looked at.

    Raises:
        InvalidFileError: it does not.
    """
    if set(row) != {*part.plain, *part.sealed}:
        refuse("a row has other fields than its part")
    if not part.is_taken:
        return
    for column in part.texts:
        _check_text(column, row[column], MOST_TEXT_BYTES)
    for column in part.documents:
        check_document(part, column, row[column])
    for column, kind in part.plain.items():
        _check_plain(column, kind, row[column])


def check_document(part: Part, column: str, value: object) -> None:
    """Make sure that what is to be sealed as JSON has its column's form.

    Raises:
        InvalidFileError: it has not.
    """
    if value is None:
        return
    try:
        spelled = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (ValueError, RecursionError):
        _refuse_field(column)
    if not documents.has_form(part, column, spelled):
        _refuse_field(column)


def _refuse_field(column: str) -> NoReturn:
    refuse(f"the field {column} does not hold what belongs there")


def _check_plain(column: str, kind: str, value: object) -> None:
    if kind.endswith("[]"):
        _check_list(column, kind.removesuffix("[]"), value)
        return
    if value is None:
        return
    try:
        is_sound = _KINDS[kind](value)
    except (ArithmeticError, AttributeError, TypeError, ValueError):
        is_sound = False
    if not is_sound or (column in _CHOICES and value not in _CHOICES[column]):
        _refuse_field(column)
    if column == "expires_at":
        return
    if kind == "timestamptz" and not _is_near(cast("str", value)):
        _refuse_field(column)
    if column == "week_key":
        monday_of(cast("str", value))


def _check_list(column: str, kind: str, value: object) -> None:
    if not isinstance(value, list):
        _refuse_field(column)
    for each in cast("list[object]", value):
        if each is None:
            _refuse_field(column)
        _check_plain(column, kind, each)


def _is_id(value: Any) -> bool:
    return str(UUID(value)) == value


def _is_time(value: Any) -> bool:
    """Tell a moment that can be compared from others, such as "infinity"."""
    at = datetime.fromisoformat(value)
    return at.tzinfo is not None and _EARLIEST <= at <= _LATEST


def _is_near(value: str) -> bool:
    """Tell whether a moment can be reckoned with: what follows from it is one too."""
    return datetime.fromisoformat(value).astimezone(UTC).year < LAST.year


def _is_day(value: Any) -> bool:
    return _EARLIEST.date() <= date.fromisoformat(value) < LAST


def _is_word(value: object) -> bool:
    return (
        isinstance(value, str)
        and "\x00" not in value
        and len(value) <= MOST_WORD_CHARACTERS
    )


def _is_whole(most: int) -> Callable[[Any], bool]:
    def is_whole(value: Any) -> bool:
        return type(value) is int and 0 <= value <= most

    return is_whole


def _is_figure(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value) and abs(value) <= MOST


def _is_sum(value: Any) -> bool:
    return isinstance(value, str) and 0 <= Decimal(value) <= MOST


def _is_counts(value: Any) -> bool:
    counts = cast("dict[str, object]", value)
    return isinstance(value, dict) and all(map(_is_whole(MOST), counts.values()))


_KINDS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "uuid": _is_id,
    "text": _is_word,
    "integer": _is_whole(MOST),
    "bigint": _is_whole(MOST_COUNTED),
    "numeric": _is_sum,
    "double precision": _is_figure,
    "boolean": lambda value: isinstance(value, bool),
    "date": _is_day,
    "timestamptz": _is_time,
    "jsonb": _is_counts,
    "bytea": lambda value: bytes.fromhex(value).hex() == value,
}


def _check_text(column: str, value: object, most_bytes: int) -> None:
    if value is None:
        return
    if not isinstance(value, str) or "\x00" in value:
        _refuse_field(column)
    if len(value.encode(errors="replace")) > most_bytes:
        refuse("a text is too long")


def _no_number(_name: str) -> NoReturn:
    raise ValueError


def _finite(spelled: str) -> float:
    value = float(spelled)
    if not math.isfinite(value):
        raise ValueError
    return value
