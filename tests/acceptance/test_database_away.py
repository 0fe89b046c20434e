"""A server outlives its database: killed, it comes back by itself."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from uuid import UUID

import httpx
import pytest

from gieok.kernel.clock import read_system_clock
from gieok.privacy import FileKeyProvider
from gieok.surfaces.rest import Tokens
from support.commands import PATIENCE, command, environment
from support.paths import PROGRAMS

pytestmark = [
    pytest.mark.acceptance,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
READY = "/health/ready"
UNTOUCHED = {"/health/live"}
AWAY = (503, True)
HOUR = timedelta(hours=1)
OUTAGE = float(os.environ.get("OUTAGE_SECONDS", "0"))
"""How long the database is away at least; 45 to see more than one round of tries:
`OUTAGE_SECONDS=45 pytest tests/acceptance/test_database_away.py -s -k nothing`."""
TAKEN_UP = 150
"""Seconds in which a job of a dead worker follows: its heartbeat, and a minute."""
PRLIMIT = shutil.which("prlimit") or ""
FULL = 100_000
"""Bytes beyond which a full disk takes no file: less than what stands in the log."""
FULL_SECONDS = 3
"""How long the disk stays full at least."""


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

    def postmaster(self) -> int | None:
        """Return the process of the database, or `None` while none is on record."""
        try:
            (file,) = self.data.rglob("postmaster.pid")
            return int(file.read_text().splitlines()[0])
        except (ValueError, OSError, IndexError):
            return None


def until(condition: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Tell whether it came true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.2)
    return False


@contextmanager
def serve(data: Path, program: Sequence[str], **variables: str) -> Generator[Served]:
    """Run `serve` of a command line until it answers, and stop it."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen(  # noqa: S603 - our own command
        [*program, "serve", "--port", str(port)],
        env=environment(data) | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as http:
            server = Served(process, http, data)
            assert until(lambda: server.status() == 200)
            key = FileKeyProvider.open(data / "gieok.key", create=False)
            token = Tokens(key.token_secret, read_system_clock).issue("minji", HOUR)
            http.headers["Authorization"] = f"Bearer {token}"
            yield server
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)


@pytest.fixture
def served(tmp_path: Path) -> Generator[Served]:
    """A server that answers, as a user starts it."""
    with serve(tmp_path, command()) as server:
        yield server


@pytest.fixture
def hurried(tmp_path: Path) -> Generator[Served]:
    """A server that reads what was said at once, and takes up a dead worker's jobs."""
    program = [sys.executable, str(PROGRAMS / "hurried.py")]
    with serve(tmp_path, program, GIEOK_PAUSE_SECONDS="1") as server:
        yield server


def record(served: Served, text: str) -> None:
    begun = served.http.post("/api/v1/sessions", json={})
    assert begun.status_code == 201, begun.text
    turn = {"user_text": text, "assistant_text": "네"}
    path = f"/api/v1/sessions/{begun.json()['id']}/turns"
    assert served.http.post(path, json=turn).status_code in (200, 201)


def list_known(served: Served) -> str:
    """Return what is remembered, or nothing while that is not told."""
    try:
        answer = served.http.get("/api/v1/users/me/memories")
    except httpx.TransportError:  # an idle connection that was just closed
        return ""
    return answer.text if answer.status_code == 200 else ""


def remembers(served: Served, *words: str) -> bool:
    known = list_known(served)
    return all(word in known for word in words)


def processes(postmaster: int) -> list[int]:
    """Return the database's processes, the postmaster first."""
    listed = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text()
    return [postmaster, *map(int, listed.split())]


def routes(served: Served) -> list[str]:
    """Return every path that is read with GET and touches the database."""
    paths = served.http.get("/openapi.json").json()["paths"]
    return [
        re.sub(r"{[^}]*}", str(UUID(int=1)), path)
        for path, methods in paths.items()
        if "get" in methods and path not in UNTOUCHED
    ]


@contextmanager
def stopped(postmaster: int) -> Generator[float]:
    """Stop every process of the database, as when its machine froze; yield when."""
    stopping = processes(postmaster)
    for process in stopping:
        os.kill(process, signal.SIGSTOP)
    begun = time.monotonic()
    try:
        yield begun
        time.sleep(max(0.0, begun + OUTAGE - time.monotonic()))
    finally:
        for process in stopping:
            os.kill(process, signal.SIGCONT)


def answered(served: Served, path: str) -> tuple[int, bool]:
    """Return the status of an answer, and whether it says in words what is wrong."""
    answer = served.http.get(path, timeout=120)
    return answer.status_code, "unavailable" in answer.text.lower()


def test_a_database_that_answers_nothing_is_503_everywhere_and_no_job_is_lost(
    served: Served,
) -> None:
    record(served, "저는 강남구에 살아요")
    paths = [path for path in routes(served) if answered(served, path)[0] == 200]
    assert len(paths) > 10
    postmaster = served.postmaster()
    assert postmaster
    with stopped(postmaster) as begun:
        with ThreadPoolExecutor(len(paths)) as callers:
            answers = callers.map(partial(answered, served), paths)
            answering = dict(zip(paths, answers, strict=True))
        took = time.monotonic() - begun
    returned = time.monotonic()
    assert {path: each for path, each in answering.items() if each != AWAY} == {}
    assert until(lambda: served.status() == 200)
    back = time.monotonic() - returned
    sys.stdout.write(f"503 within {took:.1f} s, back after {back:.1f} s\n")
    assert served.process.poll() is None
    record(served, "저는 커피를 좋아해요")
    assert until(lambda: remembers(served, "강남구", "커피"), TAKEN_UP)


def stop_database(served: Served) -> None:
    """Stop it as an operator does, with `pg_ctl stop`."""
    (file,) = served.data.rglob("postmaster.pid")
    program = Path(f"/proc/{served.postmaster()}/exe").resolve().with_name("pg_ctl")
    subprocess.run(  # noqa: S603 - the program beside the running server's
        [program, "stop", "-w", "-m", "fast", "-D", file.parent],
        user=file.owner() if os.geteuid() == 0 else None,
        cwd="/",
        check=True,
        stdout=subprocess.DEVNULL,
        timeout=3 * PATIENCE,  # it writes out all that it holds
    )


def kill_database(served: Served) -> None:
    killed = served.postmaster()
    assert killed
    os.kill(killed, signal.SIGKILL)
    assert until(lambda: served.postmaster() not in (None, killed))


def crash_database(served: Served) -> None:
    """As after a PANIC (a full disk for its log): it ends all and recovers."""
    postmaster = served.postmaster()
    assert postmaster
    before = processes(postmaster)[1:]
    os.kill(before[0], signal.SIGKILL)
    assert until(lambda: not set(before) & set(processes(postmaster)))
    assert until(lambda: served.status() == 200)
    assert served.postmaster() == postmaster


def stop_until_restarted(served: Served) -> None:
    before = served.postmaster()
    stop_database(served)
    assert until(lambda: served.postmaster() not in (None, before))


OUTAGES = {
    "강남구": kill_database,
    "커피": crash_database,
    "녹차": stop_until_restarted,
}
"""What happens to a database once a word was told."""
WORDS = {
    "강남구": "저는 강남구에 살아요",
    "커피": "저는 커피를 좋아해요",
    "녹차": "저는 녹차를 좋아해요",
    "등산": "저는 등산을 좋아해요",
}


def test_a_server_outlives_its_database_however_it_goes(hurried: Served) -> None:
    for word, end_database in OUTAGES.items():
        record(hurried, WORDS[word])
        end_database(hurried)
        ended = time.monotonic()
        assert until(lambda: hurried.status() == 200), end_database.__name__
        took = time.monotonic() - ended
        sys.stdout.write(f"{end_database.__name__}: back after {took:.1f} s\n")
        assert hurried.process.poll() is None
    record(hurried, WORDS["등산"])
    assert until(lambda: remembers(hurried, *WORDS), TAKEN_UP), list_known(hurried)


def limit_files(pids: Iterable[int], size: int | str) -> None:
    """Let processes write no file beyond a size, as on a disk that is full there.

    PostgreSQL ignores SIGXFSZ, "so that ulimit violations work like disk full". What
    ended since it was listed, as its passing workers do, is left out.
    """
    for pid in pids:
        proc = Path(f"/proc/{pid}")
        try:
            owner = proc.owner()  # may limit its own without a privilege
            subprocess.run(  # noqa: S603 - from util-linux
                [PRLIMIT, "--pid", str(pid), f"--fsize={size}:"],
                user=owner if os.geteuid() == 0 else None,
                cwd="/",
                check=True,
                timeout=PATIENCE,
            )
        except (FileNotFoundError, subprocess.CalledProcessError):
            if proc.exists():
                raise


def fails_to_record(served: Served) -> bool:
    try:
        return served.http.post("/api/v1/sessions", json={}).status_code == 503
    except httpx.TransportError:
        return False


def use_system_memory(served: Served) -> None:
    """Have PostgreSQL share memory by none of the files that the limit hits.

    A full disk takes no such file away, and a recovery that gets none hangs.
    """
    before = served.postmaster()
    (settings,) = served.data.rglob("postgresql.auto.conf")
    with settings.open("a", encoding="utf-8") as file:
        file.write("dynamic_shared_memory_type = sysv\n")
    stop_database(served)
    assert until(lambda: served.postmaster() not in (None, before))
    assert until(lambda: served.status() == 200)


@pytest.mark.skipif(not PRLIMIT, reason="needs prlimit of util-linux")
def test_a_server_outlives_a_full_disk(hurried: Served) -> None:
    """A log that cannot be written is a PANIC, and so is every start on a full disk."""
    use_system_memory(hurried)
    record(hurried, "저는 강남구에 살아요")
    before = hurried.postmaster()
    assert before
    limit_files([hurried.process.pid, *processes(before)], FULL)
    (log,) = hurried.data.rglob("log")
    assert until(lambda: fails_to_record(hurried) and "PANIC" in log.read_text())
    assert until(lambda: hurried.postmaster() != before), log.read_text()[-2_000:]
    time.sleep(FULL_SECONDS)
    assert hurried.status() == 503
    assert hurried.process.poll() is None
    limit_files([hurried.process.pid], "unlimited")
    emptied = time.monotonic()
    assert until(lambda: hurried.status() == 200)
    sys.stdout.write(f"back {time.monotonic() - emptied:.1f} s after there was room\n")
    record(hurried, "저는 커피를 좋아해요")
    assert until(lambda: remembers(hurried, "강남구", "커피"), TAKEN_UP)


UNREAPED = """
import asyncio, ctypes, os, signal, sys
from pathlib import Path

import psycopg

from gieok.database.embedded import run_embedded_postgres

PR_SET_CHILD_SUBREAPER = 36
assert ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0


async def main() -> None:
    data = Path(sys.argv[1])
    async with run_embedded_postgres(data) as address:
        killed = int((data / "postmaster.pid").read_text().splitlines()[0])
        os.kill(killed, signal.SIGKILL)
        async with asyncio.timeout(60):
            while True:
                await asyncio.sleep(0.5)
                try:
                    psycopg.connect(address).close()
                except psycopg.OperationalError:
                    continue
                break


asyncio.run(main())
"""


def test_a_killed_database_comes_back_where_nobody_reaps_it(tmp_path: Path) -> None:
    """In a container the application is process 1, and reaps no strangers."""
    done = subprocess.run(  # noqa: S603 - our own script
        [sys.executable, "-c", UNREAPED, str(tmp_path / "data")],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
