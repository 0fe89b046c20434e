"""Keys of apps."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from gieok.kernel.scope import Scope

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


@dataclass(frozen=True, slots=True)
class SignIn:
    """One browser in which a person looks at their own memory."""

    sign_in_id: UUID
    created_at: datetime
    """When the link was made."""
    opened_at: datetime | None
    """When the link was opened; None before."""
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class SignInLink:
    """A link that was just made: the only time its secret can be read."""

    secret: str = field(repr=False)
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class OpenSignIn:
    """A sign-in that was proven by its secret, and whose it is."""

    scope: Scope
    sign_in: SignIn
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class OperatorSignIn:
    """One browser in which an operator looks after this installation."""

    sign_in_id: UUID
    key_id: UUID | None
    """The key that signed in; None where the link was made on the machine itself."""
    key_name: str | None
    rights: frozenset[Right]
    """What the key may do, which is all that the sign-in may hand on."""
    created_at: datetime
    opened_at: datetime | None
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class OpenOperatorSignIn:
    """A sign-in of an operator that was proven by its secret."""

    sign_in: OperatorSignIn
    secret: str = field(repr=False)
