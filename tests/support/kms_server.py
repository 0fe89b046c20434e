"""AWS for tests: moto's server as a process of its own, behind a line that can fail."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

import httpx

THROTTLED = b'{"__type": "ThrottlingException", "message": "Rate exceeded"}'


@dataclass(slots=True)
class Line:
    """The way to a service of AWS, and what goes over it."""

    target: str
    url: str = ""
    calls: list[str] = field(default_factory=list[str])
    is_down: bool = False
    hangs: float = 0.0
    """Seconds that a call is held, to end without an answer."""
    throttled: int = 0
    """How many of the next calls are refused for coming too fast."""
    refusals: dict[str, bytes] = field(default_factory=dict[str, bytes])
    """What calls of a name are answered instead, as an error."""
    turn: AbstractContextManager[object] = field(default_factory=Lock)
    """Lets one call through at a time: moto looks at a condition and writes without a
    lock, where DynamoDB does both at once."""


@contextmanager
def kms_process() -> Iterator[str]:
    """Run moto's server and give its address."""
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "moto.server", "-H", "127.0.0.1", "-p", "0"],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        encoding="utf-8",
    )
    assert process.stderr is not None
    draining = Thread(target=process.stderr.read, daemon=True)
    try:
        url = ""
        for line in process.stderr:
            if "Running on" in line:
                url = line.rsplit(" ", 1)[1].strip()
                break
        assert url, "moto did not start"
        draining.start()
        yield url
    finally:
        process.terminate()
        process.wait(timeout=10)
        draining.join()
        process.stderr.close()


@contextmanager
def line_to(target: str) -> Iterator[Line]:
    """Stand between a client and the service."""
    line = Line(target)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            line.calls.append(self.headers["X-Amz-Target"].partition(".")[2])
            time.sleep(line.hangs)
            if line.is_down or line.hangs:
                self.close_connection = True
                return
            if line.throttled:
                line.throttled -= 1
                self._answer(400, THROTTLED)
                return
            if refusal := line.refusals.get(line.calls[-1]):
                self._answer(400, refusal)
                return
            with line.turn:
                passed = httpx.post(
                    line.target, content=body, headers=dict(self.headers)
                )
            self._answer(passed.status_code, passed.content)

        def _answer(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/x-amz-json-1.1")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        line.url = f"http://127.0.0.1:{server.server_port}"
        Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        try:
            yield line
        finally:
            server.shutdown()
