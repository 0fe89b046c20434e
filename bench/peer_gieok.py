"""Ourselves, as the comparison with peers sees us."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from uuid import UUID

from peer import Home, Said

from gieok import Config, Gieok, Parts, Turn, open_memory
from gieok.testing import ScriptedModel


@dataclass(slots=True)
class Ours:
    """gieok with its bundled embedder; facts are not extracted, as peers do not."""

    memory: Gieok
    talks: dict[str, UUID] = field(default_factory=dict)

    async def add(self, person: str, turn: Said) -> None:
        """Make a turn durable."""
        scope = self.memory.person(person)
        if person not in self.talks:
            talk = await self.memory.sessions.start(scope)
            self.talks[person] = talk.session_id
        await self.memory.sessions.record(scope, self.talks[person], Turn(*turn))

    async def settle(self, person: str) -> None:
        """Give every new message its vector, as the worker would."""
        await self.memory.recall.index(self.memory.person(person))

    async def search(self, person: str, question: str, limit: int) -> int:
        """Return how many were found."""
        scope = self.memory.person(person)
        return len(await self.memory.recall.search(scope, question, limit=limit))


@asynccontextmanager
async def opened(home: Home) -> AsyncGenerator[Ours]:
    """Open gieok; without a server in `home` it starts its own."""
    config = Config(data=home.folder, database_url=home.database)
    parts = Parts(model=ScriptedModel())
    async with open_memory(config, parts=parts, worker=False) as memory:
        yield Ours(memory)
