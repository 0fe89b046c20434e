"""A line between devices and a server that fails in every way lines fail."""

import asyncio
import random
import socket
import struct
from collections import Counter
from collections.abc import AsyncGenerator, Coroutine, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any, Final

FAULTS: Final = (
    "drop",
    "delay",
    "reset",
    "truncate",
    "duplicate",
    "half_open",
    "slow",
)
MAX_BYTES: Final = 4_000
"""How far a connection may come before its fault."""
HALF_OPEN_SECONDS: Final = 3.0
LONGEST_SECONDS: Final = 5.0
"""After which a connection is cut that had no other fault."""
CHUNK: Final = 65_536


@dataclass(slots=True)
class FaultyLine:
    """Forwards connections to a port; a share of them has one fault each."""

    port: int
    """Where the server listens."""
    rng: random.Random
    share: float = 0.4
    """Of the connections, how many have a fault; 0 heals the line."""
    counts: Counter[str] = field(default_factory=Counter[str])
    _next: Iterator[str] = field(default_factory=lambda: cycle(FAULTS), repr=False)

    async def serve(
        self, client: asyncio.StreamReader, answers: asyncio.StreamWriter
    ) -> None:
        """Carry one connection until an end closes it, or its fault."""
        fault = next(self._next) if self.rng.random() < self.share else None
        if fault is not None:
            self.counts[fault] += 1
        try:
            await self._carry(client, answers, fault)
        except (ConnectionError, OSError):
            pass
        finally:
            answers.close()

    async def _carry(
        self,
        client: asyncio.StreamReader,
        answers: asyncio.StreamWriter,
        fault: str | None,
    ) -> None:
        if fault == "drop":
            return
        if fault == "delay":
            await asyncio.sleep(self.rng.uniform(0, 1))
        if fault == "half_open":
            await client.read(CHUNK)  # and nobody ever answers
            await asyncio.sleep(HALF_OPEN_SECONDS)
            return
        inside, sent = await asyncio.open_connection("127.0.0.1", self.port)
        cut = self.rng.randint(1, MAX_BYTES) if fault in {"reset", "truncate"} else None
        into_request = cut if self.rng.random() < 0.5 else None
        asked = bytearray()
        try:
            await self._wait_for_end(
                self._copy(client, sent, into_request, fault, asked),
                self._copy(inside, answers, cut, fault, None),
                answers,
            )
            if fault == "reset":
                _reset(answers)
            if fault == "duplicate" and asked:
                await self._repeat(bytes(asked))
        finally:
            sent.close()

    async def _wait_for_end(
        self,
        up: Coroutine[Any, Any, None],
        down: Coroutine[Any, Any, None],
        answers: asyncio.StreamWriter,
    ) -> None:
        """Carry both ways until one ends, or the line breaks where it lasted long."""
        tasks = [asyncio.create_task(way) for way in (up, down)]
        lasts = self.rng.uniform(0, LONGEST_SECONDS) if self.share else None
        try:
            ended, _ = await asyncio.wait(
                tasks, timeout=lasts, return_when=asyncio.FIRST_COMPLETED
            )
            if not ended:
                self.counts["cut"] += 1
                _reset(answers)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _copy(
        self,
        source: asyncio.StreamReader,
        target: asyncio.StreamWriter,
        cut: int | None,
        fault: str | None,
        seen: bytearray | None,
    ) -> None:
        """Forward bytes, up to a cut; `seen` collects those of a request."""
        carried = 0
        while some := await source.read(256 if fault == "slow" else CHUNK):
            if seen is not None and fault == "duplicate":
                seen += some
            if cut is not None and carried + len(some) >= cut:
                target.write(some[: cut - carried])
                await target.drain()
                return
            carried += len(some)
            target.write(some)
            await target.drain()
            if fault == "slow":
                await asyncio.sleep(self.rng.uniform(0, 0.02))

    async def _repeat(self, asked: bytes) -> None:
        """Send again what a client sent, as a network may; nobody hears the answer."""
        inside, sent = await asyncio.open_connection("127.0.0.1", self.port)
        sent.write(asked)
        with suppress(TimeoutError):
            async with asyncio.timeout(1):
                await sent.drain()
                await inside.read(CHUNK)
        sent.close()


def _reset(writer: asyncio.StreamWriter) -> None:
    """Close with RST: what was not read yet is lost."""
    held = writer.get_extra_info("socket")
    held.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


@asynccontextmanager
async def open_faulty_line(line: FaultyLine) -> AsyncGenerator[str]:
    """Listen for as long as the block runs; yield the address to call."""
    server = await asyncio.start_server(line.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.close()
