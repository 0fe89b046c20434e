"""A uvicorn server that leaves signals to the command that runs it."""

import socket
from collections.abc import Generator
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI


class Server(uvicorn.Server):
    """Stops when `should_exit` is set, and on nothing else.

    uvicorn's own handlers end the process as soon as it has stopped serving; the
    embedded PostgreSQL and the worker would not be stopped then.
    """

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Leave the handlers alone."""
        yield

    async def on(self, listener: socket.socket) -> None:
        """Serve on a socket that listens already."""
        await self.serve(sockets=[listener])

    def finish(self) -> None:
        """Take no new request, and end when those under way are answered."""
        self.should_exit = True


def server_for(app: FastAPI) -> Server:
    """Return a server of an app, with ten seconds to finish requests.

    What comes over a WebSocket is small and never packed: clients only ever say "ping".
    """
    return Server(
        uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=10,
            ws="websockets-sansio",
            ws_max_size=4_096,
            ws_per_message_deflate=False,
        )
    )
