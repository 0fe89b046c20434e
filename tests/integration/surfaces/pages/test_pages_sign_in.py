"""Signing in by a link, what the cookie opens, and what it does not."""

import asyncio
from datetime import timedelta

import httpx
import pytest
from playwright.async_api import Page

from gieok import Gieok
from gieok.surfaces.pages import add_pages
from gieok.surfaces.rest import Edge, Tokens, create_app
from gieok.testing import FixedClock
from support.browser import Reports, follow
from support.page_people import PagePerson
from support.rest_people import HOUR, TRUST, serving

pytestmark = pytest.mark.req("D14")
SAME = {"Sec-Fetch-Site": "same-origin"}
COOKIE = "gieok-local"


async def sign_in(http: httpx.AsyncClient, person: PagePerson) -> str:
    """Sign in without a browser, and return the cookie."""
    await person.consents()
    answer = await http.post(await person.links(), headers=SAME)
    assert answer.status_code == 303
    return answer.cookies[COOKIE]


async def test_a_link_signs_in_once(
    page: Page, minji: PagePerson, reports: Reports
) -> None:
    assert await page.locator("h1").inner_text() == "What is known"
    (cookie,) = await page.context.cookies()
    assert cookie.get("httpOnly") is True
    assert cookie.get("sameSite") == "Strict"
    link = await minji.links()
    for status in (200, 401):
        answer = await page.goto(link)
        assert answer is not None
        assert answer.status == status
        if status == 200:
            await follow(page.locator("main button"))
    refused = reports.console.pop()
    assert "401" in refused


async def test_looking_at_a_link_does_not_use_it_up(
    http: httpx.AsyncClient, minji: PagePerson
) -> None:
    link = await minji.links()
    for _ in range(3):
        assert (await http.get(link)).status_code == 200
    assert (await http.post(link, headers=SAME)).status_code == 303
    assert (await http.get(link)).status_code == 401


async def test_a_link_is_good_for_ten_minutes(
    http: httpx.AsyncClient, minji: PagePerson, clock: FixedClock
) -> None:
    link = await minji.links()
    clock.set(clock() + timedelta(minutes=10))
    assert (await http.post(link, headers=SAME)).status_code == 401


async def test_a_sign_in_lasts_twelve_hours(
    http: httpx.AsyncClient, minji: PagePerson, clock: FixedClock
) -> None:
    await sign_in(http, minji)
    clock.set(clock() + 12 * HOUR - timedelta(seconds=1))
    assert (await http.get("/me/")).status_code == 200
    clock.set(clock() + timedelta(seconds=1))
    assert (await http.get("/me/")).status_code == 401


async def test_a_revoked_sign_in_is_over_at_once(
    http: httpx.AsyncClient, minji: PagePerson
) -> None:
    await sign_in(http, minji)
    link = await minji.links()
    await minji.gieok.sign_ins.revoke(minji.scope)
    assert (await http.get("/me/")).status_code == 401
    assert (await http.post(link, headers=SAME)).status_code == 401


async def test_a_stolen_cookie_opens_nothing_but_the_pages(
    http: httpx.AsyncClient, minji: PagePerson
) -> None:
    secret = await sign_in(http, minji)
    http.cookies.clear()
    for name in (COOKIE, "__Host-gieok"):
        for path in ("users/me", "users/me/memories", "users/me/export", "sessions"):
            answer = await http.get(
                f"/api/v1/{path}", headers={"Cookie": f"{name}={secret}"}
            )
            assert answer.status_code == 401
    as_token = {"Authorization": f"Bearer {secret}"}
    answer = await http.get("/api/v1/users/me/memories", headers=as_token)
    assert answer.status_code == 401


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none"])
async def test_a_form_of_another_site_does_nothing(
    http: httpx.AsyncClient, minji: PagePerson, site: str
) -> None:
    link = await minji.links()
    from_there = {"Sec-Fetch-Site": site, "Origin": str(http.base_url).rstrip("/")}
    assert (await http.post(link, headers=from_there)).status_code == 403
    await sign_in(http, minji)
    answer = await http.post("/me/remember", data={"content": "x"}, headers=from_there)
    assert answer.status_code == 403
    assert await minji.gieok.memories.page(minji.scope) == ((), 0)


async def test_a_form_without_its_token_does_nothing(
    http: httpx.AsyncClient, minji: PagePerson, other: PagePerson
) -> None:
    await sign_in(http, other)
    token = (await http.get("/me/")).text.split('name="form_token" value="')[1][:64]
    await sign_in(http, minji)
    for given in ("", "f" * 64, token):
        told = {"content": "x", "form_token": given}
        answer = await http.post("/me/remember", data=told, headers=SAME)
        assert answer.status_code == 403
    assert await minji.gieok.memories.page(minji.scope) == ((), 0)


async def test_a_browser_that_names_no_site_names_the_origin(
    http: httpx.AsyncClient, minji: PagePerson
) -> None:
    link, own = await minji.links(), str(http.base_url).rstrip("/")
    for origin in (None, "null", "https://example.com"):
        headers = {"Origin": origin} if origin else {}
        assert (await http.post(link, headers=headers)).status_code == 403
    answer = await http.post(link, headers={"Origin": own})
    assert answer.status_code == 303


async def test_away_from_the_machine_the_pages_need_tls(
    http: httpx.AsyncClient, minji: PagePerson
) -> None:
    link = await minji.links()
    answer = await http.get(link, headers={"Host": "memory.example.com"})
    assert answer.status_code == 403
    assert "HTTPS" in answer.text
    assert (await http.get(link)).status_code == 200


async def test_signing_out_ends_the_sign_in(page: Page, minji: PagePerson) -> None:
    assert len(await minji.gieok.sign_ins.list(minji.scope)) == 1
    await follow(page.get_by_role("button", name="Sign out"))
    assert await page.locator("h1").inner_text() == "You are not signed in"
    assert await page.context.cookies() == []
    assert await minji.gieok.sign_ins.list(minji.scope) == []


async def test_every_page_says_what_a_browser_may_load(
    http: httpx.AsyncClient, minji: PagePerson
) -> None:
    for path in ("/me/", await minji.links(), "/me/nowhere"):
        headers = (await http.get(path)).headers
        policy = headers["Content-Security-Policy"]
        assert "unsafe" not in policy
        assert policy.startswith("default-src 'none'")
        assert headers["Cache-Control"] == "no-store"
        assert headers["X-Content-Type-Options"] == "nosniff"


async def test_of_two_who_open_a_link_one_is_signed_in(
    http: httpx.AsyncClient, minji: PagePerson
) -> None:
    link = await minji.links()
    answers = await asyncio.gather(*(http.post(link, headers=SAME) for _ in range(5)))
    assert sorted(each.status_code for each in answers) == [303, 401, 401, 401, 401]
    assert len(await minji.gieok.sign_ins.list(minji.scope)) == 1


async def test_links_and_sign_ins_cannot_be_guessed_at_length(
    gieok: Gieok, tokens: Tokens, minji: PagePerson
) -> None:
    edge = Edge(per_address=3)
    app = create_app(gieok, tokens, edge)
    add_pages(app, edge)
    good = await minji.links()
    async with (
        serving(app) as address,
        httpx.AsyncClient(base_url=address, verify=TRUST) as http,
    ):
        signed_in = await http.post(good, headers=SAME)
        cookie = {"Cookie": f"{COOKIE}={signed_in.cookies[COOKIE]}"}
        http.cookies.clear()
        assert (await http.get("/me/receipts", headers=cookie)).status_code == 200
        wrong = {"Cookie": f"{COOKIE}={'A' * 64}"}
        operating = {"Cookie": f"gieok-console-local={'A' * 43}"}
        tried = [
            await http.get("/me/", headers=wrong),
            await http.get("/console/", headers=operating),
            await http.post("/console/sign-in", data={"key": "gk_1"}, headers=SAME),
        ]
        tried += [await http.get(f"/me/open/{'A' * 64}") for _ in range(3)]
        assert [each.status_code for each in tried[:3]] == [401, 401, 401]
        assert tried[-1].status_code == 429
        assert int(tried[-1].headers["Retry-After"]) > 0
        assert (await http.get("/me/receipts", headers=cookie)).status_code == 200


async def test_a_person_has_so_many_pages_a_minute(
    gieok: Gieok, tokens: Tokens, minji: PagePerson
) -> None:
    edge = Edge(per_person=3)
    app = create_app(gieok, tokens, edge)
    add_pages(app, edge)
    link = await minji.links()
    async with (
        serving(app) as address,
        httpx.AsyncClient(base_url=address, verify=TRUST) as http,
    ):
        await http.post(link, headers=SAME)
        seen = [(await http.get("/me/receipts")).status_code for _ in range(4)]
    assert seen == [200, 200, 200, 429]


async def test_a_link_from_another_site_is_followed_once_more_from_here(
    http: httpx.AsyncClient, minji: PagePerson
) -> None:
    """A browser keeps the cookie back from the first request, not from the second."""
    memory = await minji.remembers("The user keeps bees")
    page = f"/me/memories/{memory.memory_id}"
    there = {"Sec-Fetch-Site": "cross-site"}
    arriving = await http.get(page, headers=there)
    assert arriving.status_code == 200
    assert '<meta http-equiv="refresh" content="0">' in arriving.text
    assert "bees" not in arriving.text
    for site in ({}, SAME):
        signed_out = await http.get(page, headers=site)
        assert signed_out.status_code == 401
        assert "http-equiv" not in signed_out.text
    posted = await http.post("/me/remember", data={"content": "x"}, headers=there)
    assert posted.status_code == 401
    await sign_in(http, minji)
    assert "bees" in (await http.get(page, headers=SAME)).text
    cookie = next(iter(http.cookies.keys()))
    http.cookies.clear()
    wrong = {**there, "Cookie": f"{cookie}=none"}
    assert (await http.get(page, headers=wrong)).status_code == 401
