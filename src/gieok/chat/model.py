"""One turn of a chat, and what a client brings along."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from gieok.kernel.language import Role


@dataclass(frozen=True, slots=True)
class ClientMessage:
    """One message as a client remembers it; `id` and `at` are the client's own."""

    role: Role
    content: str
    id: str | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class RemovedMessages:
    """What the sessions of a name held once and is not to come back."""

    count: int
    until: datetime | None
    """When the last of them was said, at the latest."""
    is_erased: bool
    """Whether the person erased some: nobody knows how many those were."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The assistant's reply, safely on disk with what it replies to.

    `session_id` is where the turn was kept, which may be another session than the one
    that was asked for. `episodes` and `memories` are what the model was told. `saved`
    is the episode that was made because the message asked to save the conversation.
    """

    text: str
    session_id: UUID
    pair_id: UUID
    message_id: UUID
    tokens: int
    created_at: datetime
    episodes: tuple[UUID, ...] = ()
    memories: tuple[UUID, ...] = ()
    saved: UUID | None = None
