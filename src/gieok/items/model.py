"""Items of a key-value store, and what can be asked of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from gieok.kernel.language import Role

Namespace = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """A value under a key in a namespace; `score` is a search's, from 0 to 1.

    It is how much of the question an item has in meaning and words, and compares
    between a person's questions; an item scores no less than those ranked below it.
    """

    item_id: UUID
    namespace: Namespace
    key: str
    value: Mapping[str, Any]
    created_at: datetime
    updated_at: datetime
    ttl_minutes: float | None = None
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Get:
    """Asks for one item; `refresh` starts its time to live anew."""

    namespace: Namespace
    key: str
    refresh: bool = True


@dataclass(frozen=True, slots=True)
class Search:
    """Asks for items whose namespace begins with `prefix`.

    With a `query` the best answers come first, without one what changed last.
    `filter` is as `gieok.items.filters` reads it.
    """

    prefix: Namespace = ()
    query: str | None = None
    filter: Mapping[str, Any] | None = None
    limit: int = 10
    offset: int = 0
    refresh: bool = True


@dataclass(frozen=True, slots=True)
class Match:
    """What a namespace begins or ends with; "*" stands for any one label."""

    where: Literal["prefix", "suffix"]
    path: Namespace


@dataclass(frozen=True, slots=True)
class ListNamespaces:
    """Asks for namespaces in order, cut to `max_depth` labels."""

    matches: Sequence[Match] = ()
    max_depth: int | None = None
    limit: int = 100
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Put:
    """Keeps a value; None removes it.

    Attributes:
        texts: what it is found by; none keeps it out of searches with a query.
        found_by: makes these texts of the value as it is kept, where they are parts
            of it.
        speaker: who said it, by name, and `role` in which role: then it is a turn of
            the conversation that its namespace holds, in the order of keeping.
        ttl_minutes: how long it is kept after it was last written or read.
    """

    namespace: Namespace
    key: str
    value: Mapping[str, Any] | None
    texts: Sequence[str] = ()
    speaker: str | None = None
    role: Role | None = None
    ttl_minutes: float | None = None
    found_by: Callable[[Mapping[str, Any]], Sequence[str]] | None = None


Operation = Get | Search | ListNamespaces | Put
OperationAnswer = Item | Sequence[Item] | Sequence[Namespace] | None
