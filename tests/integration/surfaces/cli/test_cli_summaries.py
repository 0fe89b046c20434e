"""`gieok summaries`, against a real database with a fake model."""

import asyncio
import json
from collections.abc import AsyncGenerator, Generator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import date
from pathlib import Path

import pytest

from gieok import Config, Gieok, Parts, Turn, open_memory
from gieok.database.embedded import run_embedded_postgres
from gieok.surfaces.cli.app import execute
from gieok.testing import FixedClock, HashEmbedder, ScriptedModel, WordTokenizer

pytestmark = [pytest.mark.req("A03"), pytest.mark.req("A04")]
CLOCK = FixedClock()
PARTS = Parts(
    clock=CLOCK,
    model=ScriptedModel(),
    embedder=HashEmbedder(),
    tokenizer=WordTokenizer(),
)
STEER = "\x1b[2J"


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Generator[tuple[Path, str]]:
    """A data directory in which minji has talked, and the session she talked in."""
    path = tmp_path_factory.mktemp("cli")
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        runner.run(stack.enter_async_context(run_embedded_postgres(path / "pg")))
        yield path, runner.run(_talked(path))
        runner.run(stack.aclose())


@asynccontextmanager
async def _opened(path: Path) -> AsyncGenerator[Gieok]:
    async with open_memory(Config(data=path), parts=PARTS, worker=False) as gieok:
        yield gieok


async def _talked(path: Path) -> str:
    async with _opened(path) as gieok:
        me = gieok.person("minji")
        talk = await gieok.sessions.start(me)
        turn = Turn(f"I moved to {STEER}Busan", "Nice")
        await gieok.sessions.record(me, talk.session_id, turn)
        await gieok.summaries.day(me, date(2026, 1, 5))
        await gieok.summaries.week(me, "2026-W02")
        await gieok.accounts.update(gieok.person("quiet"), language="en")
    return str(talk.session_id)


@pytest.fixture
def run(
    session: tuple[Path, str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> "Run":
    monkeypatch.setenv("GIEOK_DATA", str(session[0]))
    monkeypatch.setenv("GIEOK_LANGUAGE", "en")
    monkeypatch.setenv("COLUMNS", "140")
    return Run(session[1], capsys)


class Run:
    """Runs a command line in English."""

    def __init__(self, session: str, capsys: pytest.CaptureFixture[str]) -> None:
        self.session = session
        self._capsys = capsys

    def __call__(self, *arguments: str) -> tuple[int, str]:
        self._capsys.readouterr()
        code = execute(["summaries", *arguments], parts=PARTS)
        return code, self._capsys.readouterr().out


def test_days_are_listed_when_nothing_else_is_asked_for(run: Run) -> None:
    for arguments in (["minji"], ["days", "minji"]):
        code, out = run(*arguments)
        assert code == 0
        assert "2026-01-05" in out
        assert "Busan" in out
        assert STEER not in out


def test_weeks_are_listed(run: Run) -> None:
    code, out = run("weeks", "minji")
    assert (code, "2026-W02" in out) == (0, True)


@pytest.mark.parametrize(
    ("what", "there", "later"),
    [("days", "2026-01-05", "2026-01-06"), ("weeks", "2026-W02", "2026-W03")],
)
def test_those_before_one_are_listed(
    run: Run, what: str, there: str, later: str
) -> None:
    code, out = run(what, "minji", "--before", later)
    assert (code, there in out) == (0, True)
    assert run(what, "minji", "--before", there)[1].strip() == (
        "There are no summaries yet."
    )


def test_a_conversation_says_what_it_was_about(run: Run) -> None:
    code, out = run("session", "minji", run.session[-8:])
    assert code == 0
    assert "Busan" in out
    assert "calm · importance: 5/10" in out


def test_programs_get_json(run: Run) -> None:
    (day,) = json.loads(run("days", "minji", "--json")[1])["days"]
    (week,) = json.loads(run("weeks", "minji", "--json")[1])["weeks"]
    told = json.loads(run("session", "minji", run.session, "--json")[1])["summary"]
    assert day["source_session_ids"] == [run.session]
    assert week["source_summary_ids"] == [day["summary_id"]]
    assert told["summary"] == f"User said: I moved to {STEER}Busan"


def test_who_said_nothing_is_told_so(run: Run) -> None:
    for what in ("days", "weeks"):
        code, out = run(what, "quiet")
        assert (code, out.strip()) == (0, "There are no summaries yet.")
        assert run(what, "nobody") == (1, "")


def test_an_unknown_conversation_is_not_found(run: Run) -> None:
    assert run("session", "nobody", run.session)[0] == 1
