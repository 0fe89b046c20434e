"""What a page that was opened before a change elsewhere does when it is sent."""

from urllib.parse import urlencode

import httpx
import pytest

from gieok.settings import Purpose
from support.html_forms import read_form
from support.page_people import PagePerson

pytestmark = pytest.mark.req("D14")
SAME = {"Sec-Fetch-Site": "same-origin"}


async def open_form(
    http: httpx.AsyncClient, person: PagePerson, action: str
) -> list[tuple[str, str]]:
    """Sign in, and return what the page of switches would send there untouched."""
    await person.consents()
    assert (await http.post(await person.links(), headers=SAME)).status_code == 303
    return read_form((await http.get("/me/switches")).text, action)


async def send_form(
    http: httpx.AsyncClient, action: str, fields: list[tuple[str, str]]
) -> None:
    """Send a form as a browser does."""
    told = urlencode(fields)
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = await http.post(action, content=told, headers=SAME | kind)
    assert answer.status_code == 303


async def test_a_stale_page_turns_nothing_back_on(
    http: httpx.AsyncClient, minji: PagePerson
) -> None:
    fields = await open_form(http, minji, "/me/switches")
    assert ("is_enabled", "true") in fields
    elsewhere = {
        "is_enabled": False,
        "auto_extraction": False,
        "allowed_categories": [],
        "retention_days": 30,
        "promotion_policy": "strict",
    }
    await minji.gieok.settings.update(minji.scope, elsewhere)
    touched = [
        (name, "7" if name == "max_memories" else value) for name, value in fields
    ]
    await send_form(http, "/me/switches", touched)
    after = await minji.gieok.settings.get(minji.scope)
    assert after.max_memories == 7
    assert (after.is_enabled, after.auto_extraction) == (False, False)
    assert after.allowed_categories == ()
    assert (after.retention_days, after.promotion_policy) == (30, "strict")


async def test_what_a_form_turns_off_is_off(
    http: httpx.AsyncClient, minji: PagePerson
) -> None:
    fields = await open_form(http, minji, "/me/switches")
    names = {"is_enabled", "allowed_categories"}
    left = [pair for pair in fields if pair[0] not in names]
    await send_form(http, "/me/switches", left)
    after = await minji.gieok.settings.get(minji.scope)
    assert (after.is_enabled, after.allowed_categories) == (False, ())
    assert after.auto_extraction is True


async def test_a_stale_page_agrees_to_nothing_that_was_refused_since(
    http: httpx.AsyncClient, minji: PagePerson
) -> None:
    fields = await open_form(http, minji, "/me/consent")
    assert ("sensitive", "yes") in fields
    await minji.gieok.settings.consent(minji.scope, {"sensitive": False})
    touched = [(name, "no" if name == "sync" else value) for name, value in fields]
    await send_form(http, "/me/consent", touched)
    found = await minji.gieok.settings.consents(minji.scope)
    refused = {each.purpose for each in found if not each.granted}
    assert refused == {Purpose.SENSITIVE, Purpose.SYNC, Purpose.WORDS}


async def test_who_agreed_to_other_texts_agrees_anew(
    http: httpx.AsyncClient, minji: PagePerson
) -> None:
    await open_form(http, minji, "/me/consent")
    await minji.gieok.settings.consent(minji.scope, {"sync": True}, notice="app/1")
    fields = read_form((await http.get("/me/welcome")).text, "/me/consent")
    await send_form(http, "/me/consent", fields)
    found = await minji.gieok.settings.consents(minji.scope)
    assert {each.notice for each in found} == {"pages/1"}
