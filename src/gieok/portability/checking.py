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
from gieok.memories import QuarantineReason
from gieok.portability import documents
from gieok.portability.parts import BY_NAME, FORMAT, VERSION, ExportPart
from gieok.summaries.periods import LAST, parse_week

MAX_LINE_BYTES: Final = 16 * 2**20
MAX_TEXT_BYTES: Final = 1_000_000
MAX_WORD_CHARACTERS: Final = 1_000
MAX_DEPTH: Final = 100
"""Lists and objects within one another; a value of the store has fewer."""
MOST: Final = 10**9
"""Largest count, and largest figure: what is added to one still fits its column."""
MAX_COUNTED: Final = 2**53
_EARLIEST: Final = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST: Final = datetime(9999, 12, 30, tzinfo=UTC)
_CHOICES: Final[Mapping[LiteralString, frozenset[str]]] = {
    "category": frozenset(Category),
    "allowed_categories": frozenset(Category),
    "emotion": frozenset(Emotion),
    "held_reason": frozenset(QuarantineReason),
    "language": frozenset({"ko", "en"}),
}


def reject_file(problem: str) -> NoReturn:
    """Refuse the file.

    Raises:
        InvalidFileError: always.
    """
    raise InvalidFileError(problem)


@contextmanager
def locate_errors(
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


def parse_line(spelled: bytes) -> dict[str, Any]:
    """Return the object of one line.

    Raises:
        InvalidFileError: it is not one, or too long.
    """
    if len(spelled) > MAX_LINE_BYTES:
        reject_file("a line is too long")
    try:
        value: object = json.loads(
            spelled.decode(), parse_constant=_reject_constant, parse_float=_parse_finite
        )
    except (ValueError, RecursionError):
        reject_file("a line is not JSON")
    if not isinstance(value, dict):
        reject_file("a line is not an object")
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
            reject_file("a text holds half of a surrogate pair, which is not text")
    elif isinstance(value, dict | list):
        if depth > MAX_DEPTH:
            reject_file("a value is nested too deeply")
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
        reject_file("it is not an export of gieok")
    if header.get("version") != VERSION:
        reject_file("its version is not one that can be read")


def get_part(entry: Mapping[str, Any]) -> ExportPart:
    """Return the part a line is of; raises as `parse_row`."""
    name = entry.get("part")
    if not isinstance(name, str) or name not in BY_NAME:
        reject_file("a line belongs to no part")
    return BY_NAME[name]


def parse_row(part: ExportPart, entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row of a line, with the fields that its part has got since.

    Raises:
        InvalidFileError: it lacks a field, has an unknown one, or one holds what
            does not belong there.
    """
    row = entry.get("row")
    if set(entry) != {"part", "row"} or not isinstance(row, dict):
        reject_file("a line is not a row")
    row = cast("dict[str, Any]", row)
    row = {name: value for name, value in row.items() if name not in part.repeated}
    lacking = part.later.keys() - row.keys()
    row = {**part.later, **row}
    check_json(row)
    check_row(part, row)
    derived = part.derived.items()
    return row | {name: derive(row) for name, derive in derived if name in lacking}


def check_row(part: ExportPart, row: Mapping[str, Any]) -> None:
    """Make sure that a row holds what every reader of its table can read.

    Of what an import leaves out, only the names of the fields are looked at.

    Raises:
        InvalidFileError: it does not.
    """
    if set(row) != {*part.plain, *part.sealed}:
        reject_file("a row has other fields than its part")
    if not part.is_imported:
        return
    for column in part.texts:
        _check_text(column, row[column], MAX_TEXT_BYTES)
    for column in part.documents:
        check_document(part, column, row[column])
    for column, kind in part.plain.items():
        _check_plain(column, kind, row[column])


def check_document(part: ExportPart, column: str, value: object) -> None:
    """Make sure that what is to be sealed as JSON has its column's form.

    Raises:
        InvalidFileError: it has not.
    """
    if value is None:
        return
    try:
        spelled = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (ValueError, RecursionError):
        _reject_field(column)
    if not documents.has_form(part, column, spelled):
        _reject_field(column)


def _reject_field(column: str) -> NoReturn:
    reject_file(f"the field {column} does not hold what belongs there")


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
        _reject_field(column)
    if column == "expires_at":
        return
    if kind == "timestamptz" and not _is_computable_time(cast("str", value)):
        _reject_field(column)
    if column == "week_key":
        parse_week(cast("str", value))


def _check_list(column: str, kind: str, value: object) -> None:
    if not isinstance(value, list):
        _reject_field(column)
    for each in cast("list[object]", value):
        if each is None:
            _reject_field(column)
        _check_plain(column, kind, each)


def _is_id(value: Any) -> bool:
    return str(UUID(value)) == value


def _is_time(value: Any) -> bool:
    """Tell a moment that can be compared from others, such as "infinity"."""
    at = datetime.fromisoformat(value)
    return at.tzinfo is not None and _EARLIEST <= at <= _LATEST


def _is_computable_time(value: str) -> bool:
    """Tell whether a moment can be reckoned with: what follows from it is one too."""
    return datetime.fromisoformat(value).astimezone(UTC).year < LAST.year


def _is_day(value: Any) -> bool:
    return _EARLIEST.date() <= date.fromisoformat(value) < LAST


def _is_short_text(value: object) -> bool:
    return (
        isinstance(value, str)
        and "\x00" not in value
        and len(value) <= MAX_WORD_CHARACTERS
    )


def _build_integer_check(most: int) -> Callable[[Any], bool]:
    def is_whole(value: Any) -> bool:
        return type(value) is int and 0 <= value <= most

    return is_whole


def _is_finite_number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value) and abs(value) <= MOST


def _is_decimal(value: Any) -> bool:
    return isinstance(value, str) and 0 <= Decimal(value) <= MOST


def _is_counts(value: Any) -> bool:
    counts = cast("dict[str, object]", value)
    return isinstance(value, dict) and all(
        map(_build_integer_check(MOST), counts.values())
    )


_KINDS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "uuid": _is_id,
    "text": _is_short_text,
    "integer": _build_integer_check(MOST),
    "bigint": _build_integer_check(MAX_COUNTED),
    "numeric": _is_decimal,
    "double precision": _is_finite_number,
    "boolean": lambda value: isinstance(value, bool),
    "date": _is_day,
    "timestamptz": _is_time,
    "jsonb": _is_counts,
    "bytea": lambda value: bytes.fromhex(value).hex() == value,
}


def _check_text(column: str, value: object, max_bytes: int) -> None:
    if value is None:
        return
    if not isinstance(value, str) or "\x00" in value:
        _reject_field(column)
    if len(value.encode(errors="replace")) > max_bytes:
        reject_file("a text is too long")


def _reject_constant(_name: str) -> NoReturn:
    raise ValueError


def _parse_finite(spelled: str) -> float:
    value = float(spelled)
    if not math.isfinite(value):
        raise ValueError
    return value
