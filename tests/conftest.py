"""One real PostgreSQL for a whole test run, fakes for models and time."""

import asyncio
import gc
import shutil
import signal
import tempfile
from collections.abc import AsyncGenerator, Iterator
from itertools import count
from pathlib import Path

import hypothesis
import pytest
from psycopg.conninfo import make_conninfo

from gieok import Config, Gieok, Scope
from gieok.bootstrap import DATABASE
from gieok.database.embedded import run_embedded_postgres
from gieok.database.migrate import SCHEMA, build_database_url
from gieok.testing import FixedClock
from gieok.text.patterns import compile_declared
from support.data_template import build_template, copy_template
from support.database import Owner
from support.own_installation import build_config, open_scripted
from support.scripted_model import Script


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Give a run a directory of its own.

    Every pytest that starts closes /tmp/pytest-of-USER to other users. As root,
    PostgreSQL runs as another user, and loses its files while it starts.
    """
    if config.option.basetemp is None:
        config.option.basetemp = tempfile.mkdtemp(prefix="gieok-tests-")
        config.add_cleanup(
            lambda: shutil.rmtree(config.option.basetemp, ignore_errors=True)
        )
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a shell's background
        signal.signal(signal.SIGINT, signal.default_int_handler)
    hypothesis.settings.register_profile("untimed", deadline=None)
    hypothesis.settings.load_profile("untimed")


def pytest_collection_finish() -> None:
    """Compile what is compiled when first used, as a server does before it serves.

    What was collected stays, so no search for garbage goes through it again: each
    took up to half a second, also in the midst of a test that measures.
    """
    compile_declared()
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture(autouse=True)
def _clock_put_back(clock: FixedClock) -> Iterator[None]:
    """Let no test live in the future of another."""
    before = clock()
    yield
    clock.set(before)


@pytest.fixture(scope="session")
def script() -> Script:
    return Script()


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder as after a first start, see `support.data_template`."""
    folder = tmp_path_factory.mktemp("template")
    with asyncio.Runner() as runner:
        runner.run(build_template(folder))
    return folder


@pytest.fixture
def begun_data(template: Path, tmp_path: Path) -> Path:
    """A data folder of a test's own in which gieok has been started before."""
    return copy_template(template, tmp_path / "begun")


@pytest.fixture(scope="session")
def config(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Config:
    return build_config(copy_template(template, tmp_path_factory.mktemp("gieok")))


@pytest.fixture(scope="session")
async def memory(
    config: Config, clock: FixedClock, script: Script
) -> AsyncGenerator[Gieok]:
    """Gieok on a PostgreSQL of the whole run's, with fakes."""
    async with open_scripted(config, clock, script) as opened:
        yield opened


@pytest.fixture(scope="session")
async def address(config: Config, memory: Gieok) -> AsyncGenerator[str]:
    """Where the owner of the test's database finds it."""
    assert memory.maintenance.database, "it has made the database"
    async with run_embedded_postgres(config.data / "pg") as server:
        yield build_database_url(server, DATABASE)


@pytest.fixture
async def owner(address: str) -> AsyncGenerator[Owner]:
    """A connection that may do what no part of the product may."""
    schema = make_conninfo(address, options=f"-c search_path={SCHEMA}")
    async with await Owner.connect(schema, autocommit=True) as connection:
        yield connection


_people = count()


@pytest.fixture
def me(memory: Gieok, script: Script) -> Scope:
    """Somebody nobody has met."""
    script.answers.clear()
    return memory.person(f"person-{next(_people)}")


@pytest.fixture
def other(memory: Gieok) -> Scope:
    """Somebody else."""
    return memory.person(f"other-{next(_people)}")


@pytest.fixture
async def replayed(memory: Gieok) -> None:
    """Leave a replay, which is of everybody, nothing that another test put back."""
    await memory.erasure.replay()
