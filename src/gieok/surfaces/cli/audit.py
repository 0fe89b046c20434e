"""`audit`: what happened to whose data, and whether the log is whole."""

import json
from contextlib import ExitStack
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Annotated, TextIO

import typer

from gieok.audit import AuditLine, ChainVerification
from gieok.facade import Gieok
from gieok.kernel.errors import InvalidInputError
from gieok.kernel.scope import Scope
from gieok.privacy.audit_seals import AuditSeal
from gieok.surfaces.cli.bars import open_progress_bar
from gieok.surfaces.cli.command_result import (
    CommandResult,
    build_message_view,
    print_result,
)
from gieok.surfaces.cli.terminal import Terminal

audit = typer.Typer(help="help.audit", no_args_is_help=True)

BROKEN = 1
"""Exit code when a chain does not hold."""


@audit.command("verify", help="help.audit.verify")
@print_result
async def verify(
    terminal: Terminal,
    user: Annotated[
        str | None, typer.Argument(help="arg.person", metavar="[USER]")
    ] = None,
    *,
    everyone: Annotated[bool, typer.Option("--all", help="opt.everyone")] = False,
    against: Annotated[Path | None, typer.Option(help="opt.against")] = None,
) -> CommandResult:
    """Check the chain of one person or of all."""
    if everyone is (user is not None):
        raise InvalidInputError("user", "give either a person or --all")
    kept = [] if against is None else _read_seals(against)
    async with terminal.open_gieok() as gieok:
        people = None if user is None else [gieok.person(user).user_id]
        with open_progress_bar(terminal, "audit.verifying") as moved:
            found = await gieok.audit.verify_all(people, moved, kept=kept)
    row = {
        "people": found.people,
        "lines": found.lines,
        "broken": {str(person): place for person, place in found.broken.items()},
        "broken_seal": found.broken_seal,
    }
    code = BROKEN if found.broken or found.broken_seal else 0
    return CommandResult(row, partial(_print_verification, found), code)


def _print_verification(found: ChainVerification, terminal: Terminal) -> None:
    terminal.print_message("audit.verified", people=found.people, lines=found.lines)
    for person, place in found.broken.items():
        terminal.print_message("audit.broken", person=person, place=place)
    if found.broken_seal:
        terminal.print_message("audit.broken_seal", number=found.broken_seal)


@audit.command("seal", help="help.audit.seal")
@print_result
async def seal(
    gieok: Gieok,
    *,
    to: Annotated[Path | None, typer.Option(help="opt.seal_to")] = None,
) -> CommandResult:
    """Sign where every chain stands now, and put the seal aside.

    If nothing was added since the last seal, that one is put aside.
    """
    with ExitStack() as stack:
        file = to and stack.enter_context(_open_seals(to))
        made = await gieok.audit.seal()
        newest = [made] if made else await gieok.audit.seals.list_newest(limit=1)
        if file and newest:
            _append_seal(file, newest[0])
    if made is None:
        return CommandResult({"seal": None}, build_message_view("audit.unchanged"))
    return CommandResult(
        {"seal": _encode_seal(made)},
        build_message_view("audit.sealed", number=made.number),
    )


def _open_seals(path: Path) -> TextIO:
    try:
        return path.open("a+", encoding="utf-8")
    except OSError as error:
        problem = f"{path} cannot be written ({error.strerror})"
        raise InvalidInputError("--to", problem) from error


def _append_seal(file: TextIO, seal: AuditSeal) -> None:
    """Write a seal at the end of a file, unless it stands there."""
    line = json.dumps(_encode_seal(seal))
    file.seek(0)
    if line not in file.read().splitlines():
        file.write(line + "\n")


def _encode_seal(seal: AuditSeal) -> dict[str, object]:
    return {
        "number": seal.number,
        "at": seal.at.isoformat(),
        "digest": seal.digest.hex(),
        "signature": seal.signature.hex(),
    }


def _read_seals(file: Path) -> list[AuditSeal]:
    """Return the seals of a file that `audit seal --to` wrote."""
    try:
        rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        return [
            AuditSeal(
                int(row["number"]),
                datetime.fromisoformat(row["at"]),
                bytes.fromhex(row["digest"]),
                bytes.fromhex(row["signature"]),
            )
            for row in rows
        ]
    except (OSError, ValueError, KeyError, TypeError):
        raise InvalidInputError("against", "it holds no seals") from None


@audit.command("list", help="help.audit.list")
@print_result
async def listing(
    gieok: Gieok,
    scope: Scope,
    *,
    access: Annotated[bool, typer.Option("--access", help="opt.access")] = False,
    limit: Annotated[
        int, typer.Option("--limit", "-n", min=1, max=100_000, help="opt.limit")
    ] = 50,
) -> CommandResult:
    """List what happened to a person's data, or only who read it."""
    event = "access" if access else None
    found = await gieok.audit.lines(scope, limit=limit, event=event)
    rows = [_encode_line(line) for line in found]

    def view(terminal: Terminal) -> None:
        for row in rows:
            terminal.out.print(
                *row.values(), markup=False, highlight=False, soft_wrap=True
            )

    return CommandResult(rows, view)


def _encode_line(line: AuditLine) -> dict[str, object]:
    return {
        "seq": line.seq,
        "at": line.created_at.isoformat(),
        "event": line.event_type,
        "table": line.target_table,
        "id": str(line.target_id),
        "actor": line.actor,
        "reason": line.reason,
    }
