"""`audit`: what happened to whose data, and whether the log is whole."""

import json
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from gieok.kernel.errors import InvalidInputError
from gieok.privacy.audit_seals import AuditSeal
from gieok.surfaces.cli.arguments import AsJson, PersonArgument
from gieok.surfaces.cli.bars import open_progress_bar
from gieok.surfaces.cli.terminal import get_terminal, run_command

audit = typer.Typer(help="help.audit", no_args_is_help=True)

BROKEN = 1
"""Exit code when a chain does not hold."""


@audit.command("verify", help="help.audit.verify")
def verify(
    context: typer.Context,
    user: Annotated[
        str | None, typer.Argument(help="arg.person", metavar="[USER]")
    ] = None,
    *,
    everyone: Annotated[bool, typer.Option("--all", help="opt.everyone")] = False,
    against: Annotated[Path | None, typer.Option(help="opt.against")] = None,
    as_json: AsJson = False,
) -> None:
    """Check the chain of one person or of all."""
    if everyone is (user is not None):
        raise InvalidInputError("user", "give either a person or --all")
    terminal = get_terminal(context)
    kept = [] if against is None else _read_seals(against)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            people = None if user is None else [gieok.person(user).user_id]
            with open_progress_bar(terminal, "audit.verifying") as moved:
                found = await gieok.audit.verify_all(people, moved, kept=kept)
        if as_json:
            broken = {str(person): place for person, place in found.broken.items()}
            terminal.print_json(
                {
                    "people": found.people,
                    "lines": found.lines,
                    "broken": broken,
                    "broken_seal": found.broken_seal,
                }
            )
        else:
            terminal.print_message(
                "audit.verified", people=found.people, lines=found.lines
            )
            for person, place in found.broken.items():
                terminal.print_message("audit.broken", person=person, place=place)
            if found.broken_seal:
                terminal.print_message("audit.broken_seal", number=found.broken_seal)
        if found.broken or found.broken_seal:
            raise typer.Exit(BROKEN)

    run_command(work)


@audit.command("seal", help="help.audit.seal")
def seal(
    context: typer.Context,
    *,
    to: Annotated[Path | None, typer.Option(help="opt.seal_to")] = None,
    as_json: AsJson = False,
) -> None:
    """Sign where every chain stands now, and put the seal aside."""
    terminal = get_terminal(context)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            made = await gieok.audit.seal()
        row = made and _encode_seal(made)
        if row and to:
            with to.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
        if as_json:
            terminal.print_json({"seal": row})
        elif made:
            terminal.print_message("audit.sealed", number=made.number)
        else:
            terminal.print_message("audit.unchanged")

    run_command(work)


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
def listing(
    context: typer.Context,
    user: PersonArgument,
    *,
    access: Annotated[bool, typer.Option("--access", help="opt.access")] = False,
    limit: Annotated[
        int, typer.Option("--limit", "-n", min=1, max=100_000, help="opt.limit")
    ] = 50,
    as_json: AsJson = False,
) -> None:
    """List what happened to a person's data, or only who read it."""
    terminal = get_terminal(context)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            found = await gieok.audit.lines(
                gieok.person(user), limit=limit, event="access" if access else None
            )
        rows = [
            {
                "seq": line.seq,
                "at": line.created_at.isoformat(),
                "event": line.event_type,
                "table": line.target_table,
                "id": str(line.target_id),
                "actor": line.actor,
                "reason": line.reason,
            }
            for line in found
        ]
        if as_json:
            terminal.print_json(rows)
            return
        for row in rows:
            terminal.out.print(*row.values(), markup=False, highlight=False)

    run_command(work)
