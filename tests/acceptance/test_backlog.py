"""Somebody's backlog keeps neither others waiting nor the server from stopping."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import httpx
import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from gieok.bootstrap import DATABASE
from gieok.database.embedded import run_embedded_postgres
from gieok.database.migrate import SCHEMA, build_database_url
from support.paths import PROGRAMS

pytestmark = [
    pytest.mark.acceptance,
    pytest.mark.slow,
    # The streams of a process that a failed test left behind.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
PROGRAM = PROGRAMS / "slow.py"
KEPT = ("PATH", "HOME", "PYTHONPATH")
TURNS = 16
SECONDS_A_TEXT = 1.0
MESSAGE = "오늘은 회사에서 회의를 하고 저녁에는 친구와 밥을 먹었어요. " * 60
STOP_SECONDS = 10


def command(data: Path, seconds: float, *words: str) -> subprocess.Popen[str]:
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return subprocess.Popen(  # noqa: S603 - a program of ours
        [sys.executable, str(PROGRAM), str(seconds), *words],
        env=kept | {"GIEOK_DATA": str(data), "GIEOK_PAUSE_SECONDS": "1", "LANG": "C"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


@contextmanager
def serving(data: Path, seconds: float) -> Generator[subprocess.Popen[str]]:
    """Run `gieok serve` and yield it once it says where; see `address`."""
    process = command(data, seconds, "serve", "--port", "0")
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def address(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if "http://" in line:
            return "http://" + line.partition("http://")[2].split()[0]
    raise AssertionError("it never served")


def client(data: Path, base: str, person: str) -> httpx.Client:
    said, _ = command(data, 0, "token", person).communicate(timeout=60)
    headers = {"Authorization": f"Bearer {said.strip()}"}
    return httpx.Client(base_url=base, headers=headers, timeout=60)


def talk(http: httpx.Client) -> None:
    session = http.post("/api/v1/sessions", json={}).json()["id"]
    for number in range(TURNS):
        turn = {"user_text": f"{number} {MESSAGE}"[:2_000], "assistant_text": "네"}
        kept = http.post(f"/api/v1/sessions/{session}/turns", json=turn)
        assert kept.status_code == 201, kept.text


def timed(http: httpx.Client, path: str, body: dict[str, str]) -> float:
    start = time.monotonic()
    assert http.post(path, json=body).is_success
    return time.monotonic() - start


async def embedded_messages(data: Path) -> int:
    async with run_embedded_postgres(data / "pg") as server:
        url = make_conninfo(
            build_database_url(server, DATABASE), options=f"-c search_path={SCHEMA}"
        )
        async with await psycopg.AsyncConnection.connect(url) as connection:
            found = await connection.execute(
                "SELECT count(*) FROM recall_items WHERE embedder IS NOT NULL"
            )
            ((count,),) = await found.fetchall()
            return count


async def test_a_backlog_keeps_nobody_waiting_and_outlives_the_server(
    tmp_path: Path,
) -> None:
    with serving(tmp_path, SECONDS_A_TEXT) as process:
        base = address(process)
        with (
            client(tmp_path, base, "minji") as busy,
            client(tmp_path, base, "alex") as other,
        ):
            asked = {"query": "Where do I live?"}
            told = {"content": "I live in Queens", "category": "location"}
            alone = timed(other, "/api/v1/recall", asked)
            talk(busy)
            waited = timed(other, "/api/v1/recall", {"query": "What do I eat?"})
            kept = timed(other, "/api/v1/users/me/memories", told)
            # One text that is under way, and their own: of a backlog of 32.
            assert max(waited, kept) < alone + 4 * SECONDS_A_TEXT
        process.send_signal(signal.SIGTERM)
        start = time.monotonic()
        assert process.wait(60) == 0
        assert time.monotonic() - start < STOP_SECONDS
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()
    assert await embedded_messages(tmp_path) < 2 * TURNS, "there still was a backlog"
    with serving(tmp_path, 0) as process:
        address(process)
        end = time.monotonic() + 60
        while await embedded_messages(tmp_path) < 2 * TURNS:
            assert time.monotonic() < end, "the backlog was lost"
            time.sleep(0.5)  # noqa: ASYNC251 - another process is waited for
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
