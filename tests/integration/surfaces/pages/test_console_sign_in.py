"""Signing in to operate: who gets in, for how long, and what that opens."""

from datetime import timedelta

import httpx
import pytest
from playwright.async_api import Page

from gieok.surfaces.rest import Tokens
from gieok.testing import FixedClock
from support.browser import Reports, follow
from support.page_operators import CONSOLE_COOKIE, SAME, Operator
from support.page_people import PagePerson
from support.rest_people import HOUR


async def test_a_key_that_may_administer_signs_in(
    operator_page: Page, operator: Operator, reports: Reports
) -> None:
    page, made = operator_page, await operator.key(name="night shift")
    await follow(page.get_by_role("button", name="Sign out").first)
    await page.get_by_label("A key with the right admin").fill(made.secret)
    await follow(page.get_by_role("button", name="Sign in"))
    assert await page.locator("h1").inner_text() == "Health"
    assert await page.locator("footer bdi").inner_text() == "night shift"
    assert made.secret not in page.url
    (cookie,) = await page.context.cookies()
    assert cookie.get("httpOnly") is True
    assert cookie.get("sameSite") == "Strict"
    assert cookie.get("value") != made.secret
    assert reports.console == []


@pytest.mark.parametrize("rights", [("read", "write", "act_as"), ("read",)])
async def test_no_other_key_does(
    http: httpx.AsyncClient, operator: Operator, rights: tuple[str, ...]
) -> None:
    key = (await operator.key(*rights)).secret
    for given, status in (
        (key, 403),
        ("gk_nothing", 401),
        ("", 401),
        ("가" * 200, 401),
    ):
        answer = await http.post("/console/sign-in", data={"key": given}, headers=SAME)
        assert answer.status_code == status
        assert not answer.cookies
        assert not given or given not in answer.text


async def test_a_token_of_a_person_does_not(
    http: httpx.AsyncClient, tokens: Tokens, minji: PagePerson
) -> None:
    for actor in ("user", "admin"):
        token = tokens.issue(minji.user_id, HOUR, actor)
        answer = await http.post("/console/sign-in", data={"key": token}, headers=SAME)
        assert answer.status_code == 401
        as_bearer = {"Authorization": f"Bearer {token}"}
        assert (await http.get("/console/", headers=as_bearer)).status_code == 401


async def test_neither_sign_in_opens_what_is_not_its_own(
    http: httpx.AsyncClient, operator: Operator, minji: PagePerson
) -> None:
    await operator.enters(http, (await operator.key()).secret)
    secret = http.cookies[CONSOLE_COOKIE]
    answer = await http.post(await minji.links(), headers=SAME)
    person = answer.cookies["gieok-local"]
    http.cookies.clear()
    for name in ("gieok-local", "__Host-gieok", CONSOLE_COOKIE, "__Host-gieok-console"):
        own, other = ({"Cookie": f"{name}={value}"} for value in (secret, person))
        for path in ("/me/", "/api/v1/users/me/memories"):
            assert (await http.get(path, headers=own)).status_code == 401
        assert (await http.get("/console/", headers=other)).status_code == 401
    as_token = {"Authorization": f"Bearer {secret}"}
    api = await http.get("/api/v1/users/me/memories", headers=as_token)
    assert api.status_code == 401


async def test_a_link_of_the_machine_works_once_and_for_ten_minutes(
    http: httpx.AsyncClient, operator: Operator, clock: FixedClock
) -> None:
    link = await operator.links()
    for _ in range(2):
        assert (await http.get(link)).status_code == 200
    assert (await http.post(link, headers=SAME)).status_code == 303
    assert (await http.get("/console/")).status_code == 200
    assert (await http.post(link, headers=SAME)).status_code == 401
    assert (await http.get(link)).status_code == 401
    late = await operator.links()
    clock.set(clock() + timedelta(minutes=10))
    assert (await http.post(late, headers=SAME)).status_code == 401
    assert (await http.get(f"/console/open/{'x' * 500}")).status_code == 401


async def test_a_sign_in_lasts_twelve_hours_and_ends_with_its_key(
    http: httpx.AsyncClient, operator: Operator, clock: FixedClock
) -> None:
    made = await operator.key()
    await operator.enters(http, made.secret)
    clock.set(clock() + 12 * HOUR - timedelta(seconds=1))
    assert (await http.get("/console/")).status_code == 200
    clock.set(clock() + timedelta(seconds=1))
    assert (await http.get("/console/")).status_code == 401
    await operator.enters(http, made.secret)
    await operator.gieok.access.revoke(made.key.key_id)
    assert (await http.get("/console/")).status_code == 401


@pytest.mark.parametrize(("everywhere", "other"), [("", 200), ("yes", 401)])
async def test_signing_out_ends_one_or_all(
    http: httpx.AsyncClient, operator: Operator, everywhere: str, other: int
) -> None:
    key = (await operator.key()).secret
    await operator.enters(http, key)
    elsewhere = {"Cookie": f"{CONSOLE_COOKIE}={http.cookies[CONSOLE_COOKIE]}"}
    token = await operator.enters(http, key)
    own = {"Cookie": f"{CONSOLE_COOKIE}={http.cookies[CONSOLE_COOKIE]}"}
    told = {"form_token": token, "everywhere": everywhere}
    answer = await http.post("/console/sign-out", data=told, headers=SAME)
    assert answer.status_code == 200
    http.cookies.clear()
    assert (await http.get("/console/", headers=own)).status_code == 401
    assert (await http.get("/console/", headers=elsewhere)).status_code == other


async def test_a_form_of_another_site_or_without_its_token_does_nothing(
    http: httpx.AsyncClient, operator: Operator
) -> None:
    key = (await operator.key()).secret
    link = await operator.links()
    for site in ("cross-site", "same-site", "none"):
        there = {"Sec-Fetch-Site": site, "Origin": str(http.base_url).rstrip("/")}
        for path, told in ((link, {}), ("/console/sign-in", {"key": key})):
            answer = await http.post(path, data=told, headers=there)
            assert answer.status_code == 403
    token = await operator.enters(http, key)
    for given, headers in (
        ("", SAME),
        ("f" * 64, SAME),
        (token, {"Sec-Fetch-Site": "cross-site"}),
    ):
        told = {"form_token": given, "everywhere": "yes"}
        answer = await http.post("/console/sign-out", data=told, headers=headers)
        assert answer.status_code == 403
    assert (await http.get("/console/")).status_code == 200


async def test_a_bare_address_and_a_missing_page_lead_somewhere(
    http: httpx.AsyncClient, operator: Operator
) -> None:
    bare = await http.get("/console")
    assert bare.headers["location"].endswith("/console/")
    await operator.enters(http, (await operator.key()).secret)
    for path in ("nowhere", "keys/x/revoke", "assets/0/pages.css"):
        answer = await http.get(f"/console/{path}")
        assert answer.status_code in {404, 405}
        assert answer.headers["Content-Security-Policy"].startswith(
            "default-src 'none'"
        )
        assert "Back to health" in answer.text
