"""How long the server takes for a page of somebody with 10,000 memories and messages.

The pages are asked for in the process, without a network and one after another, so that
what is timed is the server's own work. The embedder is one that costs nothing.
"""

import asyncio
import io
import json
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from time import perf_counter
from typing import TYPE_CHECKING

import httpx
from report import Figure, percentile
from stage import stage

from gieok import ALL_CATEGORIES, Gieok, Parts, Scope, Turn, open_memory
from gieok.kernel.clock import read_system_clock
from gieok.kernel.language import Gist
from gieok.portability import Source
from gieok.settings import Purpose
from gieok.surfaces.pages import add_pages
from gieok.surfaces.rest import Tokens, create_app
from gieok.testing import HashEmbedder, ScriptedModel, WordTokenizer

if TYPE_CHECKING:
    from rich.progress import Progress

SAME = {"Sec-Fetch-Site": "same-origin"}
PAGES = (
    "",
    "?offset=5000&aside=true",
    "?order=used",
    "waiting",
    "conversations",
    "episodes",
    "profile",
    "switches",
    "statistics",
    "explain",
    "devices",
    "looks",
    "leave",
    "receipts",
)
MAX_MILLISECONDS = 60.0
MAX_KILOBYTES = 250.0
AT_ONCE = 8
PAIRS_A_SESSION = 50
EPISODES = 200
"""As many as the page of episodes makes its figures of."""
SECRET = b"a secret of measurements, 32 bytes"


async def measure(progress: "Progress", *, quick: bool) -> list[Figure]:
    """Time every page and a search (`quick`: 1,000 memories and messages)."""
    items, rounds = (1_000, 10) if quick else (10_000, 30)
    parts = Parts(
        model=ScriptedModel(), embedder=HashEmbedder(), tokenizer=WordTokenizer()
    )
    async with (
        stage() as at,
        open_memory(at.config("pages"), parts=parts, worker=False) as memory,
    ):
        person = memory.person("big")
        await _fill(memory, person, items, progress)
        async with _sign_in(memory, person) as http:
            return await _time_pages(http, items, rounds, progress)


async def _fill(memory: Gieok, person: Scope, items: int, progress: "Progress") -> None:
    changes = {"allowed_categories": list(ALL_CATEGORIES), "max_memories": items}
    await memory.settings.update(person, changes)
    task = progress.add_task(f"keeping {items:,} memories", total=None)
    told = [
        {"id": str(number), "memory": f"The user saw bird number {number}"}
        for number in range(items)
    ]
    archive = io.BytesIO(json.dumps({"results": told}).encode())
    await memory.portability.load(person, archive, Source.MEM0)
    progress.update(task, total=1, completed=1)
    pairs, gate = items // 2, asyncio.Semaphore(AT_ONCE)
    task = progress.add_task(f"recording {items:,} messages", total=pairs)

    async def talk(first: int) -> None:
        async with gate:
            session = await memory.sessions.start(person)
            for number in range(first, first + PAIRS_A_SESSION):
                turn = Turn(f"오늘 {number}번째로 한강을 달렸어요.", "좋네요.")
                await memory.sessions.record(person, session.session_id, turn)
                progress.advance(task)

    await asyncio.gather(*map(talk, range(0, pairs, PAIRS_A_SESSION)))
    for number in range(EPISODES):
        await memory.episodes.create(
            person,
            persona_id=await memory.accounts.persona(person, f"persona {number % 40}"),
            session_id=None,
            gist=Gist(f"The user told of bird {number}", ("birds",)),
            is_fallback=False,
            is_manual=True,
            summarizer="person",
        )
    await memory.recall.index(person)


@asynccontextmanager
async def _sign_in(memory: Gieok, person: Scope) -> AsyncGenerator[httpx.AsyncClient]:
    """Return a client that is signed in on the pages and past the consent screen."""
    granted = {each.value: each is not Purpose.WORDS for each in Purpose}
    await memory.settings.consent(person, granted, notice="pages/1")
    app = create_app(memory, Tokens(SECRET, read_system_clock))
    add_pages(app)
    link = await memory.sign_ins.create_link(person)
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url="http://127.0.0.1"
    ) as http:
        answer = await http.post(f"/me/open/{link.secret}", headers=SAME)
        _require(answer, 303)
        yield http


async def _time_pages(
    http: httpx.AsyncClient, items: int, rounds: int, progress: "Progress"
) -> list[Figure]:
    first = await _timed(http, "")
    waits: dict[str, list[float]] = {path: [] for path in PAGES}
    for _ in progress.track(range(rounds), description="asking for pages"):
        for path in PAGES:
            waits[path].append(await _timed(http, path))
    page = (await http.get("/me/")).text
    waits["search"] = [
        await _timed_search(http, page, f"bird number {number}")
        for number in range(rounds)
    ]
    slowest = max(waits, key=lambda path: percentile(waits[path], 95))
    every = [seconds for path in waits for seconds in waits[path]]
    return [
        Figure(
            f"any page, {items:,} memories and messages, p95",
            percentile(every, 95),
            "ms",
            at_most=MAX_MILLISECONDS,
            note=f"{len(waits)} pages, {rounds} times each",
        ),
        *(
            Figure(
                f"/me/{path}, p95",
                percentile(waits[path], 95),
                "ms",
                at_most=MAX_MILLISECONDS,
                note="the slowest page" if path == slowest else "",
            )
            for path in waits
        ),
        Figure("first page after a start", first * 1_000, "ms", note="cold"),
        Figure(
            "/me/profile, first look after a change",
            waits["profile"][0] * 1_000,
            "ms",
            note="the card is made of all memories",
        ),
        await _measure_load(http, page),
    ]


async def _measure_load(http: httpx.AsyncClient, page: str) -> Figure:
    """Return how much a browser fetches that has nothing yet."""
    styles = re.findall(r'<link rel="stylesheet" href="([^"]+)"', page)
    answers = [await http.get(path) for path in styles]
    size = len(page.encode()) + sum(len(answer.content) for answer in answers)
    return Figure(
        "first load", size / 1_000, "KB", at_most=MAX_KILOBYTES, note="not packed"
    )


async def _timed(http: httpx.AsyncClient, path: str) -> float:
    start = perf_counter()
    answer = await http.get(f"/me/{path}")
    seconds = perf_counter() - start
    _require(answer, 200)
    return seconds


async def _timed_search(http: httpx.AsyncClient, page: str, question: str) -> float:
    token = page.split('name="form_token" value="')[1].split('"', 1)[0]
    told = {"form_token": token, "question": question}
    start = perf_counter()
    answer = await http.post("/me/search", data=told, headers=SAME)
    seconds = perf_counter() - start
    _require(answer, 200)
    return seconds


def _require(answer: httpx.Response, status: int) -> None:
    if answer.status_code != status:
        problem = f"{answer.request.url.path}: {answer.status_code}"
        raise RuntimeError(problem)
