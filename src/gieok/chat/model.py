"""One turn of a chat, and what a client brings along."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from gieok.kernel.language import Role


@dataclass(frozen=True, slots=True)
class ClientMessage:
    """One message as a client remembers it; `id` and `at` are the client's own.

    `place` is where it stands in a request, for refusals.
    """

    role: Role
    content: str
    id: str | None = None
    at: datetime | None = None
    place: str = field(default="messages", compare=False)


@dataclass(frozen=True, slots=True)
class UnseenMessages:
    """What a client told and the sessions of a name do not hold, in order."""

    leading: Sequence[ClientMessage]
    """Those before the first that is held."""
    between: Sequence[ClientMessage]
    """Those after it that stand before another one that is held."""
    following: Sequence[ClientMessage]
    """Those after what is held."""
    has_nothing_recorded: bool
    """Whether nothing is held at all."""
    has_most_recorded: bool
    """Whether most of what is held was told, too: the rest stands where it was said."""

    @property
    def is_empty(self) -> bool:
        """Whether all that was told is held."""
        return not (self.leading or self.between or self.following)


@dataclass(frozen=True, slots=True)
class RemovedMessages:
    """What the sessions of a name held once and is not to come back."""

    count: int
    """How many there were, but for those that the person erased."""
    pairs: int
    """How many turns of two are among them."""
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
