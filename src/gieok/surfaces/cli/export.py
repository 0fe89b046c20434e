"""`export` and `import`: everything about a person as a file."""

import os
from pathlib import Path
from typing import Annotated

import typer

from gieok.facade import Gieok
from gieok.kernel.errors import InvalidInputError
from gieok.kernel.scope import Scope
from gieok.portability import Source
from gieok.surfaces.cli.command_result import (
    CommandResult,
    build_message_view,
    print_result,
)
from gieok.surfaces.cli.terminal import Terminal


@print_result(known=True)
async def export(
    terminal: Terminal,
    gieok: Gieok,
    scope: Scope,
    *,
    to: Annotated[Path, typer.Option("--to", help="opt.export_to")],
) -> CommandResult:
    """Write everything about a person into a file only its owner can read."""
    size = await _write_export(terminal, gieok, scope, to)
    return CommandResult(
        {"path": str(to), "bytes": size},
        build_message_view("export.done", path=to, size=f"{size:,}"),
    )


@print_result
async def load(
    terminal: Terminal,
    gieok: Gieok,
    path: Annotated[Path, typer.Argument(help="arg.import_file", metavar="FILE")],
    scope: Scope,
    *,
    source: Annotated[
        Source, typer.Option("--from", help="opt.import_from")
    ] = Source.GIEOK,
) -> CommandResult:
    """Take in an export, or an archive of another product."""
    try:
        with (
            path.open("rb") as file,
            terminal.err.status(terminal.translate_message("import.running")),
        ):
            taken = await gieok.portability.load(scope, file, source)
    except OSError:
        raise InvalidInputError("file", "it cannot be read") from None
    return CommandResult(
        dict(taken.parts), build_message_view("import.done", rows=f"{taken.rows:,}")
    )


async def _write_export(
    terminal: Terminal, gieok: Gieok, scope: Scope, to: Path
) -> int:
    """Write an export beside its place, then put it there: never half of one."""
    if not to.name:
        raise InvalidInputError("to", "it cannot be written")
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
