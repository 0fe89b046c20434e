"""A data directory with its server up, and the command line on it."""

import asyncio
from collections.abc import Callable, Generator
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from gieok import Parts
from gieok.database.embedded import run_embedded_postgres
from gieok.kernel.clock import Clock, read_system_clock
from gieok.surfaces.cli.app import execute
from gieok.testing import HashEmbedder, ScriptedModel, WordTokenizer, echo
from support.cli_runs import Cli, Done
from support.data_template import copy_template

_people = count()


@pytest.fixture(scope="module")
def data(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[Path]:
    """A data directory whose server stays up, so that commands start fast."""
    path = copy_template(template, tmp_path_factory.mktemp("cli"))
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        runner.run(stack.enter_async_context(run_embedded_postgres(path / "pg")))
        yield path
        runner.run(stack.aclose())


@pytest.fixture
def cli(
    data: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Cli:
    """Run a command line in English, with every category allowed."""
    monkeypatch.setenv("GIEOK_DATA", str(data))
    monkeypatch.setenv("GIEOK_LANGUAGE", "en")
    monkeypatch.setenv("GIEOK_CATEGORIES", "all")
    monkeypatch.setenv("COLUMNS", "140")

    def run(
        *arguments: str,
        answers: Callable[..., Any] | tuple[()] = (),
        replies: Callable[..., Any] = echo,
        clock: Clock = read_system_clock,
    ) -> Done:
        parts = Parts(
            clock=clock,
            model=ScriptedModel(answers, replies=replies),
            embedder=HashEmbedder(),
            tokenizer=WordTokenizer(),
        )
        code = execute(arguments, parts=parts)
        shown = capsys.readouterr()
        return Done(code, shown.out, shown.err)

    return run


@pytest.fixture
def me() -> str:
    """Return the name of somebody of whom nothing is known."""
    return f"person-{next(_people)}"
