"""Conversations over HTTP: recorded, read back, closed, and nobody else's."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from rest_people import Person

SESSIONS = "/api/v1/sessions"
NOBODYS = "018f0000-0000-7000-8000-000000000000"
TURN = {"user_text": "나 강남구 살아", "assistant_text": "강남구 규정을 알려 드릴게요."}


async def test_a_session_starts_in_korean_unless_told_otherwise(minji: Person) -> None:
    plain = await minji.http.post(SESSIONS)
    assert plain.status_code == 201
    assert (plain.json()["language"], plain.json()["status"]) == ("ko", "created")
    english = await minji.http.post(SESSIONS, json={"language": "en"})
    assert english.json()["language"] == "en"


async def test_sessions_are_listed_newest_first(minji: Person) -> None:
    made = [await minji.talks() for _ in range(3)]
    listed = (await minji.http.get(SESSIONS)).json()["sessions"]
    assert [session["id"] for session in listed] == made[::-1]
    page = await minji.http.get(SESSIONS, params={"limit": 1, "offset": 1})
    assert [session["id"] for session in page.json()["sessions"]] == [made[1]]


async def test_a_turn_is_recorded_and_read_back(minji: Person) -> None:
    session_id = await minji.talks()
    notes = {"route": "ODL", "steps": ["찾기", "답하기"], "confidence": 0.9}
    more = {
        "route_family": "ODL",
        "planner_summary": notes,
        "tokens": 120,
        "cost": "0.0125",
    }
    answer = await minji.http.post(f"{SESSIONS}/{session_id}/turns", json=TURN | more)
    assert answer.status_code == 201
    pair = answer.json()
    assert (pair["session_id"], pair["turn_index"]) == (session_id, 0)
    kept = datetime.fromisoformat(pair["retention_until"])
    assert kept - datetime.fromisoformat(pair["created_at"]) == timedelta(days=30)
    found = (await minji.http.get(f"{SESSIONS}/{session_id}")).json()
    assert [(each["role"], each["content"]) for each in found["messages"]] == [
        ("user", TURN["user_text"]),
        ("assistant", TURN["assistant_text"]),
    ]
    ids = [message["id"] for message in found["messages"]]
    assert ids == [pair["user_message_id"], pair["assistant_message_id"]]
    assert (found["status"], found["last_route"]) == ("active", "ODL")
    assert (found["total_turns"], found["total_tokens"]) == (1, 120)
    assert Decimal(found["total_cost"]) == Decimal("0.0125")


@pytest.mark.req("B06")
async def test_turns_tokens_and_cost_are_added_up(minji: Person) -> None:
    path = f"{SESSIONS}/{await minji.talks()}"
    for tokens, cost in ((100, 0.25), (23, "0.0001"), (0, 0)):
        body = TURN | {"tokens": tokens, "cost": cost}
        assert (await minji.http.post(f"{path}/turns", json=body)).status_code == 201
    found = (await minji.http.get(path)).json()
    assert (found["total_turns"], found["total_tokens"]) == (3, 123)
    assert Decimal(found["total_cost"]) == Decimal("0.2501")


async def test_single_messages_are_recorded_in_order(minji: Person) -> None:
    path = f"{SESSIONS}/{await minji.talks()}"
    said = [("system", "Be brief."), ("user", "hello"), ("assistant", "안녕하세요")]
    for position, (role, content) in enumerate(said):
        body = {"role": role, "content": content}
        answer = await minji.http.post(f"{path}/messages", json=body)
        assert answer.status_code == 201
        assert answer.json()["position"] == position
    messages = (await minji.http.get(path)).json()["messages"]
    assert [(each["role"], each["content"]) for each in messages] == said


async def test_a_closed_session_takes_nothing_more(minji: Person) -> None:
    path = f"{SESSIONS}/{await minji.talks()}"
    closed = await minji.http.post(f"{path}/close")
    assert (closed.status_code, closed.json()["status"]) == (200, "completed")
    assert closed.json()["completed_at"] is not None
    message = {"role": "user", "content": "아직 있어?"}
    for step, body in (("turns", TURN), ("messages", message), ("close", None)):
        answer = await minji.http.post(f"{path}/{step}", json=body)
        assert answer.status_code == 409
        assert answer.json()["error"]["code"] == "conflict"
    assert (await minji.http.get(path)).json()["messages"] == []


@pytest.mark.parametrize(
    ("method", "step", "body"),
    [
        ("GET", "", None),
        ("POST", "/turns", TURN),
        ("POST", "/messages", {"role": "user", "content": "hi"}),
        ("POST", "/close", None),
    ],
)
async def test_someone_elses_session_answers_like_a_missing_one(
    minji: Person, other: Person, method: str, step: str, body: Any
) -> None:
    theirs = await other.talks()
    http = minji.http
    foreign = await http.request(method, f"{SESSIONS}/{theirs}{step}", json=body)
    missing = await http.request(method, f"{SESSIONS}/{NOBODYS}{step}", json=body)
    assert foreign.status_code == missing.status_code == 404
    assert foreign.content == missing.content
    found = (await other.http.get(f"{SESSIONS}/{theirs}")).json()
    assert (found["status"], found["messages"]) == ("created", [])


async def test_nobody_sees_anybody_elses_list(minji: Person, other: Person) -> None:
    await other.talks()
    assert (await minji.http.get(SESSIONS)).json() == {"sessions": []}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"user_text": ""}, "user_text"),
        ({"assistant_text": "   "}, "assistant_text"),
        ({"user_text": None}, "user_text"),
        ({"user_text": 7}, "user_text"),
        ({"route_family": "x" * 129}, "route_family"),
        ({"planner_summary": [1]}, "planner_summary"),
        ({"tokens": -1}, "tokens"),
        ({"tokens": 1.5}, "tokens"),
        ({"tokens": True}, "tokens"),
        ({"tokens": 2**60}, "tokens"),
        ({"cost": -1}, "cost"),
        ({"cost": 10**9}, "cost"),
        ({"cost": "NaN"}, "cost"),
        ({"cost": "1e400"}, "cost"),
        ({"cost": "much"}, "cost"),
        ({"turn_index": 3}, "turn_index"),
    ],
    ids=str,
)
async def test_a_bad_turn_is_named_and_leaves_nothing(
    minji: Person, change: dict[str, Any], field: str
) -> None:
    path = f"{SESSIONS}/{await minji.talks()}"
    answer = await minji.http.post(f"{path}/turns", json=TURN | change)
    assert answer.status_code == 422
    assert answer.json()["error"]["field"] == field
    assert (await minji.http.get(path)).json()["messages"] == []
