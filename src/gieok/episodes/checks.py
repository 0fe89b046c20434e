"""What an episode may hold when a person or an app writes it."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, cast

from gieok.kernel.errors import InvalidInputError
from gieok.pii import TextMasker
from gieok.text.cleaning import clean_name, clean_text

LONGEST_SUMMARY = 2_000
"""Characters; the model's own summaries are one or two sentences (E04)."""
MAX_LABELS = 20
MAX_IMPORTANCE = 10


def clean_summary(value: object, screen: TextMasker | None = None) -> str:
    """Return a summary, masked by a screen, without white space around it.

    Raises:
        InvalidInputError: not a text, empty, or longer than 2,000 characters.
    """
    summary = clean_text("summary", value).strip()
    if len(summary) > LONGEST_SUMMARY:
        field = "summary"
        problem = f"it is longer than {LONGEST_SUMMARY:,} characters"
        raise InvalidInputError(field, problem)
    return screen.mask_text(summary) if screen else summary


def clean_importance(value: object) -> int:
    """Return an importance.

    Raises:
        InvalidInputError: not a whole number from 1 to 10.
    """
    return clean_integer("importance", value, 1, MAX_IMPORTANCE)


def clean_integer(field: str, value: object, least: int, most: int) -> int:
    """Return a whole number.

    Raises:
        InvalidInputError: it is none, or outside its bounds.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInputError(field, "it must be a whole number")
    if not least <= value <= most:
        raise InvalidInputError(field, f"it must be from {least} to {most}")
    return value


def clean_labels(
    field: str, values: object, screen: TextMasker | None = None
) -> tuple[str, ...]:
    """Return topics or tags, masked by a screen, each once, in their order.

    Raises:
        InvalidInputError: not a list, over 20 of them, or one that is no name.
    """
    if not isinstance(values, Sequence) or isinstance(values, str | bytes):
        raise InvalidInputError(field, "it must be a list")
    listed = cast("Sequence[object]", values)
    if len(listed) > MAX_LABELS:
        raise InvalidInputError(field, f"it has more than {MAX_LABELS} entries")
    labels = [clean_name(field, label).strip() for label in listed]
    return tuple(dict.fromkeys(map(screen.mask_text, labels) if screen else labels))


def clean_changes(given: Mapping[str, object], screen: TextMasker) -> dict[str, Any]:
    """Return what is to be changed of an episode; None leaves a field as it is.

    Raises:
        InvalidInputError: a value that its field cannot take.
    """
    checked: dict[str, Any] = {
        "summary": partial(clean_summary, screen=screen),
        "importance": clean_importance,
        "topics": partial(clean_labels, "topics", screen=screen),
        "tags": partial(clean_labels, "tags", screen=screen),
    }
    return {
        name: checked[name](value) for name, value in given.items() if value is not None
    }
