"""The pictures in the documentation, taken from the pages as they are.

`make images` keeps them; otherwise they are taken and thrown away.
"""

import os
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from pathlib import Path

import httpx
from playwright.async_api import BrowserContext, Page

from gieok.kernel.language import Basis, Category, Emotion, Gist
from gieok.testing import FixedClock
from support.browser import Look, follow
from support.episodes import PLAIN_EPISODE
from support.page_operators import Operator
from support.page_people import PagePerson
from support.paths import ROOT

NewWindow = Callable[..., AbstractAsyncContextManager[BrowserContext]]
FOLDER = ROOT / "docs" / "images"
WIDTH = 900
PNG = b"\x89PNG\r\n\x1a\n"
KNOWN = (
    (
        "We moved to Mangwon-dong in spring.",
        "The user lives in Mangwon-dong, Seoul",
        Category.LOCATION,
    ),
    (
        "No sugar in my coffee, please.",
        "The user likes their coffee without sugar",
        Category.PREFERENCE,
    ),
    (
        "I run along the river every morning.",
        "The user runs along the river every morning",
        Category.HABIT,
    ),
)


TALKED = (
    ("Plans a trip to Jeju in May", ("travel", "Jeju"), Emotion.EXCITEMENT, 7),
    ("Slept badly before the interview", ("interview", "sleep"), Emotion.STRESS, 8),
    ("Cooked kimchi with their mother", ("cooking", "family"), Emotion.JOY, 5),
)
"""What conversations with a persona were about."""


async def live_a_while(minji: PagePerson, clock: FixedClock) -> dict[str, str]:
    """Have something on every page; return the name of each picture and its path."""
    await minji.consents()
    gieok, scope = minji.gieok, minji.scope
    await gieok.profile.merge(scope, {"name": "Minji", "interests": ["running"]})
    for sentence, fact, category in KNOWN:
        await minji.tells(sentence, fact=fact, category=category)
        clock.set(clock() + timedelta(days=3))
    lost = await minji.remembers("The user has a cat named Nabi")
    receipt = await gieok.memories.forget(scope, lost.memory_id)
    hint = "I might start to learn the cello."
    session = await minji.tells(hint, fact=hint, basis=Basis.OBSERVED)
    persona_id = await gieok.accounts.persona(scope, "Mina")
    told = [
        await gieok.episodes.create(
            scope,
            persona_id=persona_id,
            gist=Gist(summary, topics, emotion, importance),
            **PLAIN_EPISODE,
        )
        for summary, topics, emotion, importance in TALKED
    ]
    await minji.forks("Kitchen speaker")
    await gieok.settled(scope)
    (newest, *_), _ = await gieok.memories.page(scope, category=Category.HABIT)
    return {
        "known": "/me/",
        "why": f"/me/memories/{newest.memory_id}",
        "forget": f"/me/memories/{newest.memory_id}/forget",
        "receipt": f"/me/receipts/{receipt.receipt_id}",
        "waiting": "/me/waiting",
        "conversations": "/me/conversations",
        "conversation": f"/me/conversations/{session}",
        "episodes": "/me/episodes",
        "episode": f"/me/episodes/{told[-1].episode.episode_id}",
        "profile": "/me/profile",
        "switches": "/me/switches",
        "welcome": "/me/welcome",
        "statistics": "/me/statistics",
        "devices": "/me/devices",
        "looks": "/me/looks",
        "leave": "/me/leave",
    }


async def test_pictures_of_a_person_s_pages_are_taken(
    window: NewWindow, minji: PagePerson, clock: FixedClock, tmp_path: Path
) -> None:
    began = clock()
    try:
        await take_pictures(window, minji, clock, tmp_path)
    finally:
        clock.set(began)


async def take_pictures(
    window: NewWindow, minji: PagePerson, clock: FixedClock, tmp_path: Path
) -> None:
    paths = await live_a_while(minji, clock)
    async with window(Look(width=WIDTH)) as context:
        page = await context.new_page()
        await minji.signs_in(page)
        for name, path in paths.items():
            answer = await page.goto(path)
            assert answer is not None
            assert answer.status == 200
            await take_picture(page, tmp_path, f"pages_{name}")
        await page.goto("/me/explain")
        await page.get_by_role("searchbox").fill("Where do I like to run?")
        await follow(page.get_by_role("searchbox"), "Enter")
        assert await page.get_by_text("river every morning").count() >= 1
        await take_picture(page, tmp_path, "pages_explain")


async def test_pictures_of_the_operators_pages_are_taken(
    window: NewWindow,
    operator: Operator,
    minji: PagePerson,
    http: httpx.AsyncClient,
    tmp_path: Path,
) -> None:
    app = await operator.key("read", "write", "act_as", name="voice-assistant")
    headers = {"Authorization": f"Bearer {app.secret}", "X-Gieok-User": "minji"}
    for _ in range(5):
        answer = await http.get("/api/v1/users/me/memories", headers=headers)
        assert answer.status_code == 200
    await minji.remembers("The user keeps bees")
    await operator.gieok.audit.seal()
    async with window(Look(width=WIDTH)) as context:
        page = await context.new_page()
        await operator.opens(page)
        for name in ("health", "queue", "traffic", "keys", "sync", "seals", "quality"):
            await page.goto(f"/console/{'' if name == 'health' else name}")
            assert await page.locator("h1").count() == 1
            await take_picture(page, tmp_path, f"console_{name}")
        await page.goto("/console/people")
        await page.locator('[name="user_id"]').fill(minji.user_id)
        await follow(page.locator("main form button"))
        await take_picture(page, tmp_path, "console_person")
        await page.goto("/docs/calls/memories")
        await take_picture(page, tmp_path, "docs_calls")


def test_every_picture_is_of_a_page_and_shown_somewhere() -> None:
    told = "".join(
        file.read_text("utf-8")
        for file in (ROOT / "README.md", ROOT / "docs" / "howto" / "pages.md")
    )
    pictures = [file.name for file in FOLDER.glob("*.png")]
    assert len(pictures) > 20
    assert [name for name in pictures if name not in told] == []


async def take_picture(page: Page, folder: Path, name: str) -> None:
    """Keep a picture of a page: in the documentation, or in a folder of the test."""
    file = (FOLDER if os.environ.get("GIEOK_IMAGES") else folder) / f"{name}.png"
    await page.screenshot(path=file)
    assert file.read_bytes().startswith(PNG)
