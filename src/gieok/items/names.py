"""What namespaces and keys may look like, and which namespaces match a pattern."""

from collections.abc import Iterable, Sequence
from typing import Final

from gieok.items.model import ListNamespaces, Match, Namespace
from gieok.kernel.errors import InvalidInputError

MAX_LABELS: Final = 32
MAX_CHARACTERS: Final = 1_024
ANY: Final = "*"


def validate_namespace(namespace: Sequence[object], *, empty: bool) -> Namespace:
    """Return the namespace as given.

    Raises:
        InvalidInputError: more than 32 labels, or a label that is not usable text.
    """
    field = "namespace"
    if isinstance(namespace, str) or not (namespace or empty):
        raise InvalidInputError(field, "it must be a list of labels")
    if len(namespace) > MAX_LABELS:
        raise InvalidInputError(field, f"it has more than {MAX_LABELS} entries")
    return tuple(validate_name(field, label) for label in namespace)


def validate_name(field: str, name: object) -> str:
    """Return a label or key as given: it is compared to the letter.

    Raises:
        InvalidInputError: not text, empty, over 1,024 characters, NUL.
    """
    if not isinstance(name, str):
        raise InvalidInputError(field, "it must be a string")
    if not name:
        raise InvalidInputError(field, "it is empty")
    if len(name) > MAX_CHARACTERS:
        problem = f"it is longer than {MAX_CHARACTERS:,} characters"
        raise InvalidInputError(field, problem)
    if "\x00" in name:
        raise InvalidInputError(field, "it holds a NUL character")
    if any("\ud800" <= letter <= "\udfff" for letter in name):
        problem = "it holds half of a surrogate pair, which is not text"
        raise InvalidInputError(field, problem)
    return name


def select_namespaces(
    namespaces: Iterable[Namespace], asked: ListNamespaces
) -> list[Namespace]:
    """Return the namespaces that were asked for, in order, each once."""
    found = {
        namespace[: asked.max_depth]
        for namespace in namespaces
        if all(_is_match(match, namespace) for match in asked.matches)
    }
    return sorted(found)[asked.offset : asked.offset + asked.limit]


def _is_match(match: Match, namespace: Namespace) -> bool:
    path = match.path
    if len(namespace) < len(path):
        return False
    end = len(namespace) - len(path)
    part = namespace[: len(path)] if match.where == "prefix" else namespace[end:]
    return all(wanted in (ANY, label) for wanted, label in zip(path, part, strict=True))
