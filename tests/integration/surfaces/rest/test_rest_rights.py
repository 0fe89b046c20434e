"""Consent, erasure, the own audit log and the plan, over HTTP."""

from urllib.parse import quote
from uuid import uuid4

import httpx
import pytest

from gieok.surfaces.rest import Tokens
from support.rest_people import HOUR, Person

ME = "/api/v1/users/me"
CONSENTS = f"{ME}/consents"
RECEIPTS = f"{ME}/erasure-receipts"


@pytest.mark.req("D14")
async def test_consent_is_shown_and_put(minji: Person) -> None:
    shown = (await minji.http.get(CONSENTS)).json()["consents"]
    assert {each["purpose"]: each["granted"] for each in shown} == {
        "storage": True,
        "profile": True,
        "sensitive": True,
        "sync": True,
        "words": False,
    }
    change = {"sync": False, "words": True, "profile": None, "notice": "2026-01"}
    answer = await minji.http.put(CONSENTS, json=change)
    assert answer.status_code == 200
    sync = answer.json()["consents"][3]
    assert (sync["granted"], sync["version"], sync["notice"]) == (False, 1, "2026-01")
    words = answer.json()["consents"][4]
    assert (words["granted"], words["version"]) == (True, 1)
    assert answer.json()["consents"][1]["version"] == 0
    assert (await minji.http.get(CONSENTS)).json() == answer.json()


@pytest.mark.req("D14")
async def test_a_withdrawal_refuses_the_next_turn_and_names_the_purpose(
    minji: Person,
) -> None:
    session = await minji.talks()
    await minji.http.put(CONSENTS, json={"storage": False})
    turn = {"user_text": "벌을 키워요", "assistant_text": "네."}
    answer = await minji.http.post(f"/api/v1/sessions/{session}/turns", json=turn)
    assert answer.status_code == 403
    assert "storage" in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"ads": True}, "ads"),
        ({"storage": "no"}, "storage"),
        ({"notice": "x" * 200, "sync": True}, "notice"),
    ],
)
async def test_an_unacceptable_decision_is_refused(
    minji: Person, change: dict[str, object], field: str
) -> None:
    answer = await minji.http.put(CONSENTS, json=change)
    assert answer.status_code == 422
    assert answer.json()["error"]["field"] == field


@pytest.mark.req("A15", "E19")
async def test_a_person_is_erased_and_keeps_the_receipt(
    minji: Person, other: Person
) -> None:
    await minji.remembers("사용자는 벌을 키움")
    assert (await minji.http.delete(ME)).status_code == 204
    assert (await minji.http.delete(ME)).status_code == 204
    (receipt,) = (await minji.http.get(RECEIPTS)).json()["receipts"]
    assert receipt["parts"]["keys"] == "destroyed"
    assert receipt["counts"]["user_memories"] == 1
    assert (await minji.http.get(f"{ME}/memories")).json()["total"] == 0
    assert (await minji.http.get(RECEIPTS)).json() == {"receipts": [receipt]}
    where = f"{RECEIPTS}/{receipt['receipt_id']}"
    assert (await minji.http.get(where)).json() == receipt
    foreign = await other.http.get(where)
    missing = await other.http.get(f"{RECEIPTS}/{uuid4()}")
    assert (foreign.status_code, foreign.json()) == (404, missing.json())


async def test_a_stranger_has_nothing_to_erase(minji: Person) -> None:
    assert (await minji.http.delete(ME)).status_code == 404


@pytest.mark.req("A15")
@pytest.mark.parametrize(
    "name", ["거실 스피커/2", "6F1C2A58-6C3B-4F43-9D8E-0B6A1D2C3E4F"]
)
async def test_one_device_is_erased_with_what_was_said_on_it(
    minji: Person, other: Person, name: str
) -> None:
    said = {"user_text": "벌을 키워요", "assistant_text": "네."}
    kept = [await on_device(person, name) for person in (minji, other)]
    elsewhere = await on_device(minji, "부엌")
    for person, session in ((minji, kept[0]), (other, kept[1]), (minji, elsewhere)):
        await person.http.post(f"/api/v1/sessions/{session}/turns", json=said)
    where = f"{ME}/devices/{quote(name, safe='')}"
    assert (await minji.http.delete(where)).status_code == 204
    assert (await minji.http.delete(where)).status_code == 404
    sessions = (await minji.http.get("/api/v1/sessions")).json()["sessions"]
    assert [each["id"] for each in sessions] == [elsewhere]
    for person, device in ((minji, "부엌"), (other, name)):
        devices = (await person.http.get(f"{ME}/devices")).json()["devices"]
        assert [each["id"] for each in devices] == [device]
    (receipt,) = (await minji.http.get(RECEIPTS)).json()["receipts"]
    assert (receipt["kind"], receipt["counts"]["messages"]) == ("device", 2)


async def on_device(person: Person, name: str) -> str:
    """Return a session of a person on a device."""
    answer = await person.http.post("/api/v1/sessions", json={"device": name})
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


@pytest.mark.req("A09", "D16")
async def test_a_person_reads_their_own_audit_page_by_page(
    minji: Person, other: Person
) -> None:
    await minji.remembers("사용자는 벌을 키움")
    await minji.http.get(f"{ME}/memories")
    await other.remembers("사용자는 개를 키움")
    whole = (await minji.http.get(f"{ME}/audit")).json()
    lines = whole["lines"]
    assert not whole["has_more"]
    assert [each["position"] for each in lines] == [*range(len(lines), 0, -1)]
    assert "벌" not in str(whole)
    first, asked = [], {"limit": 1}
    while not first or first[-1]["has_more"]:
        answer = await minji.http.get(f"{ME}/audit", params=asked)
        first.append(answer.json())
        asked["before"] = first[-1]["lines"][-1]["position"]
    assert [each["lines"][0] for each in first] == lines
    read = await minji.http.get(f"{ME}/audit", params={"event": "access"})
    assert {each["event_type"] for each in read.json()["lines"]} == {"access"}
    kept = await minji.gieok.audit.lines(minji.scope)
    assert [each["hash"] for each in lines] == [x.hash.hex() for x in reversed(kept)]
    assert len(await minji.gieok.audit.lines(minji.scope)) == len(lines), "no record"
    for wrong in ({"limit": 0}, {"before": 0}, {"before": 2**63}, {"event": "read"}):
        refused = await minji.http.get(f"{ME}/audit", params=wrong)
        assert refused.status_code == 422, wrong


@pytest.mark.req("A09", "A15")
async def test_the_audit_outlives_the_person(minji: Person) -> None:
    await minji.remembers("사용자는 벌을 키움")
    assert (await minji.http.delete(ME)).status_code == 204
    (newest, *_) = (await minji.http.get(f"{ME}/audit")).json()["lines"]
    assert (newest["event_type"], newest["target_table"]) == ("delete", "users")


@pytest.mark.req("E07")
async def test_an_operator_puts_a_person_on_the_premium_plan(
    anyone: httpx.AsyncClient, minji: Person, other: Person, tokens: Tokens
) -> None:
    assert (await minji.http.get(f"{ME}/plan")).json() == {"plan": "free"}
    premium = {"plan": "premium"}
    refused = await minji.http.put(f"{ME}/plan", json=premium)
    assert refused.status_code == 403, "nobody gives it to themselves"
    app = await minji.gieok.access.create("app", ["read", "write", "act_as"])
    operator = await minji.gieok.access.create("shop", ["admin", "act_as"])
    for secret, status in ((app.secret, 403), (operator.secret, 200)):
        headers = {"X-API-Key": secret, "X-Gieok-User": minji.user_id}
        answer = await anyone.put(f"{ME}/plan", json=premium, headers=headers)
        assert answer.status_code == status
    assert (await minji.http.get(f"{ME}/plan")).json() == premium
    assert (await other.http.get(f"{ME}/plan")).json() == {"plan": "free"}
    for name in range(6):
        told = {"personaId": "p", "sessionId": str(name), "manualSummary": f"일 {name}"}
        said = {"messages": [{"role": "user", "content": f"{name}번째 날이에요"}]}
        made = await minji.http.post("/api/v1/memory/create", json=told | said)
        assert made.status_code == 200, made.text
    token = tokens.issue(minji.user_id, HOUR, "admin")
    headers = {"Authorization": f"Bearer {token}"}
    back = await anyone.put(f"{ME}/plan", json={"plan": "free"}, headers=headers)
    assert (back.status_code, back.json()) == (200, {"plan": "free"})
    asked = {"personaId": "p", "includeArchived": "true"}
    kept = (await minji.http.get("/api/v1/memory/list", params=asked)).json()
    assert kept["total"] == 6
    assert len([each for each in kept["memories"] if each["archivedAt"]]) == 1
    wrong = await anyone.put(f"{ME}/plan", json={"plan": "gold"}, headers=headers)
    assert (wrong.status_code, wrong.json()["error"]["field"]) == (422, "plan")
