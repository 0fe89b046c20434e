"""The example's pages in a real browser: talk, end, be greeted, have it forgotten."""

import os
import sys
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from playwright.async_api import Browser, Locator, Page, expect

from support.browser import (
    CHROMIUM,
    Look,
    Reports,
    Scheme,
    find_barriers,
    find_policy_violations,
    measure_overflow,
    open_window,
)
from support.data_template import copy_template
from support.fake_model import FakeModel
from support.paths import ROOT
from support.rest_people import TRUST
from support.served import run_server

pytestmark = [
    pytest.mark.acceptance,
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
]
PROGRAM = ROOT / "examples" / "tutor" / "serve_page.py"
PATIENCE = 60_000.0
KEY_PRESSES = 40


@dataclass(frozen=True, slots=True)
class Words:
    """What a learner says, and what the pages say to them."""

    language: str
    name_field: str
    start: str
    answer: str
    end: str
    remembered: str
    said: tuple[str, ...]
    greeting: str
    forget: str
    forgotten: str
    later: str


ENGLISH = Words(
    language="en",
    name_field="Who are you?",
    start="Start the call",
    answer="Your answer",
    end="End the call",
    remembered="Remembered: 영광, backend developer, hiking, travel",
    said=(
        "My name is 영광. I am a backend developer.",
        "I like hiking and I love travel.",
    ),
    greeting="Hi 영광! How's your work going? (backend developer) "
    "Last time you told me that you like hiking, travel. What's new?",
    forget="Forget hiking",
    forgotten="“hiking” is forgotten.",
    later="Hi 영광! How's your work going? (backend developer) "
    "Last time you told me that you like travel. What's new?",
)
KOREAN = Words(
    language="ko",
    name_field="누구신가요?",
    start="통화 시작",
    answer="대답",
    end="통화 끝내기",
    remembered="기억한 것: 민지, 간호사, 등산, 여행",
    said=(
        "제 이름은 민지예요. 저는 간호사예요.",
        "저는 등산을 좋아해요. 그리고 여행을 좋아해요.",
    ),
    greeting="Hi 민지! How's your work going? (간호사) "
    "Last time you told me that you like 등산, 여행. What's new?",
    forget="등산 잊기",
    forgotten="“등산” 기억을 지웠습니다.",
    later="Hi 민지! How's your work going? (간호사) "
    "Last time you told me that you like 여행. What's new?",
)


def serve_example(
    data: Path, variables: Mapping[str, str]
) -> AbstractContextManager[str]:
    """Run the example as its page says, with its memory in a folder of the test's."""
    told = {"PATH": os.environ["PATH"], "HOME": str(data), "GIEOK_DATA": str(data)}
    return run_server(
        [sys.executable, str(PROGRAM), "--port", "0"], {**told, **variables}
    )


@pytest.fixture(scope="module")
def example(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    data = copy_template(template, tmp_path_factory.mktemp("example"))
    with serve_example(data, {}) as url:
        yield url


@asynccontextmanager
async def open_page(
    browser: Browser, url: str, reports: Reports, look: Look, path: str = "/"
) -> AsyncGenerator[Page]:
    async with open_window(browser, url, reports, look) as window:
        page = await window.new_page()
        page.on("pageerror", lambda error: reports.console.append(str(error)))
        await page.goto(path)
        yield page


async def sign_in(page: Page, user: str) -> None:
    await page.locator("#user").fill(user)
    await page.locator("#user").press("Enter")
    await expect(page.locator("#ready")).to_be_visible()


async def press_to(page: Page, wanted: Locator) -> None:
    """Get somewhere as somebody without a mouse does."""
    for _ in range(KEY_PRESSES):
        await page.keyboard.press("Tab")
        if await wanted.evaluate("element => element === document.activeElement"):
            return
    pytest.fail(f"no key leads to {wanted}")


async def start_call(page: Page, words: Words) -> str:
    """Start a call with the keyboard, and return the tutor's first sentence."""
    await press_to(page, page.get_by_role("button", name=words.start))
    await page.keyboard.press("Enter")
    first = page.locator("#said .assistant span")
    await first.wait_for(timeout=PATIENCE)
    return await first.inner_text()


async def talk(page: Page, words: Words) -> None:
    """Say everything; after each answer, the keyboard is where the next one goes."""
    for answers, sentence in enumerate(words.said, start=2):
        await expect(page.get_by_label(words.answer)).to_be_focused()
        await page.keyboard.type(sentence)
        await page.keyboard.press("Enter")
        await wait_for_tutor(page, answers)


async def forget(page: Page, words: Words) -> None:
    """Have one thing forgotten; the page says so where the keyboard is."""
    button = page.get_by_role("button", name=words.forget)
    await button.wait_for()
    await press_to(page, button)
    await page.keyboard.press("Enter")
    await expect(page.locator("#status")).to_have_text(words.forgotten)
    await expect(page.locator("#status")).to_be_focused()
    await expect(button).to_have_count(0)


async def wait_for_tutor(page: Page, answers: int) -> None:
    lines = page.locator("#said .assistant")
    await expect(lines).to_have_count(answers, timeout=PATIENCE)


@pytest.mark.req("C07", "C09", "C10")
@pytest.mark.parametrize("words", [ENGLISH, KOREAN], ids=lambda words: words.language)
async def test_what_a_call_said_greets_the_next_until_it_is_forgotten(
    browser: Browser, example: str, words: Words
) -> None:
    """By keyboard alone, on the narrowest screen."""
    reports = Reports()
    look = Look(words.language, width=320)
    async with open_page(browser, example, reports, look) as page:
        await press_to(page, page.get_by_label(words.name_field))
        await page.keyboard.type(f"{words.language}-learner")
        await page.keyboard.press("Enter")
        await expect(page.locator("#ready")).to_be_visible()
        assert "What's your name" in await start_call(page, words)
        await talk(page, words)
        await press_to(page, page.get_by_role("button", name=words.end))
        await page.keyboard.press("Enter")
        status = page.locator("#status")
        await expect(status).to_contain_text(words.remembered, timeout=PATIENCE)
        assert await start_call(page, words) == words.greeting

        await page.goto("/memory")
        await forget(page, words)
        await page.goto("/")
        assert await start_call(page, words) == words.later
    assert reports == Reports()


@pytest.mark.req("C07")
async def test_whoever_ends_the_call_and_leaves_at_once_is_remembered(
    browser: Browser, example: str
) -> None:
    async with open_page(browser, example, Reports(), Look()) as page:
        await sign_in(page, "leaver")
        await start_call(page, ENGLISH)
        await page.get_by_label(ENGLISH.answer).fill(ENGLISH.said[0])
        await page.keyboard.press("Enter")
        await wait_for_tutor(page, 2)
        await page.evaluate(
            "document.getElementById('end').click(), location = '/memory'"
        )
        await page.wait_for_url("**/memory")
        await page.get_by_role("button", name="Forget 영광").wait_for(timeout=PATIENCE)
        # Nothing waits that would bring it back once it is forgotten.
        assert await page.evaluate("Object.keys(localStorage)") == ["tutor.user"]


@pytest.mark.req("C10")
async def test_everything_is_forgotten_once_it_is_confirmed(
    browser: Browser, example: str
) -> None:
    async with open_page(browser, example, Reports(), Look()) as page:
        await sign_in(page, "everything")
        await write_card(page, {"name": "민지", "interests": ["AI", "여행"]})
        await page.goto("/memory")
        await page.get_by_role("button", name="Forget everything").click()
        await page.keyboard.press("Escape")
        assert await page.locator("#known li").count() == 3
        await page.get_by_role("button", name="Forget everything").click()
        await page.get_by_role("button", name="Erase everything").click()
        await expect(page.locator("#status")).to_have_text("Everything is forgotten.")
        await expect(page.locator("#known")).to_have_text(
            "Nothing is remembered of you."
        )


async def write_card(page: Page, card: dict[str, object]) -> None:
    await page.evaluate(
        """async (card) => {
          const { createClients } = await import("/page/shared.js");
          await createClients().memory.profile.merge(card);
        }""",
        card,
    )


@pytest.mark.req("C10")
async def test_what_is_remembered_is_text_and_its_owner_s(
    browser: Browser, example: str
) -> None:
    reports = Reports()
    hostile = "<img src=x onerror=alert(1)><script>alert(2)</script> \u202egnp.exe"
    async with open_page(browser, example, reports, Look()) as page:
        await sign_in(page, "hostile")
        await write_card(page, {"interests": [hostile, "가" * 600]})
        await page.goto("/memory")
        await expect(page.locator("#known li")).to_have_count(2)
        assert await page.locator("#known img, #known script").count() == 0
        assert hostile in await page.locator("#known li span").all_inner_texts()
        assert await find_policy_violations(page) == []
        await page.goto("/")
        await page.get_by_role("button", name="Sign out").click()
        await sign_in(page, "somebody else")
        await page.goto("/memory")
        await expect(page.locator("#known")).to_have_text(
            "Nothing is remembered of you."
        )
    assert reports == Reports()


@pytest.mark.req("C10")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
async def test_nobody_is_kept_out(
    browser: Browser, example: str, scheme: Scheme, width: int
) -> None:
    reports = Reports()
    look = Look("ko", width, scheme)

    async def check(page: Page, state: str) -> None:
        assert await find_barriers(page) == [], state
        assert await measure_overflow(page) == 0, state
        assert await find_policy_violations(page) == [], state

    async with open_page(browser, example, reports, look) as page:
        await check(page, "sign-in")
        await sign_in(page, f"{scheme}-{width}")
        await check(page, "ready")
        await start_call(page, KOREAN)
        await check(page, "call")
        await write_card(page, {"name": "민지", "interests": ["가" * 200, "여행"]})
        await page.goto("/memory")
        await expect(page.locator("#known li")).to_have_count(3)
        await check(page, "memory")
        await page.get_by_role("button", name="모두 잊기").click()
        await check(page, "dialog")
    assert reports == Reports()


@pytest.mark.req("C10")
async def test_what_is_forgotten_is_gone_from_a_model_s_prompt(
    browser: Browser, begun_data: Path
) -> None:
    with FakeModel() as model, serve_example(begun_data, name_model(model)) as url:
        async with open_page(browser, url, Reports(), Look()) as page:
            await sign_in(page, "younggwang")
            card = {"name": "영광", "interests": ["hiking", "travel"]}
            await write_card(page, card)
            assert await start_call(page, ENGLISH) == "그랬구나."
            assert "- Interests: hiking, travel\n" in read_prompt(model)
            await page.goto("/memory")
            await page.get_by_role("button", name="Forget hiking").click()
            await expect(page.locator("#known li")).to_have_count(2)
            await page.goto("/")
            await start_call(page, ENGLISH)
            assert "- Interests: travel\n" in read_prompt(model)
            assert "hiking" not in read_prompt(model)


def name_model(model: FakeModel) -> dict[str, str]:
    return {"GIEOK_MODEL": "local", "GIEOK_MODEL_BASE_URL": model.url}


def read_prompt(model: FakeModel) -> str:
    """Return the system prompt of the last reply."""
    return str(model.prompts[-1][0]["content"])


@pytest.mark.req("C10")
async def test_only_this_machine_s_names_are_answered(example: str) -> None:
    async with httpx.AsyncClient(base_url=example, verify=TRUST) as http:
        for path in ("/", "/memory", "/sign-in", "/health/live"):
            answer = await http.get(path, headers={"Host": "evil.example"})
            assert answer.status_code == 400
        assert (await http.get("/api/v1/users/me/profile")).status_code == 401
        assert (await http.post("/sign-in", content="   ")).status_code == 422
        page = await http.get("/")
        assert "script-src 'self'" in page.headers["content-security-policy"]
