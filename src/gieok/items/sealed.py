"""How an item lies in the database: its ids are keyed digests, its words are sealed."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast
from uuid import UUID

from gieok.items.model import Namespace, Put
from gieok.kernel.errors import InvalidInputError
from gieok.kernel.language import Role
from gieok.privacy import PersonKey, Place

NAME: Final = Place("store_items", "name")
CONTENT: Final = Place("store_items", "content")
MAX_BYTES: Final = 5_000_000
"""Largest value, as JSON in UTF-8."""


@dataclass(frozen=True, slots=True)
class ItemContent:
    """What an item holds."""

    value: Mapping[str, Any]
    texts: Sequence[str]
    speaker: str | None
    role: Role | None


def derive_item_id(key: PersonKey, namespace: Namespace, name: str) -> UUID:
    """Return the id under which a key of a namespace is kept."""
    return _derive_id(key, ["item", *namespace, name])


def derive_namespace_id(key: PersonKey, namespace: Namespace) -> UUID:
    """Return the id of a namespace; that of a prefix marks all that begin with it."""
    return _derive_id(key, ["namespace", *namespace])


def derive_prefix_ids(key: PersonKey, namespace: Namespace) -> list[UUID]:
    """Return the ids of all that a namespace begins with, itself last."""
    return [
        derive_namespace_id(key, namespace[:depth])
        for depth in range(1, len(namespace) + 1)
    ]


def seal_name(key: PersonKey, put: Put, row: UUID) -> bytes:
    """Return namespace and key, sealed."""
    return key.seal_text(NAME, row, json.dumps([put.namespace, put.key]))


def open_name(key: PersonKey, row: UUID, sealed: bytes) -> tuple[Namespace, str]:
    """Return namespace and key.

    Raises:
        TamperedError: they were changed or moved.
    """
    labels, name = json.loads(key.open_text(NAME, row, sealed))
    return tuple(labels), name


def encode_content(put: Put) -> str:
    """Return what an item holds as text.

    Raises:
        InvalidInputError: the value is no object of JSON, or over 5,000,000 bytes.
    """
    field = "value"
    if put.value is None or not _is_text_only(cast("Iterable[object]", put.value)):
        raise InvalidInputError(field, "it must be an object")
    fields = {
        "value": dict(put.value),
        "texts": list(put.texts),
        "speaker": put.speaker,
        "role": put.role and put.role.value,
    }
    try:
        text = json.dumps(fields, ensure_ascii=False, allow_nan=False)
        size = len(text.encode("utf-8"))
    except UnicodeEncodeError:
        problem = "it holds half of a surrogate pair, which is not text"
        raise InvalidInputError(field, problem) from None
    except (TypeError, ValueError, RecursionError):
        raise InvalidInputError(field, "it cannot be written as JSON") from None
    if size > MAX_BYTES:
        raise InvalidInputError(field, f"it is longer than {MAX_BYTES:,} bytes")
    return text


def seal_content(key: PersonKey, row: UUID, text: str) -> bytes:
    """Return what an item holds, sealed."""
    return key.seal_text(CONTENT, row, text)


def open_content(key: PersonKey, row: UUID, sealed: bytes) -> ItemContent:
    """Return what an item holds; raises as `open_name`."""
    held = json.loads(key.open_text(CONTENT, row, sealed))
    role = held["role"]
    return ItemContent(
        held["value"], held["texts"], held["speaker"], role and Role(role)
    )


def _is_text_only(names: Iterable[object]) -> bool:
    return all(isinstance(name, str) for name in names)


def _derive_id(key: PersonKey, words: Sequence[str]) -> UUID:
    return UUID(bytes=key.compute_digest(json.dumps(words))[:16])
