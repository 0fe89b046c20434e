"""A device's token opens what that device asks, and nothing else."""

from datetime import timedelta
from uuid import UUID, uuid4

import httpx
import pytest

from gieok.kernel.errors import InvalidInputError
from gieok.kernel.scope import Actor
from gieok.surfaces.rest import Tokens
from gieok.surfaces.rest.rights import FOR_DEVICES, NEEDED
from gieok.sync import start_chain
from support.rest_people import HOUR, TRUST, Person
from support.rest_things import BODIES

HELLO = BODIES["POST /api/v1/sync/hello"]
BEGINNING = {
    "seq": 0,
    "chain": start_chain(UUID(HELLO["incarnation"])).chain.hex(),
}
FIRST_HELLO = {**HELLO, "device_id": "kitchen", "epoch": None, "up": BEGINNING}


def call_as(person: Person, tokens: Tokens, device: str | None) -> httpx.AsyncClient:
    token = tokens.issue(person.user_id, HOUR, Actor.DEVICE, device=device)
    return httpx.AsyncClient(
        base_url=person.http.base_url,
        headers={"Authorization": f"Bearer {token}"},
        verify=TRUST,
    )


@pytest.mark.req("A15")
async def test_no_device_is_named_what_leads_to_the_person(minji: Person) -> None:
    answer = await minji.http.post("/api/v1/users/me/devices", json={"id": ".."})
    assert (answer.status_code, answer.json()["error"]["field"]) == (422, "device")
    gone = await minji.http.delete("/api/v1/users/me/devices/..?words=keep")
    assert (gone.status_code, gone.json()["error"]["field"]) == (422, "words")
    assert (await minji.http.delete("/api/v1/users/me")).status_code == 204


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


@pytest.mark.req("A08", "A15")
async def test_a_registered_device_gets_its_own_credential(minji: Person) -> None:
    devices = "/api/v1/users/me/devices"
    made = await minji.http.post(devices, json={"id": "kitchen", "token_days": 3})
    assert made.status_code == 201
    told = made.json()
    assert (told["id"], told["sync_status"]) == ("kitchen", None)
    headers = {"Authorization": f"Bearer {told['token']}"}
    async with httpx.AsyncClient(
        base_url=minji.http.base_url, headers=headers, verify=TRUST
    ) as http:
        hello = FIRST_HELLO
        assert (await http.post("/api/v1/sync/hello", json=hello)).is_success
        assert (await http.get(devices)).status_code == 403
        other = {**hello, "device_id": "phone"}
        assert (await http.post("/api/v1/sync/hello", json=other)).status_code == 403
        (seen,) = (await minji.http.get(devices)).json()["devices"]
        assert seen["last_seen_at"] is not None
        gone = await minji.http.delete(f"{devices}/kitchen", params={"words": "keep"})
        assert gone.status_code == 204
        answer = await http.post("/api/v1/sync/hello", json=hello)
        assert answer.status_code == 410
    assert (await minji.http.get(devices)).json() == {"devices": []}
    missing = await minji.http.delete(f"{devices}/none", params={"words": "keep"})
    assert missing.status_code == 404


@pytest.mark.req("A08")
@pytest.mark.parametrize(("language", "words"), [("ko", "동기화"), ("en", "not sync")])
async def test_where_a_device_stands_is_said_in_words(
    minji: Person, language: str, words: str
) -> None:
    devices = "/api/v1/users/me/devices"
    await minji.http.post(devices, json={"id": "kitchen"})
    answer = await minji.http.get(devices, headers={"Accept-Language": language})
    assert words in answer.json()["devices"][0]["state"]


@pytest.mark.req("A15")
async def test_a_receipt_says_which_devices_have_heard(minji: Person) -> None:
    kept = await minji.remembers("나는 벌을 키워")
    await minji.http.post("/api/v1/sync/hello", json=FIRST_HELLO)
    await minji.http.delete(f"/api/v1/users/me/memories/{kept}")
    receipts = "/api/v1/users/me/erasure-receipts"
    (receipt,) = (await minji.http.get(receipts)).json()["receipts"]
    where = f"{receipts}/{receipt['receipt_id']}/devices"
    answer = await minji.http.get(where)
    assert answer.json() == {"devices": []}, "it took no copy yet"
    assert (await minji.http.get(f"{receipts}/{uuid4()}/devices")).status_code == 404
