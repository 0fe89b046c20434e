"""The pictures in the documentation, taken from the pages as they are.

`make images` keeps them; otherwise they are taken and thrown away.
"""

import os
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import httpx
import pytest
from playwright.async_api import BrowserContext, Page

from gieok.kernel.language import Category
from support.browser import Look, follow
from support.page_operators import Operator
from support.page_people import PagePerson
from support.paths import ROOT

NewWindow = Callable[..., AbstractAsyncContextManager[BrowserContext]]
FOLDER = ROOT / "docs" / "images"
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


@pytest.mark.parametrize("name", ["pages_known", "pages_why"])
async def test_a_picture_is_taken(
    window: NewWindow, minji: PagePerson, tmp_path: Path, name: str
) -> None:
    await minji.consents()
    for sentence, fact, category in KNOWN:
        await minji.tells(sentence, fact=fact, category=category)
    async with window(Look(width=900)) as context:
        page = await context.new_page()
        await minji.signs_in(page)
        if name == "pages_why":
            await follow(page.get_by_role("link", name="Why is this known?").first)
        assert await page.get_by_text("river every morning").count() >= 1
        await take_picture(page, tmp_path, name)


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("console_health", "/console/"),
        ("console_traffic", "/console/traffic"),
        ("console_keys", "/console/keys"),
        ("docs_calls", "/docs/calls/memories"),
    ],
)
async def test_a_picture_of_the_operators_pages_is_taken(
    window: NewWindow,
    operator: Operator,
    http: httpx.AsyncClient,
    tmp_path: Path,
    name: str,
    path: str,
) -> None:
    app = await operator.key("read", "write", "act_as", name="voice-assistant")
    headers = {"Authorization": f"Bearer {app.secret}", "X-Gieok-User": "minji"}
    for _ in range(5):
        answer = await http.get("/api/v1/users/me/memories", headers=headers)
        assert answer.status_code == 200
    async with window(Look(width=900)) as context:
        page = await context.new_page()
        await operator.opens(page)
        await page.goto(path)
        assert await page.locator("h1").count() == 1
        await take_picture(page, tmp_path, name)


async def take_picture(page: Page, folder: Path, name: str) -> None:
    """Keep a picture of a page: in the documentation, or in a folder of the test."""
    file = (FOLDER if os.environ.get("GIEOK_IMAGES") else folder) / f"{name}.png"
    await page.screenshot(path=file)
    assert file.read_bytes().startswith(PNG)
