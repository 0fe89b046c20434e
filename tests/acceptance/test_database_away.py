"""A server outlives its database: killed, it comes back by itself."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from test_cli_processes import PATIENCE, gieok, started

pytestmark = [
    pytest.mark.acceptance,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
READY = "/health/ready"
TAKEN_UP = 150
"""Seconds in which a job of a dead worker follows: its heartbeat, and a minute."""


@dataclass(frozen=True, slots=True)
class Served:
    """`gieok serve` on an embedded database, and a client of one person."""

    process: subprocess.Popen[str]
    http: httpx.Client
    data: Path

    def status(self) -> int:
        try:
            return self.http.get(READY).status_code
        except httpx.HTTPError:
            return 0

    def postmaster(self) -> int:
        """Return the process of the database."""
        (file,) = self.data.rglob("postmaster.pid")
        return int(file.read_text().splitlines()[0])


def until(condition: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Tell whether it came true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.2)
    return False


@pytest.fixture
def served(tmp_path: Path) -> Generator[Served]:
    """A server that answers."""
    token = gieok(tmp_path, "token", "minji").stdout.strip()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = started(tmp_path, "serve", "--port", str(port))
    headers = {"Authorization": f"Bearer {token}"}
    base = f"http://127.0.0.1:{port}"
    with httpx.Client(base_url=base, headers=headers, timeout=30) as http:
        server = Served(process, http, tmp_path)
        assert until(lambda: server.status() == 200)
        yield server
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)


def record(served: Served, text: str) -> None:
    begun = served.http.post("/api/v1/sessions", json={})
    assert begun.status_code == 201, begun.text
    turn = {"user_text": text, "assistant_text": "네"}
    path = f"/api/v1/sessions/{begun.json()['id']}/turns"
    assert served.http.post(path, json=turn).status_code in (200, 201)


def remembers(served: Served, word: str) -> bool:
    answer = served.http.get("/api/v1/users/me/memories")
    return answer.status_code == 200 and word in answer.text


def test_a_server_outlives_a_killed_database(served: Served) -> None:
    record(served, "저는 강남구에 살아요")
    os.kill(served.postmaster(), signal.SIGKILL)
    assert until(lambda: served.status() != 200, 10)
    assert until(lambda: served.status() == 200)
    assert served.process.poll() is None
    record(served, "저는 커피를 좋아해요")
    assert until(
        lambda: remembers(served, "강남구") and remembers(served, "커피"), TAKEN_UP
    )
