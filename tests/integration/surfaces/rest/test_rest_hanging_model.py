"""A model behind HTTP that never answers: who waits is told, in time."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace

import httpx
import pytest

from gieok import Gieok
from gieok.models.llm import LlmModel
from gieok.surfaces.rest import Tokens, create_app
from support.rest_people import HOUR, TRUST, Person, serving

SAID = {"role": "user", "content": "내일 중요한 면접이 있어. 너무 떨려."}
TALK = {"sessionId": "s1", "personaId": "hana", "messages": [SAID]}
LONG = 10.0
"""Seconds, far less than three tries of a model take that never answers."""


@pytest.fixture
async def silent() -> AsyncGenerator[str]:
    """A server that takes requests and never answers."""
    over = asyncio.Event()

    async def listen(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await over.wait()
        writer.close()

    server = await asyncio.start_server(listen, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()[:2]
    yield f"http://{host}:{port}/v1"
    over.set()
    server.close()


@pytest.fixture
async def hana(
    gieok: Gieok,
    tokens: Tokens,
    minji: Person,
    silent: str,
) -> AsyncGenerator[Person]:
    """Minji, at a server whose model never answers."""
    async with LlmModel("silent", base_url=silent, api_key="none") as model:
        summaries = replace(gieok.summaries, model=model, patience=0.2)
        episodes = replace(gieok.episodes, summaries=summaries)
        chat = replace(gieok.chat, episodes=episodes, model=model, reply_patience=0.2)
        memories = replace(gieok.memories, model=model)
        telling = replace(
            gieok, summaries=summaries, episodes=episodes, chat=chat, memories=memories
        )
        headers = {"Authorization": f"Bearer {tokens.issue(minji.user_id, HOUR)}"}
        async with (
            serving(create_app(telling, tokens)) as url,
            httpx.AsyncClient(
                base_url=url, headers=headers, verify=TRUST, timeout=LONG
            ) as http,
        ):
            yield Person(minji.user_id, http, telling)


@pytest.mark.req("E15", "E18")
async def test_a_part_of_the_original_stands_in_and_a_summary_is_pending(
    hana: Person,
) -> None:
    answer = await hana.http.post("/api/v1/memory/summarize", json=TALK)
    assert answer.status_code == 200, answer.text
    kept = answer.json()
    assert (kept["fallback"], kept["memory"]["importance"]) == (True, 5)
    assert "요약하지 못해" in kept["notice"]
    waiting = [job.task for job in await hana.gieok.jobs.list_waiting(limit=1000)]
    assert "summary_pending" in waiting


@pytest.mark.req("E02", "E18")
async def test_a_chat_is_told_that_no_reply_came(hana: Person) -> None:
    said = {"personaId": "hana", "message": "안녕"}
    answer = await hana.http.post("/api/v1/chat/send", json=said)
    assert (answer.status_code, answer.json()["error"]) == (503, "MODEL_UNAVAILABLE")
    assert "in time" in answer.json()["message"]
    assert (await hana.http.get("/api/v1/sessions")).json()["sessions"] == []


@pytest.mark.req("B07", "E18")
async def test_an_agents_run_is_told_that_no_reply_came(hana: Person) -> None:
    said = {"message": "안녕", "interrupt": False}
    answer = await hana.http.post("/api/v1/agent/run", json=said)
    assert answer.status_code == 503, answer.text
    assert answer.json()["error"]["code"] == "model_unavailable"
    assert "in time" in answer.json()["error"]["message"]


@pytest.mark.req("C01", "E18")
@pytest.mark.parametrize("action", ["chat", "extract_user_info"])
async def test_a_tutor_is_told_that_no_reply_came(hana: Person, action: str) -> None:
    said = {"action": action, "messages": [SAID]}
    answer = await hana.http.post("/api/v1/tutor", json=said)
    assert answer.status_code == 503, answer.text
    assert answer.json()["error"]["code"] == "model_unavailable"
    assert "in time" in answer.json()["error"]["message"]
