"""A command that returns data and a view: what the command line sees of it."""

import inspect
import json
from io import StringIO
from pathlib import Path

import pytest
import typer
from rich.console import Console
from typer.testing import CliRunner

from gieok.config import Config
from gieok.facade import Gieok
from gieok.kernel.scope import Scope
from gieok.surfaces.cli.command_result import (
    CommandResult,
    build_message_view,
    build_page_view,
    print_result,
)
from gieok.surfaces.cli.terminal import Terminal


@print_result(sure="sessions.sure")
async def double(terminal: Terminal, name: str, *, times: int = 2) -> CommandResult:
    """Say a name several times."""
    language = terminal.language
    data = {"name": name * times, "language": language}
    return CommandResult(data, build_message_view("rejected", mark=name), code=3)


def invoke(*arguments: str, answer: str = "") -> tuple[str, str, int]:
    """Run the command in a terminal of its own."""
    out, err = Console(file=StringIO(), width=200), Console(file=StringIO())
    app = typer.Typer()
    app.command()(double)
    terminal = Terminal(Config(Path("unused")), "en", out, err)
    done = CliRunner().invoke(app, arguments, obj=terminal, input=answer)
    printed = out.file
    assert isinstance(printed, StringIO)
    return printed.getvalue(), done.output, done.exit_code


def test_json_is_the_data_and_the_code_is_the_commands() -> None:
    printed, _, code = invoke("bo", "--times", "3", "--yes", "--json")
    assert json.loads(printed) == {"name": "bobobo", "language": "en"}
    assert code == 3


def test_people_get_the_view() -> None:
    printed, _, _ = invoke("bo", "--yes")
    assert printed == "Rejected (bo); it is never proposed again.\n"


@pytest.mark.parametrize(("answer", "code"), [("n\n", 1), ("y\n", 3)])
def test_it_asks_first_with_what_was_given(answer: str, code: int) -> None:
    printed, asked, ended = invoke("bo", answer=answer)
    assert "Erase conversation bo?" in asked
    assert ended == code
    assert bool(printed) is (code == 3)


def test_what_is_injected_is_no_argument() -> None:
    @print_result
    async def show(
        gieok: Gieok, path: str, scope: Scope, *, limit: int = 1
    ) -> CommandResult:
        raise NotImplementedError(gieok, path, scope, limit)

    names = list(inspect.signature(show).parameters)
    assert names == ["context", "path", "user", "limit", "as_json"]


def test_a_page_says_how_much_there_is() -> None:
    out = Console(file=StringIO(), width=80)
    terminal = Terminal(Config(Path("unused")), "en", out, out)
    build_page_view(["a"], 7, lambda _, rows: str(rows[0]), none="memories.none")(
        terminal
    )
    build_page_view([], 0, lambda _, rows: str(rows[0]), none="memories.none")(terminal)
    printed = out.file
    assert isinstance(printed, StringIO)
    assert printed.getvalue() == "a\n1 of 7\nNothing is remembered yet.\n"
