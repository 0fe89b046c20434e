"""A uvicorn server that leaves signals to the command that runs it."""

import asyncio
import socket
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Final

import h11
import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS: Final = 10.0
"""In which a client has said what it wants, from its first byte on."""
STOP_SECONDS: Final = 6
"""In which requests under way may end once the server is to stop: whoever stops it has
ten for the whole process."""


class ManagedServer(uvicorn.Server):
    """Stops when `should_exit` is set, and on nothing else.

    uvicorn's own handlers end the process as soon as it has stopped serving; the
    embedded PostgreSQL and the worker would not be stopped then.
    """

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Leave the handlers alone."""
        yield

    async def serve_on(self, listener: socket.socket) -> None:
        """Serve on a socket that listens already."""
        await self.serve(sockets=[listener])

    def request_stop(self) -> None:
        """Take no new request, and end when those under way are answered."""
        self.should_exit = True


class ImpatientProtocol(H11Protocol):
    """Hangs up on a client that begins a request and does not come to its body."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride] - as uvicorn has it
        """Wait for the first request."""
        super().connection_made(transport)
        self._start_timer()

    def data_received(self, data: bytes) -> None:
        """Take a part of a request."""
        super().data_received(data)
        self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing more."""
        super().connection_lost(exc)
        self._cancel_timer()

    def _start_timer(self) -> None:
        if self.conn.their_state is not h11.IDLE:
            self._cancel_timer()
        elif self._late is None:
            self._late = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _cancel_timer(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


def create_server(app: FastAPI, trusted_proxies: Sequence[str] = ()) -> ManagedServer:
    """Return a server of an app, with six seconds to finish requests.

    What comes over a WebSocket is small and never packed: clients only ever say "ping".
    Whom a proxy calls for is believed of trusted ones only.
    """
    return ManagedServer(
        uvicorn.Config(
            app,
            http=ImpatientProtocol,
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=STOP_SECONDS,
            ws="websockets-sansio",
            ws_max_size=4_096,
            ws_per_message_deflate=False,
            proxy_headers=bool(trusted_proxies),
            forwarded_allow_ips=list(trusted_proxies),
            server_header=False,
        )
    )
