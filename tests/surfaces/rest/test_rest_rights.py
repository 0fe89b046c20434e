"""Consent and erasure over HTTP."""

from uuid import uuid4

import pytest
from rest_people import Person

ME = "/api/v1/users/me"
CONSENTS = f"{ME}/consents"
RECEIPTS = f"{ME}/erasure-receipts"


@pytest.mark.req("D14")
async def test_consent_is_shown_and_put(minji: Person) -> None:
    shown = (await minji.http.get(CONSENTS)).json()["consents"]
    assert {each["purpose"]: each["granted"] for each in shown} == dict.fromkeys(
        ("storage", "profile", "sensitive", "sync"), True
    )
    change = {"sync": False, "profile": None, "notice": "2026-01"}
    answer = await minji.http.put(CONSENTS, json=change)
    assert answer.status_code == 200
    sync = answer.json()["consents"][3]
    assert (sync["granted"], sync["version"], sync["notice"]) == (False, 1, "2026-01")
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
