"""The service's side of AWS Lambda's Runtime API, for a runtime process of a test."""

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any

HANDLER = "gieok.surfaces.tutor.handler.answer_lambda"


@dataclass(slots=True)
class LambdaService:
    """Hands events to a runtime process, and kills it as Lambda would."""

    address: str
    environment: dict[str, str]
    events: Queue[tuple[str, bytes]] = field(default_factory=Queue)
    answers: Queue[tuple[str, Any]] = field(default_factory=Queue)
    process: subprocess.Popen[bytes] | None = None
    count: int = 0
    timeout: float = 30.0
    """Seconds that an event has, as the runtime is told."""

    def start(self) -> None:
        """Start a sandbox, as for the first event or after one was killed."""
        self.process = subprocess.Popen(  # noqa: S603 - AWS's own program
            [sys.executable, "-m", "awslambdaric", HANDLER],
            env={
                **os.environ,
                **self.environment,
                "AWS_LAMBDA_RUNTIME_API": self.address,
                "AWS_LAMBDA_FUNCTION_NAME": "tutor",
            },
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def kill(self) -> None:
        """End the sandbox as a timeout or a lack of memory does: at once."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    @property
    def resident_bytes(self) -> int:
        """What the sandbox holds."""
        assert self.process is not None
        pages = Path(f"/proc/{self.process.pid}/statm").read_text("ascii").split()[1]
        return int(pages) * resource.getpagesize()

    def exhaust(self, event: object, *, max_bytes: int, seconds: float = 30.0) -> None:
        """Hand over an event, and kill the sandbox once it holds more than it may."""
        self.send(event)
        ends = time.monotonic() + seconds
        while self.resident_bytes <= max_bytes:
            assert time.monotonic() < ends, "it never held as much"
            assert self.answers.empty(), "it answered first"
            time.sleep(0.001)
        self.kill()

    def send(self, event: object) -> None:
        self.count += 1
        self.events.put((f"request-{self.count}", json.dumps(event).encode()))

    def invoke(self, event: object, *, seconds: float = 30.0) -> Any:
        """Return what the runtime answered: ("response" or "error", the body).

        Past the deadline the sandbox is killed, and TimeoutError raised.
        """
        self.send(event)
        try:
            return self.answers.get(timeout=seconds)
        except Empty:
            self.kill()
            raise TimeoutError from None


def _describe_event(request_id: str, timeout: float) -> dict[str, str]:
    """Return the headers of an event; the runtime's client crashes without some."""
    return {
        "Content-Type": "application/json",
        "Lambda-Runtime-Aws-Request-Id": request_id,
        "Lambda-Runtime-Deadline-Ms": str(int((time.time() + timeout) * 1_000)),
        "Lambda-Runtime-Invoked-Function-Arn": "arn:aws:lambda:x:1:function:tutor",
        "Lambda-Runtime-Trace-Id": "Root=1-5bef4de7-ad49b0e87f6ef6c87fc2e700",
    }


@contextmanager
def run_lambda_service(  # noqa: C901 - a server in one place
    environment: dict[str, str],
) -> Iterator[LambdaService]:
    """Serve the Runtime API; the process is started by the test."""
    service = LambdaService("", environment)
    open_ = True

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            while open_:
                with suppress(Empty):
                    request_id, event = service.events.get(timeout=0.1)
                    headers = _describe_event(request_id, service.timeout)
                    self._answer(200, event, headers)
                    return
            self.close_connection = True

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            service.answers.put((self.path.rsplit("/", 1)[1], json.loads(body)))
            self._answer(202, b"{}", {})

        def _answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name
            """Say nothing."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: Any, client_address: Any) -> None:
            """A sandbox that was killed hangs up."""

    with Server(("127.0.0.1", 0), Handler) as server:
        service.address = f"127.0.0.1:{server.server_port}"
        Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        try:
            yield service
        finally:
            open_ = False
            if service.process is not None:
                service.kill()
            server.shutdown()
