"""Everybody can use every page: axe, small windows, both languages, both schemes."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import pytest
from playwright.async_api import BrowserContext, Page

from support.browser import (
    LOOKS,
    Look,
    Reports,
    Scheme,
    find_barriers,
    find_policy_violations,
    follow,
    measure_overflow,
)
from support.page_people import PagePerson

NewWindow = Callable[..., AbstractAsyncContextManager[BrowserContext]]
pytestmark = pytest.mark.req("D14")


async def find_faults(page: Page) -> list[str]:
    """Return all that is wrong with the page that is shown."""
    return [
        *await find_barriers(page),
        *await find_policy_violations(page),
        *(["wider than its window"] if await measure_overflow(page) > 0 else []),
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("language", "scheme", "width"), LOOKS)
async def test_nothing_keeps_anybody_from_using_a_page(
    window: NewWindow, minji: PagePerson, language: str, scheme: Scheme, width: int
) -> None:
    await minji.consents()
    pages = await minji.owns("a cat named Bori")
    await minji.gieok.accounts.update(minji.scope, language=language)
    faults: dict[str, list[str]] = {}
    async with window(Look(language, width, scheme)) as context:
        page = await context.new_page()
        await minji.signs_in(page)
        for name, path in pages.items():
            answer = await page.goto(path)
            assert answer is not None
            assert answer.status == 200, name
            assert await page.get_attribute("html", "lang") == language
            if found := await find_faults(page):
                faults[name] = found
        for name, path in (("found", "/me/"), ("explained", "/me/explain")):
            await page.goto(path)
            await page.get_by_role("searchbox").fill("Bori")
            await follow(page.get_by_role("searchbox"), "Enter")
            faults |= {name: found} if (found := await find_faults(page)) else {}
        await page.goto("/me/leave")
        await page.get_by_role("checkbox").check()
        await follow(page.locator("button.danger"))
        faults |= {"gone": found} if (found := await find_faults(page)) else {}
    assert faults == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["ko", "en"])
async def test_nothing_keeps_a_stranger_from_signing_in(
    window: NewWindow,
    minji: PagePerson,
    reports: Reports,
    language: str,
    scheme: Scheme,
) -> None:
    link = await minji.links()
    async with window(Look(language, 320, scheme)) as context:
        page = await context.new_page()
        for path, status in ((link, 200), ("/me/", 401), ("/me/nowhere", 404)):
            answer = await page.goto(path)
            assert answer is not None
            assert answer.status == status
            assert await page.get_attribute("html", "lang") == language
            assert await find_faults(page) == [], path
    assert all("status of 40" in each for each in reports.console)
    reports.console.clear()


async def test_a_page_is_used_with_the_keyboard_alone(
    page: Page, minji: PagePerson
) -> None:
    await minji.remembers("The user keeps bees")
    await page.goto("/me/")
    await page.keyboard.press("Tab")
    assert await page.locator(":focus").inner_text() == "Skip to the content"
    await press_until(page, "Why is this known?: The user keeps bees")
    await follow(page.locator(":focus"), "Enter")
    await press_until(page, "Have it forgotten")
    await follow(page.locator(":focus"), "Enter")
    await press_until(page, "Erase for good")
    await follow(page.locator(":focus"), "Enter")
    assert await page.locator("h1").inner_text() == "Receipt"
    assert await minji.gieok.memories.page(minji.scope) == ((), 0)


async def press_until(page: Page, label: str) -> None:
    """Go on with Tab until something of a name is in focus, which has to be seen."""
    for _ in range(60):
        await page.keyboard.press("Tab")
        focused = page.locator(":focus")
        if await focused.count() and await focused.text_content() == label:
            outline = "element => getComputedStyle(element).outlineStyle"
            assert await focused.evaluate(outline) != "none"
            return
    raise AssertionError(label)


async def test_what_looks_for_faults_finds_planted_ones(
    page: Page, reports: Reports
) -> None:
    await page.evaluate(
        """
        const image = document.createElement('img');
        image.src = 'http://127.0.0.1:1/x.png';
        document.querySelector('main').append(image);
        document.querySelector('h1').style.width = '3000px';
        """
    )
    await page.wait_for_function("window.__violations.length > 0")
    found = await find_faults(page)
    assert any(each.startswith("image-alt") for each in found)
    assert any(each.startswith("img-src") for each in found)
    assert "wider than its window" in found
    assert len(reports.console) == len(reports.strangers) == 1
    reports.console.clear()
    reports.strangers.clear()
