"""What a user starts: real processes on a data directory, with the real models."""

import json
import re
import signal
import subprocess
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from support.commands import PATIENCE, command, environment, run_command, start_command
from support.served import serve_gieok

pytestmark = [
    pytest.mark.acceptance,
    # The streams of a process that a failed test left behind.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
ASKED = (("GET", "/api/v1/users/me/memories"), ("POST", "/api/v1/sync/hello"))
"""What a person asks, and what a device asks."""
LET_IN = [200, 422]
"""The device's empty body is read, and refused."""
SHUT_OUT = [401, 401]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("acceptance")


@pytest.fixture
def worker(data: Path) -> Generator[subprocess.Popen[str]]:
    """A worker that has said that it runs."""
    process = start_command(data, "worker")
    assert process.stdout is not None
    assert "running" in process.stdout.readline()
    yield process
    if process.poll() is None:
        process.kill()
    process.communicate()


def take_tokens(data: Path) -> list[str]:
    """Return a token of a person and one of a device of theirs."""
    person = run_command(data, "token", "minji")
    device = run_command(data, "devices", "register", "minji", "kitchen")
    return [person.stdout.strip(), device.stdout.strip()]


def ask_with(url: str, tokens: list[str]) -> list[int]:
    """Return what the person and the device are answered."""
    return [
        httpx.request(
            method, url + path, headers={"Authorization": f"Bearer {token}"}
        ).status_code
        for (method, path), token in zip(ASKED, tokens, strict=True)
    ]


def test_what_one_process_remembers_the_next_one_knows(data: Path) -> None:
    kept = run_command(
        data, "remember", "minji", "나는 강남구에 살아", "--category=location", "--json"
    )
    assert kept.returncode == 0, kept.stderr
    assert kept.stderr == ""
    found = run_command(data, "context", "minji", "우리 동네 규정 알려줘", "--json")
    assert "강남구" in json.loads(found.stdout)["text"]


def test_tokens_from_before_their_secret_was_replaced_end_with_the_server(
    begun_data: Path,
) -> None:
    with serve_gieok(begun_data) as server:
        before = take_tokens(begun_data)
        assert ask_with(server.url, before) == LET_IN
        done = run_command(begun_data, "keys", "rotate", "--tokens")
        assert "Start every server again" in done.stdout, done.stderr
        after = take_tokens(begun_data)
        assert ask_with(server.url, before) == LET_IN
        assert ask_with(server.url, after) == SHUT_OUT
    with serve_gieok(begun_data) as server:
        assert ask_with(server.url, before) == SHUT_OUT
        assert ask_with(server.url, after) == LET_IN


def test_two_processes_share_one_data_directory(
    data: Path, worker: subprocess.Popen[str]
) -> None:
    kept = run_command(
        data, "remember", "alex", "I live in Queens", "--category=location"
    )
    assert kept.returncode == 0, kept.stderr
    assert worker.poll() is None
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(PATIENCE) == 0
    assert worker.stderr is not None
    assert "Traceback" not in worker.stderr.read()
    listed = run_command(data, "memories", "alex", "--json")
    assert json.loads(listed.stdout)["total"] == 1


def test_the_doctor_is_content_with_a_fresh_installation(data: Path) -> None:
    report = run_command(data, "doctor", "--json")
    assert report.returncode == 0, report.stdout
    assert json.loads(report.stdout)["ok"] is True


def test_a_data_directory_that_cannot_be_made_is_one_clear_line(
    tmp_path: Path,
) -> None:
    file = tmp_path / "file"
    file.write_text("in the way")
    done = run_command(file / "data", "memories", "minji", "--json")
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.strip().splitlines()) == 1
    assert "GIEOK_DATA" in done.stderr
    examined = run_command(file / "data", "doctor")
    assert examined.returncode == 1
    assert "problem" in examined.stdout


def test_a_wrong_variable_is_one_clear_line(tmp_path: Path) -> None:
    done = subprocess.run(  # noqa: S603 - our own command
        command("memories", "minji"),
        env=environment(tmp_path) | {"GIEOK_LANGUAGE": "fr"},
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert "GIEOK_LANGUAGE" in done.stderr


def test_a_talk_through_a_pipe_ends_with_its_input(data: Path) -> None:
    done = subprocess.run(  # noqa: S603 - our own command
        command("chat", "sora"),
        env=environment(data),
        input="안녕\n/memories\n",
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


def test_ctrl_c_ends_a_talk_cleanly(data: Path) -> None:
    process = subprocess.Popen(  # noqa: S603 - our own command
        command("chat", "sora"),
        env=environment(data) | {"PYTHONFAULTHANDLER": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    assert process.stdout is not None
    shown = ""
    while not shown.endswith("you › ") and (read := process.stdout.read(1)):
        shown += read
    process.send_signal(signal.SIGINT)
    out, err = ended(process)
    assert process.returncode == 0, err
    assert "over" in out
    assert "Traceback" not in err


def ended(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Wait for the end; return what was not read yet.

    `communicate` would lose what a `readline` has buffered.
    """
    for _ in range(2):  # a machine that stood still meanwhile used up one of them
        with suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE)
    if process.returncode is None:
        process.send_signal(signal.SIGABRT)  # it prints where it hangs
        process.wait()
    assert process.stdout is not None
    assert process.stderr is not None
    with process.stdout, process.stderr:
        rest = process.stdout.read(), process.stderr.read()
    if process.stdin is not None:
        process.stdin.close()
    return rest


def test_a_server_answers_and_stops_when_told(data: Path) -> None:
    pytest.importorskip("gieok.surfaces.rest")
    process = start_command(data, "serve", "--port", "0")
    try:
        assert process.stdout is not None
        greeting = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", greeting)
        assert found, greeting
        assert answers(int(found[1]))
    finally:
        process.send_signal(signal.SIGTERM)
        out, err = ended(process)
    assert process.returncode == 0, err
    assert "gieok token" in out
    assert "Traceback" not in err


@pytest.mark.req("D14")
def test_a_printed_link_opens_the_pages_of_a_server(data: Path) -> None:
    import httpx  # noqa: PLC0415 - only here and below

    process = start_command(data, "serve", "--port", "0")
    try:
        assert process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:\d+", process.stdout.readline())
        assert found
        printed = run_command(data, "open", "minji", "--server", found[0])
        link = printed.stdout.strip()
        assert link.startswith(found[0]), printed.stderr
        with httpx.Client(timeout=PATIENCE, follow_redirects=True) as browser:
            assert browser.get(f"{found[0]}/me").status_code == 401
            opened = browser.post(link, headers={"Sec-Fetch-Site": "same-origin"})
            assert opened.url.path == "/me/welcome"
            assert opened.status_code == 200
            style = re.search(r"/me/assets/\w+/pico\.min\.css", opened.text)
            assert style
            kept = browser.get(f"{found[0]}{style[0]}")
        assert "immutable" in kept.headers["cache-control"]
    finally:
        process.send_signal(signal.SIGTERM)
        _, err = ended(process)
    assert process.returncode == 0, err
    assert link.rpartition("/")[2] not in err


def answers(port: int) -> bool:
    """Tell whether an HTTP answer comes, whatever it says."""
    import httpx  # noqa: PLC0415 - only here

    found = httpx.get(f"http://127.0.0.1:{port}/docs", timeout=PATIENCE)
    return found.status_code < 500
