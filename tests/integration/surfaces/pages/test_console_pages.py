"""What an operator sees and does, in a real browser and without one."""

import asyncio
import re
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest
from playwright.async_api import BrowserContext, Page

from gieok.erasure import Receipt
from gieok.evaluation.results import EvaluationResult, write_result
from gieok.surfaces.rest import Tokens
from gieok.sync import Installation, start_chain
from gieok.testing import FixedClock
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
from support.database import Owner
from support.page_operators import SAME, Operator
from support.page_people import PagePerson
from support.page_reader import Reader
from support.rest_people import HOUR

NewWindow = Callable[..., AbstractAsyncContextManager[BrowserContext]]
PAGES = ("", "queue", "traffic", "keys", "people", "sync", "seals", "quality")


async def get_when_done(http: httpx.AsyncClient, path: str) -> httpx.Response:
    """Return a page once the work on it is done."""
    for _ in range(400):
        answer = await http.get(f"/console/{path}")
        if "Look again" not in answer.text:
            return answer
        await asyncio.sleep(0.05)
    raise AssertionError(path)


async def test_health_says_what_is_in_place(office: Reader) -> None:
    assert office.say("health.current", revision="00") in await office.read()
    assert "what runs" not in await office.read()
    await office.follow(office.button("health.button"))
    await office.look_again()
    rows = await office.table("health.found").get_by_role("row").all_inner_texts()
    assert len(rows) == 9
    passed = rf"{office.say('check.embedder')}\s+{office.say('state.ok')}"
    assert any(re.search(passed, row) for row in rows)


async def test_vectors_are_made_anew_while_nobody_looks(
    office: Reader, operator: Operator, minji: PagePerson
) -> None:
    """How far it is survives a reload, as of all long work."""
    await minji.remembers("The user keeps bees")
    await office.follow(office.button("health.vectors.button"))
    await office.look_again()
    await office.goto("/console/")
    made = re.search(
        office.say("health.vectors.made", count=r"(\d+)"), await office.read()
    )
    assert made is not None
    (hit,) = await operator.gieok.recall.search(minji.scope, "bees")
    assert hit.content == "The user keeps bees"


async def test_a_dead_letter_is_seen_and_retried(
    office: Reader, operator: Operator, owner: Owner
) -> None:
    found = await owner.execute(
        """
        INSERT INTO procrastinate_jobs (queue_name, task_name, status, attempts, args)
        VALUES ('default', 'extract', 'failed', 5, '{}') RETURNING id
        """
    )
    row = await found.fetchone()
    assert row is not None
    await operator.gieok.jobs.record_failure(row[0], "<b>the model</b> is away")
    await office.goto("/console/queue")
    assert "<b>the model</b> is away" in await office.read()
    given_up = re.compile(f"extract {office.say('queue.failed')}")
    line = office.page.get_by_role("row", name=given_up)
    assert "1" in await line.inner_text()
    card = office.page.get_by_role("listitem").filter(has_text=f"{row[0]} · extract")
    await office.follow(card.get_by_role("button"))
    assert await office.read_status() == office.say("done.retried")
    failed = {job.job_id for job in await operator.gieok.jobs.list_failed()}
    assert row[0] not in failed


async def test_the_last_figures_of_evaluations_are_shown(
    office: Reader, directory: Path
) -> None:
    at = datetime(2026, 1, 4, 9, tzinfo=UTC)
    counts = {"changes": (3, 4), "nothing": (0, 0)}
    rounds = {"<b>en</b> · 8": counts, "ko · 8": {"wishes": (1, 2)}}
    write_result(directory, EvaluationResult("second", at, "0.1.0", rounds))
    await office.goto("/console/quality")
    table = office.page.get_by_role("table", name="second")
    rows = await table.get_by_role("row").all_inner_texts()
    assert rows[0].split("\t")[1:] == ["<b>en</b> · 8", "ko · 8"]
    assert f"{office.say('measured.changes')}\t0.750 · 3/4\t–" in rows
    assert f"{office.say('measured.wishes')}\t–\t0.500 · 1/2" in rows
    assert "gieok 0.1.0" in await office.read()


def count_requests(page: str, route: str) -> int:
    """Return how often a page of traffic says that a route was asked for."""
    shown = re.search(f"<code>{re.escape(route)}</code></th><td>([0-9]+)</td>", page)
    return int(shown[1]) if shown else 0


async def test_traffic_is_counted_by_route_key_and_status(
    http: httpx.AsyncClient, operator: Operator, minji: PagePerson
) -> None:
    app = await operator.key("read", "act_as", name="<i>app</i>")
    headers = {"Authorization": f"Bearer {app.secret}", "X-Gieok-User": minji.user_id}
    await operator.enters(http, (await operator.key()).secret)
    route = "GET /api/v1/users/me/memories"
    before = count_requests((await http.get("/console/traffic")).text, route)
    for _ in range(3):
        answer = await http.get("/api/v1/users/me/memories?limit=7", headers=headers)
        assert answer.status_code == 200
    assert (await http.get("/api/v1/users/me")).status_code == 401
    page = (await http.get("/console/traffic")).text
    assert count_requests(page, route) == before + 3
    assert "<code>GET /console/</code>" in page
    assert "<bdi>&lt;i&gt;app&lt;/i&gt;</bdi></th><td>3</td>" in page.replace("\n", "")
    assert '<th scope="row">401</th>' in page
    assert minji.user_id not in page
    assert "limit=7" not in page


async def test_a_key_is_shown_once_and_revoked(
    office: Reader, operator: Operator
) -> None:
    await office.goto("/console/keys")
    name = "<script>document.title=1</script>"
    await office.fill(office.field("keys.name"), name)
    await office.tick(office.page.locator('[name="right"][value="read"]'))
    await office.follow(office.button("keys.create"))
    secret = await office.page.locator("section.done code").inner_text()
    made = await operator.gieok.access.verify(secret)
    assert made.rights == {"read"}
    assert secret not in await office.goto("/console/keys")
    title = f"{office.say('console.keys')} · {office.say('console.site')}"
    assert await office.page.title() == title
    card = office.page.get_by_role("listitem").filter(has_text=str(made.key_id))
    await office.follow(card.get_by_role("button"))
    assert await office.read_status() == office.say("done.revoked")
    revoked = {
        key.key_id for key in await operator.gieok.access.list() if key.revoked_at
    }
    assert made.key_id in revoked


async def test_nobody_makes_a_key_with_more_rights_than_their_own(
    http: httpx.AsyncClient, operator: Operator, clock: FixedClock
) -> None:
    before = len(await operator.gieok.access.list())
    own = await operator.key("admin", "read")
    token = await operator.enters(http, own.secret)
    for rights, status in (
        (["read", "act_as"], 403),
        (["write"], 403),
        (["root"], 422),
        ([], 422),
        (["admin", "read"], 200),
    ):
        told = {"form_token": token, "name": "app", "right": rights}
        answer = await http.post("/console/keys", data=told, headers=SAME)
        assert answer.status_code == status
    assert len(await operator.gieok.access.list()) == before + 2
    clock.set(clock() + HOUR)
    told = {"form_token": token, "name": "app", "right": "read"}
    answer = await http.post("/console/keys", data=told, headers=SAME)
    assert answer.status_code == 403


async def test_a_person_is_seen_in_figures_and_never_in_words(
    http: httpx.AsyncClient, operator: Operator, minji: PagePerson
) -> None:
    await minji.owns("CANARY")
    await operator.gieok.jobs.list_failed()
    token = await operator.enters(http, (await operator.key()).secret)
    told = {"form_token": token, "user_id": minji.user_id}
    seen = [await http.post("/console/people", data=told, headers=SAME)]
    assert "all as written" in seen[0].text
    seen += [await http.get(f"/console/{path}") for path in PAGES]
    for path in ("checks", "vectors", "sync", "seals/verify", "seals"):
        answer = await http.post(
            f"/console/{path}", data={"form_token": token}, headers=SAME
        )
        assert answer.status_code == 303
    seen += [await get_when_done(http, path) for path in ("", "sync", "seals")]
    for answer in seen:
        assert answer.status_code == 200
        assert "CANARY" not in answer.text
    for answer in seen[1:]:
        assert minji.user_id not in answer.text
    (look, *_), _ = await operator.gieok.audit.page(minji.scope, event="access")
    assert (look.actor, look.target_table) == ("admin", "users")


async def test_nobody_is_found_or_made_by_guessing(
    http: httpx.AsyncClient, operator: Operator, other: PagePerson
) -> None:
    token = await operator.enters(http, (await operator.key()).secret)
    told = {"form_token": token, "user_id": other.user_id, "again": other.user_id}
    for path in ("people", "people/erase"):
        answer = await http.post(f"/console/{path}", data=told, headers=SAME)
        assert answer.status_code == 404
    assert not await operator.gieok.accounts.is_known(other.scope)


async def test_a_broken_chain_is_seen(
    http: httpx.AsyncClient, operator: Operator, minji: PagePerson, owner: Owner
) -> None:
    await minji.remembers("The user keeps bees")
    await owner.execute(
        "UPDATE memory_audit_log SET reason = 'x' WHERE user_id = %s AND seq = 1",
        [minji.scope.user_id],
    )
    token = await operator.enters(http, (await operator.key()).secret)
    told = {"form_token": token, "user_id": minji.user_id}
    answer = await http.post("/console/people", data=told, headers=SAME)
    assert "memory_audit_log line 1" in answer.text
    await http.post("/console/seals/verify", data={"form_token": token}, headers=SAME)
    answer = await get_when_done(http, "seals")
    assert f"<code>{minji.scope.user_id}</code>: memory_audit_log line 1" in answer.text


async def test_a_person_is_erased_with_a_receipt(
    office: Reader, operator: Operator, minji: PagePerson, reports: Reports
) -> None:
    await minji.remembers("The user keeps bees")
    for again in ("somebody else", minji.user_id):
        await office.goto("/console/people")
        await office.fill(office.field("people.id"), minji.user_id)
        await office.follow(office.button("people.show"))
        await office.fill(office.field("person.again"), again)
        await office.follow(office.button("leave.erase.button"))
        await office.look_again()
        is_erased = again == minji.user_id
        assert await operator.gieok.accounts.is_known(minji.scope) is not is_erased
    assert office.say("receipt.signed") in await office.read()
    assert "422" in reports.console.pop()
    receipts: tuple[Receipt, ...] = await operator.gieok.erasure.receipts(minji.scope)
    await office.goto(office.page.url)
    assert str(receipts[0].receipt_id) in await office.read(), "after a reload, too"


async def test_an_old_sign_in_erases_nobody(
    http: httpx.AsyncClient, operator: Operator, minji: PagePerson, clock: FixedClock
) -> None:
    await minji.remembers("The user keeps bees")
    token = await operator.enters(http, (await operator.key()).secret)
    clock.set(clock() + HOUR)
    told = {"form_token": token, "user_id": minji.user_id, "again": minji.user_id}
    answer = await http.post("/console/people/erase", data=told, headers=SAME)
    assert answer.status_code == 403
    assert await operator.gieok.accounts.is_known(minji.scope)


async def test_devices_are_counted_by_state(
    office: Reader, operator: Operator, minji: PagePerson
) -> None:
    gieok = operator.gieok
    kitchen = Installation("kitchen CANARY", gieok.maintenance.database.new_id())
    await gieok.sync.hello(
        minji.scope, kitchen, up=start_chain(kitchen.incarnation), down=0
    )
    await office.goto("/console/sync")
    await office.follow(office.button("overview.button"))
    await office.look_again()
    assert await office.table("overview.states").get_by_role("row").count() >= 2
    assert "CANARY" not in await office.page.content()


async def test_the_audit_log_is_sealed_and_checked(
    office: Reader, minji: PagePerson
) -> None:
    await minji.remembers("The user keeps bees")
    await office.goto("/console/seals")
    await office.follow(office.button("seals.seal"))
    assert await office.read_status() == office.say("done.sealed")
    await office.follow(office.button("seals.verify"))
    await office.look_again()
    assert office.say("seals.newest") in await office.read()


async def test_without_a_sign_in_no_page_and_no_form_answers(
    http: httpx.AsyncClient, tokens: Tokens, minji: PagePerson
) -> None:
    bearer = {"Authorization": f"Bearer {tokens.issue(minji.user_id, HOUR, 'admin')}"}
    for path in PAGES:
        assert (await http.get(f"/console/{path}", headers=bearer)).status_code == 401
    forms = (
        "checks",
        "vectors",
        "queue/1/retry",
        "keys",
        "people",
        "people/erase",
        "sync",
        "seals",
    )
    for path in forms:
        answer = await http.post(f"/console/{path}", data={}, headers=SAME | bearer)
        assert answer.status_code == 401, path


async def test_no_form_works_without_its_token(
    http: httpx.AsyncClient, operator: Operator, minji: PagePerson
) -> None:
    await minji.remembers("The user keeps bees")
    made = await operator.key()
    await operator.enters(http, made.secret)
    told = {"user_id": minji.user_id, "again": minji.user_id, "name": "x"}
    for path in (
        "checks",
        "vectors",
        "queue/1/retry",
        "keys",
        f"keys/{made.key.key_id}/revoke",
        "people",
        "people/erase",
        "sync",
        "seals",
        "seals/verify",
    ):
        answer = await http.post(f"/console/{path}", data=told, headers=SAME)
        assert answer.status_code == 403, path
    assert await operator.gieok.accounts.is_known(minji.scope)


async def find_faults(page: Page, language: str) -> list[str]:
    """Return all that is wrong with the page that is shown."""
    lang = await page.get_attribute("html", "lang")
    return [
        *await find_barriers(page),
        *await find_policy_violations(page),
        *(["wider than its window"] if await measure_overflow(page) > 0 else []),
        *([f"in {lang}"] if lang != language else []),
    ]


async def walk_console(
    page: Page, operator: Operator, person: PagePerson
) -> AsyncGenerator[str]:
    """Show every page there is, and name each; the person is erased on the way."""
    await page.goto(await operator.links())
    yield "open"
    await follow(page.locator("main button"))
    for path, action in (
        ("", "checks"),
        ("", "vectors"),
        ("sync", "sync"),
        ("seals", "seals/verify"),
    ):
        await page.goto(f"/console/{path}")
        await follow(page.locator(f'form[action$="/{action}"] button'))
        yield f"{path}, going on or done"
    for path in PAGES:
        await page.goto(f"/console/{path}")
        yield path
    await page.goto("/console/people")
    await page.locator('[name="user_id"]').fill(person.user_id)
    await follow(page.locator("main form button"))
    yield "person"
    await page.locator('[name="again"]').fill(person.user_id)
    await follow(page.locator("button.danger"))
    yield "erased"
    await page.goto("/console/keys")
    await page.locator('[name="name"]').fill("app")
    await page.locator('[name="right"]').first.check()
    await follow(page.locator('form[action$="/keys"] button'))
    yield "a new key"
    await follow(page.locator('form[action$="/sign-out"] button').first)
    yield "signed out"


@pytest.mark.slow
@pytest.mark.parametrize(("language", "scheme", "width"), LOOKS)
async def test_nothing_keeps_an_operator_from_using_a_page(
    window: NewWindow,
    operator: Operator,
    minji: PagePerson,
    language: str,
    scheme: Scheme,
    width: int,
) -> None:
    await minji.owns("a cat")
    await operator.key("read", name="\u202eapp " + "가" * 100)
    await operator.gieok.audit.seal()
    async with window(Look(language, width, scheme)) as context:
        page = await context.new_page()
        faults = {
            name: found
            async for name in walk_console(page, operator, minji)
            if (found := await find_faults(page, language))
        }
    assert faults == {}
