"""The first requests of a server load nothing on the event loop: it has begun warm."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from support.paths import PROGRAMS

pytestmark = [
    pytest.mark.acceptance,
    pytest.mark.slow,
    # The streams of a process that a failed test left behind.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
PROGRAM = PROGRAMS / "first_requests.py"
KEPT = ("PATH", "HOME", "PYTHONPATH")
TURNS = (
    "나 지난주에 강남구로 이사했어. 번호는 010-1234-5678로 바꿨어.",
    "I like black tea. My email is minji@example.com, my card 4111 1111 1111 1111.",
)


def run_command(data: Path, *words: str) -> subprocess.Popen[str]:
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return subprocess.Popen(  # noqa: S603 - a program of ours
        [sys.executable, str(PROGRAM), *words],
        env=kept | {"GIEOK_DATA": str(data), "GIEOK_PAUSE_SECONDS": "1", "LANG": "C"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


def read_address(server: subprocess.Popen[str]) -> str:
    assert server.stdout is not None
    for line in server.stdout:
        if "http://" in line:
            return "http://" + line.partition("http://")[2].split()[0]
    raise AssertionError(server.communicate()[1])


def send_first_requests(http: httpx.Client) -> None:
    """Do what an app does first, and wait until a worker has read it."""
    session = http.post("/api/v1/sessions", json={}).json()["id"]
    for text in TURNS:
        turn = {"user_text": text, "assistant_text": "네"}
        kept = http.post(f"/api/v1/sessions/{session}/turns", json=turn)
        assert kept.status_code == 201, kept.text
    for path in ("recall", "context"):
        asked = http.post(f"/api/v1/{path}", json={"query": "어제 뭐라고 했지?"})
        assert asked.is_success, asked.text
    assert http.post(f"/api/v1/sessions/{session}/close").is_success
    end = time.monotonic() + 60
    while not http.get("/api/v1/users/me/memories").json()["memories"]:
        assert time.monotonic() < end, "nothing was extracted"
        time.sleep(0.2)
    wish = {"about": "내가 사는 곳"}
    assert http.post("/api/v1/users/me/memories/forget", json=wish).is_success


def test_the_first_requests_load_nothing(tmp_path: Path) -> None:
    server = run_command(tmp_path, "serve", "--port", "0")
    try:
        base = read_address(server)
        token, _ = run_command(tmp_path, "token", "minji").communicate(timeout=60)
        server.send_signal(signal.SIGUSR1)
        headers = {"Authorization": f"Bearer {token.strip()}"}
        with httpx.Client(base_url=base, headers=headers, timeout=60) as http:
            send_first_requests(http)
        server.send_signal(signal.SIGTERM)
        _, log = server.communicate(timeout=60)
    finally:
        server.kill()
        server.communicate()
    assert server.returncode == 0
    loaded = [line.split()[1] for line in log.splitlines() if line[:7] == "loaded "]
    # FastAPI's framework imports some of itself when it is used: eight milliseconds.
    assert [name for name in loaded if not name.startswith("anyio.")] == []
