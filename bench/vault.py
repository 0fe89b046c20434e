"""What row security and sealing cost a turn: each is switched off, and only here."""

from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from itertools import cycle
from statistics import median
from typing import NamedTuple
from unittest.mock import patch
from uuid import UUID

import psutil
from capture import MANY, Tally, Write, write, writers
from psycopg import AsyncConnection
from psycopg.sql import SQL, Identifier
from report import Figure
from rich.progress import Progress
from stage import Stage, stage
from texts import Talk

from gieok import Gieok, Parts, Scope, Turn, open_memory
from gieok.database import transaction
from gieok.database.migrate import SCHEMA
from gieok.privacy import PersonKey, Place, Vault
from gieok.testing import HashEmbedder, ScriptedModel, WordTokenizer

MOST = 0.25
"""Of the throughput without both."""
OURS = "as it is"
WITHOUT = {
    "row security": (True, False),
    "the vault": (False, True),
    "both": (True, True),
}


class PlainKey(PersonKey):
    """Seals by doing nothing."""

    __slots__ = ()

    def seal_text(
        self, place: Place, row_id: UUID, text: str, *, revision: int = 0
    ) -> bytes:
        del place, row_id, revision
        return text.encode()

    def open_text(
        self, place: Place, row_id: UUID, sealed: bytes, *, revision: int = 0
    ) -> str:
        del place, row_id, revision
        return sealed.decode()


PLAIN: dict[UUID, PersonKey] = {}


class PlainVault(Vault):
    """Has the same key for everybody, at once."""

    async def get_key(self, scope: Scope) -> PersonKey:
        return PLAIN[scope.user_id]


class Round(NamedTuple):
    """Turns a second, and processor seconds a turn."""

    rate: float
    work: float


@dataclass(slots=True)
class Side:
    """One way to record."""

    writers: Sequence[Write]
    names_nobody: bool
    """Whether its transactions leave out whose rows they may see."""
    server: psutil.Process
    tally: Tally = field(default_factory=Tally)

    async def run(self, turns: Iterator[Turn], seconds: float) -> "Round":
        """Write for so long."""
        before = self._worked()
        with _nobody_named() if self.names_nobody else nullcontext():
            more = await write(self.writers, turns, seconds)
        self.tally.add(more)
        return Round(more.rate, (self._worked() - before) / len(more.waits))

    def _worked(self) -> float:
        """Return the processor seconds of ours and of PostgreSQL so far."""
        processes = [psutil.Process(), *self.server.children()]
        times = [each.cpu_times() for each in processes]
        return sum(each.user + each.system for each in times)


async def measure(progress: Progress, *, quick: bool) -> list[Figure]:
    """Return turns a second as it is and without each, in rounds that alternate."""
    rounds, seconds = (3, 0.8) if quick else (15, 1.2)
    turns = cycle(Talk(1).turns(2_000))
    async with AsyncExitStack() as stack:
        place = await stack.enter_async_context(stage())
        sides = {
            name: await stack.enter_async_context(_side(place, name))
            for name in (OURS, *WITHOUT)
        }
        for side in sides.values():  # connections open, statements get prepared
            await side.run(turns, seconds / 2)
            side.tally = Tally()
        costs: dict[str, list[float]] = {name: [] for name in WITHOUT}
        works: dict[str, list[float]] = {name: [] for name in WITHOUT}
        order = list(sides)
        for _ in progress.track(range(rounds), description="eight writers"):
            order = [*order[1:], order[0]]  # nobody is always the first
            done = {name: await sides[name].run(turns, seconds) for name in order}
            for name in WITHOUT:
                costs[name].append(1 - done[OURS].rate / done[name].rate)
                works[name].append(1 - done[name].work / done[OURS].work)
    return [
        Figure(f"8 writers, pairs, {OURS}", sides[OURS].tally.rate, "/s"),
        *(
            Figure(f"8 writers, pairs, without {name}", sides[name].tally.rate, "/s")
            for name in WITHOUT
        ),
        *(_cost(f"throughput, for {name}", costs[name]) for name in WITHOUT),
        *(_cost(f"processor time, for {name}", works[name]) for name in WITHOUT),
    ]


def _cost(name: str, shares: Sequence[float]) -> Figure:
    return Figure(
        f"share of {name}",
        median(shares),
        at_most=MOST if name.endswith("both") else None,
        note=f"rounds: {min(shares):.2f} to {max(shares):.2f}",
    )


@asynccontextmanager
async def _side(place: Stage, name: str) -> AsyncGenerator[Side]:
    is_open, is_plain = WITHOUT.get(name, (False, False))
    parts = Parts(
        model=ScriptedModel(), embedder=HashEmbedder(), tokenizer=WordTokenizer()
    )
    config = place.config(name.replace(" ", "_"))
    async with open_memory(config, parts=parts, worker=False) as memory:
        if is_open:
            await _open_tables(str(config.database_url))
        people = [f"person {number}" for number in range(MANY)]
        told = _unsealed(memory, people) if is_plain else memory
        yield Side(await writers(told, people), is_open, _server(place))


def _unsealed(memory: Gieok, people: Sequence[str]) -> Gieok:
    for name in people:
        person = memory.person(name).user_id
        PLAIN[person] = PlainKey(person, 0, bytes(32))
    vault = memory.maintenance.vault
    plain = PlainVault(vault.keystore, vault.provider, vault.opened)
    return replace(memory, sessions=replace(memory.sessions, vault=plain))


async def _open_tables(url: str) -> None:
    """Switch row security off, wherever it is on."""
    async with await AsyncConnection.connect(url, autocommit=True) as owner:
        found = await owner.execute("SELECT relname FROM pg_class WHERE relrowsecurity")
        for (table,) in await found.fetchall():
            off = SQL("ALTER TABLE {} DISABLE ROW LEVEL SECURITY")
            await owner.execute(off.format(Identifier(SCHEMA, table)))


def _server(place: Stage) -> psutil.Process:
    lines = (place.folder / "pg" / "postmaster.pid").read_text("utf-8").splitlines()
    return psutil.Process(int(lines[0]))


@contextmanager
def _nobody_named() -> Iterator[None]:
    with patch.object(transaction, "_build_person_setting", lambda *_: b""):
        yield
