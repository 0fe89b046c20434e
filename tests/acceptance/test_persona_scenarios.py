"""The scenarios of the persona document (chapter 6), at processes a user starts."""

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from gieok import Config, Gieok, Parts, Turn, open_memory
from gieok.database import SessionClosed
from gieok.kernel.clock import read_system_clock
from gieok.privacy import FileKeyProvider
from gieok.surfaces.rest import Tokens
from gieok.testing import HashEmbedder, WordTokenizer
from support.data_template import copy_template
from support.fake_model import PAST, FakeModel
from support.paths import PROGRAMS

pytestmark = [
    pytest.mark.acceptance,
    pytest.mark.slow,
    # The streams of a process that a failed test left behind.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
PATIENCE = 60
PERSONA = {"personaId": "persona_123"}
PROGRAM = PROGRAMS / "remembering.py"
Body = dict[str, Any]


def environment(data: Path, model: FakeModel) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return kept | {
        "GIEOK_DATA": str(data),
        "GIEOK_MODEL": "local",
        "GIEOK_MODEL_BASE_URL": model.url,
        "GIEOK_PAUSE_SECONDS": "1",
        "LANG": "C",
    }


@contextmanager
def serving(data: Path, model: FakeModel) -> Generator[str]:
    """Run `gieok serve` and yield its address."""
    process = subprocess.Popen(
        [sys.executable, "-m", "gieok.surfaces.cli.app", "serve", "--port", "0"],
        env=environment(data, model),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        assert process.stdout is not None
        greeting = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+", greeting)
        assert found, greeting
        yield found[0]
    finally:
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
    assert "Traceback" not in errors


def person(url: str, data: Path, name: str) -> httpx.Client:
    """Return a client that speaks for a person."""
    key = FileKeyProvider.open(data / "gieok.key", create=False)
    token = Tokens(key.token_secret, read_system_clock).issue(name, timedelta(hours=1))
    headers = {"Authorization": f"Bearer {token}"}
    return httpx.Client(base_url=f"{url}/api/v1", headers=headers, timeout=PATIENCE)


def post(http: httpx.Client, path: str, **body: Any) -> Body:
    answer = http.post(path, json=PERSONA | body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def memories(http: httpx.Client, **query: Any) -> list[Body]:
    answer = http.get("/memory/list", params=PERSONA | query)
    assert answer.status_code == 200, answer.text
    return answer.json()["memories"]


def soon(check: Callable[[], Any]) -> Any:
    """Return what a check finds, as soon as it finds something."""
    end = time.monotonic() + PATIENCE
    while not (found := check()):
        assert time.monotonic() < end, "it never came"
        time.sleep(0.1)
    return found


@pytest.fixture(scope="module")
def model() -> Generator[FakeModel]:
    with FakeModel() as model:
        yield model


@pytest.fixture(autouse=True)
def unblocked(model: FakeModel) -> None:
    model.blocked.clear()


@pytest.fixture(scope="module")
def data(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_template(template, tmp_path_factory.mktemp("persona"))


@pytest.fixture(scope="module")
def url(data: Path, model: FakeModel) -> Generator[str]:
    with serving(data, model) as url:
        yield url


@pytest.mark.req("E24", "E01", "E02", "E03", "E09")
def test_a_conversation_is_remembered_the_next_day(
    url: str, data: Path, model: FakeModel
) -> None:
    with person(url, data, "minji") as minji:
        first = post(minji, "/chat/send", message="면접이 내일 IT 스타트업에서 있어")
        for turn in range(10):
            said = post(minji, "/chat/send", message=f"준비 {turn}")
            assert said["sessionId"] == first["sessionId"]
        assert not any(PAST in prompt[0]["content"] for prompt in model.prompts)
        closed = post(minji, "/chat/close")
        assert closed["sessionId"] == first["sessionId"]
        (memory,) = soon(lambda: memories(minji))
        assert (memory["fallback"], memory["emotion"]) == (False, "흥분")
        assert memory["sessionId"] == first["sessionId"]
    model.prompts.clear()
    with serving(data, model) as later, person(later, data, "minji") as minji:
        again = post(minji, "/chat/send", message="안녕")
        assert again["reply"] == "어제 면접 어땠어?!"
        assert again["sessionId"] != first["sessionId"]
        assert again["memoriesUsed"] == [memory["id"]]
    ((prompt, *messages),) = model.prompts
    assert PAST in prompt["content"]
    assert re.search(r"IT 스타트업에서 있어 \(\d{4}-\d\d-\d\d\)", prompt["content"])
    assert [message["content"] for message in messages] == ["안녕"]


TOPICS = {6: "여행", 3: "날씨", 9: "결혼", 7: "이사", 8: "승진", 5: "운동"}


def summarized(http: httpx.Client, importance: int, topic: str) -> Body:
    content = f"{topic} 이야기를 했고 중요도 {importance} 정도야"
    said = [{"role": "user", "content": content}]
    session = f"session_{importance}"
    kept = post(http, "/memory/summarize", sessionId=session, messages=said)
    assert kept["memory"]["importance"] == importance
    return kept


@pytest.mark.req("E24", "E07", "E16")
def test_the_sixth_memory_of_the_free_plan_archives_the_lowest(
    url: str, data: Path
) -> None:
    with person(url, data, "sora") as sora:
        *_, kept = [summarized(sora, *topic) for topic in TOPICS.items()]
        assert len(kept["archived"]) == 1
        assert "아카이브" in kept["notice"]
        active = memories(sora)
        assert sorted(memory["importance"] for memory in active) == [5, 6, 7, 8, 9]
        everything = memories(sora, includeArchived="true")
        (lowest,) = [m for m in everything if m["archivedAt"] is not None]
        assert (lowest["importance"], lowest["id"]) == (3, kept["archived"][0])


@pytest.mark.req("E24", "E15", "E17")
def test_a_model_that_is_blocked_leaves_a_part_of_the_original(
    url: str, data: Path, model: FakeModel
) -> None:
    with person(url, data, "jun") as jun:
        post(jun, "/chat/send", message="요즘 너무 지쳐... 회사 일이 힘들어")
        model.blocked.set()
        lost = jun.post("/chat/send", json=PERSONA | {"message": "들려?"})
        assert (lost.status_code, lost.json()["error"]) == (503, "MODEL_UNAVAILABLE")
        post(jun, "/chat/close")
        (memory,) = soon(lambda: memories(jun))
        assert (memory["fallback"], memory["importance"]) == (True, 5)
        assert "회사 일이 힘들어" in memory["summary"]
        assert "들려?" not in memory["summary"]
        assert len(memory["summary"]) <= 500


@contextmanager
def working(data: Path, model: FakeModel) -> Generator[subprocess.Popen[str]]:
    """Run a worker that looks around often; it is killed at the end."""
    process = subprocess.Popen(  # noqa: S603 - a program of ours
        [sys.executable, str(PROGRAM), str(data), model.url],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


async def closing(memory: Gieok) -> bool:
    """Tell whether something still follows the end of a session."""
    async with memory.maintenance.database.connection() as connection:
        found = await connection.execute(
            "SELECT FROM procrastinate_jobs WHERE task_name = %s", [SessionClosed.name]
        )
        return found.rowcount > 0


@pytest.mark.req("E17", "E24")
async def test_a_worker_killed_while_it_sums_up_loses_and_doubles_nothing(
    tmp_path: Path,
) -> None:
    config = Config(data=tmp_path / "gieok")
    parts = Parts(embedder=HashEmbedder(), tokenizer=WordTokenizer())
    with FakeModel() as model:
        async with open_memory(config, parts=parts, worker=False) as memory:
            me = memory.person("minji")
            persona = await memory.accounts.persona(me, "persona_123")
            session = await memory.sessions.start(me, persona_id=persona)
            turn = Turn("면접이 내일 IT 스타트업에서 있어", "잘 될 거야!")
            await memory.sessions.record(me, session.session_id, turn)
            await memory.sessions.close(me, session.session_id)
            model.stalled.set()
            with working(config.data, model):
                assert await asyncio.to_thread(model.summing.wait, PATIENCE)
            assert (await memory.episodes.page(me)).total == 0
            model.stalled.clear()
            with working(config.data, model):
                async with asyncio.timeout(PATIENCE):
                    while await closing(memory):  # noqa: ASYNC110 - another process
                        await asyncio.sleep(0.1)
            kept = await memory.episodes.page(me, include_archived=True)
            (episode,) = kept.episodes
            assert (episode.revision, episode.is_fallback) == (1, False)
            assert episode.session_id == session.session_id
