"""Which values a filter lets through, by LangGraph's operators.

`{"status": "active"}` compares, `{"score": {"$gte": 3}}` orders, and a plain object
looks inside. A field that is missing is None. Numbers order with numbers and texts with
texts; anything else is in no order, so it is neither greater nor less.
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

from gieok.kernel.errors import InvalidInputError

_ORDERS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}
OPERATORS: Final = frozenset({"$eq", "$ne", *_ORDERS})


def validate_filter(wanted: object) -> None:
    """Make sure that a filter can be used.

    Raises:
        InvalidInputError: it is not an object, or has an operator there is none of.
    """
    field = "filter"
    if not isinstance(wanted, Mapping):
        raise InvalidInputError(field, "it must be an object")
    for value in cast("Mapping[str, Any]", wanted).values():
        if not isinstance(value, Mapping):
            continue
        inner = cast("Mapping[str, Any]", value)
        names = {str(name) for name in inner}
        if not any(name.startswith("$") for name in names):
            validate_filter(inner)
        elif not names <= OPERATORS:
            known = ", ".join(sorted(OPERATORS))
            raise InvalidInputError(field, f"each must be one of {known}")


def is_match(value: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Tell whether a value has everything that a filter wants."""
    return all(_is_equal(value.get(name), each) for name, each in wanted.items())


def _is_equal(held: Any, wanted: Any) -> bool:
    if isinstance(wanted, Mapping):
        return _is_object_match(held, cast("Mapping[str, Any]", wanted))
    if isinstance(wanted, list | tuple):
        return _is_list_match(held, cast("Sequence[Any]", wanted))
    return _is_same_value(held, wanted)


def _is_object_match(held: Any, wanted: Mapping[str, Any]) -> bool:
    if any(name.startswith("$") for name in wanted):
        return all(
            _is_operator_match(held, name, each) for name, each in wanted.items()
        )
    return isinstance(held, Mapping) and is_match(
        cast("Mapping[str, Any]", held), wanted
    )


def _is_list_match(held: Any, wanted: Sequence[Any]) -> bool:
    if not isinstance(held, list):
        return False
    values = cast("list[Any]", held)
    return len(values) == len(wanted) and all(map(_is_equal, values, wanted))


def _is_operator_match(held: Any, name: str, wanted: Any) -> bool:
    if name in _ORDERS:
        comparable = (_is_number(held) and _is_number(wanted)) or (
            isinstance(held, str) and isinstance(wanted, str)
        )
        return comparable and _ORDERS[name](held, wanted)
    return _is_same_value(held, wanted) == (name == "$eq")


def _is_same_value(held: Any, wanted: Any) -> bool:
    """Compare as JSON does: true is not 1."""
    return isinstance(held, bool) == isinstance(wanted, bool) and held == wanted


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
