"""Start programs of ours on a data directory, follow them and kill them."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import pytest

from gieok import (
    ALL_CATEGORIES,
    Config,
    Gieok,
    Parts,
    Settings,
    open_memory,
)
from gieok.testing import HashEmbedder, ScriptedModel, WordTokenizer
from support.paths import PROGRAMS

PARTS = Parts(model=ScriptedModel(), embedder=HashEmbedder(), tokenizer=WordTokenizer())


@pytest.fixture
def own_config(tmp_path: Path) -> Config:
    """A data directory of this test's own."""
    defaults = Settings(allowed_categories=ALL_CATEGORIES)
    return Config(data=tmp_path / "gieok", defaults=defaults)


@asynccontextmanager
async def open_data(config: Config) -> AsyncGenerator[Gieok]:
    async with open_memory(config, parts=PARTS, worker=False) as memory:
        yield memory


@contextmanager
def run_program(program: str, *arguments: object) -> Generator[subprocess.Popen[str]]:
    """Run a program of ours, and make sure that it is gone afterwards."""
    command = [sys.executable, str(PROGRAMS / program), *map(str, arguments)]
    process = subprocess.Popen(  # noqa: S603 - a program of ours
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


async def read_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    async with asyncio.timeout(60):
        return (await asyncio.to_thread(process.stdout.readline)).strip()


async def read_until(process: subprocess.Popen[str], wanted: str) -> None:
    while (said := await read_line(process)) != wanted:
        assert said, "the program ended"


def kill(process: subprocess.Popen[str]) -> str:
    """Kill -9 a program and return what it had printed."""
    process.kill()
    assert process.stdout is not None
    rest = process.stdout.read()  # `communicate` would lose what was read ahead
    process.wait()
    return rest
