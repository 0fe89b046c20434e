"""`gieok sync check` says what a server does wrong, and exits by it."""

import asyncio
import json
import subprocess
from collections.abc import AsyncGenerator, Callable, Coroutine
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.types import ASGIApp, Receive, Scope, Send

from gieok import Gieok
from gieok.kernel.clock import read_system_clock
from gieok.surfaces.rest import Tokens, create_app
from support.commands import PATIENCE, command, environment
from support.rest_people import SECRET, serving

pytestmark = pytest.mark.req("A16", "A17")
Run = Callable[..., Coroutine[Any, Any, subprocess.CompletedProcess[str]]]


@pytest.fixture
def tokens() -> Tokens:
    return Tokens(SECRET, read_system_clock)


@pytest.fixture
async def address(memory: Gieok, tokens: Tokens) -> AsyncGenerator[str]:
    async with serving(create_app(memory, tokens)) as url:
        yield url


@pytest.fixture
def check(tokens: Tokens, tmp_path: Path) -> Run:
    token = tokens.issue(f"checked-{tmp_path.name}", timedelta(hours=1))

    async def run(
        *arguments: str, line_end: str = ""
    ) -> subprocess.CompletedProcess[str]:
        return await asyncio.to_thread(
            subprocess.run,
            command("sync", "check", *arguments),
            env=environment(tmp_path / "none")
            | {"GIEOK_DEVICE_TOKEN": token + line_end},
            capture_output=True,
            encoding="utf-8",
            timeout=PATIENCE,
            check=False,
        )

    return run


@pytest.mark.parametrize("line_end", ["", "\r"])
async def test_a_good_server_is_a_table_without_faults(
    address: str, check: Run, line_end: str
) -> None:
    only = ("--only", "join", "--only", "other_person")
    done = await check(address, *only, line_end=line_end)
    assert done.returncode == 0, done.stdout + done.stderr
    first, second, *_ = done.stdout.splitlines()
    assert first.split()[:2] == ["✓", "join"]
    assert second.split()[:2] == ["–", "other_person"]
    assert "2 checks, 0 at fault" in done.stdout


async def test_a_fault_is_named_and_exits_with_one(
    memory: Gieok, tokens: Tokens, check: Run
) -> None:
    app: Any = create_app(memory, tokens)
    async with serving(TakeAnything(app)) as address:  # pyright: ignore[reportArgumentType]
        done = await check(address, "--json", "--only", "push", "--only", "versions")
    assert done.returncode == 1
    shown = json.loads(done.stdout)
    outcomes = {each["name"]: each["outcome"] for each in shown["checks"]}
    assert outcomes == {"push": "passed", "versions": "fault"}
    assert shown["faults"] == 1
    assert "426" in shown["checks"][1]["detail"]


async def test_what_cannot_be_checked_is_one_clear_line(check: Run) -> None:
    for arguments in (
        ("http://127.0.0.1:9",),
        ("http://127.0.0.1:9", "--only", "nothing"),
        ("nowhere",),
    ):
        done = await check(*arguments)
        assert (done.returncode, done.stdout) == (2, ""), done.stderr
        assert len(done.stderr.strip().splitlines()) == 1


async def test_a_token_that_cannot_be_sent_is_refused_and_not_shown(check: Run) -> None:
    for end in ("\x07", "é", " more"):
        done = await check("http://127.0.0.1:9", line_end=f"{end}x")
        assert (done.returncode, done.stdout) == (2, ""), done.stderr
        assert "token" in done.stderr
        assert "eyJ" not in done.stderr


class TakeAnything:
    """A server that speaks every version."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def hide(message: Any) -> None:
            if message.get("status") == 426:
                message["status"] = 200
            await send(message)

        await self.app(scope, receive, hide)
