"""The same words with the same embedder: gieok, LangGraph's store, mem0.

They take turns, so that whatever else the machine does meets all of them alike.
"""

import asyncio
import json
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import perf_counter

import peer
from peer import Home, Peer, Said
from report import Figure, percentile
from rich.progress import Progress
from stage import Stage, stage
from texts import Talk

LIMIT = 10
PERSON = "minji"
TURNS_AT_ONCE = 8
NAMES = {"peer_gieok": "gieok", "peer_langgraph": "LangGraph", "peer_mem0": "mem0"}
NEEDED = {"peer_langgraph": "langgraph.store.postgres", "peer_mem0": "mem0"}
INSTALL = ".venv/bin/pip install -e '.[bench]'"
START = Path(__file__).with_name("peer_start.py")


@dataclass(frozen=True, slots=True)
class Size:
    """How much is said and asked, and how often a library is started."""

    turns: int
    questions: int
    starts: int


FULL = Size(turns=128, questions=80, starts=3)
QUICK = Size(turns=8, questions=10, starts=1)


@dataclass(slots=True)
class Score:
    """What one library did."""

    adding: float = 0.0
    searches: list[float] = field(default_factory=list)
    opened: list[float] = field(default_factory=list)
    added: list[float] = field(default_factory=list)


async def measure(progress: Progress, *, quick: bool) -> list[Figure]:
    """Return adds a second, time of a search and of starting, for each library."""
    size = QUICK if quick else FULL
    present = [name for name in NAMES if _installed(NEEDED.get(name))]
    absent = [name for name in NAMES if name not in present]
    scores = {name: Score() for name in present}
    peer.forbid_network()
    async with stage() as place:
        homes = {name: _home(place, name) for name in present}
        floors = await _use(homes, scores, size, progress)
        started = await _start(place, homes, scores, size, progress)
    return [
        *_adds(scores, size, floors[0]),
        *_searches(scores, floors[1]),
        *_starts(scores, started),
        *(_missing(name) for name in absent),
    ]


def _installed(package: str | None) -> bool:
    """Tell whether a package is there, without importing the whole of it."""
    if package is None:
        return True
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:
        return False


def _home(place: Stage, name: str) -> Home:
    folder = place.folder / name
    folder.mkdir()
    database = None if name == "peer_mem0" else place.database(f"of_{name}")
    return Home(folder, database)


async def _use(
    homes: dict[str, Home], scores: dict[str, Score], size: Size, progress: Progress
) -> tuple[float, list[float]]:
    """Add and search in turns; return what the embedding alone takes."""
    talk = Talk(1)
    turns = [Said(turn.user_text, turn.assistant_text) for turn in talk.turns(1000)]
    questions = talk.questions()
    async with AsyncExitStack() as stack:
        peers = {
            name: await stack.enter_async_context(import_module(name).opened(home))
            for name, home in homes.items()
        }
        for library in peers.values():  # models loaded, statements prepared
            await _add(library, turns[-LIMIT // 2 :])
            await library.search(PERSON, next(questions), LIMIT)
        embedding = 0.0
        for start in progress.track(
            range(0, size.turns, TURNS_AT_ONCE), description="adding"
        ):
            chunk = turns[start : start + TURNS_AT_ONCE]
            embedding += await _embed(chunk)
            for name, library in peers.items():
                scores[name].adding += await _add(library, chunk)
        alone = []
        for _ in progress.track(range(size.questions), description="searching"):
            asked = next(questions)
            alone.append(await _timed_question(asked))
            for name, library in peers.items():
                scores[name].searches.append(await _search(library, asked))
    return embedding, alone


async def _add(library: Peer, turns: Sequence[Said]) -> float:
    start = perf_counter()
    for turn in turns:
        await library.add(PERSON, turn)
    await library.settle(PERSON)
    return perf_counter() - start


async def _search(library: Peer, question: str) -> float:
    start = perf_counter()
    found = await library.search(PERSON, question, LIMIT)
    seconds = perf_counter() - start
    if found != LIMIT:
        problem = f"{type(library).__name__} found {found} of {LIMIT}"
        raise RuntimeError(problem)
    return seconds


async def _embed(turns: Sequence[Said]) -> float:
    start = perf_counter()
    await peer.in_thread(peer.passages, [text for turn in turns for text in turn])
    return perf_counter() - start


async def _timed_question(text: str) -> float:
    start = perf_counter()
    await peer.in_thread(peer.question, text)
    return perf_counter() - start


async def _start(
    place: Stage,
    homes: dict[str, Home],
    scores: dict[str, Score],
    size: Size,
    progress: Progress,
) -> Score:
    """Start each library in fresh processes; return gieok starting its own server."""
    alone = Score()
    own = Home(place.folder / "own")
    await _start_one("peer_gieok", own)  # makes the database
    for _ in progress.track(range(size.starts), description="starting"):
        for name, home in homes.items():
            _note(scores[name], await _start_one(name, home))
        _note(alone, await _start_one("peer_gieok", own))
    return alone


async def _start_one(name: str, home: Home) -> dict[str, float]:
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        START,
        name,
        home.folder,
        *([home.database] if home.database else []),
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        written, _ = await child.communicate()
    finally:
        if child.returncode is None:
            child.terminate()
    if child.returncode:
        problem = f"starting {NAMES[name]} ended with {child.returncode}"
        raise RuntimeError(problem)
    return json.loads(written)


def _note(score: Score, times: dict[str, float]) -> None:
    score.opened.append(times["open"])
    score.added.append(times["added"])


def _adds(scores: dict[str, Score], size: Size, embedding: float) -> list[Figure]:
    messages = 2 * size.turns
    ours = messages / scores["peer_gieok"].adding
    note = "durable and searchable; one caller"
    figures = [
        Figure(f"{NAMES[name]}, messages", messages / score.adding, "/s", note=note)
        for name, score in scores.items()
    ]
    figures += [
        Figure(
            f"gieok's rate beside {NAMES[name]}'s",
            ours * score.adding / messages,
            "×",
        )
        for name, score in scores.items()
        if name != "peer_gieok"
    ]
    alone = Figure("embedding alone", messages / embedding, "/s", note="the floor")
    return [*figures, alone]


def _searches(scores: dict[str, Score], alone: Sequence[float]) -> list[Figure]:
    ours = percentile(scores["peer_gieok"].searches, 50)
    figures = [
        Figure(f"{NAMES[name]}, search p50", percentile(score.searches, 50), "ms")
        for name, score in scores.items()
    ]
    figures += [
        Figure(
            f"{NAMES[name]}'s search beside gieok's",
            percentile(score.searches, 50) / ours,
            "×",
        )
        for name, score in scores.items()
        if name != "peer_gieok"
    ]
    floor = percentile(alone, 50)
    return [*figures, Figure("embedding the question alone, p50", floor, "ms")]


def _starts(scores: dict[str, Score], alone: Score) -> list[Figure]:
    figures = [
        _started(f"{NAMES[name]}, import and open", score)
        for name, score in scores.items()
    ]
    return [*figures, _started("gieok, and its own PostgreSQL", alone)]


def _started(name: str, score: Score) -> Figure:
    first = f"first add done after {median(score.added):.2f} s"
    return Figure(name, median(score.opened), "s", note=first)


def _missing(name: str) -> Figure:
    return Figure(NAMES[name], None, note=f"not installed: {INSTALL}")
