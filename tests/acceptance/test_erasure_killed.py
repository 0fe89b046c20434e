"""Erasing and importing survive kill -9, whenever it comes."""

import asyncio
import random
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from gieok import Gieok, Scope, Turn
from gieok.bootstrap import DATABASE
from gieok.database.embedded import run_embedded_postgres
from gieok.database.migrate import build_database_url
from gieok.erasure.person_store import RETAINED_TABLES
from gieok.privacy import ErasureKind
from support.backups import rows_of
from support.processes import (
    Config,
    kill,
    open_data,
    own_config,
    read_line,
    run_program,
)

config = own_config

pytestmark = pytest.mark.acceptance
SEED = 20261122
TURNS = 600


@dataclass(frozen=True, slots=True)
class Stage:
    """A server with two people who said a lot."""

    memory: Gieok
    address: str
    big: Scope
    other: Scope


@asynccontextmanager
async def stage(config: Config) -> AsyncGenerator[Stage]:
    async with (
        open_data(config) as memory,
        run_embedded_postgres(config.data / "pg") as server,
    ):
        big, other = memory.person("big"), memory.person("other")
        for scope, turns in ((big, TURNS), (other, 3)):
            session_id = (await memory.sessions.start(scope)).session_id
            for number in range(turns):
                turn = Turn(f"user {number}", f"assistant {number}")
                await memory.sessions.record(scope, session_id, turn)
            await memory.memories.remember(scope, "사용자는 벌을 키움")
            await memory.recall.index(scope)
        yield Stage(memory, build_database_url(server, DATABASE), big, other)


async def killed(config: Config, dice: random.Random, lines: int, most: float) -> bool:
    """Erase in a process that is killed soon; tell whether it was not done by then."""
    with run_program("rights.py", config.data, "erase", "big") as erasing:
        assert await read_line(erasing) == "begins"
        for _ in range(dice.randint(0, lines)):
            if await read_line(erasing) in ("done", ""):
                break
        await asyncio.sleep(dice.uniform(0, most))
        return "done" not in kill(erasing).split()


@pytest.mark.req("A15", "E19")
async def test_an_erasure_that_is_killed_again_and_again_is_finished_by_the_next(
    config: Config,
) -> None:
    dice = random.Random(SEED)  # noqa: S311 - moments, no secrets
    async with stage(config) as at:
        before = rows_of(at.address, at.other.user_id)
        left = [sum(rows_of(at.address, at.big.user_id).values())]
        for number in range(12):
            # The last ones come at any moment, also of the last transaction.
            await killed(config, dice, 6 if number < 8 else 200, 0.02)
            left.append(sum(rows_of(at.address, at.big.user_id).values()))
        assert left == sorted(left, reverse=True)
        halfway = set(left) - {left[0], left[-1]}
        assert len(halfway) >= 3, "they were killed half way"
        receipt = await at.memory.erasure.person(at.big)
        assert await at.memory.erasure.receipts(at.big) == (receipt,)
        assert at.memory.erasure.verify(receipt)
        assert set(rows_of(at.address, at.big.user_id)) == set(RETAINED_TABLES)
        assert (
            await at.memory.maintenance.vault.keystore.list_keys(at.big.user_id) == ()
        )
        (entry,) = await at.memory.maintenance.vault.keystore.ledger.list_entries()
        assert (entry.kind, entry.number) == (ErasureKind.PERSON, 1)
        await at.memory.audit.verify(at.big)
        assert await at.memory.erasure.replay() == 0
        assert rows_of(at.address, at.other.user_id) == before


@pytest.mark.req("E19")
async def test_an_import_that_is_killed_wrote_nothing(
    config: Config, tmp_path: Path
) -> None:
    dice = random.Random(SEED)  # noqa: S311 - moments, no secrets
    file = tmp_path / "big.jsonl"
    async with stage(config) as at:
        chunks = [chunk async for chunk in at.memory.portability.export(at.big)]
        file.write_bytes(b"".join(chunks))
        copy, halfway = at.memory.person("copy"), 0
        started = time.monotonic()
        with file.open("rb") as export:
            await at.memory.portability.load(at.memory.person("timed"), export)
        takes = time.monotonic() - started
        for _ in range(20):
            with run_program(
                "rights.py", config.data, "import", "copy", file
            ) as loading:
                assert await read_line(loading) == "begins"
                await asyncio.sleep(dice.uniform(0, 0.8 * takes))
                halfway += "done" not in kill(loading).split()
            if rows_of(at.address, copy.user_id):  # it was quicker: kill it sooner
                await at.memory.erasure.person(copy)
                takes /= 2
            if halfway == 10:
                break
        assert halfway >= 5
        with file.open("rb") as export:
            taken = await at.memory.portability.load(copy, export)
        assert taken.parts["messages"] == 2 * TURNS
        await at.memory.audit.verify(copy)
