"""What FastAPI's checks of a request found, as one `InvalidInputError`.

It names the field and the problem and never repeats what was sent.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from fastapi.exceptions import RequestValidationError

from gieok.kernel.errors import InvalidInputError
from gieok.text.patterns import compile_lazily

ErrorDetails = Mapping[str, Any]

_PLAIN: Final = {
    "missing": "it is missing",
    "extra_forbidden": "there is no such field",
    "string_type": "it must be a string",
    "string_unicode": "it holds half of a surrogate pair, which is not text",
    "bool_type": "it must be true or false",
    "int_type": "it must be a whole number",
    "int_parsing": "it must be a whole number",
    "int_from_float": "it must be a whole number",
    "float_type": "it must be a number",
    "float_parsing": "it must be a number",
    "finite_number": "it must be a number",
    "decimal_type": "it must be a number",
    "decimal_parsing": "it must be a number",
    "list_type": "it must be a list",
    "dict_type": "it must be an object",
    "model_type": "it must be an object",
    "model_attributes_type": "it must be an object",
    "uuid_type": "it must be a UUID",
    "uuid_parsing": "it must be a UUID",
    "datetime_type": "it must be a time with a zone",
    "datetime_parsing": "it must be a time with a zone",
    "datetime_from_date_parsing": "it must be a time with a zone",
    "timezone_aware": "it must be a time with a zone",
    "json_invalid": "it is not valid JSON",
    "recursion_loop": "it is nested too deeply",
}
_FIGURED: Final[Mapping[str, Callable[[ErrorDetails], str]]] = {
    "greater_than_equal": lambda found: f"it must be {found['ge']} or more",
    "greater_than": lambda found: f"it must be more than {found['gt']}",
    "less_than_equal": lambda found: f"it must be {found['le']} or less",
    "less_than": lambda found: f"it must be less than {found['lt']}",
    "string_too_long": lambda found: (
        f"it is longer than {found['max_length']} characters"
    ),
    "too_long": lambda found: f"it has more than {found['max_length']} entries",
    "decimal_max_digits": lambda found: (
        f"it has more than {found['max_digits']} digits or decimal places"
    ),
    "decimal_max_places": lambda found: (
        f"it has more than {found['decimal_places']} digits or decimal places"
    ),
    "literal_error": lambda found: (
        f"it must be one of {_format_choices(found['expected'])}"
    ),
    "enum": lambda found: f"it must be one of {_format_choices(found['expected'])}",
}
_NAME: Final = compile_lazily(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
_DEEPEST: Final = 4
"""Most parts of a field's name; no request has fields further down."""
_SOURCES: Final = {"body", "query", "path", "header", "cookie"}


class InvalidRequestError(InvalidInputError):
    """A request that no service has seen; its field is named as it was sent."""


def convert_validation_error(error: RequestValidationError) -> InvalidRequestError:
    """Return the first problem of a request."""
    found: ErrorDetails = error.errors()[0]
    kind = found["type"]
    if kind in _FIGURED:
        problem = _FIGURED[kind](found.get("ctx", {}))
    else:
        problem = _PLAIN.get(kind, "it has the wrong form")
    is_json = kind == "json_invalid"
    return InvalidRequestError(
        "body" if is_json else _format_field(found["loc"]), problem
    )


def _format_field(location: Sequence[str | int]) -> str:
    """Return the dotted name of a field, up to where it stops being a plain name."""
    parts = [str(part) for part in location]
    if len(parts) > 1 and parts[0] in _SOURCES:
        parts = parts[1:]
    kept: list[str] = []
    for part in parts[:_DEEPEST]:
        if not (_NAME.fullmatch(part) or part.isdecimal()):
            break
        kept.append(part)
    return ".".join(kept) or "body"


def _format_choices(expected: str) -> str:
    """Return pydantic's list of choices without its quotes."""
    return expected.replace("'", "").replace(" or ", ", ")
