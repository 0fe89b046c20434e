"""Reads a card as somebody wrote it."""

from collections.abc import Mapping
from typing import Any, Final, cast

from gieok.kernel.errors import InvalidInputError
from gieok.kernel.language import CardField
from gieok.profile.merge import is_empty
from gieok.profile.model import CardDocument
from gieok.text.cleaning import clean_text

MOST_VALUES: Final = 1_000
"""Values of one place that a card may be given."""
LONGEST_VALUE_BYTES: Final = 2_000


def parse_document(document: Mapping[str, Any]) -> CardDocument:
    """Return a card as somebody wrote it, without its empty values.

    Raises:
        InvalidInputError: a place that no card has, or a value it cannot take.
    """
    parsed: CardDocument = {}
    for name, value in document.items():
        if name not in set(CardField):
            raise InvalidInputError(name, "a card has no such place")
        if is_empty(value):
            continue
        if not CardField(name).is_list:
            parsed[name] = _clean_value(name, value)
            continue
        if not isinstance(value, list):
            raise InvalidInputError(name, "it must be a list of texts")
        listed = cast("list[object]", value)
        if len(listed) > MOST_VALUES:
            raise InvalidInputError(name, f"it can hold {MOST_VALUES} values")
        parsed[name] = [
            _clean_value(name, each) for each in listed if not is_empty(each)
        ]
    return parsed


def _clean_value(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise InvalidInputError(name, "each value must be a text")
    return " ".join(clean_text(name, value, max_bytes=LONGEST_VALUE_BYTES).split())
