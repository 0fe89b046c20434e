"""Vendors behind the language model: names, keys, HTTP and tracing."""

import json
import sys
import threading
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from opentelemetry.trace import NoOpTracer, NoOpTracerProvider, Span
from pydantic_ai import Agent, InstrumentationSettings
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel

from gieok.kernel.errors import ConfigurationError, ModelUnavailableError
from gieok.kernel.language import (
    Conversation,
    Finding,
    ModelReply,
    Role,
    SummaryNote,
    Utterance,
)
from gieok.models.fence import generate_fence_token
from gieok.models.llm import LlmModel

Item = dict[str, object]
BUSAN: Item = {
    "operation": "add",
    "target": None,
    "content": "사용자는 부산에 거주",
    "category": "location",
    "confidence": 0.9,
    "basis": "stated",
    "evidence": [0],
}
GIST: Item = {
    "summary": "사용자는 부산에 거주",
    "emotion": "평온",
    "importance": 5,
    "evidence": [0],
}
TALK = Conversation(
    messages=(Utterance(0, Role.USER, "저는 부산에 살아요"),),
    known=(),
    at=datetime(2026, 2, 12, 9, 0, tzinfo=UTC),
)


class Recorder(NoOpTracer):
    """Keeps the attributes of every span that would leave the process."""

    def __init__(self) -> None:
        self.spans: list[str] = []

    def start_span(self, name: str, *args: Any, **more: Any) -> Span:
        self.spans.append(name)
        return super().start_span(name, *args, **more)


class Provider(NoOpTracerProvider):
    """Hands out one recorder."""

    def __init__(self) -> None:
        self.recorder = Recorder()

    def get_tracer(self, *_: Any, **__: Any) -> Recorder:
        return self.recorder


async def test_a_hosts_tracing_does_not_see_the_conversation() -> None:
    provider = Provider()

    def answer(_: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        if not info.output_tools:
            return ModelResponse(parts=[TextPart("네!")])
        answers = {"findings": [BUSAN], "text": "사용자는 부산에 거주"} | GIST
        return ModelResponse(parts=[ToolCallPart(info.output_tools[0].name, answers)])

    model = LlmModel(FunctionModel(answer))
    Agent.instrument_all(InstrumentationSettings(tracer_provider=provider))
    try:
        assert len(await model.extract(TALK)) == 1
        assert (await model.summarize(TALK)).summary
        assert await model.condense([SummaryNote(TALK.at, "부산에 거주")], "ko")
        assert (await model.reply("", TALK.messages)).text == "네!"
        assert provider.recorder.spans == []
        _ = await Agent(TestModel()).run("seen by the host's tracing")
        assert provider.recorder.spans
    finally:
        Agent.instrument_all(instrument=False)


@pytest.mark.parametrize(
    ("model", "problem"),
    [
        ("anthropic:claude-haiku", r"pydantic-ai-slim\[anthropic\]"),
        ("google:gemini-flash", r"pydantic-ai-slim\[google\]"),
        ("nobody:model", "nobody:model"),
        ("gpt", "gpt"),
        ("openai:gpt-5-mini", "OPENAI_API_KEY"),
    ],
)
def test_what_is_missing_is_said(
    model: str, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setitem(sys.modules, "anthropic", None)
    monkeypatch.setitem(sys.modules, "google.genai", None)
    with pytest.raises(ConfigurationError, match=problem):
        _ = LlmModel(model)


async def test_models_are_found_by_name_with_a_key() -> None:
    async with LlmModel("openai:gpt-5-mini", api_key="sk-none") as model:
        assert model.name == "openai:gpt-5-mini/p3"


@pytest.mark.parametrize("name", ["openai:qwen3:8b", "qwen3:8b"])
async def test_an_openai_compatible_endpoint_needs_no_key(name: str) -> None:
    async with LlmModel(name, base_url="http://127.0.0.1:1/v1") as model:
        assert model.name == "openai-compatible:qwen3:8b/p3"


class Server:
    """An OpenAI-compatible chat endpoint on this machine."""

    def __init__(self, *replies: tuple[int, object]) -> None:
        self.asked: list[dict[str, Any]] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                server.asked.append(json.loads(self.rfile.read(length)))
                at = min(len(server.asked), len(replies)) - 1
                status, answer = replies[at]
                body = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                _ = self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the parent's name
                """Keep quiet."""

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.http.serve_forever, args=(0.01,))

    def __enter__(self) -> str:
        self.thread.start()
        return f"http://127.0.0.1:{self.http.server_address[1]}/v1"

    def __exit__(self, *_: object) -> None:
        self.http.shutdown()
        self.http.server_close()
        self.thread.join()


def completion(items: list[Item]) -> Item:
    function = {"name": "final_result", "arguments": json.dumps({"findings": items})}
    call = {"id": "1", "type": "function", "function": function}
    return chosen({"role": "assistant", "content": None, "tool_calls": [call]})


def chosen(message: Item) -> Item:
    reason = "tool_calls" if message.get("tool_calls") else "stop"
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "local",
        "choices": [{"index": 0, "finish_reason": reason, "message": message}],
        "usage": {"prompt_tokens": 30, "completion_tokens": 12, "total_tokens": 42},
    }


async def ask(base_url: str, sleeps: list[float]) -> tuple[Finding, ...]:
    async def sleep(seconds: float) -> None:
        sleeps.append(seconds)

    async with LlmModel("local", base_url=base_url, sleep=sleep) as model:
        return await model.extract(TALK)


@pytest.mark.req("E15")
async def test_over_http_a_failing_endpoint_is_asked_three_times_in_all() -> None:
    sleeps: list[float] = []
    server = Server((500, {}), (429, {}), (200, completion([BUSAN])))
    with server as url:
        (finding,) = await ask(url, sleeps)
    assert finding.content == "사용자는 부산에 거주"
    assert (len(server.asked), sleeps) == (3, [1.0, 2.0])
    roles = [message["role"] for message in server.asked[-1]["messages"]]
    assert roles == ["system", "user"]


@pytest.mark.req("E02")
async def test_over_http_a_reply_follows_the_talk_and_counts_its_tokens() -> None:
    server = Server((200, chosen({"role": "assistant", "content": "해운대요!"})))
    messages = (
        *TALK.messages,
        Utterance(1, Role.SYSTEM, "사용자가 앱을 다시 열었습니다."),
        Utterance(2, Role.ASSISTANT, "네, 부산이요."),
        Utterance(3, Role.USER, "바다는 어디가 좋아요?"),
    )
    with server as url:
        async with LlmModel("local", base_url=url) as model:
            reply = await model.reply("친절하게 답해.", messages)
    assert reply == ModelReply("해운대요!", tokens=42)
    sent = [(m["role"], m["content"]) for m in server.asked[0]["messages"]]
    assert sent[0] == ("system", "친절하게 답해.")
    assert [role for role, _ in sent] == [
        "system",
        "user",
        "system",
        "assistant",
        "user",
    ]
    assert sent[-1][1] == messages[-1].content
    assert "tools" not in server.asked[0]


@pytest.mark.req("E15")
async def test_an_endpoint_that_is_down_is_unavailable() -> None:
    sleeps: list[float] = []
    with Server() as url:
        pass
    with pytest.raises(ModelUnavailableError):
        _ = await ask(url, sleeps)
    assert sleeps == [1.0, 2.0]


async def test_pydantic_ais_own_test_model_finds_nothing_it_could_prove() -> None:
    async with LlmModel(TestModel()) as model:
        assert await model.extract(TALK) == ()


def test_marks_cannot_be_guessed() -> None:
    assert len({generate_fence_token() for _ in range(100)}) == 100
    assert len(generate_fence_token()) >= 24
