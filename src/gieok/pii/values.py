"""Takes values apart and puts them together anew where a part of them changed.

What did not change is handed back as it is, not as a copy: most values hold nothing.
"""

import copy
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, Final, NamedTuple, cast

from gieok.text.patterns import compile_lazily

LEAVES: Final = frozenset({bool, float, complex, bytes, bytearray, type(None)})
"""What is never taken apart."""
_NUMBER: Final = compile_lazily(r"(?:\d\D*){6}")
"""Only a name with so many digits is itself looked at: `password_hint` is a name."""
_NO_MESSAGE: Final = LEAVES | {str, int, list, tuple}


class MessagePart(NamedTuple):
    """What a message says, and where in it that stands."""

    name: str
    text: str


def extract_message(value: object) -> MessagePart | None:
    """Return what a value says, if it looks like a message of a conversation."""
    if type(value) in _NO_MESSAGE:
        return None
    for name in ("content", "text"):
        if isinstance(value, Mapping):
            text = cast("Mapping[str, object]", value).get(name)
            spoken = "role" in value or "type" in value
        else:
            text = getattr(value, name, None) if hasattr(value, "type") else None
            spoken = True
        if spoken and type(text) is str:
            return MessagePart(name, text)
    return None


def rebuild_value(value: Any, part: Callable[[Any, str], Any], name: str = "") -> Any:
    """Return a value of which every part is what `part` makes of it and of its name.

    Looks into objects of JSON, sequences, sets, dataclasses and pydantic's models.
    Anything else is one whole and stays.

    Raises:
        RecursionError: it is nested too deeply, or holds itself.
    """
    if isinstance(value, Mapping):
        return _rebuild_mapping(cast("Mapping[Any, Any]", value), part)
    if isinstance(value, list | tuple | set | frozenset | deque):
        return _rebuild_sequence(cast("Any", value), part, name)
    return _rebuild_object(value, part, name)


def _rebuild_mapping(value: Mapping[Any, Any], part: Callable[[Any, str], Any]) -> Any:
    changed, new, numbers = False, dict[Any, Any](), Counter[str]()
    for key, each in value.items():
        kept = part(each, str(key))
        renamed = part(key, "") if _NUMBER.search(str(key)) else key
        changed |= kept is not each or renamed is not key
        new[_find_free_name(renamed, new, numbers) if renamed is not key else key] = (
            kept
        )
    if not changed:
        return value
    if type(value) is dict or not isinstance(value, dict):
        return new
    other = copy.copy(value)
    other.clear()
    other.update(new)
    return other


def _find_free_name(name: str, taken: Mapping[Any, Any], numbers: Counter[str]) -> str:
    """Return a name that nothing else has; `numbers` are the last one given to each."""
    free = name
    while free in taken:
        numbers[name] += 1
        free = f"{name} {numbers[name] + 1}"
    return free


def _rebuild_sequence(value: Any, part: Callable[[Any, str], Any], name: str) -> Any:
    names: Sequence[str] = getattr(value, "_fields", None) or [name] * len(value)
    parts = [part(each, called) for each, called in zip(value, names, strict=True)]
    if all(new is old for new, old in zip(parts, value, strict=True)):
        return value
    if isinstance(value, list | deque):
        other = copy.copy(cast("list[Any]", value))
        other.clear()
        other.extend(parts)
        return other
    make = getattr(value, "_make", cast("Callable[[Any], Any]", type(value)))
    return make(parts)


def _rebuild_object(value: Any, part: Callable[[Any, str], Any], name: str) -> Any:
    changed: dict[str, Any] = {}
    for attribute in _iterate_attributes(value):
        old = getattr(value, attribute, None)
        if type(old) in LEAVES:
            continue
        new = part(old, attribute.lstrip("_") or name)
        if new is not old:
            changed[attribute] = new
    if not changed:
        return value
    other = copy.copy(value)
    for attribute, new in changed.items():
        extra = getattr(other, "__pydantic_extra__", None)
        if extra and attribute in extra:
            extra[attribute] = new
        else:
            object.__setattr__(other, attribute, new)
    return other


def _iterate_attributes(value: Any) -> Iterator[str]:
    """Yield the attributes in which a value holds something that would be kept."""
    if isinstance(value, type):
        return
    if is_dataclass(value):
        yield from (each.name for each in fields(value))
    elif hasattr(value, "model_dump") or hasattr(value, "dict"):
        slots: Sequence[str] = getattr(value, "__slots__", ())
        yield from tuple(getattr(value, "__dict__", slots))
        yield from tuple(getattr(value, "__pydantic_extra__", None) or ())
    elif hasattr(value, "get_secret_value"):
        yield "_secret_value"
    elif hasattr(value, "node") and hasattr(value, "arg"):
        yield "arg"  # what LangGraph sends to a node
