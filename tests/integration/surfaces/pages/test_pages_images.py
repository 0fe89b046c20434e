"""The pictures in the documentation, taken from the pages as they are.

`make images` keeps them; otherwise they are taken and thrown away.
"""

import os
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest
from playwright.async_api import BrowserContext

from gieok.kernel.language import Category
from support.browser import Look, follow
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
    keeps = bool(os.environ.get("GIEOK_IMAGES"))
    await minji.consents()
    for sentence, fact, category in KNOWN:
        await minji.tells(sentence, fact=fact, category=category)
    async with window(Look(width=900)) as context:
        page = await context.new_page()
        await minji.signs_in(page)
        if name == "pages_why":
            await follow(page.get_by_role("link", name="Why is this known?").first)
        assert await page.get_by_text("river every morning").count() >= 1
        folder = FOLDER if keeps else tmp_path
        await page.screenshot(path=folder / f"{name}.png")
        assert (folder / f"{name}.png").read_bytes().startswith(PNG)
