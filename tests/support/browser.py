"""A real browser for tests: Debian's Chromium, and what it must never report."""

import json
import os
import shutil
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from playwright.async_api import (
    Browser,
    BrowserContext,
    Locator,
    Page,
    async_playwright,
)

AXE: Final = Path(__file__).parent / "axe" / "axe.min.js"
"""axe-core 4.14.1 by Deque Systems, MPL-2.0; `make assets` checks its digest."""
RULES: Final = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
LISTEN: Final = """
window.__violations = [];
document.addEventListener('securitypolicyviolation', event => {
  window.__violations.push(event.violatedDirective + ' ' + event.blockedURI);
});
"""
CHROMIUM: Final = shutil.which("chromium") or shutil.which("chromium-browser")
Scheme = Literal["light", "dark"]


@dataclass(slots=True)
class Reports:
    """What a browser complained of."""

    console: list[str] = field(default_factory=list[str])
    strangers: list[str] = field(default_factory=list[str])
    """Requests that left the origin."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a window shows pages."""

    language: str = "en"
    width: int = 1280
    scheme: Scheme = "light"


ENGLISH: Final = Look()
_OPPOSITES: Final[list[tuple[str, Scheme, int]]] = [
    ("ko", "light", 320),
    ("en", "dark", 1280),
]
_REST: Final[list[tuple[str, Scheme, int]]] = [
    ("en", "light", 320),
    ("ko", "dark", 320),
    ("en", "dark", 320),
    ("ko", "light", 1280),
    ("en", "light", 1280),
    ("ko", "dark", 1280),
]
LOOKS: Final = [*_OPPOSITES, *(_REST if "GIEOK_EVERY_LOOK" in os.environ else [])]
"""Language, scheme and width: two that share nothing, or all of them if asked."""


@asynccontextmanager
async def run_chromium() -> AsyncGenerator[Browser]:
    """Run a browser without a window."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox"]
        )
        try:
            yield browser
        finally:
            await browser.close()


@asynccontextmanager
async def open_window(
    browser: Browser,
    address: str,
    reports: Reports,
    look: Look = ENGLISH,
    *,
    script: bool = True,
) -> AsyncGenerator[BrowserContext]:
    """Open a window of its own: no cookie of another is in it."""
    context = await browser.new_context(
        base_url=address,
        locale={"ko": "ko-KR", "en": "en-US"}[look.language],
        java_script_enabled=script,
        viewport={"width": look.width, "height": 900},
        color_scheme=look.scheme,
    )
    if script:
        await context.add_init_script(LISTEN)
    context.on(
        "console",
        lambda message: (
            reports.console.append(message.text)
            if message.type in {"error", "warning"}
            else None
        ),
    )
    context.on(
        "request",
        lambda request: (
            None
            if request.url.startswith((address, "data:"))
            else reports.strangers.append(request.url)
        ),
    )
    try:
        yield context
    finally:
        await context.close()


async def follow(target: Locator, key: str | None = None) -> None:
    """Click on what leads to another page, or press a key on it, and wait for that."""
    async with target.page.expect_navigation(wait_until="load"):
        await (target.click() if key is None else target.press(key))


async def find_policy_violations(page: Page) -> list[str]:
    """Return what the content security policy had to stop on a page."""
    return await page.evaluate("window.__violations")


async def find_barriers(page: Page, rules: Sequence[str] = RULES) -> list[str]:
    """Return what axe finds on a page that keeps somebody from using it."""
    await page.evaluate(AXE.read_text("utf-8"))
    options = json.dumps({"runOnly": list(rules)})
    found: list[dict[str, Any]] = await page.evaluate(
        f"axe.run(document, {options}).then(done => done.violations)"
    )
    return [
        f"{each['id']}: {node['html'][:200]} {node['failureSummary'][:300]}"
        for each in found
        for node in each["nodes"]
    ]


async def measure_overflow(page: Page) -> int:
    """Return by how many pixels a page is wider than its window."""
    return await page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
