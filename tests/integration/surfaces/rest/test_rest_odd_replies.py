"""A model behind HTTP that answers odd texts: they are made fit, or refused (E02)."""

import json
from collections.abc import AsyncGenerator, Generator
from dataclasses import replace

import httpx
import pytest

from gieok import Gieok
from gieok.models.llm import LlmModel
from gieok.surfaces.rest import Tokens, create_app
from support.rest_people import HOUR, TRUST, Person, serving
from support.tutor_cloud import ChatServer, serve_chat

CALLS = {
    "chat": ("/api/v1/chat/send", {"personaId": "hana", "message": "안녕"}),
    "agent": ("/api/v1/agent/run", {"message": "안녕", "interrupt": False}),
    "tutor": (
        "/api/v1/tutor",
        {"action": "chat", "messages": [{"role": "user", "content": "안녕"}]},
    ),
}
MOST = 1_000_000


@pytest.fixture
def chat() -> Generator[ChatServer]:
    server, chat = serve_chat()
    yield chat
    server.shutdown()
    server.server_close()


@pytest.fixture
async def hana(
    gieok: Gieok, tokens: Tokens, minji: Person, chat: ChatServer
) -> AsyncGenerator[Person]:
    """Minji, at a server whose model is that endpoint."""
    async with LlmModel("odd", base_url=chat.url, api_key="none") as model:
        telling = replace(
            gieok,
            chat=replace(gieok.chat, model=model),
            memories=replace(gieok.memories, model=model),
        )
        headers = {"Authorization": f"Bearer {tokens.issue(minji.user_id, HOUR)}"}
        async with (
            serving(create_app(telling, tokens)) as url,
            httpx.AsyncClient(
                base_url=url, headers=headers, verify=TRUST, timeout=30
            ) as http,
        ):
            yield Person(minji.user_id, http, telling)


def build_answer(text: str) -> bytes:
    said = {"role": "assistant", "content": text}
    choices = [{"index": 0, "finish_reason": "stop", "message": said}]
    known = {"id": "1", "object": "chat.completion", "created": 1, "model": "odd"}
    return json.dumps({**known, "choices": choices}).encode()


@pytest.mark.req("E02", "B07", "C01")
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    ("text", "kept"), [("hi \ud83d there", "hi ? there"), ("a\x00b\x07", "ab\x07")]
)
async def test_an_odd_reply_is_made_one_that_can_be_kept(
    hana: Person, chat: ChatServer, call: str, text: str, kept: str
) -> None:
    chat.answers = [build_answer(text)] * 3
    path, body = CALLS[call]
    answer = await hana.http.post(path, json=body)
    assert answer.status_code == 200, answer.text
    told = answer.json()
    names = ("response", "message", "reply", "text")
    assert kept in [told.get(name) for name in names], told


@pytest.mark.req("E02", "B07", "C01")
@pytest.mark.parametrize("call", CALLS)
async def test_a_reply_too_long_to_be_kept_is_the_models_fault(
    hana: Person, chat: ChatServer, call: str
) -> None:
    chat.answers = [build_answer("x" * (MOST + 1))]
    path, body = CALLS[call]
    answer = await hana.http.post(path, json=body)
    assert answer.status_code == 503, answer.text
    assert "its answer is too long" in answer.text
    assert len(chat.asked) == 1, "asking again costs the same"


@pytest.mark.req("B07")
async def test_what_the_layers_came_to_may_be_long(
    hana: Person, chat: ChatServer
) -> None:
    long = build_answer("가" * 300_000)
    chat.answers = [long, long, build_answer("네")]
    path, body = CALLS["agent"]
    answer = await hana.http.post(path, json=body)
    assert (answer.status_code, answer.json().get("response")) == (200, "네")
