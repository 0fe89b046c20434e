"""A real Redis for tests: started on a free port of this machine, killed by its id."""

import asyncio
import shutil
import socket
import subprocess
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

PROGRAM = shutil.which("redis-server")


@dataclass(slots=True)
class RedisServer:
    """A Redis that can die and come back at the same address, remembering nothing."""

    directory: Path
    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        assert PROGRAM is not None
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        self.process = subprocess.Popen(  # noqa: S603 - a program of the machine's
            [PROGRAM, *options, "--appendonly", "no", "--dir", str(self.directory)],
            stdout=subprocess.DEVNULL,
        )
        for _ in range(1_000):
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
                return
            time.sleep(0.01)
        pytest.fail("redis-server does not answer")

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


@contextmanager
def redis_server(directory: Path) -> Generator[RedisServer]:
    """Run a Redis; skip the test where its program is missing."""
    if PROGRAM is None:
        pytest.skip("redis-server is not installed (Debian: apt install redis-server)")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    server = RedisServer(directory, port)
    server.start()
    try:
        yield server
    finally:
        server.kill()


@dataclass(slots=True)
class Proxy:
    """A wire between here and a Redis, which can stall without breaking."""

    port: int
    url: str = ""
    flows: asyncio.Event = field(default_factory=asyncio.Event)
    ends: set[asyncio.StreamWriter] = field(default_factory=set[asyncio.StreamWriter])
    pumps: set["asyncio.Task[None]"] = field(default_factory=set["asyncio.Task[None]"])

    async def connected(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", self.port)
        self.ends |= {writer, back}
        for source, target in ((reader, back), (there, writer)):
            self.pumps.add(asyncio.create_task(self.pump(source, target)))

    async def pump(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter
    ) -> None:
        with suppress(OSError):
            while data := await source.read(65_536):
                await self.flows.wait()
                target.write(data)
                await target.drain()
        target.close()


@asynccontextmanager
async def stalling_proxy(port: int) -> AsyncGenerator[Proxy]:
    """Run a proxy of a Redis that flows until its `flows` is cleared."""
    proxy = Proxy(port)
    proxy.flows.set()
    listening = await asyncio.start_server(proxy.connected, "127.0.0.1", 0)
    proxy.url = f"redis://127.0.0.1:{listening.sockets[0].getsockname()[1]}/0"
    try:
        yield proxy
    finally:
        listening.close()
        for pump in proxy.pumps:
            pump.cancel()
        await asyncio.gather(*proxy.pumps, return_exceptions=True)
        for end in proxy.ends:
            end.close()
            with suppress(OSError):
                await end.wait_closed()
