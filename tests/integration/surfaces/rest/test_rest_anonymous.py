"""Sessions without a person: opened by an app, attached to nobody, gone when over."""

import re
from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from gieok import Gieok
from gieok.kernel.errors import NotFoundError
from gieok.kernel.language import Basis, Category, Finding, FindingOperation
from gieok.surfaces.rest.rights import FOR_NOBODY, NEEDED, SOCKET
from support.rest_people import TRUST, Person, Script
from support.rest_things import BODIES

pytestmark = pytest.mark.req("B02")

SESSIONS = "/api/v1/sessions"
TURN = {"user_text": "나는 벌을 키워", "assistant_text": "네."}


@pytest.fixture
async def app_key(gieok: Gieok) -> str:
    made = await gieok.access.create("app", ["read", "write", "act_as"])
    return made.secret


@pytest.fixture
async def unnamed(address: str, app_key: str) -> AsyncGenerator[httpx.AsyncClient]:
    """A client of an app that may act as people, and names nobody."""
    headers = {"X-API-Key": app_key}
    async with httpx.AsyncClient(
        base_url=address, headers=headers, verify=TRUST
    ) as http:
        yield http


async def started(unnamed: httpx.AsyncClient, **asked: Any) -> str:
    """Return the address of an anonymous session."""
    answer = await unnamed.post(SESSIONS, json=asked)
    assert answer.status_code == 201, answer.text
    return f"{SESSIONS}/{answer.json()['id']}"


async def test_an_app_opens_a_session_without_a_person(
    unnamed: httpx.AsyncClient,
) -> None:
    path = await started(unnamed, user_id=None, language="en", config={"tone": "short"})
    pair = await unnamed.post(f"{path}/turns", json=TURN)
    assert pair.status_code == 201, pair.text
    said = {"role": "user", "content": "또 왔어"}
    assert (await unnamed.post(f"{path}/messages", json=said)).status_code == 201
    assert (await unnamed.post(f"{path}/pause")).json()["status"] == "paused"
    assert (await unnamed.post(f"{path}/resume")).json()["status"] == "active"
    found = (await unnamed.get(path)).json()
    assert [each["content"] for each in found["messages"]] == [
        *TURN.values(),
        "또 왔어",
    ]
    assert (found["config"], found["language"]) == ({"tone": "short"}, "en")
    assert (found["persona_id"], found["device_id"]) == (None, None)
    until = datetime.fromisoformat(found["expires_at"])
    begun = datetime.fromisoformat(found["created_at"])
    assert abs(until - begun - timedelta(hours=24)) < timedelta(minutes=1)


async def test_nothing_of_it_becomes_a_memory_or_stays(
    unnamed: httpx.AsyncClient, gieok: Gieok, script: Script
) -> None:
    path = await started(unnamed)
    await unnamed.post(f"{path}/turns", json=TURN)
    assert (await unnamed.post(f"{path}/close")).json()["status"] == "completed"
    scope = gieok.accounts.anonymous(UUID(path.rpartition("/")[2]))
    script.findings = [
        Finding(
            FindingOperation.ADD, "벌을 키움", Category.HABIT, 0.9, Basis.STATED, (0,)
        )
    ]
    await gieok.settled(scope)
    script.findings = []
    assert await gieok.memories.page(scope, include_inactive=True) == ((), 0)
    assert not await gieok.memories.candidates(scope)
    assert not await gieok.summaries.days(scope)
    assert (await unnamed.delete(path)).status_code == 204
    assert (await unnamed.get(path)).status_code == 404
    assert (await unnamed.delete(path)).status_code == 404
    assert not await gieok.accounts.is_known(scope)
    assert not await gieok.maintenance.vault.keystore.list_keys(scope.user_id)


async def test_who_is_anonymous_reaches_nobodys_memory(
    unnamed: httpx.AsyncClient, minji: Person
) -> None:
    """Neither of people nor of one another."""
    theirs = await minji.talks()
    for method in ("GET", "DELETE"):
        answer = await unnamed.request(method, f"{SESSIONS}/{theirs}")
        assert answer.status_code == 404, "it is somebody's"
        answer = await unnamed.request(method, f"{SESSIONS}/{uuid4()}")
        assert answer.status_code == 404
    answer = await unnamed.post(f"{SESSIONS}/{theirs}/turns", json=TURN)
    assert answer.status_code == 404
    path = await started(unnamed)
    assert (await minji.http.get(path)).status_code == 404
    assert (await unnamed.get(SESSIONS)).status_code == 401
    for route, needs in NEEDED.items():
        method, where = route.split()
        if route in FOR_NOBODY or method == SOCKET:
            continue
        where = re.sub(r"\{\w+\}", path.rpartition("/")[2], where)
        answer = await unnamed.request(method, where, json=BODIES.get(route))
        allowed = needs <= {"read", "write", "act_as"}
        assert answer.status_code == (401 if allowed else 403), route


async def test_a_session_nobody_opened_leaves_no_key(
    unnamed: httpx.AsyncClient, gieok: Gieok
) -> None:
    unknown = uuid4()
    assert (await unnamed.get(f"{SESSIONS}/{unknown}")).status_code == 404
    nobody = gieok.accounts.anonymous(unknown)
    assert not await gieok.maintenance.vault.keystore.list_keys(nobody.user_id)
    with pytest.raises(NotFoundError):
        await gieok.erasure.person(nobody)


async def test_only_an_app_that_may_act_as_people_opens_one(
    anyone: httpx.AsyncClient, gieok: Gieok, app_key: str
) -> None:
    made = await gieok.access.create("app", ["read", "write"])
    for headers, status in (
        ({}, 401),
        ({"X-API-Key": made.secret}, 401),
        ({"X-API-Key": app_key, "X-Gieok-User": ""}, 401),
        ({"X-API-Key": app_key}, 201),
    ):
        answer = await anyone.post(SESSIONS, headers=headers)
        assert answer.status_code == status, headers


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"persona": "p"}, "persona"),
        ({"device": "d"}, "device"),
        ({"max_pairs": 8}, "max_pairs"),
        ({"expires_at": str(datetime.now(UTC) + timedelta(hours=25))}, "expires_at"),
        ({"language": "fr"}, "language"),
        ({"user_id": ""}, "user_id"),
    ],
)
async def test_what_an_anonymous_session_cannot_have_is_refused(
    unnamed: httpx.AsyncClient, asked: dict[str, Any], field: str
) -> None:
    answer = await unnamed.post(SESSIONS, json=asked)
    assert answer.status_code == 422
    assert answer.json()["error"]["field"] == field


async def test_the_person_may_be_named_in_the_body(
    unnamed: httpx.AsyncClient, minji: Person
) -> None:
    path = await started(unnamed, user_id=minji.user_id)
    assert (await minji.http.get(path)).status_code == 200
    assert (await unnamed.get(path)).status_code == 404, "it is somebody's from now on"
    named = {"X-Gieok-User": minji.user_id}
    assert (await unnamed.get(path, headers=named)).status_code == 200


async def test_who_acts_for_somebody_names_nobody_else(
    unnamed: httpx.AsyncClient, minji: Person, other: Person
) -> None:
    mine, theirs = {"user_id": minji.user_id}, {"user_id": other.user_id}
    named = {"X-Gieok-User": minji.user_id}
    for http, headers in ((minji.http, {}), (unnamed, named)):
        own = await http.post(SESSIONS, json=mine, headers=headers)
        assert own.status_code == 201
        refused = await http.post(SESSIONS, json=theirs, headers=headers)
        assert refused.status_code == 403
        assert "user_id" in refused.json()["error"]["message"]
    assert (await other.http.get(SESSIONS)).json()["total"] == 0
