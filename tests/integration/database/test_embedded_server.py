"""The embedded server starts, whatever an earlier one left behind."""

import asyncio
import os
import signal
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import psycopg
import pytest

from gieok.config import Config
from gieok.database.embedded import run_embedded_postgres
from support.processes import open_data, own_config

config = own_config
KILLS = 3


def read_postmaster(directory: Path) -> int | None:
    """Return the process on record; none while it is written."""
    try:
        return int((directory / "postmaster.pid").read_text().splitlines()[0])
    except (OSError, IndexError, ValueError):
        return None


async def count_databases(address: str) -> int:
    async with await psycopg.AsyncConnection.connect(address) as connection:
        found = await connection.execute("SELECT count(*) FROM pg_database")
        row = await found.fetchone()
    assert row
    return int(row[0])


async def test_a_lock_file_that_names_another_program_keeps_nobody_out(
    tmp_path: Path,
) -> None:
    """After the machine was started again, the number belongs to somebody else."""
    directory = tmp_path / "pg"
    async with run_embedded_postgres(directory):
        lock = (directory / "postmaster.pid").read_text().splitlines()
    lock[0] = str(os.getpid())
    (directory / "postmaster.pid").write_text("\n".join(lock) + "\n")
    async with run_embedded_postgres(directory) as address:
        assert read_postmaster(directory) != os.getpid()
        assert await count_databases(address) >= 3


async def test_a_half_written_lock_file_keeps_nobody_out(tmp_path: Path) -> None:
    directory = tmp_path / "pg"
    async with run_embedded_postgres(directory):
        pass
    (directory / "postmaster.pid").write_text("999999\n")
    async with run_embedded_postgres(directory) as address:
        assert await count_databases(address) >= 3


@asynccontextmanager
async def kill_postmasters(directory: Path) -> AsyncGenerator[set[int]]:
    """Kill the first servers of the directory as soon as they are on record."""
    killed: set[int] = set()

    async def watch() -> None:
        while len(killed) < KILLS:
            found = read_postmaster(directory)
            if found is not None and found not in killed:
                # Once it takes connections, which is when a start relies on it.
                await asyncio.sleep(0.1 * len(killed))
                with suppress(ProcessLookupError):
                    os.kill(found, signal.SIGKILL)
                killed.add(found)
            await asyncio.sleep(0.005)

    watching = asyncio.create_task(watch())
    try:
        yield killed
    finally:
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching


@pytest.mark.req("E19")
async def test_gieok_opens_while_its_database_is_killed_again_and_again(
    config: Config,
) -> None:
    async with open_data(config):
        pass  # the files of a database are there
    async with AsyncExitStack() as stack, asyncio.timeout(120):
        async with kill_postmasters(config.data / "pg") as killed:
            memory = await stack.enter_async_context(open_data(config))
        assert await memory.sessions.start(memory.person("minji"))
    assert killed, "it was killed while it opened"
