"""`audit`: what happened to whose data, and whether the log is whole."""

from typing import Annotated

import typer

from gieok.kernel.errors import InvalidInputError
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
    as_json: AsJson = False,
) -> None:
    """Check the chain of one person or of all."""
    if everyone is (user is not None):
        raise InvalidInputError("user", "give either a person or --all")
    terminal = terminal_of(context)

    async def work() -> None:
        async with terminal.memory() as gieok:
            people = (
                await gieok.vault.keystore.people()
                if user is None
                else (gieok.person(user).user_id,)
            )
            with bar(terminal, "audit.verifying") as moved:
                found = await gieok.audit.verify_all(people, moved)
        if as_json:
            broken = {str(person): place for person, place in found.broken.items()}
            lines = {"people": found.people, "lines": found.lines, "broken": broken}
            terminal.data(lines)
        else:
            terminal.tell("audit.verified", people=found.people, lines=found.lines)
            for person, place in found.broken.items():
                terminal.tell("audit.broken", person=person, place=place)
        if found.broken:
            raise typer.Exit(BROKEN)

    run(work)


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
