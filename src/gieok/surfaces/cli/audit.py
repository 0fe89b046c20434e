"""`audit`: what happened to whose data, and whether the log is whole."""

import json
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from gieok.kernel.errors import InvalidInputError
from gieok.privacy.seals import Seal
from gieok.surfaces.cli.arguments import AsJson, Person
from gieok.surfaces.cli.bars import bar
from gieok.surfaces.cli.terminal import run, terminal_of

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
    terminal = terminal_of(context)
    kept = [] if against is None else _read(against)

    async def work() -> None:
        async with terminal.memory() as gieok:
            people = None if user is None else [gieok.person(user).user_id]
            with bar(terminal, "audit.verifying") as moved:
                found = await gieok.audit.verify_all(people, moved, kept=kept)
        if as_json:
            broken = {str(person): place for person, place in found.broken.items()}
            terminal.data(
                {
                    "people": found.people,
                    "lines": found.lines,
                    "broken": broken,
                    "broken_seal": found.broken_seal,
                }
            )
        else:
            terminal.tell("audit.verified", people=found.people, lines=found.lines)
            for person, place in found.broken.items():
                terminal.tell("audit.broken", person=person, place=place)
            if found.broken_seal:
                terminal.tell("audit.broken_seal", number=found.broken_seal)
        if found.broken or found.broken_seal:
            raise typer.Exit(BROKEN)

    run(work)


@audit.command("seal", help="help.audit.seal")
def seal(
    context: typer.Context,
    *,
    to: Annotated[Path | None, typer.Option(help="opt.seal_to")] = None,
    as_json: AsJson = False,
) -> None:
    """Sign where every chain stands now, and put the seal aside."""
    terminal = terminal_of(context)

    async def work() -> None:
        async with terminal.memory() as gieok:
            made = await gieok.audit.seal()
        row = made and _row(made)
        if row and to:
            with to.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
        if as_json:
            terminal.data({"seal": row})
        elif made:
            terminal.tell("audit.sealed", number=made.number)
        else:
            terminal.tell("audit.unchanged")

    run(work)


def _row(seal: Seal) -> dict[str, object]:
    return {
        "number": seal.number,
        "at": seal.at.isoformat(),
        "digest": seal.digest.hex(),
        "signature": seal.signature.hex(),
    }


def _read(file: Path) -> list[Seal]:
    """Return the seals of a file that `audit seal --to` wrote."""
    try:
        rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        return [
            Seal(
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
    user: Person,
    *,
    access: Annotated[bool, typer.Option("--access", help="opt.access")] = False,
    limit: Annotated[
        int, typer.Option("--limit", "-n", min=1, max=100_000, help="opt.limit")
    ] = 50,
    as_json: AsJson = False,
) -> None:
    """List what happened to a person's data, or only who read it."""
    terminal = terminal_of(context)

    async def work() -> None:
        async with terminal.memory() as gieok:
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
            terminal.data(rows)
            return
        for row in rows:
            terminal.out.print(*row.values(), markup=False, highlight=False)

    run(work)
