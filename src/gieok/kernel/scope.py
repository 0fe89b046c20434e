"""Whose data a call is about: nothing personal can be touched without a `Scope`."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID


class Actor(StrEnum):
    """Who caused a change; kept in the audit log (A09)."""

    DEVICE = "device"
    CLOUD = "cloud"
    USER = "user"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class Scope:
    """One person, and who is acting for them."""

    user_id: UUID
    actor: Actor = Actor.USER
