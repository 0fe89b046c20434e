"""A pool of connections from which nobody waits forever for a server that is away.

A server that was stopped, or a machine that froze, closes no connection: whoever waits
for an answer would wait until it is back. So while connections are in use for long, the
server is asked over a new one whether it is there, and if it is not, they are hung up.
A long statement of a server that answers is left alone. Where another server took over
its address, only the network tells that the one before is gone: it is asked, too.
"""

import asyncio
import os
import select
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final

import psycopg
from psycopg import AsyncConnection
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool

from gieok.kernel.logs import get_logger

log = get_logger("gieok.database")

Connection = AsyncConnection[TupleRow]
Configure = Callable[[Connection], Awaitable[None]]

WAIT_SECONDS: Final = 10.0
"""How long one waits for a connection, also for the first one of all."""
LONG_SECONDS: Final = 5.0
"""How long a connection is in use before the server is asked whether it is there."""
PROBE_SECONDS: Final = 10.0
"""How long the server may take to say so; a busy one takes seconds."""
_NETWORK_LIMITS: Final = {
    "keepalives_idle": 5,
    "keepalives_interval": 3,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
"""After some 15 seconds without a sign of the other machine a connection is over."""


def limit_silence(conninfo: str) -> str:
    """Return an address whose connections end when the server's machine is gone.

    What it says of that itself stays.
    """
    return make_conninfo(conninfo, **{**_NETWORK_LIMITS, **conninfo_to_dict(conninfo)})


class Pool(AsyncConnectionPool[Connection]):
    """Connections that are hung up when the server does not answer any more.

    After an outage it connects again within five seconds: it never pauses longer
    between two attempts, because it begins anew after `WAIT_SECONDS`.
    """

    def __init__(
        self,
        conninfo: str,
        *,
        size: int,
        configure: Configure | None = None,
        autocommit: bool = False,
    ) -> None:
        self._address = limit_silence(conninfo)
        super().__init__(
            self._address,
            min_size=1,
            max_size=size,
            timeout=WAIT_SECONDS,
            reconnect_timeout=WAIT_SECONDS,
            open=False,
            check=_check_alive,
            configure=configure,
            kwargs={"autocommit": autocommit},
        )
        self._lent: dict[Connection, float] = {}
        self._watching: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def connection(
        self,
        timeout: float | None = None,  # noqa: ASYNC109 - the library's
    ) -> AsyncGenerator[Connection]:
        """Lend a connection, as the library's pool does.

        Raises:
            psycopg.OperationalError: the server went away, or does not answer.
        """
        async with super().connection(timeout) as connection:
            self._lent[connection] = asyncio.get_running_loop().time()
            if self._watching is None or self._watching.done():
                self._watching = asyncio.create_task(self._watch_connections())
            try:
                yield connection
            finally:
                del self._lent[connection]

    async def close(self, timeout: float = 5.0) -> None:  # noqa: ASYNC109 - as above
        """Close all connections."""
        if self._watching is not None:
            self._watching.cancel()
        await super().close(timeout)

    async def _watch_connections(self) -> None:
        """Look after the connections in use, until none is."""
        while self._lent:
            await asyncio.sleep(LONG_SECONDS)
            before = asyncio.get_running_loop().time() - LONG_SECONDS
            if any(since <= before for since in self._lent.values()):
                lent = tuple(self._lent)
                if not await self._is_server_alive():
                    log.warning("database_does_not_answer", connections=len(lent))
                    for connection in lent:
                        _shut_socket(connection)

    async def _is_server_alive(self) -> bool:
        """Ask the server over a new connection; whoever refuses is there."""
        try:
            async with (
                asyncio.timeout(PROBE_SECONDS),
                await Connection.connect(self._address, autocommit=True) as probe,
            ):
                await probe.execute("SELECT 1")
        except TimeoutError:
            return False
        except psycopg.Error:
            return True
        return True


def _shut_socket(connection: Connection) -> None:
    """Let whoever waits on a connection see that it is over."""
    with (
        suppress(psycopg.Error, OSError),
        # Not closed: the descriptor is its owner's, who is waiting on it.
        socket.socket(fileno=os.dup(connection.fileno())) as line,
    ):
        line.shutdown(socket.SHUT_RDWR)


async def _check_alive(connection: Connection) -> None:
    """Notice a server that went away, without a round trip to one that did not.

    An idle connection has nothing to say: only if its socket is readable (closed, or
    the server complains) is it asked.
    """
    listening = select.poll()
    listening.register(connection.fileno(), select.POLLIN)
    if listening.poll(0):
        await AsyncConnectionPool.check_connection(connection)
