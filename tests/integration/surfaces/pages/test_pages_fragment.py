"""The fragment that docs/howto/pages.md gives to apps, in a real browser."""

import re
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from playwright.async_api import BrowserContext, Page, Route

from gieok.surfaces.rest import Tokens
from gieok.testing import FixedClock
from support.page_people import PagePerson

NewWindow = Callable[..., AbstractAsyncContextManager[BrowserContext]]
HOWTO = Path(__file__).parents[4] / "docs" / "howto" / "pages.md"
APP = "/app-of-somebody"
HOSTILE = "The user likes <img src=x onerror=alert(1)> bees"


def read_fragment() -> str:
    found = re.search(r"```html\n(.+?)```", HOWTO.read_text(), re.DOTALL)
    assert found is not None
    return found[1]


async def open_app(page: Page) -> None:
    """Open a page of an app beside gieok that has the fragment."""

    async def answer(route: Route) -> None:
        body = f"<!doctype html><title>app</title>{read_fragment()}"
        await route.fulfill(body=body, content_type="text/html")

    await page.route(f"**{APP}", answer)
    await page.goto(APP)
    await page.wait_for_function("globalThis.showMemory !== undefined")


async def show_memory(page: Page, token: str, ids: list[str], since: datetime) -> None:
    given = {"token": token, "ids": ids, "since": since.isoformat()}
    call = "given => showMemory(document.querySelector('aside'), given)"
    await page.evaluate(call, given)


@pytest.mark.req("D14")
async def test_an_app_shows_what_an_answer_rests_on(
    window: NewWindow, minji: PagePerson, tokens: Tokens, clock: FixedClock
) -> None:
    before = clock() - timedelta(seconds=1)
    memory = await minji.remembers(HOSTILE)
    token = tokens.issue(minji.user_id, timedelta(minutes=5))
    async with window() as context:
        page = await context.new_page()
        await open_app(page)
        assert await page.locator("aside").is_hidden()
        await show_memory(page, token, [str(memory.memory_id)], before)
        assert await page.get_by_role("status").inner_text() == "Memory updated"
        await page.locator("summary").click()
        link = page.locator("aside a")
        assert await link.inner_text() == HOSTILE
        assert await page.locator("aside img").count() == 0
        assert await link.get_attribute("href") == f"/me/memories/{memory.memory_id}"
        await show_memory(page, token, [], clock())
        assert await page.locator("aside").is_hidden()
