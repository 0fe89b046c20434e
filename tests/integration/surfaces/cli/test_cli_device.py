"""A device in a terminal: it talks alone, comes in step, and says how it is."""

import asyncio
import subprocess
from collections.abc import AsyncGenerator, Awaitable, Callable
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import pytest

from gieok import Gieok, Scope
from gieok.kernel.clock import read_system_clock
from gieok.kernel.scope import Actor
from gieok.surfaces.cli.app import execute
from gieok.surfaces.rest import Tokens, create_app
from support.cli_runs import Done
from support.commands import PATIENCE, command, environment
from support.rest_people import SECRET, serving

PASSPHRASE = "tea"
Run = Callable[..., Awaitable[Done]]


class Kitchen(NamedTuple):
    """A device file, and a server that knows whose it is."""

    file: Path
    address: str
    token: str
    person: Scope


@pytest.fixture
async def kitchen(memory: Gieok, tmp_path: Path) -> AsyncGenerator[Kitchen]:
    tokens = Tokens(SECRET, read_system_clock)
    name = f"device-{tmp_path.name}"
    token = tokens.issue(name, timedelta(hours=1), Actor.DEVICE, device="kitchen")
    async with serving(create_app(memory, tokens)) as address:
        yield Kitchen(tmp_path / "kitchen.db", address, token, memory.person(name))


def tell_secrets(kitchen: Kitchen, passphrase: str) -> dict[str, str]:
    return {
        "GIEOK_DEVICE_PASSPHRASE": passphrase,
        "GIEOK_DEVICE_TOKEN": kitchen.token,
    }


def build_words(kitchen: Kitchen, *arguments: str) -> list[str]:
    return ["device", arguments[0], str(kitchen.file), *arguments[1:]]


async def start(kitchen: Kitchen, *arguments: str, said: str = "") -> Done:
    """Run the command line as a user starts it, in a process of its own."""
    done = await asyncio.to_thread(
        subprocess.run,
        command(*build_words(kitchen, *arguments)),
        env=environment(kitchen.file.parent / "none")
        | tell_secrets(kitchen, PASSPHRASE),
        input=said,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command line here, beside the server: a process takes a second more."""

    async def run(
        kitchen: Kitchen, *arguments: str, said: str = "", passphrase: str = PASSPHRASE
    ) -> Done:
        told = environment(kitchen.file.parent / "none")
        for name, value in (told | tell_secrets(kitchen, passphrase)).items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr("sys.stdin", StringIO(said))
        code = await asyncio.to_thread(execute, build_words(kitchen, *arguments))
        shown = capsys.readouterr()
        return Done(code, shown.out, shown.err)

    return run


async def get_state(kitchen: Kitchen, run: Run) -> dict[str, object]:
    return (await run(kitchen, "status", "--json")).data


@pytest.mark.req("A10", "A16")
async def test_a_device_talks_alone_and_comes_in_step_later(
    memory: Gieok, kitchen: Kitchen
) -> None:
    talked = await start(
        kitchen,
        "talk",
        said="우리 강아지는 보리야\n강아지 이름이 뭐였지?\n/quit\n",
    )
    assert talked.code == 0, talked.err
    assert "보리" in talked.out
    alone = await get_state(kitchen, start)
    assert (alone["sync_status"], alone["waiting"]) == ("pending", 2)

    away = await start(kitchen, "sync", "--server", "http://127.0.0.1:9")
    assert away.code == 1
    assert "http://127.0.0.1:9 cannot be reached" in " ".join(away.out.split())
    assert (await get_state(kitchen, start))["waiting"] == 2

    level = await start(kitchen, "sync", "--server", kitchen.address)
    assert level.code == 0, level.out + level.err
    assert "In step" in level.out
    there = await get_state(kitchen, start)
    assert (there["sync_status"], there["waiting"]) == ("ok", 0)
    sessions, _ = await memory.sessions.page(kitchen.person)
    assert [session.pair_count for session in sessions] == [2]


@pytest.mark.req("A17")
async def test_who_is_shut_out_hears_so(
    memory: Gieok, kitchen: Kitchen, run: Run
) -> None:
    assert (await run(kitchen, "talk", said="비밀이야\n")).code == 0
    level = await run(kitchen, "sync", "--server", kitchen.address)
    assert level.code == 0, level.out
    known = memory.accounts.device_id(kitchen.person, "kitchen")
    await memory.sync.revoke(kitchen.person, known)
    gone = await run(kitchen, "sync", "--server", kitchen.address)
    assert gone.code == 1
    assert "emptied itself" in gone.out


async def test_a_device_that_has_a_name_keeps_it(kitchen: Kitchen, run: Run) -> None:
    talked = await run(kitchen, "talk", "--name", "speaker", said="hello\n")
    assert talked.code == 0, talked.err
    state = await get_state(kitchen, run)
    assert (state["device_id"], state["waiting"]) == ("speaker", 1)
    other = await run(kitchen, "talk", "--name", "parlour", said="hello\n")
    assert other.code == 2
    assert "speaker" in other.err
    assert "parlour" in other.err
    assert (await run(kitchen, "talk", said="again\n")).code == 0
    assert (await get_state(kitchen, run))["waiting"] == 2


async def test_a_wrong_passphrase_or_a_missing_file_is_one_clear_line(
    kitchen: Kitchen, run: Run
) -> None:
    none = await run(kitchen, "status")
    assert (none.code, none.out) == (2, "")
    assert "no device file" in none.err
    assert not kitchen.file.exists()
    assert (await run(kitchen, "talk", said="hello\n")).code == 0
    wrong = await run(kitchen, "status", passphrase="coffee")
    assert wrong.code == 2
    assert len(wrong.err.strip().splitlines()) == 1


async def test_variables_of_a_file_with_windows_line_ends_are_read_without_them(
    kitchen: Kitchen, run: Run
) -> None:
    windows = kitchen._replace(token=f"{kitchen.token}\r")
    talked = await run(windows, "talk", said="hello\n", passphrase="tea\r")
    assert talked.code == 0, talked.err
    level = await run(windows, "sync", "--server", kitchen.address)
    assert level.code == 0, level.out + level.err
    assert (await get_state(kitchen, run))["waiting"] == 0


async def test_a_passphrase_of_the_command_line_is_taken_as_it_stands(
    kitchen: Kitchen, run: Run
) -> None:
    spelled = ("--passphrase", "tea\r")
    assert (await run(kitchen, "talk", *spelled, said="hello\n")).code == 0
    assert (await run(kitchen, "status", passphrase="tea\r")).code == 2
    assert (await run(kitchen, "status", *spelled)).code == 0


@pytest.mark.req("A16")
async def test_a_wrong_token_says_how_to_get_another(
    kitchen: Kitchen, run: Run
) -> None:
    assert (await run(kitchen, "talk", said="hello\n")).code == 0
    server = ("--server", kitchen.address)
    wrong = await run(kitchen._replace(token="wrong"), "sync", *server)
    assert wrong.code == 1
    told = " ".join(wrong.out.split())
    assert "gieok devices register USER kitchen" in told
    away = await run(kitchen, "sync", "--server", "http://127.0.0.1:9")
    assert "cannot be reached" in away.out
    assert (await run(kitchen, "sync", *server)).code == 0


async def test_choices_are_named_and_resolving_what_is_fine_changes_nothing(
    kitchen: Kitchen, run: Run
) -> None:
    assert (await run(kitchen, "talk", said="hello\n")).code == 0
    before = await get_state(kitchen, run)
    assert (await run(kitchen, "resolve", "both")).code == 2
    for choice in ("send", "discard"):
        done = await run(kitchen, "resolve", choice)
        assert done.code == 1, done.out
        assert "no conflict" in done.out + done.err
    assert await get_state(kitchen, run) == before
