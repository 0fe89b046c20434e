"""Another origin for pages, and an endpoint that lets browsers wait."""

import json
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from http.server import (
    BaseHTTPRequestHandler,
    SimpleHTTPRequestHandler,
    ThreadingHTTPServer,
)
from pathlib import Path
from threading import Event, Thread
from typing import Any


@contextmanager
def run_http(handler: Any) -> Generator[str]:
    """Run a handler on a port of its own, and yield its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


class _Files(SimpleHTTPRequestHandler):
    """Files of a folder, and an empty page for every other address."""

    def do_GET(self) -> None:
        if self.path.endswith(".js"):
            super().do_GET()
            return
        page = b"<!doctype html><title>page</title>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name
        """Say nothing."""


@contextmanager
def serve_files(folder: Path) -> Generator[str]:
    """Serve scripts of a folder, and empty pages."""
    with run_http(partial(_Files, directory=str(folder))) as url:
        yield url


@dataclass(slots=True)
class PatientEndpoint:
    """An endpoint whose answer to a preflight waits until a test lets it go."""

    url: str = ""
    asked: Event = field(default_factory=Event)
    """Set when a browser has asked whether it may send."""
    may_send: Event = field(default_factory=Event)
    bodies: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    arrived: Event = field(default_factory=Event)


@contextmanager
def serve_patient_endpoint() -> Generator[PatientEndpoint]:
    """Run an endpoint that takes anything of any page, once it may be sent."""
    endpoint = PatientEndpoint()

    class Handler(BaseHTTPRequestHandler):
        def do_OPTIONS(self) -> None:
            endpoint.asked.set()
            endpoint.may_send.wait(60)
            self.answer(204, b"")

        def do_POST(self) -> None:
            size = int(self.headers["Content-Length"])
            endpoint.bodies.append(json.loads(self.rfile.read(size)))
            self.answer(200, b'{"extracted": {}}')
            endpoint.arrived.set()

        def answer(self, status: int, body: bytes) -> None:
            with suppress(ConnectionError):
                self.send_response(status)
                for name in ("Origin", "Headers", "Methods"):
                    self.send_header(f"Access-Control-Allow-{name}", "*")
                # A star does not stand for this one.
                self.send_header("Access-Control-Allow-Headers", "Authorization")
                self.send_header("Access-Control-Max-Age", "0")
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name
            """Say nothing."""

    with run_http(Handler) as url:
        endpoint.url = url
        try:
            yield endpoint
        finally:
            endpoint.may_send.set()
