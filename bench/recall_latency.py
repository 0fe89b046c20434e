"""How long a recall takes: with little and much to search, warm and at first touch."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter

from report import Figure, percentile
from rich.progress import Progress
from stage import Stage, stage
from texts import Talk

from gieok import Gieok, Parts, Scope, open_memory
from gieok.models.e5 import DIMENSION, E5Embedder
from gieok.testing import HashEmbedder, ScriptedModel

TURNS_A_SESSION = 25
SESSIONS_AT_ONCE = 8
WARM_MILLISECONDS = {1_000: 5.0, 10_000: 20.0}
FIRST_TOUCH_MILLISECONDS = {10_000: 150.0}
TIMES_THE_EMBEDDING = 1.7


@dataclass(frozen=True, slots=True)
class Size:
    """How many messages people have, and how often they are asked."""

    few: int
    many: int
    embedded: int
    questions: int
    touches: int


FULL = Size(few=1_000, many=10_000, embedded=1_000, questions=300, touches=9)
QUICK = Size(few=1_000, many=3_000, embedded=200, questions=80, touches=3)


async def measure(progress: Progress, *, quick: bool) -> list[Figure]:
    """Return times without the question's embedding, and with the real embedder."""
    size = QUICK if quick else FULL
    async with stage() as place:
        return [
            *await _without_embedding(place, progress, size),
            *await _with_embedding(place, progress, size),
        ]


async def _without_embedding(
    place: Stage, progress: Progress, size: Size
) -> list[Figure]:
    """Search with the real tokenizer and vectors of the real length that cost nothing.

    The vectors are made by `HashEmbedder` and written by the real pipeline.
    """
    parts = Parts(model=ScriptedModel(), embedder=HashEmbedder(DIMENSION))
    figures = []
    async with open_memory(place.config("hashed"), parts=parts, worker=False) as memory:
        for items in (size.few, size.many):
            person = memory.person(f"{items} items")
            await _fill(memory, person, items, progress)
            questions = Talk(2).questions()
            await _search(memory, person, questions, 10)
            what = f"searching {items:,} items"
            asked = progress.track(range(size.questions), description=what)
            waits = [await _timed(memory, person, next(questions)) for _ in asked]
            figures += _warm(items, waits)
        figures.append(await _first_touch(memory, person, size))
    return figures


async def _first_touch(memory: Gieok, person: Scope, size: Size) -> Figure:
    """Time searches that find nothing of the person in memory."""
    questions = Talk(3).questions()
    waits = []
    for _ in range(size.touches):
        memory.recall.drop(person)
        waits.append(await _timed(memory, person, next(questions)))
    return Figure(
        f"first touch of {size.many:,} items, p50",
        percentile(waits, 50),
        "ms",
        at_most=FIRST_TOUCH_MILLISECONDS.get(size.many),
        note=f"fetch, open, build, search; worst {max(waits) * 1000:.0f} ms",
    )


async def _with_embedding(place: Stage, progress: Progress, size: Size) -> list[Figure]:
    """Time whole recalls, and between them the embedding of a question by itself."""
    embedder = E5Embedder()
    parts = Parts(model=ScriptedModel(), embedder=embedder)
    async with open_memory(
        place.config("embedded"), parts=parts, worker=False
    ) as memory:
        person = memory.person("embedded")
        await _fill(memory, person, size.embedded, progress)
        questions = Talk(4).questions()
        await _search(memory, person, questions, 5)
        whole, alone = [], []
        for _ in progress.track(range(size.questions // 2), description="whole recall"):
            start = perf_counter()
            await embedder.queries([next(questions)])
            alone.append(perf_counter() - start)
            whole.append(await _timed(memory, person, next(questions)))
    items = f"{size.embedded:,} items"
    half = percentile(whole, 50)
    return [
        Figure(f"whole recall, e5, {items}, p50", half, "ms"),
        Figure(f"whole recall, e5, {items}, p99", percentile(whole, 99), "ms"),
        Figure("embedding a question alone, p50", percentile(alone, 50), "ms"),
        Figure(
            "whole recall beside embedding alone",
            half / percentile(alone, 50),
            "×",
            at_most=TIMES_THE_EMBEDDING,
            note="p50 of each, taken in turns",
        ),
    ]


async def _fill(memory: Gieok, person: Scope, items: int, progress: Progress) -> None:
    """Record and index so many messages, as an app would."""
    turns = Talk(1).turns(items // 2)
    starts = list(range(0, len(turns), TURNS_A_SESSION))
    gate = asyncio.Semaphore(SESSIONS_AT_ONCE)
    task = progress.add_task(f"recording {items:,} messages", total=len(turns))

    async def one_session(start: int) -> None:
        async with gate:
            talk = await memory.sessions.start(person)
            for turn in turns[start : start + TURNS_A_SESSION]:
                await memory.sessions.record(person, talk.session_id, turn)
                progress.advance(task)

    await asyncio.gather(*(one_session(start) for start in starts))
    task = progress.add_task(f"indexing {items:,} messages", total=None)
    await memory.recall.index(person)
    progress.update(task, total=1, completed=1)


async def _search(
    memory: Gieok, person: Scope, questions: Iterator[str], count: int
) -> None:
    for _ in range(count):
        await memory.recall.search(person, next(questions))


async def _timed(memory: Gieok, person: Scope, question: str) -> float:
    start = perf_counter()
    hits = await memory.recall.search(person, question)
    seconds = perf_counter() - start
    if not hits:
        problem = f"nothing found for {question!r}"
        raise RuntimeError(problem)
    return seconds


def _warm(items: int, waits: Sequence[float]) -> list[Figure]:
    return [
        Figure(
            f"warm search of {items:,} items, p50",
            percentile(waits, 50),
            "ms",
            at_most=WARM_MILLISECONDS.get(items),
            note="without embedding the question",
        ),
        Figure(
            f"warm search of {items:,} items, p99",
            percentile(waits, 99),
            "ms",
        ),
    ]
