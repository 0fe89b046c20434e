"""What a person takes along, brings along and erases, in a real browser."""

import asyncio
import io
import json
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from playwright.async_api import BrowserContext

from gieok.kernel.errors import ConflictError
from gieok.surfaces.pages import add_pages
from gieok.surfaces.pages.long_work import LongWork, Progress
from gieok.surfaces.pages.texts import format_text
from gieok.surfaces.rest import Edge, Tokens, create_app
from gieok.testing import FixedClock
from support.browser import Reports
from support.html_forms import read_form
from support.page_people import PagePerson
from support.page_reader import Reader
from support.rest_people import TRUST, serving

SAME = {"Sec-Fetch-Site": "same-origin"}
NewWindow = Callable[..., AbstractAsyncContextManager[BrowserContext]]
BEES = {"results": [{"id": "1", "memory": "The user <b>keeps</b> bees"}]}


@pytest.mark.req("D14", "E19")
async def test_everything_is_taken_along(
    me: Reader, minji: PagePerson, tmp_path: Path
) -> None:
    await minji.remembers("The user keeps bees")
    await me.goto("/me/leave")
    await me.follow(me.button("leave.take.button"))
    await me.look_again()
    await me.goto("/me/leave")
    download = me.button("leave.take.download")
    async with me.page.expect_download() as waiting:
        await (download.press("Enter") if me.way.by_keyboard else download.click())
    file = tmp_path / "export.jsonl"
    await (await waiting.value).save_as(file)
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert "The user keeps bees" in file.read_text("utf-8")
    assert "sha256" in json.dumps(lines[-1])
    assert me.say("leave.take.ready", count=len(lines)) in await me.read()


@pytest.mark.req("A15", "E19")
async def test_what_was_put_together_is_gone_once_something_is_erased(
    me: Reader, minji: PagePerson, app: FastAPI
) -> None:
    await minji.remembers("The user keeps bees")
    await me.goto("/me/leave")
    await me.follow(me.button("leave.take.button"))
    await me.look_again()
    await me.goto("/me/leave")
    assert await me.button("leave.take.download").count() == 1
    await minji.gieok.memories.forget_all(minji.scope)
    await me.goto("/me/leave")
    assert await me.button("leave.take.download").count() == 0
    assert find_work(app, "/me", f"export {minji.scope.user_id}").result is None


async def bring_along(me: Reader, source: str, file: Path) -> str:
    """Send a file, look again until it is in or refused, and return what is said."""
    await me.goto("/me/leave")
    await me.choose(me.field("import.source"), source)
    await me.field("import.file", exact=True).set_input_files(file)
    await me.follow(me.button("import.button"))
    await me.look_again()
    said = me.region("import.title").locator("[role=status], [role=alert]")
    return await said.inner_text()


@pytest.mark.req("E19")
async def test_memories_of_elsewhere_are_brought_along(
    me: Reader, minji: PagePerson, tmp_path: Path
) -> None:
    file = tmp_path / "mem0.json"
    file.write_text(json.dumps(BEES), "utf-8")
    brought = me.say("import.done", count=1)
    assert await bring_along(me, "mem0", file) == brought
    await me.goto("/me/leave")
    assert await me.page.get_by_text(brought).count() == 1
    (memory,), _ = await minji.gieok.memories.page(minji.scope)
    assert memory.content == "The user <b>keeps</b> bees"
    file.write_bytes(b"\x00\xff not an export")
    assert await bring_along(me, "gieok", file) != brought
    assert (await minji.gieok.memories.page(minji.scope))[1] == 1


async def test_what_one_person_brings_along_no_other_sees(
    me: Reader, other: PagePerson, window: NewWindow, tmp_path: Path
) -> None:
    file = tmp_path / "mem0.json"
    file.write_text(json.dumps(BEES), "utf-8")
    await bring_along(me, "mem0", file)
    await me.follow(me.button("leave.take.button"))
    await other.consents()
    async with window() as context:
        page = await context.new_page()
        await other.signs_in(page)
        await page.goto("/me/leave")
        shown = await page.locator("main").inner_text()
        assert "Brought in" not in shown
        assert "Download it" not in shown


def find_work(app: FastAPI, path: str, name: str) -> LongWork:
    """Return a piece of work of the pages at a path."""
    (mounted,) = [each for each in app.routes if getattr(each, "path", "") == path][-1:]
    return mounted.app.state.works.ensure(name)  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.req("D14")
async def test_how_far_long_work_is_survives_a_reload(
    me: Reader, minji: PagePerson, app: FastAPI
) -> None:
    """Whoever looks again, in this browser or another, sees it go on and end."""
    may_end = asyncio.Event()

    async def work_slowly(progress: Progress) -> None:
        progress(7, 0)
        await may_end.wait()

    name = f"import {minji.scope.user_id}"
    work = find_work(app, "/me", name)
    work.start(work_slowly, minji.gieok.clock)
    await work.wait(0.01)
    for _ in range(2):
        await me.goto("/me/leave")
        assert me.say("work.rows", count=7) in await me.read()
    may_end.set()
    await work.wait()
    await me.follow(me.link("work.again"))
    assert await me.link("work.again").count() == 0


async def test_a_second_file_is_refused_while_one_is_brought_in(
    me: Reader, minji: PagePerson, app: FastAPI, reports: Reports, tmp_path: Path
) -> None:
    may_end = asyncio.Event()

    async def work_slowly(_: Progress) -> None:
        await may_end.wait()

    file = tmp_path / "mem0.json"
    file.write_text(json.dumps(BEES), "utf-8")
    await me.goto("/me/leave")
    await me.choose(me.field("import.source"), "mem0")
    await me.field("import.file", exact=True).set_input_files(file)
    work = find_work(app, "/me", f"import {minji.scope.user_id}")
    assert work.start(work_slowly, minji.gieok.clock)
    refused = ConflictError("another file is being brought in")
    await me.button("import.button").click()
    await me.page.get_by_text(refused.message(me.way.language)).wait_for()
    assert "409" in reports.console.pop()
    may_end.set()
    await work.wait()
    assert (await minji.gieok.memories.page(minji.scope))[1] == 0


async def test_an_import_and_an_export_say_how_many_rows_they_have(
    minji: PagePerson,
) -> None:
    await minji.consents()
    heard: list[int] = []
    archive = io.BytesIO(json.dumps(BEES).encode())
    portability = minji.gieok.portability
    from gieok.portability import Source  # noqa: PLC0415 - beside its only use

    await portability.load(minji.scope, archive, Source.MEM0, heard.append)
    assert heard == [1]
    heard.clear()
    await portability.prepare(minji.scope, progress=heard.append)
    assert heard[-1] > 1


@pytest.mark.req("D14", "A15")
async def test_everything_is_erased_with_a_receipt_that_stays(
    me: Reader, minji: PagePerson, reports: Reports
) -> None:
    await minji.remembers("The user keeps bees")
    await me.goto("/me/leave")
    await me.tick(me.field("leave.erase.sure"))
    await me.follow(me.button("leave.erase.button"))
    await me.look_again()
    receipt = (await minji.gieok.erasure.receipts(minji.scope))[0]
    for _ in range(2):
        assert await me.read_heading() == me.say("gone.title")
        assert receipt.signature.hex() in await me.read()
        assert me.say("receipt.signed") in await me.read()
        await me.goto(me.page.url)
    assert await me.page.context.cookies() == []
    answer = await me.page.goto("/me/")
    assert answer is not None
    assert answer.status == 401
    assert "401" in reports.console.pop()


async def test_an_erasure_that_nobody_began_has_no_page(
    http: httpx.AsyncClient,
) -> None:
    answer = await http.get("/me/gone/" + "x" * 43)
    assert answer.status_code == 401
    assert "gone" not in answer.text


async def erase_without_browser(http: httpx.AsyncClient, person: PagePerson) -> str:
    """Have somebody erase themselves; return the path of their receipt."""
    await person.consents()
    assert (await http.post(await person.links(), headers=SAME)).status_code == 303
    page = (await http.get("/me/leave")).text
    told = dict(read_form(page, "/me/leave/erase")) | {"understood": "yes"}
    answer = await http.post("/me/leave/erase", data=told, headers=SAME)
    assert answer.status_code == 303
    return answer.headers["location"]


@pytest.mark.req("D14", "A15")
async def test_another_process_shows_the_receipt_as_well(
    http: httpx.AsyncClient, minji: PagePerson, tokens: Tokens
) -> None:
    path = await erase_without_browser(http, minji)
    receipt = (await minji.gieok.erasure.receipts(minji.scope))[0]
    another = create_app(minji.gieok, tokens)
    add_pages(another, Edge())
    async with (
        serving(another) as address,
        httpx.AsyncClient(base_url=address, verify=TRUST) as there,
    ):
        shown = await there.get(path)
        assert shown.status_code == 200
        assert receipt.signature.hex() in shown.text
        secret = path.partition("?")[0].removeprefix("/me/gone/")
        for wrong in (secret[:-2] + "xx", "x" + secret[1:], secret + "é", "é", "="):
            assert (await there.get(f"/me/gone/{wrong}")).status_code == 401


@pytest.mark.req("D14", "A15")
@pytest.mark.parametrize(
    ("language", "words"), [("en", "It is not known here"), ("ko", "알 수 없")]
)
async def test_another_process_does_not_say_that_it_erases(
    http: httpx.AsyncClient, minji: PagePerson, language: str, words: str
) -> None:
    """What failed in the one that began it would seem to go on for ever."""
    await minji.remembers("The user keeps bees")
    link = minji.gieok.erasure.create_receipt_link(minji.scope)
    shown = (await http.get(f"/me/gone/{link}?language={language}")).text
    assert words in shown
    assert format_text("gone.later", language) in shown
    assert f"/me/gone/{link}?language={language}" in shown
    assert format_text("work.rows", language, count=0) not in shown


@pytest.mark.req("D14", "A15")
async def test_a_receipt_of_an_earlier_time_is_not_taken_for_this_one(
    minji: PagePerson, clock: FixedClock
) -> None:
    erasure = minji.gieok.erasure
    await minji.remembers("The user keeps bees")
    await erasure.person(minji.scope)
    clock.advance(timedelta(seconds=1))
    await minji.remembers("The user keeps wasps")
    link = erasure.create_receipt_link(minji.scope)
    assert await erasure.find_receipt(link) is None
    receipt = await erasure.person(minji.scope)
    assert await erasure.find_receipt(link) == receipt
    clock.advance(timedelta(seconds=1))
    await minji.remembers("The user keeps ants")
    await erasure.person(minji.scope)
    assert await erasure.find_receipt(link) == receipt, "nor is a later one"
