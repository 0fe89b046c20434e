"""Keys of apps."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

PREFIX = "gk_"
"""How every key begins, so that a scanner of secrets and a reader know one."""


class Right(StrEnum):
    """What a key, or a token, lets its bearer do."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"
    ACT_AS = "act_as"
    """Name the person oneself, instead of bringing that person's token."""


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key of an app, without the key."""

    key_id: UUID
    name: str
    rights: frozenset[Right]
    created_at: datetime
    last_used_at: datetime | None
    """To the minute."""
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key that was just made: the only time it can be read."""

    key: ApiKey
    secret: str = field(repr=False)
