"""`export` and `import`: everything about a person as a file."""

import os
from pathlib import Path
from typing import Annotated

import typer

from gieok.facade import Gieok
from gieok.kernel.errors import InvalidInputError
from gieok.kernel.scope import Scope
from gieok.portability import Source
from gieok.surfaces.cli.arguments import AsJson, PersonArgument
from gieok.surfaces.cli.terminal import Terminal, get_terminal, run_command


def export(
    context: typer.Context,
    user: PersonArgument,
    *,
    to: Annotated[Path, typer.Option("--to", help="opt.export_to")],
) -> None:
    """Write everything about a person into a file only its owner can read."""
    terminal = get_terminal(context)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            size = await _write_export(terminal, gieok, gieok.person(user), to)
        terminal.print_message("export.done", path=to, size=f"{size:,}")

    run_command(work)


def load(
    context: typer.Context,
    path: Annotated[Path, typer.Argument(help="arg.import_file", metavar="FILE")],
    user: PersonArgument,
    *,
    source: Annotated[
        Source, typer.Option("--from", help="opt.import_from")
    ] = Source.GIEOK,
    as_json: AsJson = False,
) -> None:
    """Take in an export, or an archive of another product."""
    terminal = get_terminal(context)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            try:
                with (
                    path.open("rb") as file,
                    terminal.err.status(terminal.translate_message("import.running")),
                ):
                    taken = await gieok.portability.load(
                        gieok.person(user), file, source
                    )
            except OSError:
                raise InvalidInputError("file", "it cannot be read") from None
        if as_json:
            terminal.print_json(dict(taken.parts))
        else:
            terminal.print_message("import.done", rows=f"{taken.rows:,}")

    run_command(work)


async def _write_export(
    terminal: Terminal, gieok: Gieok, scope: Scope, to: Path
) -> int:
    """Write an export beside its place, then put it there: never half of one."""
    draft = to.with_name(f".{to.name}.part")
    size = 0
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with (
            os.fdopen(handle, "wb") as file,
            terminal.err.status(terminal.translate_message("export.running")) as status,
        ):
            async for chunk in gieok.portability.export(scope):
                size += file.write(chunk)
                status.update(
                    terminal.translate_message("export.written", size=f"{size:,}")
                )
        draft.replace(to)
    except OSError:
        raise InvalidInputError("to", "it cannot be written") from None
    finally:
        draft.unlink(missing_ok=True)
    return size
