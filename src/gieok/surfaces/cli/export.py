"""`export` and `import`: everything about a person as a file."""

import os
from pathlib import Path
from typing import Annotated

import typer

from gieok.facade import Gieok
from gieok.kernel.errors import InvalidInputError
from gieok.kernel.scope import Scope
from gieok.portability import Source
from gieok.surfaces.cli.arguments import AsJson, Person
from gieok.surfaces.cli.terminal import Terminal, run, terminal_of


def export(
    context: typer.Context,
    user: Person,
    *,
    to: Annotated[Path, typer.Option("--to", help="opt.export_to")],
) -> None:
    """Write everything about a person into a file only its owner can read."""
    terminal = terminal_of(context)

    async def work() -> None:
        async with terminal.memory() as gieok:
            size = await _written(terminal, gieok, gieok.person(user), to)
        terminal.tell("export.done", path=to, size=f"{size:,}")

    run(work)


def load(
    context: typer.Context,
    path: Annotated[Path, typer.Argument(help="arg.import_file", metavar="FILE")],
    user: Person,
    *,
    source: Annotated[
        Source, typer.Option("--from", help="opt.import_from")
    ] = Source.GIEOK,
    as_json: AsJson = False,
) -> None:
    """Take in an export, or an archive of another product."""
    terminal = terminal_of(context)

    async def work() -> None:
        async with terminal.memory() as gieok:
            try:
                with (
                    path.open("rb") as file,
                    terminal.err.status(terminal.say("import.running")),
                ):
                    taken = await gieok.portability.load(
                        gieok.person(user), file, source
                    )
            except OSError:
                raise InvalidInputError("file", "it cannot be read") from None
        if as_json:
            terminal.data(dict(taken.parts))
        else:
            terminal.tell("import.done", rows=f"{taken.rows:,}")

    run(work)


async def _written(terminal: Terminal, gieok: Gieok, scope: Scope, to: Path) -> int:
    """Write an export beside its place, then put it there: never half of one."""
    draft = to.with_name(f".{to.name}.part")
    size = 0
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with (
            os.fdopen(handle, "wb") as file,
            terminal.err.status(terminal.say("export.running")) as status,
        ):
            async for chunk in gieok.portability.export(scope):
                size += file.write(chunk)
                status.update(terminal.say("export.written", size=f"{size:,}"))
        draft.replace(to)
    except OSError:
        raise InvalidInputError("to", "it cannot be written") from None
    finally:
        draft.unlink(missing_ok=True)
    return size
