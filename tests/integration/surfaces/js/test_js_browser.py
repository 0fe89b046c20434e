"""The JavaScript client in a real browser, on another origin than the server (C07)."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import Any

import httpx
import pytest
from playwright.async_api import Browser, Page

from support.browser import CHROMIUM
from support.page_server import PatientEndpoint, serve_patient_endpoint
from support.rest_people import TRUST
from support.served import ServedGieok

pytestmark = [
    pytest.mark.acceptance,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
]
PATIENCE = 30.0
CALL = [
    {"role": "user", "content": "Hi, my name is 영광. I'm a developer."},
    {"role": "assistant", "content": "Nice to meet you, 영광! What do you develop?"},
    {"role": "user", "content": "I like hiking and I love travel."},
    {"role": "assistant", "content": "Where do you travel?"},
]
START = """
async ([url, token, user]) => {
  const { createTutor, Gieok } = await import("/src/index.js");
  const getUserId = () => user;
  const endpoint = `${url}/api/v1/tutor`;
  window.tutor = createTutor({ url: endpoint, token, getUserId, outbox: localStorage });
  window.memory = new Gieok({ url, token });
}
"""
LEAVE = """
(messages) => {
  window.tutor.extractUserInfo(messages);
  location.href = "/left";
}
"""


@pytest.fixture
async def page(browser: Browser, site: str) -> AsyncGenerator[Page]:
    context = await browser.new_context(base_url=site)
    page = await context.new_page()
    await page.goto("/call")
    yield page
    await context.close()


@pytest.fixture
def endpoint() -> Any:
    with serve_patient_endpoint() as endpoint:
        yield endpoint


async def start_client(page: Page, url: str, token: str, user: str) -> None:
    await page.evaluate(START, [url, token, user])


async def wait_for_memory(served: ServedGieok, user: str) -> dict[str, Any]:
    """Return what is remembered of somebody, as soon as anything is.

    A server hangs up a connection that was idle for long, also just when it is used.
    """
    headers = {"Authorization": f"Bearer {served.issue_token(user)}"}
    async with (
        asyncio.timeout(PATIENCE),
        httpx.AsyncClient(
            base_url=served.url, headers=headers, verify=TRUST, timeout=PATIENCE
        ) as http,
    ):
        while True:
            asked = {"action": "get_user_memory"}
            with suppress(httpx.TransportError):
                answer = await http.post("/api/v1/tutor", json=asked)
                if memory := answer.json()["memory"]:
                    return memory
            await asyncio.sleep(0.1)


@pytest.mark.req("C07")
async def test_a_page_remembers_reads_and_forgets(
    page: Page, served: ServedGieok
) -> None:
    await start_client(page, served.url, served.issue_token("browser-1"), "browser-1")
    assert await page.evaluate("tutor.getUserMemory()") == {}
    few = await page.evaluate("call => tutor.extractUserInfo(call)", CALL[:3])
    assert few == {"extracted": {}}
    found = await page.evaluate("call => tutor.extractUserInfo(call)", CALL)
    assert found["extracted"]["name"] == "영광"
    assert found["merged"]["interests"] == ["hiking", "travel"]
    kept = {"name": "영광", "interests": ["travel"]}
    assert await page.evaluate("card => tutor.saveUserMemory(card)", kept) == {
        "success": True
    }
    assert await page.evaluate("tutor.getUserMemory()") == kept
    assert await page.evaluate("localStorage.length") == 0


@pytest.mark.req("C07")
async def test_who_leaves_the_page_at_once_is_remembered(
    page: Page, served: ServedGieok
) -> None:
    await start_client(page, served.url, served.issue_token("browser-2"), "browser-2")
    await page.evaluate(LEAVE, CALL)
    await page.wait_for_url("**/left")
    memory = await wait_for_memory(served, "browser-2")
    assert memory["name"] == "영광"


@pytest.mark.req("C07")
async def test_a_request_outlives_its_page_before_it_was_sent(
    page: Page, endpoint: PatientEndpoint
) -> None:
    """The page goes while the browser still asks whether it may send."""
    await start_client(page, endpoint.url, "t", "minji")
    await page.evaluate("call => { tutor.extractUserInfo(call); }", CALL)
    assert await asyncio.to_thread(endpoint.asked.wait, PATIENCE)
    await page.goto("/left")
    endpoint.may_send.set()
    assert await asyncio.to_thread(endpoint.arrived.wait, PATIENCE)
    assert [body["messages"] for body in endpoint.bodies] == [CALL]


@pytest.mark.req("C07")
async def test_a_long_call_arrives_whole_though_its_page_is_left(
    page: Page, endpoint: PatientEndpoint
) -> None:
    """What a browser does not keep alive goes with the next page."""
    long = [
        {"role": ("user", "assistant")[n % 2], "content": f"{n} " + "가" * 1_500}
        for n in range(40)
    ]
    await start_client(page, endpoint.url, "t", "minji")
    await page.evaluate("call => { tutor.extractUserInfo(call); }", long)
    assert await asyncio.to_thread(endpoint.asked.wait, PATIENCE)
    await page.goto("/left")
    endpoint.may_send.set()
    assert await asyncio.to_thread(endpoint.arrived.wait, PATIENCE)
    assert len(endpoint.bodies) == 1
    assert await page.evaluate("localStorage.length") > 1
    await start_client(page, endpoint.url, "t", "minji")
    await page.evaluate("tutor.resumeExtractions()")
    assert await page.evaluate("localStorage.length") == 0
    said = [message for body in endpoint.bodies for message in body["messages"]]
    assert {message["content"] for message in said} == {
        message["content"] for message in long
    }


async def test_a_page_follows_a_session(page: Page, served: ServedGieok) -> None:
    await start_client(page, served.url, served.issue_token("browser-3"), "browser-3")
    seen = await page.evaluate(
        """async () => {
          const { id } = await memory.sessions.start();
          const seen = [];
          for await (const event of memory.sessions.follow(id)) {
            seen.push(event.type === "message" ? event.content : event.type);
            if (event.type === "session") {
              const turn = { user_text: "one", assistant_text: "two" };
              await memory.sessions.record(id, turn);
              await memory.sessions.close(id);
            }
          }
          return seen;
        }"""
    )
    assert [each for each in seen if each not in {"status", "tokens"}] == [
        "session",
        "one",
        "two",
        "ended",
    ]


async def test_another_page_s_origin_may_not_call(
    browser: Browser, served: ServedGieok
) -> None:
    context = await browser.new_context(base_url=served.url)
    page = await context.new_page()
    # The server's own address is an origin too, and none that it lets call others.
    await page.goto("/health/live")
    answer = await page.request.post(
        "/api/v1/tutor", headers={"Origin": "https://elsewhere.example"}, data={}
    )
    assert "access-control-allow-origin" not in answer.headers
    await context.close()
