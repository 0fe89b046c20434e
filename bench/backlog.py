"""How long a question waits while somebody else's long messages are embedded."""

import asyncio
from collections.abc import Iterator
from time import perf_counter

from report import Figure, percentile
from rich.progress import Progress
from stage import stage
from texts import Talk

from gieok import Gieok, Parts, Scope, Turn, open_memory
from gieok.kernel.background import mark_background
from gieok.models.e5 import E5Embedder
from gieok.testing import ScriptedModel

CHARACTERS = 2_000
FULL, QUICK = 16, 6
"""Messages of the one who is talkative."""
QUESTIONS = 40
TIMES_ALONE = 4.0


async def measure(progress: Progress, *, quick: bool) -> list[Figure]:
    """Return times of whole recalls alone and beside a backlog, with the real e5."""
    parts = Parts(model=ScriptedModel(), embedder=E5Embedder())
    async with (
        stage() as place,
        open_memory(place.config("backlog"), parts=parts, worker=False) as memory,
    ):
        asking, talking = memory.person("asking"), memory.person("talking")
        questions = Talk(5).questions()
        await _talk(memory, asking, 10, 60)
        await memory.recall.index(asking)
        await _timed(memory, asking, questions)
        alone = [await _timed(memory, asking, questions) for _ in range(QUESTIONS)]
        await _talk(memory, talking, (QUICK if quick else FULL) // 2, CHARACTERS)
        task = progress.add_task("embedding a backlog", total=None)
        backlog = asyncio.create_task(_embed(memory, talking))
        beside = []
        while not backlog.done():
            beside.append(await _timed(memory, asking, questions))
        progress.update(task, total=1, completed=1)
    return _figures(alone, beside, await backlog)


def _figures(alone: list[float], beside: list[float], seconds: float) -> list[Figure]:
    half, busy = percentile(alone, 50), percentile(beside, 50)
    return [
        Figure("question alone, p50", half, "ms"),
        Figure("question beside a backlog, p50", busy, "ms"),
        Figure("question beside a backlog, worst", max(beside) * 1000, "ms"),
        Figure(
            "the whole backlog", seconds, "s", note=f"{len(beside)} questions meanwhile"
        ),
        Figure(
            "question beside a backlog, times alone",
            busy / half,
            "×",
            at_most=TIMES_ALONE,
            note="p50 of each",
        ),
    ]


async def _embed(memory: Gieok, person: Scope) -> float:
    """Do what a worker's job does, and return the seconds it took."""
    start = perf_counter()
    with mark_background():
        await memory.recall.index(person)
    return perf_counter() - start


async def _talk(memory: Gieok, person: Scope, turns: int, characters: int) -> None:
    talk = await memory.sessions.start(person)
    for turn in Talk(6).turns(turns):
        long = [
            (text + " ") * (characters // (len(text) + 1) + 1)
            for text in (turn.user_text, turn.assistant_text)
        ]
        said = Turn(*(text[:characters] for text in long))
        await memory.sessions.record(person, talk.session_id, said)


async def _timed(memory: Gieok, person: Scope, questions: Iterator[str]) -> float:
    start = perf_counter()
    await memory.recall.search(person, next(questions))
    return perf_counter() - start
