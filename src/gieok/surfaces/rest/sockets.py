"""The sockets of a process: how many each person has, and why one is closed."""

import asyncio
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final
from uuid import UUID

from gieok.surfaces.rest.gate import NO_TOKEN

MAX_WORDS: Final = 256
"""Words of an answer kept for a slow client; it gets the answer itself in any case."""


class CloseCode(IntEnum):
    """Why a socket is closed (RFC 6455 §7.4; from 4000 on, the HTTP status + 4000)."""

    DONE = 1000
    NOT_EXPECTED = 1008
    TOO_LONG = 1009
    BROKEN = 1011
    TRY_LATER = 1013
    BAD_AFTER = 4422
    NO_TOKEN = NO_TOKEN
    NOT_FOUND = 4404
    TOO_MANY = 4429


class ClosingError(Exception):
    """The socket is to be closed; says why."""

    def __init__(self, code: CloseCode) -> None:
        """Keep the code."""
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class SocketRegistry:
    """How sockets of this process are served, and how many each person has."""

    most: int = 20
    """Most sockets of one person."""
    poll: float = 1.0
    """Seconds after which a follower looks without a hint."""
    breath: float = 1.0
    """Seconds between handfuls of messages taken from a client."""
    patience: float = 10.0
    """Seconds in which a client takes a message, or is closed."""
    heartbeat: float = 30.0
    """Seconds between notes that a client is still there."""
    open: Counter[UUID] = field(default_factory=Counter[UUID])
    hearing: dict[tuple[UUID, UUID], set[asyncio.Queue[str]]] = field(
        default_factory=dict[tuple[UUID, UUID], set[asyncio.Queue[str]]]
    )
    """Who hears the words of a person's session as this process makes them."""

    @contextmanager
    def open_word_queue(
        self, user_id: UUID, session_id: UUID
    ) -> Generator[asyncio.Queue[str]]:
        """Lend a queue of the words of a session's answers."""
        words: asyncio.Queue[str] = asyncio.Queue(MAX_WORDS)
        ears = self.hearing.setdefault((user_id, session_id), set())
        ears.add(words)
        try:
            yield words
        finally:
            ears.discard(words)
            if not ears:
                self.hearing.pop((user_id, session_id), None)

    def publish_word(self, user_id: UUID, session_id: UUID, word: str) -> None:
        """Let everybody who follows a session hear a word of its answer."""
        for words in self.hearing.get((user_id, session_id), ()):
            with suppress(asyncio.QueueFull):
                words.put_nowait(word)

    @contextmanager
    def acquire_seat(self, user_id: UUID) -> Generator[None]:
        """Take one of a person's seats.

        Raises:
            ClosingError: all are taken.
        """
        if self.open[user_id] >= self.most:
            raise ClosingError(CloseCode.TOO_MANY)
        self.open[user_id] += 1
        try:
            yield
        finally:
            self.open[user_id] -= 1
            if not self.open[user_id]:
                del self.open[user_id]
