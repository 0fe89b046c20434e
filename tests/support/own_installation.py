"""An installation of one module's own, for what goes through everybody's history.

A restore looks at whatever was ever erased or decided: of the thousands whom other
tests leave in the database that all of them share, if it is not of a module's own.
"""

from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from gieok import ALL_CATEGORIES, Config, Gieok, Parts, Settings, open_memory
from gieok.bootstrap import DATABASE
from gieok.database.embedded import run_embedded_postgres
from gieok.database.migrate import build_database_url
from gieok.database.transaction import assert_no_open_transaction
from gieok.guard.judge import TrainedGuard
from gieok.testing import FixedClock, HashEmbedder, ScriptedModel, WordTokenizer
from support.data_template import copy_template
from support.scripted_model import Script


def build_config(data: Path) -> Config:
    return Config(data=data, defaults=Settings(allowed_categories=ALL_CATEGORIES))


def open_scripted(
    config: Config, clock: FixedClock, script: Script
) -> AbstractAsyncContextManager[Gieok]:
    """Open gieok on a real PostgreSQL, with fakes that fail inside a transaction."""
    guard = assert_no_open_transaction
    parts = Parts(
        clock=clock,
        model=ScriptedModel(script, guard=guard),
        embedder=HashEmbedder(guard=guard),
        tokenizer=WordTokenizer(),
        guard=TrainedGuard(),
    )
    return open_memory(config, parts=parts, worker=False)


@pytest.fixture(scope="module")
def module_config(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Config:
    return build_config(copy_template(template, tmp_path_factory.mktemp("own")))


@pytest.fixture(scope="module")
async def module_memory(
    config: Config, clock: FixedClock, script: Script
) -> AsyncGenerator[Gieok]:
    async with open_scripted(config, clock, script) as opened:
        yield opened


@pytest.fixture(scope="module")
async def module_address(config: Config, memory: Gieok) -> AsyncGenerator[str]:
    assert memory.maintenance.database, "it has made the database"
    async with run_embedded_postgres(config.data / "pg") as server:
        yield build_database_url(server, DATABASE)
