"""Nobody sees a byte of somebody else, and what a memory says does nothing."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import timedelta

import httpx
import pytest
from playwright.async_api import BrowserContext

from gieok import Turn
from gieok.kernel.language import CardField, Category, Gist
from gieok.surfaces.rest.errors import BodyTooLargeError
from gieok.surfaces.rest.tokens import Tokens
from gieok.testing import FixedClock
from support.browser import find_policy_violations, measure_overflow
from support.episodes import PLAIN_EPISODE
from support.html_forms import read_form
from support.page_people import PagePerson

NewWindow = Callable[..., AbstractAsyncContextManager[BrowserContext]]
pytestmark = pytest.mark.req("D14")
INTERESTS = CardField.INTERESTS
HOUR = timedelta(hours=1)
SAME = {"Sec-Fetch-Site": "same-origin"}
ACTIONS = (
    *("", "/correct", "/set-aside", "/use", "/pin", "/unpin", "/forget"),
    *("/yes", "/no", "/revoke", "/edit", "/archive", "/restore", "/erase"),
)
"""What the forms of pages lead to."""
HOSTILE = (
    "<script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "'\"><svg onload=document.title='owned'>",
    "{{ 7 * 7 }}{% raw %}",
    "\u202egnp.exe \u2066 rtl",
    "👩‍👩‍👧‍👦" * 40,
    "가" * 1_200,
)


async def sign_in(http: httpx.AsyncClient, person: PagePerson) -> str:
    """Sign in without a browser, and return what the forms carry."""
    http.cookies.clear()
    await person.consents()
    assert (await http.post(await person.links(), headers=SAME)).status_code == 303
    page = (await http.get("/me/")).text
    return page.split('name="form_token" value="')[1].split('"')[0]


async def test_two_people_never_see_a_byte_of_each_other(
    http: httpx.AsyncClient, minji: PagePerson, other: PagePerson
) -> None:
    theirs = await minji.owns("CANARY")
    await sign_in(http, minji)
    for path in theirs.values():
        assert (await http.get(path)).status_code == 200
    own = await other.owns("sparrow")
    token = await sign_in(http, other)
    shared = {path for path in own.values() if path in theirs.values()}
    for path in theirs.values():
        answer = await http.get(path)
        assert answer.status_code == (200 if path in shared else 404), path
        assert "CANARY" not in answer.text
    told = {"form_token": token, "question": "CANARY", "content": "sparrow"}
    told |= {"summary": "sparrow", "importance": "5", "tags": ""}
    answer = await http.post("/me/search", data=told, headers=SAME)
    assert answer.text.count("CANARY") == 1  # the question itself
    for path in theirs.values():
        for action in ACTIONS:
            if path in shared:
                continue
            answer = await http.post(path + action, data=told, headers=SAME)
            assert answer.status_code in {404, 405}, path + action
            assert "CANARY" not in answer.text
    await sign_in(http, minji)
    for path in theirs.values():
        assert (await http.get(path)).status_code == 200


@pytest.mark.parametrize("with_script", [True, False])
async def test_hostile_text_is_shown_and_does_nothing(
    window: NewWindow,
    minji: PagePerson,
    with_script: bool,  # noqa: FBT001 - a parameter
) -> None:
    await minji.consents()
    session = await minji.gieok.sessions.start(minji.scope)
    long = "<script>document.title='owned'</script>" + "긴 글 " * 25_600
    for text in (*HOSTILE, long):
        await minji.gieok.sessions.record(
            minji.scope, session.session_id, Turn(text, text)
        )
    kept = [await minji.remembers(text) for text in HOSTILE]
    paths = ["", "profile", "statistics", f"conversations/{session.session_id}"]
    for text in HOSTILE:
        gist = Gist(text, (text[:50],))
        await minji.gieok.episodes.create(
            minji.scope, persona_id=None, gist=gist, **PLAIN_EPISODE
        )
    paths.append("episodes")
    paths += [f"memories/{each.memory_id}" for each in kept]
    paths += [f"memories/{each.memory_id}/forget" for each in kept]
    async with window(script=with_script) as context:
        page = await context.new_page()
        await minji.signs_in(page)
        for path in paths:
            await page.goto(f"/me/{path}")
            assert "owned" not in await page.title()
            assert (
                await page.locator("main script, main img, main svg[onload]").count()
                == 0
            )
            if with_script:
                assert await find_policy_violations(page) == []
                assert await measure_overflow(page) <= 0
        await page.goto(f"/me/conversations/{session.session_id}")
        assert await page.get_by_text("<script>").count() >= 2
        assert await page.get_by_text("more characters").count() == 2


async def test_an_old_sign_in_neither_exports_nor_erases(
    http: httpx.AsyncClient, minji: PagePerson, clock: FixedClock
) -> None:
    token = await sign_in(http, minji)
    clock.set(clock() + timedelta(minutes=16))
    told = {"form_token": token, "understood": "yes"}
    for path in ("export", "erase"):
        answer = await http.post(f"/me/leave/{path}", data=told, headers=SAME)
        assert answer.status_code == 403
    assert await minji.gieok.accounts.is_known(minji.scope)
    assert "Erase everything for good" not in (await http.get("/me/leave")).text


async def test_an_erasure_has_to_be_meant(
    http: httpx.AsyncClient, minji: PagePerson
) -> None:
    token = await sign_in(http, minji)
    answer = await http.post(
        "/me/leave/erase", data={"form_token": token}, headers=SAME
    )
    assert answer.status_code == 422
    assert await minji.gieok.accounts.is_known(minji.scope)


async def test_no_page_breaks_on_what_an_address_may_hold(
    http: httpx.AsyncClient, minji: PagePerson
) -> None:
    await sign_in(http, minji)
    for path in (
        "memories/x",
        "conversations/..%2f",
        "receipts/%00",
        "open/%F0%9F%92%A9",
        "assets/0/pages.css",
        "assets/..%2f..%2fapp.py/pages.css",
        "?offset=-1",
        "?category=nothing",
        "looks?before=99999999999999999999999",
        "conversations?offset=x",
        "?order=best",
        "episodes?persona=x",
        "episodes/x",
        "gone/x",
    ):
        answer = await http.get(f"/me/{path}")
        assert 400 <= answer.status_code < 500, path
        assert answer.headers["content-type"].startswith("text/html")


async def test_a_conversation_and_a_memory_s_words_are_shown_as_far_as_asked(
    http: httpx.AsyncClient, minji: PagePerson
) -> None:
    await minji.tells("I keep bees.", "How nice!", fact="Keeps bees")
    session = await minji.gieok.sessions.start(minji.scope)
    for number in range(60):
        turn = Turn(f"Question {number}.", f"Answer {number}.")
        await minji.gieok.sessions.record(minji.scope, session.session_id, turn)
    await sign_in(http, minji)
    path = f"/me/conversations/{session.session_id}"
    last = (await http.get(path)).text
    assert ("Question 10." in last, "Answer 59." in last) == (True, True)
    assert "Question 9." not in last
    first = (await http.get(path, params={"offset": 100})).text
    assert ("Question 0." in first, "Answer 9." in first) == (True, True)
    assert "Question 10." not in first
    assert (await http.get(f"{path}/erase")).status_code == 200
    (memory,), _ = await minji.gieok.memories.page(minji.scope)
    assert "I keep bees." in (await http.get(f"/me/memories/{memory.memory_id}")).text


@pytest.mark.parametrize("megabytes", [3, 15])
async def test_a_file_that_is_too_large_is_refused_in_words(
    http: httpx.AsyncClient, minji: PagePerson, tokens: Tokens, megabytes: int
) -> None:
    await sign_in(http, minji)
    assert "gieok import" in (await http.get("/me/leave")).text
    body = b"x" * megabytes * 2**20
    files = {"file": ("export.jsonl", body)}
    answer = await http.post("/me/leave/import", files=files, headers=SAME)
    assert (answer.status_code, answer.headers["Connection"]) == (413, "close")
    assert answer.headers["Content-Type"].startswith("text/html")
    assert BodyTooLargeError().message("en") in answer.text
    token = {"Authorization": f"Bearer {tokens.issue(minji.user_id, HOUR)}"}
    api = await http.post("/api/v1/tutor", content=body, headers=token)
    assert (api.status_code, api.headers["Connection"]) == (413, "close")
    assert api.headers["Content-Type"] == "application/json"


async def test_a_value_that_several_memories_say_is_forgotten_from_all_of_them(
    http: httpx.AsyncClient, minji: PagePerson
) -> None:
    await minji.gieok.profile.merge(minji.scope, {"interests": ["jazz", "tea"]})
    await minji.remembers("사용자의 관심사: jazz", Category.PREFERENCE)
    card = await minji.gieok.profile.get(minji.scope)
    (value,) = (each for each in card.get_values(INTERESTS) if len(each.memory_ids) > 1)
    token = await sign_in(http, minji)
    assert (await http.get("/me/profile")).text.count('"/me/profile/forget"') == 1
    told = {"form_token": token, "place": "interests", "value": value.value}
    asked = await http.post("/me/profile/forget", data=told, headers=SAME)
    assert asked.status_code == 200
    assert "사용자의 관심사: jazz" in asked.text
    assert await minji.gieok.profile.get(minji.scope) == card, "nothing is gone yet"
    told = dict(read_form(asked.text, "/me/profile/erase"))
    for expected in (303, 404):
        gone = await http.post("/me/profile/erase", data=told, headers=SAME)
        assert gone.status_code == expected
        told["value"] = ""
    left = await minji.gieok.profile.get(minji.scope)
    assert "tea" in [each.value for each in left.get_values(INTERESTS)]
    assert value.value not in [each.value for each in left.get_values(INTERESTS)]
