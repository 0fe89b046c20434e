"""A proxy before PostgreSQL that may drop start-up options, and notes what is sent."""

import asyncio
import struct
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from psycopg.conninfo import conninfo_to_dict, make_conninfo

REFUSED = (80877103, 80877104)
"""Requests for encryption, by TLS and by GSSAPI."""


@dataclass
class Proxy:
    """What stands between; `statements` are those of all its connections."""

    server: str
    drops_options: bool
    statements: list[str] = field(default_factory=list)

    async def serve(
        self, client: asyncio.StreamReader, answers: asyncio.StreamWriter
    ) -> None:
        """Carry one connection until one of its ends is closed."""
        start = await self._start(client, answers)
        inside, sent = await asyncio.open_unix_connection(self.server)
        sent.write(struct.pack("!i", len(start) + 4) + start)
        ways = (self._forward(client, sent), _backward(inside, answers))
        tasks = [asyncio.create_task(way) for way in ways]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for writer in (sent, answers):
            writer.close()

    async def _start(
        self, client: asyncio.StreamReader, answers: asyncio.StreamWriter
    ) -> bytes:
        while True:
            (length,) = struct.unpack("!i", await client.readexactly(4))
            start = await client.readexactly(length - 4)
            if struct.unpack("!i", start[:4])[0] not in REFUSED:
                break
            answers.write(b"N")
        if not self.drops_options:
            return start
        parts = start[4:].rstrip(b"\0").split(b"\0")
        pairs = zip(parts[::2], parts[1::2], strict=True)
        kept = [b"%s\0%s\0" % pair for pair in pairs if pair[0] != b"options"]
        return start[:4] + b"".join(kept) + b"\0"

    async def _forward(
        self, client: asyncio.StreamReader, sent: asyncio.StreamWriter
    ) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                head = await client.readexactly(5)
                body = await client.readexactly(struct.unpack("!i", head[1:])[0] - 4)
                if head[:1] == b"Q":
                    self.statements.append(body.rstrip(b"\0").decode())
                elif head[:1] == b"P":  # a name, then the statement
                    self.statements.append(body.split(b"\0")[1].decode())
                sent.write(head + body)
                await sent.drain()


async def _backward(
    inside: asyncio.StreamReader, answers: asyncio.StreamWriter
) -> None:
    with suppress(ConnectionError):
        while some := await inside.read(65536):
            answers.write(some)
            await answers.drain()


@asynccontextmanager
async def proxied(
    address: str, *, drops_options: bool = False
) -> AsyncGenerator[tuple[str, Proxy]]:
    """Stand before the server at an address; yield the new address and the proxy."""
    info = conninfo_to_dict(address)
    port = info.get("port") or 5432
    proxy = Proxy(f"{info['host']}/.s.PGSQL.{port}", drops_options)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        yield make_conninfo(address, host="127.0.0.1", port=port), proxy
