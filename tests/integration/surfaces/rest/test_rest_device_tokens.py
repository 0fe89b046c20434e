"""A device's token opens what that device asks, and nothing else."""

from datetime import timedelta
from uuid import uuid4

import httpx
import pytest

from gieok.kernel.errors import InvalidInputError
from gieok.kernel.scope import Actor
from gieok.surfaces.rest import Tokens
from gieok.surfaces.rest.rights import FOR_DEVICES, NEEDED
from support.rest_people import HOUR, TRUST, Person
from support.rest_things import BODIES

HELLO = BODIES["POST /api/v1/sync/hello"]


def call_as(person: Person, tokens: Tokens, device: str | None) -> httpx.AsyncClient:
    token = tokens.issue(person.user_id, HOUR, Actor.DEVICE, device=device)
    return httpx.AsyncClient(
        base_url=person.http.base_url,
        headers={"Authorization": f"Bearer {token}"},
        verify=TRUST,
    )


@pytest.mark.req("A08")
@pytest.mark.parametrize(
    "route", sorted({each for each in NEEDED if "{" not in each} - FOR_DEVICES)
)
async def test_what_no_device_asks_is_closed(
    route: str, minji: Person, tokens: Tokens
) -> None:
    method, path = route.split()
    async with call_as(minji, tokens, "kitchen") as http:
        answer = await http.request(method, path, json=BODIES.get(route))
    assert answer.status_code == 403


@pytest.mark.req("A08")
async def test_a_token_of_one_device_is_not_good_for_another(
    minji: Person, tokens: Tokens
) -> None:
    asked = {"recognized_text": "불 켜줘", "device_context": {"device_id": "phone"}}
    hello = {**HELLO, "device_id": "phone", "epoch": None}
    query = {
        "device_id": "phone",
        "incarnation": str(uuid4()),
        "epoch": "0.0.0",
        "since": 0,
    }
    async with call_as(minji, tokens, "kitchen") as http:
        refused = [
            await http.post("/api/v1/sync/hello", json=hello),
            await http.get("/api/v1/sync/pull", params=query),
            await http.get("/api/v1/sync/snapshot", params=query),
            await http.post("/api/v1/a2a/requests", json=asked),
            await http.post("/api/v1/a2a/requests", json={"recognized_text": "불"}),
        ]
        for name in ("push", "ack"):
            body = {**BODIES[f"POST /api/v1/sync/{name}"], "device_id": "phone"}
            refused.append(await http.post(f"/api/v1/sync/{name}", json=body))
    assert {answer.status_code for answer in refused} == {403}
    assert (await minji.http.get("/api/v1/users/me/devices")).json()["devices"] == []


@pytest.mark.req("A08", "A11")
async def test_its_own_device_may_say_hello_and_ask(
    minji: Person, tokens: Tokens
) -> None:
    own = {"device_id": "kitchen"}
    asked = {"recognized_text": "불 켜줘", "device_context": own}
    async with call_as(minji, tokens, "kitchen") as http:
        fresh = {**HELLO, **own, "incarnation": str(uuid4()), "epoch": None}
        greeting = await http.post("/api/v1/sync/hello", json=fresh)
        answer = await http.post("/api/v1/a2a/requests", json=asked)
    assert greeting.status_code in {200, 409}, greeting.text
    assert answer.status_code == 200


def test_a_person_s_token_names_no_device(tokens: Tokens) -> None:
    with pytest.raises(InvalidInputError):
        tokens.issue("minji", timedelta(hours=1), device="kitchen")
