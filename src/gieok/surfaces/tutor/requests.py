"""What the tutor's endpoint is asked, checked by hand: a Lambda brings no pydantic."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from gieok.kernel.errors import InvalidInputError
from gieok.kernel.language import CardField, Role, Utterance
from gieok.profile.model import CardDocument
from gieok.profile.parsing import parse_document
from gieok.text.cleaning import clean_name, clean_text

MAX_MESSAGES: Final = 1_000
LONGEST_MESSAGE_BYTES: Final = 100_000
CHOICES: Final[Mapping[str, Mapping[str, str]]] = {
    "accent": {
        "us": "American",
        "uk": "British",
        "au": "Australian",
        "ca": "Canadian",
        "in": "Indian",
    },
    "level": {
        "beginner": "beginner",
        "intermediate": "intermediate",
        "advanced": "advanced",
    },
    "topic": {
        "daily": "daily life",
        "business": "business",
        "travel": "travel",
        "interview": "job interviews",
        "free": "whatever the user likes",
    },
}
"""What `settings` may hold, and how the prompt says it (C06)."""
DEFAULTS: Final = {"accent": "us", "level": "intermediate", "topic": "daily"}
"""The document's own."""


def parse_messages(body: Mapping[str, Any]) -> tuple[Utterance, ...]:
    """Return the messages of a body; none where it has none.

    Raises:
        InvalidInputError: something that is no message; `messages` is named.
    """
    given = body.get("messages")
    if given is None:
        return ()
    if not isinstance(given, list):
        raise InvalidInputError("messages", "it must be a list")
    listed = cast("list[object]", given)
    if len(listed) > MAX_MESSAGES:
        raise InvalidInputError("messages", f"it can hold {MAX_MESSAGES} values")
    return tuple(_parse_message(n, each) for n, each in enumerate(listed))


def _parse_message(index: int, given: object) -> Utterance:
    field = f"messages.{index}"
    if not isinstance(given, dict):
        raise InvalidInputError(field, "it must be an object")
    message = cast("dict[str, object]", given)
    role = message.get("role")
    if role not in (Role.USER, Role.ASSISTANT):
        problem = "it must be one of user, assistant"
        raise InvalidInputError(f"{field}.role", problem)
    content = clean_text(
        f"{field}.content", message.get("content"), max_bytes=LONGEST_MESSAGE_BYTES
    )
    return Utterance(index, Role(cast("str", role)), content)


def parse_settings(body: Mapping[str, Any]) -> dict[str, str]:
    """Return accent, level and topic in the prompt's words (C06).

    Raises:
        InvalidInputError: a setting that there is not, or a value it cannot take.
    """
    given: object = body.get("settings") or {}
    if not isinstance(given, dict):
        raise InvalidInputError("settings", "it must be an object")
    chosen: dict[str, object] = {**DEFAULTS, **cast("dict[str, object]", given)}
    named: dict[str, str] = {}
    for name, value in chosen.items():
        field = f"settings.{name}"
        if name not in CHOICES:
            raise InvalidInputError(field, "there is no such setting")
        choices = CHOICES[name]
        if not isinstance(value, str) or value not in choices:
            raise InvalidInputError(field, f"it must be one of {', '.join(choices)}")
        named[name] = choices[value]
    return named


def parse_memory(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the memory that is to be saved, unchecked but for its form.

    Raises:
        InvalidInputError: it is missing, or no object.
    """
    memory = body.get("memory")
    if memory is None:
        raise InvalidInputError("memory", "it is missing")
    if not isinstance(memory, dict):
        raise InvalidInputError("memory", "it must be an object")
    return cast("dict[str, Any]", memory)


def parse_user_id(body: Mapping[str, Any]) -> str | None:
    """Return the user id in a body; None where there is none.

    Raises:
        InvalidInputError: it is not text of up to 128 characters.
    """
    given = body.get("user_id")
    return clean_name("user_id", given) if given not in (None, "") else None


def read_card(memory: Mapping[str, Any]) -> CardDocument:
    """Return what a prompt can show of a map that anybody may have written."""
    card: CardDocument = {}
    for place in CardField:
        value = memory.get(place.value)
        texts = cast("Sequence[object]", value) if isinstance(value, list) else [value]
        kept = [text for text in texts if isinstance(text, str) and text.strip()]
        if kept:
            card[place.value] = kept if place.is_list else kept[-1]
    return card


def parse_card(memory: Mapping[str, Any], known: Mapping[str, Any]) -> CardDocument:
    """Return the card of a memory to save.

    What another program keeps in the map comes back with every reading, and may be sent
    again: it stays as it is.

    Raises:
        InvalidInputError: as `parse_document`.
    """
    own = set(CardField)
    kept = {
        name: value
        for name, value in memory.items()
        if name in own or name not in known
    }
    return parse_document(kept)
