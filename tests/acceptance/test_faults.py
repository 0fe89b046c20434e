"""What happens when processes are killed, disks fill up and servers go away."""

import asyncio
import os
import signal
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest
from psycopg import AsyncConnection
from psycopg.conninfo import make_conninfo

from gieok import (
    Config,
    Gieok,
    Scope,
    Turn,
)
from gieok.bootstrap import DATABASE
from gieok.database.embedded import run_embedded_postgres
from gieok.database.migrate import SCHEMA, build_database_url
from gieok.kernel.errors import (
    ConfigurationError,
    DatabaseUnavailableError,
    DataDirectoryError,
    GieokError,
    StorageFullError,
)
from gieok.sessions import Transcript
from support.processes import (
    kill,
    open_data,
    own_config,
    read_line,
    read_until,
    run_program,
)
from support.small_disk import move_database, remount, small_disk

config = own_config
disk = small_disk

pytestmark = pytest.mark.acceptance


@asynccontextmanager
async def owned(config: Config) -> AsyncGenerator[AsyncConnection]:
    """Connect as the owner of the database."""
    async with run_embedded_postgres(config.data / "pg") as server:
        address = build_database_url(server, DATABASE)
        address = make_conninfo(address, options=f"-c search_path={SCHEMA}")
        async with await AsyncConnection.connect(
            address, autocommit=True
        ) as connection:
            yield connection


async def soon(check: Callable[[], Awaitable[bool]], *, seconds: float = 30) -> None:
    async with asyncio.timeout(seconds):
        while not await check():  # noqa: ASYNC110 - another process is looked at
            await asyncio.sleep(0.1)


def assert_whole_turns(read: Transcript) -> int:
    """Check that turns are whole, in order and there once; return how many."""
    said = [message.content for message in read.messages]
    turns = len(said) // 2
    assert said == [
        f"{speaker} {number}"
        for number in range(turns)
        for speaker in ("user", "assistant")
    ]
    assert [message.position for message in read.messages] == list(range(2 * turns))
    assert read.session.pair_count == turns
    assert read.session.message_count == 2 * turns
    return turns


def is_running(config: Config) -> bool:
    return (config.data / "pg" / "postmaster.pid").exists()


def find_ready_database(config: Config) -> int | None:
    """Return the process of the database, or `None` unless it takes calls."""
    try:
        lines = (config.data / "pg" / "postmaster.pid").read_text().splitlines()
    except FileNotFoundError:
        return None
    return int(lines[0]) if lines[-1].strip() == "ready" else None


async def test_what_was_acknowledged_survives_kill_9_once_and_whole(
    config: Config,
) -> None:
    with run_program("recorder.py", config.data, "minji") as recorder:
        session_id = UUID(await read_line(recorder))
        for _ in range(40):
            await read_line(recorder)
        printed = [word for word in kill(recorder).split("\n")[:-1] if word]
    async with open_data(config) as memory:
        scope = memory.person("minji")
        turns = assert_whole_turns(await memory.sessions.read(scope, session_id))
        acknowledged = int(printed[-1]) + 1 if printed else 40
        assert acknowledged <= turns <= acknowledged + 1
        await memory.audit.verify(scope)
        async with memory.maintenance.database.begin(scope) as tx:
            pairs = await tx.fetch_all(
                "SELECT turn_index FROM conversation_pairs ORDER BY turn_index"
            )
            feed = await tx.fetch_all("SELECT seq FROM memory_updates ORDER BY seq")
        assert [row[0] for row in pairs] == list(range(turns))
        assert [row[0] for row in feed] == list(range(1, turns + 2))
        await memory.sessions.record(scope, session_id, Turn("user more", "assistant"))
    assert not is_running(config), "the killed process does not keep the server alive"


async def test_the_job_of_a_killed_worker_is_taken_up_again_without_doubles(
    config: Config,
) -> None:
    quick = replace(config, pause=config.pause * 0)
    async with open_data(quick) as memory, owned(config) as owner:
        scope = memory.person("minji")
        session = await memory.sessions.start(scope)
        await memory.sessions.record(scope, session.session_id, Turn("첫째", "네"))
        with run_program("worker.py", config.data, 600) as slow:
            await read_until(slow, "working")
            await memory.sessions.record(scope, session.session_id, Turn("둘째", "네"))
            kill(slow)
        found = await owner.execute(
            "SELECT task_name FROM procrastinate_jobs WHERE status = 'doing'"
        )
        assert ("conversation_paused",) in await found.fetchall()

        async def nothing_left() -> bool:
            left = await owner.execute(
                "SELECT count(*) FROM procrastinate_jobs WHERE args ? 'user_id'"
            )
            return await left.fetchone() == (0,)

        with run_program("worker.py", config.data, 0) as worker:
            await soon(nothing_left)
            worker.communicate("\n")
            assert worker.returncode == 0
        memories, total = await memory.memories.page(scope, include_inactive=True)
        assert sorted(m.content for m in memories) == ["사용자: 둘째", "사용자: 첫째"]
        assert total == 2
        assert {m.usage_count for m in memories} == {0}, "nothing was merged"
        found = await owner.execute("SELECT count(*) FROM recall_items")
        assert await found.fetchone() == (4,)


BULK = "가나다라마바사 " * 3_000


async def fill(memory: Gieok, name: str) -> tuple[UUID, int, GieokError]:
    """Record long turns until that fails; return what was acknowledged, and why."""
    scope = memory.person(name)
    session = await memory.sessions.start(scope)
    for number in range(2_000):
        turn = Turn(f"{number} {BULK}", f"{number} {BULK}")
        try:
            await memory.sessions.record(scope, session.session_id, turn)
        except GieokError as error:
            return session.session_id, number, error
    pytest.fail("the disk did not fill up")


async def read_numbers(memory: Gieok, name: str, session_id: UUID) -> list[int]:
    read = await memory.sessions.read(memory.person(name), session_id)
    assert read.session.message_count == len(read.messages)
    assert read.session.pair_count * 2 == len(read.messages)
    return [int(message.content.split(" ")[0]) for message in read.messages]


async def test_a_full_disk_refuses_a_turn_whole_and_works_again_with_room(
    config: Config, disk: Path
) -> None:
    async with open_data(config):
        pass
    async with run_embedded_postgres(config.data / "pg") as server:
        await move_database(server, disk)
        async with open_data(config) as memory:
            session_id, acknowledged, error = await fill(memory, "minji")
            assert isinstance(error, StorageFullError)
            assert "disk is full; nothing was written" in str(error)
            turns = [n for n in range(acknowledged) for _ in range(2)]
            assert await read_numbers(memory, "minji", session_id) == turns
            scope = memory.person("minji")
            with pytest.raises(StorageFullError):
                await fill_more(memory, scope, session_id)
            before = await read_numbers_safely(memory, "minji", session_id)
            remount(disk, "size=64m")
            await memory.sessions.record(scope, session_id, Turn("7 room", "7 again"))
            after = await read_numbers_safely(memory, "minji", session_id)
            assert after == before + 2
            await memory.audit.verify(scope)


async def fill_more(memory: Gieok, scope: Scope, session_id: UUID) -> None:
    for _ in range(20):
        await memory.sessions.record(scope, session_id, Turn(BULK, BULK))


async def read_numbers_safely(memory: Gieok, name: str, session_id: UUID) -> int:
    read = await memory.sessions.read(memory.person(name), session_id)
    assert (
        read.session.message_count == len(read.messages) == read.session.pair_count * 2
    )
    return len(read.messages)


async def test_a_disk_full_of_everything_loses_nothing_that_was_acknowledged(
    config: Config, disk: Path
) -> None:
    """Here the write-ahead log finds no room either, and PostgreSQL gives up."""
    remount(disk, "size=130m")
    full = replace(config, data=disk / "gieok")
    session_id, acknowledged = UUID(int=0), 0
    async with open_data(full) as memory:
        session_id, acknowledged, error = await fill(memory, "minji")
        assert isinstance(error, StorageFullError | DatabaseUnavailableError)
    remount(disk, "size=300m")
    async with open_data(full) as memory:
        numbers = await read_numbers(memory, "minji", session_id)
        assert numbers[::2] == numbers[1::2] == list(range(len(numbers) // 2))
        assert acknowledged <= len(numbers) // 2 <= acknowledged + 1
        scope = memory.person("minji")
        await memory.sessions.record(scope, session_id, Turn("room", "again"))
        await memory.audit.verify(scope)


async def test_a_database_that_refuses_says_what_to_check(config: Config) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"postgresql://gieok@127.0.0.1:{taken.getsockname()[1]}/gieok"
        with pytest.raises(DatabaseUnavailableError, match="check that it runs"):
            async with open_data(replace(config, database_url=url)):
                pass


async def test_a_database_that_never_answers_is_given_up_within_twelve_seconds(
    config: Config,
) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        url = f"postgresql://gieok@127.0.0.1:{silent.getsockname()[1]}/gieok"
        async with asyncio.timeout(12):
            with pytest.raises(DatabaseUnavailableError, match="does not answer"):
                async with open_data(replace(config, database_url=url)):
                    pass


@pytest.mark.parametrize("name", ["database_url", "keystore_url"])
async def test_an_address_that_is_none_is_named(config: Config, name: str) -> None:
    wrong = replace(config, **{name: "my database"})
    with pytest.raises(ConfigurationError, match=f"GIEOK_{name.upper()}"):
        async with open_data(wrong):
            pass


async def test_calls_succeed_after_postgresql_was_stopped_at_once(
    config: Config,
) -> None:
    async with open_data(config) as memory:
        scope = memory.person("minji")
        session = await memory.sessions.start(scope)
        turn = Turn("강남구 살아", "네")
        await memory.sessions.record(scope, session.session_id, turn)
        await memory.recall.search(scope, "강남구")
        stopped = find_ready_database(config)
        assert stopped
        # Not by `pg_ctl restart`: it would start a server beside the one that gieok
        # starts, or wait for the new one to end as if that were the old one.
        os.kill(stopped, signal.SIGQUIT)

        async def is_another_ready() -> bool:
            return find_ready_database(config) not in {None, stopped}

        await soon(is_another_ready, seconds=60)
        await memory.sessions.record(scope, session.session_id, turn)
        newcomer = memory.person("somebody whose key is read from the keystore")
        await memory.sessions.start(newcomer)
        read = await memory.sessions.read(scope, session.session_id)
        assert len(read.messages) == 4
        assert await memory.recall.search(scope, "강남구")


@pytest.mark.parametrize("version", ["16\n", "99\n", "a photo\n"])
async def test_another_versions_data_directory_is_left_alone(
    config: Config, version: str
) -> None:
    directory = config.data / "pg"
    directory.mkdir(parents=True)
    (directory / "PG_VERSION").write_text(version)
    with pytest.raises(
        DataDirectoryError, match=r"another version.*gieok export.*GIEOK_DATA"
    ):
        async with open_data(config):
            pass
    assert [path.name for path in directory.iterdir()] == ["PG_VERSION"]


@pytest.mark.parametrize("there", [False, True], ids=["missing", "there"])
async def test_a_directory_that_cannot_be_written_is_named(
    config: Config, disk: Path, *, there: bool
) -> None:
    if there:
        (disk / "pg").mkdir()
    remount(disk, "ro")
    with pytest.raises(DataDirectoryError, match=rf"{disk}.*GIEOK_DATA"):
        async with open_data(replace(config, data=disk)):
            pass


async def test_two_processes_share_one_directory(config: Config) -> None:
    with run_program("recorder.py", config.data, "minji", 3) as first:
        session_id = UUID(await read_line(first))
        await read_until(first, "done")
        async with open_data(config) as memory:
            scope = memory.person("minji")
            read = await memory.sessions.read(scope, session_id)
            assert assert_whole_turns(read) == 3
            turn = Turn("user 3", "assistant 3")
            await memory.sessions.record(scope, session_id, turn)
            first.communicate("\n")
            assert first.returncode == 0
            assert is_running(config), "the last one stops it"
            read = await memory.sessions.read(scope, session_id)
            assert assert_whole_turns(read) == 4
    assert not is_running(config)


async def test_two_processes_may_be_the_first(config: Config) -> None:
    with (
        run_program("recorder.py", config.data, "minji", 2) as one,
        run_program("recorder.py", config.data, "minji", 2) as other,
    ):
        ids = [UUID(await read_line(one)), UUID(await read_line(other))]
        for process in (one, other):
            await read_until(process, "done")
        async with open_data(config) as memory:
            scope = memory.person("minji")
            for session_id in ids:
                read = await memory.sessions.read(scope, session_id)
                assert assert_whole_turns(read) == 2
        for process in (one, other):
            process.communicate("\n")
            assert process.returncode == 0
    assert not is_running(config)


async def test_everything_is_there_after_a_restart(config: Config) -> None:
    async with open_data(config) as memory:
        scope = memory.person("minji")
        session = await memory.sessions.start(scope)
        await memory.sessions.record(scope, session.session_id, Turn("제주도", "네"))
        kept = await memory.memories.remember(scope, "사용자는 강남구에 거주")
        await memory.settings.update(scope, {"max_memories": 9})
        await memory.settled(scope)
    assert not is_running(config)
    async with open_data(config) as memory:
        assert memory.person("minji") == scope
        read = await memory.sessions.read(scope, session.session_id)
        assert [m.content for m in read.messages] == ["제주도", "네"]
        assert await memory.memories.get(scope, kept.memory_id) == kept
        assert (await memory.settings.get(scope)).max_memories == 9
        (hit,) = await memory.recall.search(scope, "제주도", limit=1)
        assert hit.content == "제주도"
        await memory.audit.verify(scope)
