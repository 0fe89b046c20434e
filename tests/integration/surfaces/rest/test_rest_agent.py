"""The reference agent over HTTP (B07, B08)."""

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest
from fastapi import FastAPI

from gieok import Gieok
from gieok.database.transaction import assert_no_open_transaction
from gieok.kernel.errors import NoChatModelError
from gieok.kernel.language import ModelReply, Utterance
from gieok.surfaces.langgraph import Agent
from gieok.surfaces.rest import Tokens, create_app
from gieok.testing import ScriptedModel
from support.rest_people import HOUR, TRUST, Person, serving

RUN = "/api/v1/agent/run"
ASKED = {"message": "투명 페트병은 어떻게 버려?", "interrupt": False}
ANSWER = "목요일에 투명 봉투로 내세요."
KOREAN = {"Accept-Language": "ko"}
STREAM = {"Accept": "text/event-stream"}
FIELDS = {
    "session_id",
    "status",
    "current_layer",
    "waits_before",
    "message",
    "response",
    "understanding",
    "plan",
    "memories",
    "questions",
    "total_tokens",
    "total_cost",
    "ended_reason",
}


@dataclass(slots=True)
class Talker:
    """A chat model that answers each layer, or fails."""

    error: Exception | None = None
    prompts: list[str] = field(default_factory=list)

    def __call__(
        self, prompt: str, messages: Sequence[Utterance]
    ) -> ModelReply | Exception:
        self.prompts.append(prompt)
        assert messages
        if self.error:
            return self.error
        if "계획을 한 줄에" in prompt:
            return ModelReply("1. 요일을 찾는다\n2. 답한다", tokens=7)
        return ModelReply(ANSWER if "도우미" not in prompt else "?", tokens=7)


@pytest.fixture
def model() -> Talker:
    return Talker()


@pytest.fixture
def talking(gieok: Gieok, tokens: Tokens, model: Talker) -> FastAPI:
    scripted = ScriptedModel(replies=model, guard=assert_no_open_transaction)
    return create_app(replace(gieok, chat=replace(gieok.chat, model=scripted)), tokens)


@pytest.fixture
async def hana(
    gieok: Gieok, tokens: Tokens, talking: FastAPI, minji: Person
) -> AsyncGenerator[Person]:
    """Minji, at a server whose model talks."""
    headers = {"Authorization": f"Bearer {tokens.issue(minji.user_id, HOUR)}"}
    async with (
        serving(talking) as url,
        httpx.AsyncClient(base_url=url, headers=headers, verify=TRUST) as http,
    ):
        yield Person(minji.user_id, http, gieok)


def events(text: str) -> list[tuple[str, Any]]:
    blocks = [block.split("\n") for block in text.strip().split("\n\n")]
    return [
        (name.removeprefix("event: "), json.loads(data.removeprefix("data: ")))
        for name, data in blocks
    ]


@pytest.mark.req("B05", "B06", "B08")
async def test_a_message_is_answered_in_a_session(hana: Person) -> None:
    answer = await hana.http.post(RUN, json=ASKED)
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert set(body) == FIELDS
    assert (body["response"], body["status"]) == (ANSWER, "active")
    assert (body["current_layer"], body["waits_before"]) == ("response", None)
    assert body["plan"] == ["요일을 찾는다", "답한다"]
    assert (body["total_tokens"], body["total_cost"]) == (21, "0.0000")
    held = (await hana.http.get(f"/api/v1/sessions/{body['session_id']}")).json()
    said = [(m["content"], m["layer"]) for m in held["messages"]]
    assert said == [(ASKED["message"], "cognitive"), (ANSWER, "response")]
    assert held["total_turns"] == 1
    again = await hana.http.post(RUN, json=ASKED | {"sessionId": body["session_id"]})
    assert again.json()["session_id"] == body["session_id"]
    state = await hana.http.get(f"/api/v1/agent/{body['session_id']}/state")
    assert state.json() == again.json()
    assert state.json()["total_tokens"] == 42


@pytest.mark.req("B07")
async def test_a_run_pauses_before_planning_unless_told_otherwise(hana: Person) -> None:
    asked = {"message": ASKED["message"]}
    body = (await hana.http.post(RUN, json=asked)).json()
    assert (body["status"], body["waits_before"]) == ("paused", "planning")


@pytest.mark.req("B08", "D11")
async def test_the_run_is_told_what_is_known(hana: Person, model: Talker) -> None:
    memory_id = await hana.remembers("사용자는 투명 페트병을 모은다.")
    await hana.gieok.recall.index(hana.scope)
    body = (await hana.http.post(RUN, json=ASKED)).json()
    assert [each["id"] for each in body["memories"]] == [memory_id]
    assert all("페트병을 모은다" in prompt for prompt in model.prompts)


@pytest.mark.req("B04", "B07")
async def test_a_run_is_paused_edited_and_resumed(hana: Person, model: Talker) -> None:
    body = (await hana.http.post(RUN, json=ASKED | {"interrupt": True})).json()
    assert (body["status"], body["waits_before"]) == ("paused", "planning")
    assert (body["response"], body["plan"]) == (None, [])
    path = f"/api/v1/agent/{body['session_id']}"
    assert (await hana.http.get(f"{path}/state")).json() == body
    edits = {"plan": ["라벨을 뗀다"], "understanding": "라벨을 묻는다."}
    done = (await hana.http.post(f"{path}/resume", json={"edits": edits})).json()
    assert (done["status"], done["response"]) == ("active", ANSWER)
    assert (done["plan"], done["understanding"]) == (["라벨을 뗀다"], "라벨을 묻는다.")
    assert "라벨을 뗀다" in model.prompts[-1]
    refused = await hana.http.post(f"{path}/resume", headers=KOREAN)
    assert refused.status_code == 409
    assert "이어서 할 실행이 없습니다" in refused.json()["error"]["message"]


@pytest.mark.req("B07")
async def test_of_two_resumes_at_once_one_gets_409(hana: Person) -> None:
    body = (await hana.http.post(RUN, json=ASKED | {"interrupt": True})).json()
    path = f"/api/v1/agent/{body['session_id']}/resume"
    answers = await asyncio.gather(*(hana.http.post(path) for _ in range(2)))
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    held = (await hana.http.get(f"/api/v1/sessions/{body['session_id']}")).json()
    assert (held["total_turns"], len(held["messages"])) == (1, 2)


@pytest.mark.req("B07")
async def test_what_is_over_is_not_resumed(hana: Person) -> None:
    body = (await hana.http.post(RUN, json=ASKED | {"interrupt": True})).json()
    session_id = body["session_id"]
    await hana.http.post(f"/api/v1/sessions/{session_id}/close")
    for path in (f"/api/v1/agent/{session_id}/resume",):
        answer = await hana.http.post(path)
        assert answer.status_code == 409
        assert "completed" in answer.json()["error"]["message"]
    again = await hana.http.post(RUN, json=ASKED | {"session_id": session_id})
    assert again.status_code == 409
    soon = hana.gieok.clock() + timedelta(seconds=0.2)
    session = await hana.gieok.sessions.start(hana.scope, expires_at=soon)
    asked = ASKED | {"session_id": str(session.session_id), "interrupt": True}
    paused = await hana.http.post(RUN, json=asked)
    await asyncio.sleep(0.3)
    resumed = await hana.http.post(f"/api/v1/agent/{session.session_id}/resume")
    assert 409 in {paused.status_code, resumed.status_code}
    assert resumed.status_code == 409
    state = (await hana.http.get(f"/api/v1/agent/{session.session_id}/state")).json()
    assert state["status"] == "expired"


@pytest.mark.req("B08", "B10")
async def test_layers_and_words_come_as_they_happen(hana: Person) -> None:
    answer = await hana.http.post(RUN, json=ASKED, headers=STREAM)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/event-stream")
    told = events(answer.text)
    names = [name for name, _ in told]
    assert names == ["session", *["layer"] * 4, "token", "done"]
    layers = ["cognitive", "planning", "execution", "response"]
    assert [data["layer"] for name, data in told if name == "layer"] == layers
    assert "".join(d["token"] for name, d in told if name == "token") == ANSWER
    assert told[-1][1]["response"] == ANSWER
    assert told[-1][1]["session_id"] == told[0][1]["session_id"]


@pytest.mark.req("B07", "B10")
async def test_a_resumed_run_is_streamed_too(hana: Person) -> None:
    asked = ASKED | {"interrupt": True}
    told = events((await hana.http.post(RUN, json=asked, headers=STREAM)).text)
    assert (told[-1][0], told[-1][1]["status"]) == ("done", "paused")
    path = f"/api/v1/agent/{told[0][1]['session_id']}/resume"
    told = events((await hana.http.post(path, headers=STREAM)).text)
    assert [data["layer"] for name, data in told if name == "layer"] == [
        "planning",
        "execution",
        "response",
    ]
    refused = await hana.http.post(path, headers=STREAM)
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "conflict")


@pytest.mark.req("B08")
async def test_a_run_goes_on_when_nobody_listens_any_more(hana: Person) -> None:
    async with hana.http.stream("POST", RUN, json=ASKED, headers=STREAM) as answer:
        first = await anext(answer.aiter_text())
    session_id = events(first)[0][1]["session_id"]

    async def is_done() -> bool:
        path = f"/api/v1/agent/{session_id}/state"
        return (await hana.http.get(path)).json()["response"] is not None

    async with asyncio.timeout(30):
        while not await is_done():  # noqa: ASYNC110 - the server is looked at
            await asyncio.sleep(0.05)


@pytest.mark.req("B04")
async def test_a_model_that_breaks_fails_the_session(
    hana: Person, model: Talker
) -> None:
    model.error = RuntimeError("비밀")
    answer = await hana.http.post(RUN, json=ASKED)
    assert (answer.status_code, answer.json()["error"]["code"]) == (
        503,
        "model_unavailable",
    )
    assert "비밀" not in answer.text
    (session,) = (await hana.http.get("/api/v1/sessions")).json()["sessions"]
    assert (session["status"], session["ended_reason"]) == (
        "failed",
        "cognitive.model_unavailable",
    )
    state = (await hana.http.get(f"/api/v1/agent/{session['id']}/state")).json()
    assert (state["message"], state["ended_reason"]) == (
        ASKED["message"],
        "cognitive.model_unavailable",
    )
    told = events((await hana.http.post(RUN, json=ASKED, headers=STREAM | KOREAN)).text)
    assert [name for name, _ in told] == ["session", "layer", "error"]
    assert told[-1][1]["error"]["code"] == "model_unavailable"
    assert "연결할 수 없습니다" in told[-1][1]["error"]["message"]


async def test_a_fault_of_ours_in_a_stream_has_an_id(
    hana: Person, talking: FastAPI, model: Talker
) -> None:
    class Broken(Agent):
        async def _end_run(self, going: Any) -> Any:
            del going
            message = "비밀"
            raise LookupError(message)

    scripted = ScriptedModel(replies=model)
    gieok = replace(hana.gieok, chat=replace(hana.gieok.chat, model=scripted))
    talking.state.agent = Broken(gieok)
    told = events((await hana.http.post(RUN, json=ASKED, headers=STREAM)).text)
    assert (told[-1][0], told[-1][1]["error"]["code"]) == ("error", "internal")
    assert "비밀" not in str(told)
    answer = await hana.http.post(RUN, json=ASKED)
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "internal")


@pytest.mark.req("B08")
async def test_without_a_chat_model_it_says_what_to_set(
    hana: Person, model: Talker
) -> None:
    model.error = NoChatModelError()
    answer = await hana.http.post(RUN, json=ASKED, headers=KOREAN)
    assert (answer.status_code, answer.json()["error"]["code"]) == (
        503,
        "no_chat_model",
    )
    assert "GIEOK_MODEL" in answer.json()["error"]["message"]
    assert (await hana.http.get("/api/v1/sessions")).json()["sessions"] == []


@pytest.mark.req("B07", "B08")
async def test_somebody_elses_and_unknown_threads_are_missing(
    hana: Person, other: Person
) -> None:
    theirs = await other.talks()
    for session_id in (theirs, str(uuid4())):
        path = f"/api/v1/agent/{session_id}"
        answers = [
            await hana.http.post(RUN, json=ASKED | {"session_id": session_id}),
            await hana.http.post(f"{path}/resume"),
            await hana.http.get(f"{path}/state"),
        ]
        assert [each.status_code for each in answers] == [404, 404, 404]


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"message": None}, "message"),
        ({"message": " "}, "message"),
        ({"message": "가" * 11_000}, "message"),
        ({"message": "a\x00"}, "message"),
        ({"session_id": "x"}, "session_id"),
        ({"interrupt": "yes"}, "interrupt"),
        ({"language": "fr"}, "language"),
        ({"more": 1}, "more"),
    ],
)
async def test_what_cannot_be_used_is_named(
    hana: Person, model: Talker, wrong: dict[str, Any], field: str
) -> None:
    answer = await hana.http.post(RUN, json=ASKED | wrong)
    assert (answer.status_code, answer.json()["error"]["field"]) == (422, field)
    assert model.prompts == []
    assert (await hana.http.get("/api/v1/sessions")).json()["total"] == 0


@pytest.mark.parametrize(
    ("edits", "field"),
    [
        ({"plan": []}, "edits.plan"),
        ({"plan": [" "]}, "edits.plan.0"),
        ({"plan": ["x"] * 21}, "edits.plan"),
        ({"understanding": 7}, "edits.understanding"),
        ({"response": "x"}, "edits.response"),
    ],
)
async def test_an_edit_that_cannot_be_used_is_named(
    hana: Person, edits: dict[str, Any], field: str
) -> None:
    body = (await hana.http.post(RUN, json=ASKED | {"interrupt": True})).json()
    path = f"/api/v1/agent/{body['session_id']}"
    answer = await hana.http.post(f"{path}/resume", json={"edits": edits})
    assert (answer.status_code, answer.json()["error"]["field"]) == (422, field)
    assert (await hana.http.get(f"{path}/state")).json() == body


WITHOUT = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"langgraph", "langchain", "langchain_core"}:
            raise ModuleNotFoundError(name=name)

sys.meta_path.insert(0, Absent())
from gieok.surfaces.rest import agent, create_app
assert create_app
try:
    agent._import_agent()
except agent.NoAgentError as error:
    print(error.message("ko"), error)
"""


@pytest.mark.req("B08")
def test_without_langgraph_the_server_runs_and_says_what_to_install() -> None:
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count('pip install "gieok[langgraph]"') == 2
    assert "설치되어 있지 않습니다" in done.stdout
