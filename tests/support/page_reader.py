"""Somebody at a browser: in a language, with a mouse or with the keyboard alone."""

import os
from dataclasses import dataclass
from typing import Final, NamedTuple

from playwright.async_api import Locator, Page

from gieok.surfaces.pages.texts import format_text
from support.browser import follow

FOCUS_BEFORE: Final = """
element => {
  const reached = [...document.querySelectorAll(
    'a[href], button, input:not([type=hidden]), select, textarea, [tabindex="0"]'
  )];
  const group = element.type === 'radio'
    ? reached.findIndex(each => each.name === element.name)
    : reached.indexOf(element);
  (reached[group - 1] ?? document.body).focus();
}
"""
"""Puts the focus where Tab was pressed last before it reaches an element."""
IS_FOCUSED: Final = "element => element === document.activeElement"
HAS_FOCUS_INSIDE: Final = """
element => document.activeElement.type === 'radio'
  && document.activeElement.name === element.name
"""


class Way(NamedTuple):
    """How somebody uses the pages."""

    language: str
    has_script: bool
    by_keyboard: bool

    def __str__(self) -> str:
        """Return the name of a test that goes this way."""
        script = "script" if self.has_script else "no script"
        return f"{self.language}, {script}, {'keys' if self.by_keyboard else 'mouse'}"


_OPPOSITES: Final = (
    Way("en", has_script=True, by_keyboard=False),
    Way("ko", has_script=False, by_keyboard=True),
)
_ALL: Final = tuple(
    Way(language, has_script, by_keyboard)
    for language in ("en", "ko")
    for has_script in (True, False)
    for by_keyboard in (False, True)
)
WAYS: Final = _ALL if "GIEOK_EVERY_LOOK" in os.environ else _OPPOSITES
"""Two that have nothing in common, or all of them if asked."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads a page, and uses it in one way; what is on it has its text's key."""

    page: Page
    way: Way

    def say(self, key: str, **details: object) -> str:
        """Return what the pages say for a key."""
        return format_text(key, self.way.language, **details)

    def link(self, key: str, **details: object) -> Locator:
        """Return the links whose name begins with a text or is one."""
        return self.page.get_by_role("link", name=self.say(key, **details))

    def button(self, key: str, **details: object) -> Locator:
        """Return the buttons of a text."""
        name = self.say(key, **details)
        return self.page.get_by_role("button", name=name, exact=True)

    def field(self, key: str, *, exact: bool = False) -> Locator:
        """Return the fields that a text labels."""
        return self.page.get_by_label(self.say(key), exact=exact)

    def region(self, key: str) -> Locator:
        """Return the part of the page that a heading names."""
        return self.page.get_by_role("region", name=self.say(key), exact=True)

    def table(self, key: str) -> Locator:
        """Return the table that a caption names."""
        return self.page.get_by_role("table", name=self.say(key), exact=True)

    async def goto(self, path: str) -> str:
        """Open an address of the pages; return all of the page."""
        answer = await self.page.goto(path)
        assert answer is not None
        assert answer.status == 200, path
        assert await self.page.get_attribute("html", "lang") == self.way.language
        return await answer.text()

    async def read(self) -> str:
        """Return what stands on the page."""
        return await self.page.locator("main").inner_text()

    async def read_heading(self) -> str:
        return await self.page.locator("h1").inner_text()

    async def read_status(self) -> str:
        """Return what the page says was just done."""
        return await self.page.get_by_role("status").inner_text()

    async def follow(self, target: Locator) -> None:
        """Use a link or button that leads to another page."""
        await self._reach(target)
        await follow(target, "Enter" if self.way.by_keyboard else None)

    async def fill(self, target: Locator, text: str) -> None:
        """Write a text in place of what stands in a field."""
        if not self.way.by_keyboard:
            await target.fill(text)
            return
        await self._reach(target)
        await self.page.keyboard.press("ControlOrMeta+a")
        await self.page.keyboard.type(text)

    async def tick(self, target: Locator) -> None:
        """Choose a box or one of several, or let go of a box that is chosen."""
        if not self.way.by_keyboard:
            await target.click()
            return
        if await target.get_attribute("type") != "radio":
            await self._reach(target)
            await self.page.keyboard.press("Space")
            return
        await target.evaluate(FOCUS_BEFORE)
        await self.page.keyboard.press("Tab")
        assert await target.evaluate(HAS_FOCUS_INSIDE)
        await self.page.keyboard.press("Space")
        for _ in range(await self.page.get_by_role("radio").count()):
            if await target.is_checked():
                return
            await self.page.keyboard.press("ArrowDown")
        raise AssertionError(await target.get_attribute("value"))

    async def choose(self, target: Locator, value: str) -> None:
        """Choose one of a list."""
        if not self.way.by_keyboard:
            await target.select_option(value)
            return
        await self._reach(target)
        await self.page.keyboard.press("Home")
        for _ in range(await target.locator("option").count()):
            if await target.input_value() == value:
                return
            await self.page.keyboard.press("ArrowDown")
        raise AssertionError(value)

    async def look_again(self) -> None:
        """Load the page anew until the work it tells of is done."""
        again = self.link("work.again")
        for _ in range(200):
            if not await again.count():
                return
            await self.follow(again)
        raise AssertionError(await self.read())

    async def _reach(self, target: Locator) -> None:
        """Have the keyboard get to an element, where it is used; it has to be seen."""
        if not self.way.by_keyboard:
            return
        await target.evaluate(FOCUS_BEFORE)
        await self.page.keyboard.press("Tab")
        assert await target.evaluate(IS_FOCUSED), await target.text_content()
        outline = "element => getComputedStyle(element).outlineStyle"
        assert await target.evaluate(outline) != "none"
