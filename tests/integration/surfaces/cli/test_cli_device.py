"""A device in a terminal: it talks alone, comes in step, and says how it is."""

import asyncio
import json
import subprocess
from collections.abc import AsyncGenerator
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import pytest

from gieok import Gieok, Scope
from gieok.kernel.clock import read_system_clock
from gieok.kernel.scope import Actor
from gieok.surfaces.rest import Tokens, create_app
from support.commands import PATIENCE, command, environment
from support.rest_people import SECRET, serving

PASSPHRASE = "tea"


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


async def run(
    kitchen: Kitchen, *arguments: str, said: str = "", passphrase: str = PASSPHRASE
) -> subprocess.CompletedProcess[str]:
    secrets = {
        "GIEOK_DEVICE_PASSPHRASE": passphrase,
        "GIEOK_DEVICE_TOKEN": kitchen.token,
    }
    return await asyncio.to_thread(
        subprocess.run,
        command("device", arguments[0], str(kitchen.file), *arguments[1:]),
        env=environment(kitchen.file.parent / "none") | secrets,
        input=said,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )


async def get_state(kitchen: Kitchen) -> dict[str, object]:
    shown = await run(kitchen, "status", "--json")
    assert shown.returncode == 0, shown.stderr
    return json.loads(shown.stdout)


@pytest.mark.req("A10", "A16")
async def test_a_device_talks_alone_and_comes_in_step_later(
    memory: Gieok, kitchen: Kitchen
) -> None:
    talked = await run(
        kitchen,
        "talk",
        said="우리 강아지는 보리야\n강아지 이름이 뭐였지?\n/quit\n",
    )
    assert talked.returncode == 0, talked.stderr
    assert "보리" in talked.stdout
    alone = await get_state(kitchen)
    assert (alone["sync_status"], alone["waiting"]) == ("pending", 2)

    away = await run(kitchen, "sync", "--server", "http://127.0.0.1:9")
    assert away.returncode == 1
    assert "http://127.0.0.1:9 cannot be reached" in " ".join(away.stdout.split())
    assert (await get_state(kitchen))["waiting"] == 2

    level = await run(kitchen, "sync", "--server", kitchen.address)
    assert level.returncode == 0, level.stdout + level.stderr
    assert "In step" in level.stdout
    there = await get_state(kitchen)
    assert (there["sync_status"], there["waiting"]) == ("ok", 0)
    sessions, _ = await memory.sessions.page(kitchen.person)
    assert [session.pair_count for session in sessions] == [2]


@pytest.mark.req("A17")
async def test_who_is_shut_out_hears_so(memory: Gieok, kitchen: Kitchen) -> None:
    assert (await run(kitchen, "talk", said="비밀이야\n")).returncode == 0
    level = await run(kitchen, "sync", "--server", kitchen.address)
    assert level.returncode == 0, level.stdout
    known = memory.accounts.device_id(kitchen.person, "kitchen")
    await memory.sync.revoke(kitchen.person, known)
    gone = await run(kitchen, "sync", "--server", kitchen.address)
    assert gone.returncode == 1
    assert "emptied itself" in gone.stdout


async def test_a_device_that_has_a_name_keeps_it(kitchen: Kitchen) -> None:
    talked = await run(kitchen, "talk", "--name", "speaker", said="hello\n")
    assert talked.returncode == 0, talked.stderr
    state = await get_state(kitchen)
    assert (state["device_id"], state["waiting"]) == ("speaker", 1)
    other = await run(kitchen, "talk", "--name", "parlour", said="hello\n")
    assert other.returncode == 2
    assert "speaker" in other.stderr
    assert "parlour" in other.stderr
    assert (await run(kitchen, "talk", said="again\n")).returncode == 0
    assert (await get_state(kitchen))["waiting"] == 2


async def test_a_wrong_passphrase_or_a_missing_file_is_one_clear_line(
    kitchen: Kitchen,
) -> None:
    none = await run(kitchen, "status")
    assert (none.returncode, none.stdout) == (2, "")
    assert "no device file" in none.stderr
    assert not kitchen.file.exists()
    assert (await run(kitchen, "talk", said="hello\n")).returncode == 0
    wrong = await run(kitchen, "status", passphrase="coffee")
    assert wrong.returncode == 2
    assert len(wrong.stderr.strip().splitlines()) == 1


async def test_variables_of_a_file_with_windows_line_ends_are_read_without_them(
    kitchen: Kitchen,
) -> None:
    windows = kitchen._replace(token=f"{kitchen.token}\r")
    talked = await run(windows, "talk", said="hello\n", passphrase="tea\r")
    assert talked.returncode == 0, talked.stderr
    level = await run(windows, "sync", "--server", kitchen.address)
    assert level.returncode == 0, level.stdout + level.stderr
    assert (await get_state(kitchen))["waiting"] == 0


async def test_a_passphrase_of_the_command_line_is_taken_as_it_stands(
    kitchen: Kitchen,
) -> None:
    spelled = ("--passphrase", "tea\r")
    assert (await run(kitchen, "talk", *spelled, said="hello\n")).returncode == 0
    assert (await run(kitchen, "status", passphrase="tea\r")).returncode == 2
    assert (await run(kitchen, "status", *spelled)).returncode == 0


@pytest.mark.req("A16")
async def test_a_wrong_token_says_how_to_get_another(kitchen: Kitchen) -> None:
    assert (await run(kitchen, "talk", said="hello\n")).returncode == 0
    server = ("--server", kitchen.address)
    wrong = await run(kitchen._replace(token="wrong"), "sync", *server)
    assert wrong.returncode == 1
    told = " ".join(wrong.stdout.split())
    assert "gieok token USER --device kitchen" in told
    away = await run(kitchen, "sync", "--server", "http://127.0.0.1:9")
    assert "cannot be reached" in away.stdout
    assert (await run(kitchen, "sync", *server)).returncode == 0


async def test_choices_are_named_and_resolving_what_is_fine_changes_nothing(
    kitchen: Kitchen,
) -> None:
    assert (await run(kitchen, "talk", said="hello\n")).returncode == 0
    before = await get_state(kitchen)
    assert (await run(kitchen, "resolve", "both")).returncode == 2
    for choice in ("send", "discard"):
        done = await run(kitchen, "resolve", choice)
        assert done.returncode == 1, done.stdout
        assert "no conflict" in done.stdout + done.stderr
    assert await get_state(kitchen) == before
