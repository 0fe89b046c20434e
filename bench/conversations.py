"""Conversations over time: sums, the agenda's sweep, days that end, episodes."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from time import perf_counter
from uuid import UUID, uuid5

from psycopg import AsyncConnection
from psycopg.conninfo import make_conninfo
from report import Figure, percentile
from rich.progress import Progress
from stage import Stage, stage
from texts import Talk

from gieok import Gieok, Parts, Scope, open_memory
from gieok.database.migrate import SCHEMA
from gieok.kernel.language import Gist
from gieok.testing import FixedClock, HashEmbedder, ScriptedModel, WordTokenizer

SUM_MILLISECONDS = 300.0
SUM_MESSAGES = 50
SWEEP_SECONDS = 5.0
DUE = 1_000
"""Entries that are due, 1 % of the sessions of the smaller size."""
DAYS_A_SECOND = 50.0
LOAD_MILLISECONDS = 50.0
SAVE_MILLISECONDS = 100.0
AT_ONCE = 50
HANDS = 2
"""Jobs a worker runs at once."""
EPISODES = 5
START = datetime(2026, 1, 5, 3, 0, tzinfo=UTC)
SPACE = UUID(int=0)
RANDOM = random.Random(1)  # noqa: S311 - no secret depends on it

PEOPLE = """
    INSERT INTO users (user_id, created_at, updated_at)
    SELECT id, %(at)s, %(at)s FROM unnest(%(ids)s::uuid[]) AS id
"""
SESSIONS = """
    INSERT INTO sessions (user_id, session_id, status, created_at, updated_at)
    SELECT id, gen_random_uuid(), 'active', %(at)s, %(at)s
    FROM unnest(%(ids)s::uuid[]) AS id, generate_series(1, %(sessions)s)
"""
ENTRIES = """
    INSERT INTO agenda (user_id, task, due)
    SELECT id, task, %(at)s + CASE
        WHEN task = 'sessions_may_be_idle' AND place <= %(due)s
        THEN -interval '1 minute'
        ELSE interval '1 hour' END
    FROM unnest(%(ids)s::uuid[]) WITH ORDINALITY AS people (id, place),
         unnest(
             ARRAY['sessions_may_be_idle', 'period_ended', 'summaries_expired']
         ) AS task
"""


@dataclass(frozen=True, slots=True)
class Size:
    """How many people and sums are measured."""

    sums: int
    people: int
    closed: int
    rounds: int


FULL = Size(sums=20, people=10_000, closed=300, rounds=12)
QUICK = Size(sums=10, people=2_000, closed=60, rounds=4)


async def measure(progress: Progress, *, quick: bool) -> list[Figure]:
    """Return times of sums, sweeps, days and episodes."""
    size = QUICK if quick else FULL
    async with stage() as place:
        return [
            *await _sums(place, progress, size),
            *await _sweeps(place, progress, size),
            *await _days(place, progress, size),
            *await _episodes(place, progress, size),
        ]


def _fakes(clock: FixedClock) -> Parts:
    return Parts(
        clock=clock,
        model=ScriptedModel(),
        embedder=HashEmbedder(),
        tokenizer=WordTokenizer(),
    )


async def _sums(place: Stage, progress: Progress, size: Size) -> list[Figure]:
    """Sum up sessions with the rules, which need no key, from call to commit."""
    async with open_memory(place.config("sums"), worker=False) as memory:
        person, talk = memory.person("somebody"), Talk(5)
        waits = []
        for _ in progress.track(range(size.sums + 2), description="sums"):
            session = await _told(memory, person, talk, SUM_MESSAGES // 2)
            begun = perf_counter()
            summary = await memory.summaries.session(person, session)
            waits.append(perf_counter() - begun)
            _require(summary is not None, "a session that says something has a sum")
    waits = waits[2:]  # the first ones load Kiwi and e5
    name = f"sum of {SUM_MESSAGES} messages without a model"
    return [
        Figure(f"{name}, p50", percentile(waits, 50), "ms"),
        Figure(f"{name}, p99", percentile(waits, 99), "ms", at_most=SUM_MILLISECONDS),
    ]


async def _told(memory: Gieok, person: Scope, talk: Talk, turns: int) -> UUID:
    """Return a session that holds so many turns."""
    session = await memory.sessions.start(person)
    for turn in talk.turns(turns):
        await memory.sessions.record(person, session.session_id, turn)
    return session.session_id


async def _sweeps(place: Stage, progress: Progress, size: Size) -> list[Figure]:
    """Sweep an agenda of which the same number is due, with ten times the people."""
    clock, config = FixedClock(START), place.config("sweeps")
    url = config.database_url or ""
    due = min(DUE, size.people // 2)
    async with open_memory(config, parts=_fakes(clock), worker=False) as memory:
        few = await _swept(memory, url, progress, size.people, 10, due)
        many = await _swept(memory, url, progress, 10 * size.people, 1, due)
    note = f"{due:,} entries due"
    return [
        Figure(
            f"sweep, {size.people:,} people, {10 * size.people:,} sessions",
            few,
            "s",
            at_most=SWEEP_SECONDS,
            note=note,
        ),
        Figure(f"sweep, {10 * size.people:,} people", many, "s", note=note),
        Figure("10 times the people, times the time", many / few, at_most=2.0),
    ]


async def _swept(
    memory: Gieok, url: str, progress: Progress, people: int, sessions: int, due: int
) -> float:
    """Return the seconds a sweep takes with so many people, once they are there."""
    watched = progress.add_task(f"{people:,} people", total=None)
    ids = [uuid5(SPACE, f"{people} {number}") for number in range(people)]
    values = {"ids": ids, "at": START, "due": due, "sessions": sessions}
    owner = make_conninfo(url, options=f"-c search_path={SCHEMA}")
    async with await AsyncConnection.connect(owner, autocommit=True) as connection:
        for statement in (PEOPLE, SESSIONS, ENTRIES):
            await connection.execute(statement, values)
        await connection.execute("ANALYZE")
        begun = perf_counter()
        swept = await memory.agenda.enqueue_due()
        seconds = perf_counter() - begun
        await connection.execute("DELETE FROM procrastinate_jobs")
    progress.remove_task(watched)
    _require(swept == due, f"{swept} of {due} entries were swept")
    return seconds


async def _days(place: Stage, progress: Progress, size: Size) -> list[Figure]:
    """End the day of people who talked three times, with one worker's two hands."""
    clock = FixedClock(START)
    parts = _fakes(clock)
    figures = []
    async with open_memory(place.config("days"), parts=parts, worker=False) as memory:
        for summed in (True, False):
            clock.set(START)
            people = [memory.person(f"{summed} {n}") for n in range(size.closed)]
            talked = [_talked(memory, person, summed=summed) for person in people]
            description = "people talk"
            for some in progress.track(_some(talked, 8), description=description):
                await asyncio.gather(*some)
            clock.advance(timedelta(days=1))
            begun = perf_counter()
            waiting = iter(people)
            await asyncio.gather(*(_end_days(memory, waiting) for _ in range(HANDS)))
            rate = size.closed / (perf_counter() - begun)
            kept = await memory.summaries.days(people[-1])
            _require(len(kept) == 1, "the day that ended is kept")
            how = "summed up" if summed else "not summed up yet"
            figures.append(
                Figure(
                    f"days ended, sessions {how}",
                    rate,
                    "people/s",
                    at_least=DAYS_A_SECOND if summed else None,
                    note="3 sessions each, 1 worker, without the model's time",
                )
            )
    return figures


async def _end_days(memory: Gieok, waiting: Iterator[Scope]) -> None:
    for person in waiting:
        await memory.summaries.close_due(person)


async def _talked(memory: Gieok, person: Scope, *, summed: bool) -> None:
    for number in range(3):
        session = await _told(memory, person, Talk(number), 2)
        if summed:
            await memory.summaries.session(person, session)


def _some(works: Sequence[Awaitable[None]], count: int) -> list[Sequence]:
    return [works[start : start + count] for start in range(0, len(works), count)]


async def _episodes(place: Stage, progress: Progress, size: Size) -> list[Figure]:
    """Load and save the episodes of fifty people who are there together."""
    parts = _fakes(FixedClock(START))
    config = place.config("episodes")
    async with open_memory(config, parts=parts, worker=False) as memory:
        people = [memory.person(f"person {number}") for number in range(AT_ONCE)]
        personas = [await memory.accounts.persona(one, "friend") for one in people]
        pairs = list(zip(people, personas, strict=True))
        numbers = iter(range(1_000_000))

        async def save(pair: tuple[Scope, UUID]) -> None:
            number = next(numbers)
            await memory.episodes.create(
                pair[0],
                persona_id=pair[1],
                session_id=None,
                gist=Gist(f"사용자가 영화 {number}편을 봤다.", (f"영화 {number}",)),
                is_fallback=False,
                is_manual=True,
                summarizer="bench/1",
            )

        async def load(pair: tuple[Scope, UUID]) -> None:
            loaded = await memory.episodes.load(pair[0], pair[1], limit=EPISODES)
            _require(len(loaded) == EPISODES, "the free plan keeps five")

        for _ in range(EPISODES + 1):
            await _called(save, pairs, within=0)
        figures = []
        for name, work, most in (
            (f"load of {EPISODES} episodes", load, LOAD_MILLISECONDS),
            ("save of an episode", save, SAVE_MILLISECONDS),
        ):
            rounds = progress.track(range(size.rounds), description=name)
            waits = [
                wait for _ in rounds for wait in await _called(work, pairs, within=1)
            ]
            burst = await _called(work, pairs, within=0)
            figures += [
                Figure(
                    f"{name}, p99",
                    percentile(waits, 99),
                    "ms",
                    at_most=most,
                    note=f"{AT_ONCE} people, each once a second",
                ),
                Figure(
                    f"{name}, the slowest",
                    percentile(burst, 100),
                    "ms",
                    note=f"{AT_ONCE} people in the same moment",
                ),
            ]
    return figures


async def _called(
    work: Callable[[tuple[Scope, UUID]], Awaitable[None]],
    pairs: Sequence[tuple[Scope, UUID]],
    *,
    within: float,
) -> list[float]:
    """Return how long each call took when everybody called within so many seconds."""

    async def timed(pair: tuple[Scope, UUID]) -> float:
        await asyncio.sleep(within * RANDOM.random())
        begun = perf_counter()
        await work(pair)
        return perf_counter() - begun

    return await asyncio.gather(*(timed(pair) for pair in pairs))


def _require(holds: bool, what: str) -> None:  # noqa: FBT001 - reads as a sentence
    if not holds:
        raise RuntimeError(what)
