"""How many turns a second become durable, beside bare commits of the same words."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from itertools import cycle
from statistics import median
from time import perf_counter

from psycopg import AsyncConnection
from report import Figure, percentile
from rich.progress import Progress
from stage import Stage, stage
from texts import Talk

from gieok import Gieok, Parts, Turn, open_memory
from gieok.testing import HashEmbedder, ScriptedModel, WordTokenizer

MANY = 8
PAIRS_A_SECOND = 1000.0
LONE_MILLISECONDS = 2.5
SHARE_OF_FLOOR = 0.25

FLOOR = "INSERT INTO said (asked, answered) VALUES (%s, %s)"
Write = Callable[[Turn], Awaitable[object]]


@dataclass(slots=True)
class Tally:
    """How long each write took, and all of them together."""

    waits: list[float] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def rate(self) -> float:
        """Writes a second."""
        return len(self.waits) / self.seconds

    def add(self, more: "Tally") -> None:
        """Count another stretch in."""
        self.waits += more.waits
        self.seconds += more.seconds


@dataclass(slots=True)
class Duel:
    """The library and its floor, measured in turns."""

    ours: Tally = field(default_factory=Tally)
    floor: Tally = field(default_factory=Tally)
    shares: list[float] = field(default_factory=list)

    def add(self, floor: Tally, ours: Tally) -> None:
        """Count one round in."""
        self.floor.add(floor)
        self.ours.add(ours)
        self.shares.append(ours.rate / floor.rate)


@dataclass(frozen=True, slots=True)
class Pace:
    """How many rounds, and how long each side of one takes."""

    rounds: int
    seconds: float


async def measure(progress: Progress, *, quick: bool) -> list[Figure]:
    """Return pairs a second with one and with eight writers, and the floors."""
    pace = Pace(2, 0.8) if quick else Pace(5, 3.0)
    async with AsyncExitStack() as stack:
        place = await stack.enter_async_context(stage())
        parts = Parts(
            model=ScriptedModel(), embedder=HashEmbedder(), tokenizer=WordTokenizer()
        )
        memory = await stack.enter_async_context(
            open_memory(place.config("capture"), parts=parts, worker=False)
        )
        bare = await stack.enter_async_context(_bare_writers(place, MANY))
        note = await _durability(place)
        turns = cycle(Talk(1).turns(2_000))
        lone = await _duel(
            progress,
            pace,
            turns,
            "one writer",
            ours=await writers(memory, ["lone"]),
            floor=bare[:1],
        )
        many = await _duel(
            progress,
            pace,
            turns,
            "eight writers",
            ours=await writers(memory, [f"person {n}" for n in range(MANY)]),
            floor=bare,
        )
        same = await _duel(
            progress,
            pace,
            turns,
            "eight on one person",
            ours=await writers(memory, ["everybody's"] * MANY),
            floor=bare,
        )
    return [*_lone(lone, note), *_many(many), *_same(same)]


async def _duel(
    progress: Progress,
    pace: Pace,
    turns: Iterator[Turn],
    name: str,
    *,
    ours: Sequence[Write],
    floor: Sequence[Write],
) -> Duel:
    for writers in (floor, ours):  # connections open, statements get prepared
        await write(writers, turns, pace.seconds / 4)
    duel = Duel()
    for _ in progress.track(range(pace.rounds), description=name):
        bare = await write(floor, turns, pace.seconds)
        duel.add(bare, await write(ours, turns, pace.seconds))
    return duel


async def write(
    writers: Sequence[Write], turns: Iterator[Turn], seconds: float
) -> Tally:
    """Let every writer write one turn after another until the time is up."""
    tally = Tally()
    start = perf_counter()

    async def keep_writing(write: Write) -> None:
        while (begun := perf_counter()) < start + seconds:
            await write(next(turns))
            tally.waits.append(perf_counter() - begun)

    await asyncio.gather(*(keep_writing(write) for write in writers))
    tally.seconds = perf_counter() - start
    return tally


async def writers(memory: Gieok, names: Sequence[str]) -> list[Write]:
    """Return one writer for each name, every one in a session of its own."""
    return [await _writer(memory, name) for name in names]


async def _writer(memory: Gieok, name: str) -> Write:
    scope = memory.person(name)
    talk = await memory.sessions.start(scope)
    return lambda turn: memory.sessions.record(scope, talk.session_id, turn)


@asynccontextmanager
async def _bare_writers(place: Stage, count: int) -> AsyncGenerator[list[Write]]:
    """Give writers that do nothing but INSERT and COMMIT, a connection each."""
    url = place.database("floor")
    async with AsyncExitStack() as stack:
        connections = [
            await stack.enter_async_context(await AsyncConnection.connect(url))
            for _ in range(count)
        ]
        await connections[0].execute(
            "CREATE TABLE said (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
            " asked text NOT NULL, answered text NOT NULL)"
        )
        await connections[0].commit()
        yield [_bare_writer(connection) for connection in connections]


def _bare_writer(connection: AsyncConnection) -> Write:
    async def insert_and_commit(turn: Turn) -> None:
        words = [turn.user_text, turn.assistant_text]
        await connection.execute(FLOOR, words, prepare=True)
        await connection.commit()

    return insert_and_commit


async def _durability(place: Stage) -> str:
    async with await AsyncConnection.connect(place.url) as connection:
        row = await (
            await connection.execute(
                "SELECT current_setting('fsync'), current_setting('server_version'),"
                " current_setting('synchronous_commit')"
            )
        ).fetchone()
    if row is None or (row[0], row[2]) != ("on", "on"):
        problem = f"the server does not wait for the disk: {row}"
        raise RuntimeError(problem)
    return f"PostgreSQL {row[1]}, fsync on, synchronous_commit on"


def _lone(duel: Duel, note: str) -> list[Figure]:
    waits = duel.ours.waits
    return [
        Figure(
            "lone record, p50",
            percentile(waits, 50),
            "ms",
            at_most=LONE_MILLISECONDS,
            note=note,
        ),
        Figure("lone record, p99", percentile(waits, 99), "ms"),
        Figure("lone bare commit, p50", percentile(duel.floor.waits, 50), "ms"),
        Figure("1 writer, pairs", duel.ours.rate, "/s"),
        Figure("1 writer, bare commits", duel.floor.rate, "/s"),
        _share("1 writer, share of bare commits", duel),
    ]


def _many(duel: Duel) -> list[Figure]:
    return [
        Figure("8 writers, pairs", duel.ours.rate, "/s", at_least=PAIRS_A_SECOND),
        Figure("8 writers, record p99", percentile(duel.ours.waits, 99), "ms"),
        Figure("8 writers, bare commits", duel.floor.rate, "/s"),
        _share("8 writers, share of bare commits", duel),
    ]


def _same(duel: Duel) -> list[Figure]:
    note = "one counter row, so one commit at a time"
    return [
        Figure("8 writers on one person, pairs", duel.ours.rate, "/s", note=note),
        Figure(
            "8 writers on one person, share",
            median(duel.shares),
            note="of bare commits, 8 writers",
        ),
    ]


def _share(name: str, duel: Duel) -> Figure:
    spread = f"rounds: {min(duel.shares):.2f} to {max(duel.shares):.2f}"
    return Figure(name, median(duel.shares), at_least=SHARE_OF_FLOOR, note=spread)
