"""Reads a card as somebody wrote it."""

from collections.abc import Collection, Mapping
from typing import Any, Final, cast

from gieok.kernel.errors import InvalidInputError
from gieok.kernel.language import CardField
from gieok.profile.merge import is_empty
from gieok.profile.model import EMPTY_CARD, Card, CardDocument
from gieok.text.cleaning import clean_text

MAX_VALUES: Final = 1_000
"""Values of one place of a card."""
LONGEST_VALUE_BYTES: Final = 2_000


def parse_document(
    document: Mapping[str, Any], known: Card = EMPTY_CARD
) -> CardDocument:
    """Return a card as somebody wrote it, without its empty values.

    Values that the known card has are taken as they stand there, however they came to.

    Raises:
        InvalidInputError: a place that no card has, or a value it cannot take.
    """
    parsed: CardDocument = {}
    for name, value in document.items():
        if name not in set(CardField):
            raise InvalidInputError(name, "a card has no such place")
        if is_empty(value):
            continue
        place = CardField(name)
        as_known = {each.value for each in known.get_values(place)}
        if not place.is_list:
            parsed[name] = _clean_value(name, value, as_known)
            continue
        if not isinstance(value, list):
            raise InvalidInputError(name, "it must be a list of texts")
        listed = cast("list[object]", value)
        parsed[name] = [
            _clean_value(name, each, as_known) for each in listed if not is_empty(each)
        ]
    return parsed


def require_room(document: CardDocument, known: Mapping[str, Any]) -> None:
    """Fail if a list is longer than a card's, and not a part of the known one.

    Raises:
        InvalidInputError: names the list.
    """
    for name, values in document.items():
        if isinstance(values, str) or len(values) <= MAX_VALUES:
            continue
        held = known.get(name)
        listed = cast("list[object]", held) if isinstance(held, list) else []
        if not {*values} <= {each for each in listed if isinstance(each, str)}:
            raise InvalidInputError(name, f"it can hold {MAX_VALUES} values")


def keep_newest(value: Any) -> Any:
    """Return a list as long as a card's may be, without what came first."""
    return cast("list[Any]", value)[-MAX_VALUES:] if isinstance(value, list) else value


def _clean_value(name: str, value: object, as_known: Collection[str]) -> str:
    if not isinstance(value, str):
        raise InvalidInputError(name, "each value must be a text")
    if value in as_known:
        return value
    return " ".join(clean_text(name, value, max_bytes=LONGEST_VALUE_BYTES).split())
