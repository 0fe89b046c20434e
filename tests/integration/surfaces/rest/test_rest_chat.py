"""Turns with a persona over HTTP (E02), as its document writes them."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import uuid4

import pytest

from gieok import Gieok
from gieok.database.transaction import assert_no_open_transaction
from gieok.kernel.errors import ModelUnavailableError, NoChatModelError
from gieok.kernel.language import ModelReply, Utterance
from gieok.testing import ScriptedModel
from support.rest_people import Person, StandIn

SEND, CLOSE = "/api/v1/chat/send", "/api/v1/chat/close"
ASKED = {"personaId": "persona_123", "message": "오늘 날씨 어때?"}
KOREAN = {"Accept-Language": "ko"}
RECENT = [
    {"role": "user", "content": "요즘 스트레스 받아"},
    {"role": "assistant", "content": "무슨 일 있어? 들어줄게"},
    {"role": "user", "content": "회사 일이 너무 많아서..."},
]


@dataclass(slots=True)
class Talker:
    """A chat model that keeps what it was shown."""

    error: Exception | None = None
    shown: list[list[tuple[str, str]]] = field(default_factory=list)
    prompts: list[str] = field(default_factory=list)

    def __call__(
        self, prompt: str, messages: Sequence[Utterance]
    ) -> ModelReply | Exception:
        self.prompts.append(prompt)
        self.shown.append([(each.role.value, each.content) for each in messages])
        return self.error or ModelReply("맑아!", tokens=9)


@pytest.fixture
def talker() -> Talker:
    return Talker()


@pytest.fixture
def hana(gieok: Gieok, stand_in: StandIn, talker: Talker, minji: Person) -> Person:
    """Minji, at a server whose model talks."""
    model = ScriptedModel(replies=talker, guard=assert_no_open_transaction)
    talking = replace(gieok, chat=replace(gieok.chat, model=model))
    stand_in(talking)
    return Person(minji.user_id, minji.http, talking)


@pytest.mark.req("E02")
async def test_a_message_that_is_sent_again_with_its_key_is_answered_as_before(
    hana: Person, talker: Talker
) -> None:
    key = {"Idempotency-Key": str(uuid4())}
    answers = [await hana.http.post(SEND, json=ASKED, headers=key) for _ in "12"]
    first, again = (answer.json() for answer in answers)
    assert first == again
    assert len(talker.shown) == 1, "the model is not asked again"
    held = (await hana.http.get(f"/api/v1/sessions/{first['sessionId']}")).json()
    assert [m["content"] for m in held["messages"]] == [ASKED["message"], "맑아!"]
    other = ASKED | {"message": "내일은?"}
    refused = await hana.http.post(SEND, json=other, headers=key)
    assert refused.status_code == 409
    assert len(talker.shown) == 1


@pytest.mark.req("E02", "D14")
async def test_a_message_of_a_refused_category_can_be_sent_again(
    hana: Person, talker: Talker
) -> None:
    await hana.http.put("/api/v1/users/me/consents", json={"sensitive": False})
    key = {"Idempotency-Key": str(uuid4())}
    asked = ASKED | {"message": "우울증 약을 복용해요"}
    answers = [await hana.http.post(SEND, json=asked, headers=key) for _ in "12"]
    first, again = (answer.json() for answer in answers)
    assert (again["reply"], again["messageId"]) == ("맑아!", first["messageId"])
    assert len(talker.shown) == 2, "what may not be read is asked about again"
    listed = (await hana.http.get("/api/v1/sessions")).json()["sessions"]
    assert [each["message_count"] for each in listed] == [2]


class TalkerToTwo(ScriptedModel):
    """A chat model that answers once two have asked, each something else."""

    def __init__(self) -> None:
        super().__init__(guard=assert_no_open_transaction)
        self._both = asyncio.Barrier(2)

    async def reply(
        self, instructions: str, messages: Sequence[Utterance]
    ) -> ModelReply:
        """Return which of the two this is."""
        del instructions, messages
        return ModelReply(f"{await self._both.wait()}번")


@pytest.mark.req("E02")
async def test_a_message_that_is_sent_again_meanwhile_gets_the_reply_that_is_kept(
    hana: Person, stand_in: StandIn
) -> None:
    chat = replace(hana.gieok.chat, model=TalkerToTwo())
    stand_in(replace(hana.gieok, chat=chat))
    key = {"Idempotency-Key": str(uuid4())}
    sends = (hana.http.post(SEND, json=ASKED, headers=key) for _ in "12")
    first, again = (answer.json() for answer in await asyncio.gather(*sends))
    assert first == again
    held = (await hana.http.get(f"/api/v1/sessions/{first['sessionId']}")).json()
    kept = [m["content"] for m in held["messages"]]
    assert kept == [ASKED["message"], first["reply"]]


@pytest.mark.req("E02")
async def test_the_documents_example_gets_a_reply(hana: Person, talker: Talker) -> None:
    asked = ASKED | {"context": {"recentMessages": RECENT}}
    answer = await hana.http.post(SEND, json=asked)
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert set(body) == {
        "success",
        "reply",
        "sessionId",
        "messageId",
        "createdAt",
        "memoriesUsed",
        "factsUsed",
    }
    assert (body["success"], body["reply"]) == (True, "맑아!")
    assert (body["memoriesUsed"], body["factsUsed"]) == ([], [])
    assert body["createdAt"].endswith("Z")
    assert datetime.fromisoformat(body["createdAt"])
    shown = [(each["role"], each["content"]) for each in RECENT]
    assert talker.shown == [[*shown, ("user", ASKED["message"])]]
    held = (await hana.http.get(f"/api/v1/sessions/{body['sessionId']}")).json()
    assert [m["content"] for m in held["messages"]] == [ASKED["message"], "맑아!"]
    assert held["messages"][1]["id"] == body["messageId"]
    assert held["total_tokens"] == 9


@pytest.mark.req("E01", "E02")
async def test_a_conversation_goes_on_until_it_is_closed(hana: Person) -> None:
    first = (await hana.http.post(SEND, json=ASKED)).json()
    second = (await hana.http.post(SEND, json=ASKED)).json()
    assert first["sessionId"] == second["sessionId"]
    closing = {"personaId": ASKED["personaId"]}
    closed = (await hana.http.post(CLOSE, json=closing)).json()
    assert closed == {"success": True, "sessionId": first["sessionId"]}
    again = (await hana.http.post(CLOSE, json=closing)).json()
    assert again == {"success": True, "sessionId": None}
    third = (await hana.http.post(SEND, json=ASKED)).json()
    assert third["sessionId"] != first["sessionId"]


@pytest.mark.req("E02")
async def test_the_wire_speaks_of_sessions_as_the_app_named_them(hana: Person) -> None:
    named = ASKED | {"sessionId": "session_456"}
    assert (await hana.http.post(SEND, json=named)).json()["sessionId"] == "session_456"
    closing = {"personaId": ASKED["personaId"], "sessionId": "session_456"}
    closed = (await hana.http.post(CLOSE, json=closing)).json()
    assert closed["sessionId"] == "session_456"
    assert (await hana.http.post(SEND, json=named)).json()["sessionId"] == "session_456"
    listed = (await hana.http.get("/api/v1/sessions")).json()["sessions"]
    assert len(listed) == 2


@pytest.mark.req("E02")
async def test_the_app_says_who_the_persona_is(hana: Person, talker: Talker) -> None:
    await hana.http.post(SEND, json=ASKED | {"instructions": "너는 하나야."})
    assert talker.prompts == ["너는 하나야."]


@pytest.mark.req("E02")
@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ModelUnavailableError("model", "it is away"), "MODEL_UNAVAILABLE"),
        (NoChatModelError(), "NO_CHAT_MODEL"),
    ],
)
async def test_a_model_that_fails_says_so_and_nothing_is_kept(
    hana: Person, talker: Talker, error: Exception, code: str
) -> None:
    talker.error = error
    answer = await hana.http.post(SEND, json=ASKED, headers=KOREAN)
    assert answer.status_code == 503
    assert (answer.json()["success"], answer.json()["error"]) == (False, code)
    assert "retry-after" in answer.headers
    assert (await hana.http.get("/api/v1/sessions")).json()["sessions"] == []


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"message": None}, "message"),
        ({"message": " "}, "message"),
        ({"message": "가" * 11_000}, "message"),
        ({"personaId": ""}, "personaId"),
        ({"personaId": "a" * 129}, "personaId"),
        ({"personaId": 7}, "personaId"),
        ({"sessionId": "\x00"}, "sessionId"),
        ({"persona_id": "x", "personaId": "y"}, "persona_id"),
        ({"context": []}, "context"),
        ({"context": {"recentMessages": [{}] * 101}}, "context.recentMessages"),
        (
            {"context": {"recentMessages": [{"role": "system", "content": "응"}]}},
            "context.recentMessages.0.role",
        ),
        (
            {"context": {"recentMessages": [{"role": "user", "content": "\x00"}]}},
            "recentMessages.0.content",
        ),
        ({"more": 1}, "more"),
    ],
)
async def test_what_cannot_be_used_is_named(
    hana: Person, talker: Talker, wrong: dict[str, Any], field: str
) -> None:
    answer = await hana.http.post(SEND, json=ASKED | wrong, headers=KOREAN)
    assert answer.status_code == 422
    body = answer.json()
    assert set(body) == {"success", "error", "message", "field"}
    assert (body["success"], body["error"]) == (False, "INVALID_INPUT")
    assert body["field"] == field
    assert f"`{field}`" in body["message"]
    assert any("가" <= letter <= "힣" for letter in body["message"])
    assert talker.shown == []


async def test_another_persons_session_is_a_name_like_any(
    hana: Person, other: Person
) -> None:
    theirs = await other.talks()
    answer = await hana.http.post(SEND, json=ASKED | {"sessionId": theirs})
    assert answer.json()["sessionId"] == theirs
    untouched = (await other.http.get(f"/api/v1/sessions/{theirs}")).json()
    assert untouched["messages"] == []
    assert (await hana.http.get(f"/api/v1/sessions/{theirs}")).status_code == 404


async def test_a_session_is_one_personas(hana: Person) -> None:
    first = (await hana.http.post(SEND, json=ASKED)).json()
    asked = ASKED | {"personaId": "persona_9", "sessionId": first["sessionId"]}
    answer = await hana.http.post(SEND, json=asked)
    assert (answer.status_code, answer.json()["error"]) == (409, "CONFLICT")
