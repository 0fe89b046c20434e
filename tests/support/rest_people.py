"""People who call the REST surface, and the server they call."""

import asyncio
import itertools
import socket
import ssl
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

import httpx
import uvicorn
from fastapi import FastAPI

from gieok import Gieok, Scope
from gieok.kernel.language import Conversation, Finding

SECRET = b"a secret of tests, 32 bytes long"
HOUR = timedelta(hours=1)
TRUST = ssl.create_default_context()
"""Made once: httpx would read the certificates anew for every client."""
names = itertools.count(1)


@dataclass(slots=True)
class Script:
    """What the model answers next; a test puts its findings here."""

    findings: list[Finding]

    def __call__(self, _: Conversation) -> list[Finding]:
        findings, self.findings = self.findings, []
        return findings


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody nobody else in the run is, with a client that speaks for them."""

    user_id: str
    http: httpx.AsyncClient
    gieok: Gieok

    @property
    def scope(self) -> Scope:
        return self.gieok.person(self.user_id)

    async def remembers(self, content: str, category: str = "context") -> str:
        """Return the id of a memory made for this person."""
        body = {"content": content, "category": category}
        answer = await self.http.post("/api/v1/users/me/memories", json=body)
        assert answer.status_code == 201, answer.text
        return answer.json()["id"]

    async def talks(self, persona: str | None = None) -> str:
        """Return the id of a session started for this person."""
        answer = await self.http.post("/api/v1/sessions", json={"persona": persona})
        assert answer.status_code == 201, answer.text
        return answer.json()["id"]


NewPerson = Callable[[], AbstractAsyncContextManager[Person]]
StandIn = Callable[[Gieok], None]


@asynccontextmanager
async def serving(app: FastAPI) -> AsyncGenerator[str]:
    """Run an app under uvicorn and yield its address."""
    config = uvicorn.Config(
        app, lifespan="off", log_config=None, ws="none", access_log=False
    )
    async with running(uvicorn.Server(config)) as address:
        yield address


@asynccontextmanager
async def running(server: uvicorn.Server) -> AsyncGenerator[str]:
    """Run a server and yield its address."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port = listening.getsockname()[1]
        serve = asyncio.create_task(server.serve(sockets=[listening]))
        while not server.started:  # noqa: ASYNC110 - uvicorn tells no other way
            await asyncio.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.should_exit = True
            await serve
