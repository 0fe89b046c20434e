"""Conversations over HTTP: recorded, read back, closed, and nobody else's."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

import pytest

from gieok import Turn
from support.rest_people import Person

SESSIONS = "/api/v1/sessions"
NOBODYS = "018f0000-0000-7000-8000-000000000000"
TURN = {"user_text": "나 강남구 살아", "assistant_text": "강남구 규정을 알려 드릴게요."}


async def test_a_session_starts_in_korean_unless_told_otherwise(minji: Person) -> None:
    plain = await minji.http.post(SESSIONS)
    assert plain.status_code == 201
    assert (plain.json()["language"], plain.json()["status"]) == ("ko", "created")
    english = await minji.http.post(SESSIONS, json={"language": "en"})
    assert english.json()["language"] == "en"


@pytest.mark.req("A02")
async def test_an_apps_own_id_comes_back_as_it_was_given(
    minji: Person, other: Person
) -> None:
    given = str(uuid4())
    made = await minji.http.post(SESSIONS, json={"id": given})
    assert (made.status_code, made.json()["id"]) == (201, given)
    await minji.http.post(f"{SESSIONS}/{given}/turns", json=TURN)
    again = await minji.http.post(SESSIONS, json={"id": given})
    assert again.status_code == 409
    theirs = await other.http.post(SESSIONS, json={"id": given})
    assert theirs.status_code == 201
    kept = (await minji.http.get(f"{SESSIONS}/{given}")).json()
    assert len(kept["messages"]) == 2
    assert (await other.http.get(f"{SESSIONS}/{given}")).json()["messages"] == []


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


@pytest.mark.req("A01")
async def test_a_turn_that_is_sent_again_with_its_key_is_kept_once(
    minji: Person,
) -> None:
    path, key = f"{SESSIONS}/{await minji.talks()}", {"Idempotency-Key": str(uuid4())}
    answers = [
        await minji.http.post(f"{path}/turns", json=TURN, headers=key) for _ in "12"
    ]
    assert [answer.status_code for answer in answers] == [201, 201]
    first, again = (answer.json() for answer in answers)
    assert first == again
    assert first["pair_id"] == key["Idempotency-Key"]
    assert len((await minji.http.get(path)).json()["messages"]) == 2
    other = TURN | {"user_text": "다른 말"}
    refused = await minji.http.post(f"{path}/turns", json=other, headers=key)
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "conflict")
    bad = {"Idempotency-Key": "once"}
    answer = await minji.http.post(f"{path}/turns", json=TURN, headers=bad)
    assert answer.status_code == 422
    assert len((await minji.http.get(path)).json()["messages"]) == 2


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


async def test_a_conversation_is_read_in_pages(minji: Person) -> None:
    path = f"{SESSIONS}/{await minji.talks()}"
    for _ in range(2):
        await minji.http.post(f"{path}/turns", json=TURN)
    whole = (await minji.http.get(path)).json()
    assert (len(whole["messages"]), whole["has_more"]) == (4, False)
    first = (await minji.http.get(path, params={"limit": 3})).json()
    assert (first["messages"], first["has_more"]) == (whole["messages"][:3], True)
    rest = (await minji.http.get(path, params={"limit": 3, "start": 3})).json()
    assert (rest["messages"], rest["has_more"]) == (whole["messages"][3:], False)
    for bad in ({"limit": 0}, {"limit": 1001}, {"start": -1}):
        assert (await minji.http.get(path, params=bad)).status_code == 422


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
        ("POST", "/pause", None),
        ("POST", "/resume", None),
        ("POST", "/close", None),
        ("DELETE", "", None),
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
    nothing = {"sessions": [], "total": 0, "has_more": False}
    assert (await minji.http.get(SESSIONS)).json() == nothing


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


@pytest.mark.req("A02", "B02")
async def test_a_session_keeps_what_it_was_started_with(minji: Person) -> None:
    end = (minji.gieok.clock() + timedelta(hours=2)).isoformat()
    asked = {
        "language": "en",
        "persona": "mina",
        "device": "purifier-7",
        "config": {"tone": "짧게", "steps": [1, None]},
        "expires_at": end,
    }
    started = (await minji.http.post(SESSIONS, json=asked)).json()
    found = (await minji.http.get(f"{SESSIONS}/{started['id']}")).json()
    assert started.items() <= found.items()
    assert (found["language"], found["max_pairs"]) == ("en", 8)
    assert found["config"] == asked["config"]
    assert datetime.fromisoformat(found["expires_at"]) == datetime.fromisoformat(end)
    personas = await minji.gieok.accounts.persona_names(minji.scope)
    assert {str(known): name for known, name in personas.items()} == {
        found["persona_id"]: "mina"
    }
    assert found["device_id"] == "purifier-7"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"language": "fr"}, "language"),
        ({"persona": ""}, "persona"),
        ({"persona": "x" * 129}, "persona"),
        ({"persona": 7}, "persona"),
        ({"device": "a\u0000b"}, "device"),
        ({"config": [1]}, "config"),
        ({"max_pairs": 0}, "max_pairs"),
        ({"max_pairs": 10**9}, "max_pairs"),
        ({"max_pairs": True}, "max_pairs"),
        ({"expires_at": "2020-01-01T00:00:00Z"}, "expires_at"),
        ({"expires_at": "2999-01-01T00:00:00"}, "expires_at"),
        ({"expires_at": "tomorrow"}, "expires_at"),
        ({"expires_at": "9999-12-31T23:59:59-12:00"}, "expires_at"),
    ],
    ids=str,
)
@pytest.mark.parametrize("language", ["ko", "en"])
async def test_a_bad_start_is_named_and_starts_nothing(
    minji: Person, change: dict[str, Any], field: str, language: str
) -> None:
    answer = await minji.http.post(
        SESSIONS, json=change, headers={"Accept-Language": language}
    )
    assert answer.status_code == 422, answer.text
    error = answer.json()["error"]
    assert error["field"] == field
    assert any("가" <= letter <= "힣" for letter in error["message"]) == (
        language == "ko"
    )
    assert (await minji.http.get(SESSIONS)).json()["total"] == 0


async def test_lists_have_pages_and_narrow_to_a_status(minji: Person) -> None:
    made = [await minji.talks() for _ in range(3)]
    await minji.http.post(f"{SESSIONS}/{made[1]}/close")

    async def listed(**wanted: Any) -> tuple[list[str], int, bool]:
        body = (await minji.http.get(SESSIONS, params=wanted)).json()
        ids = [session["id"] for session in body["sessions"]]
        return ids, body["total"], body["has_more"]

    assert await listed(limit=2) == ([made[2], made[1]], 3, True)
    assert await listed(limit=2, offset=2) == ([made[0]], 3, False)
    assert await listed(status="completed") == ([made[1]], 1, False)
    assert await listed(status="paused") == ([], 0, False)
    wrong = await minji.http.get(SESSIONS, params={"status": "asleep"})
    assert (wrong.status_code, wrong.json()["error"]["field"]) == (422, "status")


@pytest.mark.req("B04", "B07")
async def test_a_session_is_paused_and_resumed(minji: Person) -> None:
    path = f"{SESSIONS}/{await minji.talks()}"
    early = await minji.http.post(f"{path}/pause")
    assert early.status_code == 409
    assert "created cannot become paused" in early.json()["error"]["message"]
    await minji.http.post(f"{path}/turns", json=TURN)
    paused = await minji.http.post(f"{path}/pause")
    assert (paused.status_code, paused.json()["status"]) == (200, "paused")
    assert (await minji.http.post(f"{path}/turns", json=TURN)).status_code == 409
    korean = await minji.http.post(
        f"{path}/pause", headers={"Accept-Language": "ko-KR"}
    )
    said = korean.json()["error"]["message"]
    assert "paused 상태의 대화는 paused 상태가 될 수 없습니다" in said
    resumed = await minji.http.post(f"{path}/resume")
    assert (resumed.status_code, resumed.json()["status"]) == (200, "active")
    assert (await minji.http.post(f"{path}/turns", json=TURN)).status_code == 201


@pytest.mark.req("A02")
@pytest.mark.parametrize(("asked", "most"), [(9, 8), (10_000, 8), (3, 3), (None, 8)])
async def test_a_session_on_a_device_takes_eight_turns_whatever_is_asked(
    minji: Person, asked: int | None, most: int
) -> None:
    body = {"device": "d1", "max_pairs": asked}
    started = await minji.http.post(SESSIONS, json=body)
    assert (started.status_code, started.json()["max_pairs"]) == (201, most)


@pytest.mark.req("A01", "A02")
@pytest.mark.parametrize(
    "name", ["A1B2C3D4-0000-4000-8000-00000000ABCD", " Phone ", "거실"]
)
async def test_a_device_is_named_as_it_was_given(minji: Person, name: str) -> None:
    """In upper case, with its spaces, and in NFD, as macOS writes Hangul."""
    started = (await minji.http.post(SESSIONS, json={"device": name})).json()
    path = f"{SESSIONS}/{started['id']}"
    told = [
        started,
        (await minji.http.get(path)).json(),
        *(await minji.http.get(SESSIONS)).json()["sessions"],
        (await minji.http.post(f"{path}/close")).json(),
    ]
    assert [each["device_id"] for each in told] == [name] * 4


@pytest.mark.req("A02")
async def test_the_ninth_turn_on_a_device_names_its_new_session(minji: Person) -> None:
    first = (await minji.http.post(SESSIONS, json={"device": "d1"})).json()["id"]
    pairs = [
        (await minji.http.post(f"{SESSIONS}/{first}/turns", json=TURN)).json()
        for _ in range(9)
    ]
    assert {pair["session_id"] for pair in pairs[:8]} == {first}
    following = pairs[8]["session_id"]
    assert following != first
    full = (await minji.http.get(f"{SESSIONS}/{first}")).json()
    assert (full["status"], full["ended_reason"]) == ("completed", "full")
    assert full["continued_by"] == following
    found = (await minji.http.get(f"{SESSIONS}/{following}")).json()
    assert (found["continues"], found["pair_count"]) == (first, 1)


@pytest.mark.req("B03", "B06")
async def test_a_message_keeps_its_layer_notes_and_figures(minji: Person) -> None:
    path = f"{SESSIONS}/{await minji.talks()}"
    body = {
        "role": "assistant",
        "content": "네",
        "layer": "response",
        "metadata": {"attachments": ["a.png"]},
        "tokens": 12,
        "cost": "0.5",
    }
    told = (await minji.http.post(f"{path}/messages", json=body)).json()
    assert (told["layer"], told["metadata"]) == ("response", body["metadata"])
    assert path.endswith(told["session_id"])
    found = (await minji.http.get(path)).json()
    assert found["messages"] == [told]
    assert (found["total_turns"], found["total_tokens"]) == (0, 12)
    assert Decimal(found["total_cost"]) == Decimal("0.5")


@pytest.mark.req("B11")
async def test_a_deleted_session_is_gone(minji: Person) -> None:
    path, other = f"{SESSIONS}/{await minji.talks()}", await minji.talks()
    await minji.http.post(f"{path}/turns", json=TURN)
    deleted = await minji.http.delete(path)
    assert (deleted.status_code, deleted.content) == (204, b"")
    assert (await minji.http.delete(path)).status_code == 404
    assert (await minji.http.get(path)).status_code == 404
    listed = (await minji.http.get(SESSIONS)).json()["sessions"]
    assert [session["id"] for session in listed] == [other]


@pytest.mark.req("B02")
async def test_somebody_unknown_may_talk_and_is_somebody_of_their_own(
    minji: Person,
) -> None:
    session_id = UUID(NOBODYS)
    gieok = minji.gieok
    scope = gieok.accounts.anonymous(session_id)
    session = await gieok.sessions.start(scope, session_id=session_id)
    turn = Turn("누구게?", "글쎄요.")
    await gieok.sessions.record(scope, session.session_id, turn)
    again = gieok.accounts.anonymous(session_id)
    assert len((await gieok.sessions.read(again, session_id)).messages) == 2
    assert gieok.accounts.anonymous(UUID(int=7)) != scope
    assert (await minji.http.get(f"{SESSIONS}/{NOBODYS}")).status_code == 404
