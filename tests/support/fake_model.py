"""An OpenAI-compatible chat endpoint on this machine, for the processes under test."""

import json
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

Body = dict[str, Any]
PAST = "[과거 대화 기록]"


@dataclass(slots=True)
class FakeModel:
    """Sums up by the user's first words and talks about what it was told.

    "중요도 7" among those words is the importance. While `blocked` is set it answers
    with an error, while `stalled` is set it does not answer. `prompts` keeps the system
    prompt and messages of every reply, `summing` is set once a summary was asked for.
    """

    prompts: list[list[Body]] = field(default_factory=list)
    summing: threading.Event = field(default_factory=threading.Event)
    blocked: threading.Event = field(default_factory=threading.Event)
    stalled: threading.Event = field(default_factory=threading.Event)
    released: threading.Event = field(default_factory=threading.Event)
    http: ThreadingHTTPServer = field(init=False)

    def __post_init__(self) -> None:
        self.http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.http.daemon_threads = True

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.http.server_address[1]}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self.http.serve_forever, args=(0.01,)).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.released.set()
        self.http.shutdown()
        self.http.server_close()

    def answer(self, asked: Body) -> Body:
        """Return the message with which the model answers."""
        if "tools" not in asked:
            self.prompts.append(asked["messages"])
            past = PAST in asked["messages"][0]["content"]
            return {"content": "어제 면접 어땠어?!" if past else "그랬구나."}
        (tool,) = asked["tools"]
        wanted = tool["function"]["parameters"]["properties"]
        if "summary" in wanted:
            self.summing.set()
            if self.stalled.is_set():
                self.released.wait()
            answer = _gist(asked["messages"][-1]["content"])
        else:
            answer = {"findings": []} if "findings" in wanted else {"text": "기록"}
        name, arguments = tool["function"]["name"], json.dumps(answer)
        call = {"name": name, "arguments": arguments}
        return {"tool_calls": [{"id": "1", "type": "function", "function": call}]}


def _gist(prompt: str) -> Body:
    lines = prompt.split("\n")
    begin = next(at for at, line in enumerate(lines) if line.startswith("=====BEGIN"))
    told = json.loads(lines[begin + 1])["messages"]
    first = next(said for said in told if said["role"] == "user")
    words = first["content"].split()
    rated = words.index("중요도") if "중요도" in words else None
    return {
        "summary": first["content"],
        "topics": words[:1],
        "emotion": "흥분",
        "importance": 7 if rated is None else int(words[rated + 1]),
        "evidence": [first["index"]],
    }


def _handler(model: FakeModel) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            message = model.answer(asked)
            status = 500 if model.blocked.is_set() else 200
            choice = {"index": 0, "message": {"role": "assistant"} | message}
            choice["finish_reason"] = (
                "tool_calls" if "tool_calls" in message else "stop"
            )
            usage = {"prompt_tokens": 30, "completion_tokens": 12, "total_tokens": 42}
            named = {"id": "1", "object": "chat.completion", "created": 1, "model": "m"}
            body = json.dumps(named | {"choices": [choice], "usage": usage}).encode()
            with suppress(OSError):  # whoever asked was killed
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the parent's name
            """Keep quiet."""

    return Handler
