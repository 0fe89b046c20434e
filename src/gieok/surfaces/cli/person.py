"""`person`: a person's language and time zone."""

from typing import Annotated

import typer

from gieok.accounts import Person as Account
from gieok.surfaces.cli.arguments import AsJson, Person, ShowsByDefault
from gieok.surfaces.cli.terminal import Terminal, run, terminal_of

person = typer.Typer(cls=ShowsByDefault, help="help.person")


@person.command("show", help="help.person.show")
def show_person(
    context: typer.Context, user: Person, *, as_json: AsJson = False
) -> None:
    """Show a person's language, time zone and plan."""
    terminal = terminal_of(context)

    async def work() -> None:
        async with terminal.memory() as gieok:
            found = await gieok.accounts.get(gieok.person(user))
        _print(terminal, found, as_json=as_json)

    run(work)


@person.command("set", help="help.person.set")
def set_person(
    context: typer.Context,
    user: Person,
    *,
    language: Annotated[str | None, typer.Option(help="opt.language")] = None,
    time_zone: Annotated[str | None, typer.Option(help="opt.time_zone")] = None,
    as_json: AsJson = False,
) -> None:
    """Change a person's language or time zone."""
    terminal = terminal_of(context)

    async def work() -> None:
        async with terminal.memory() as gieok:
            found = await gieok.accounts.update(
                gieok.person(user), language=language, time_zone=time_zone
            )
        _print(terminal, found, as_json=as_json)

    run(work)


def _print(terminal: Terminal, found: Account, *, as_json: bool) -> None:
    row = {
        "language": found.language,
        "time_zone": found.time_zone,
        "plan": found.plan,
        "created_at": found.created_at.isoformat(),
    }
    if as_json:
        terminal.data(row)
        return
    for name, value in row.items():
        terminal.out.print(name, value, markup=False, highlight=False)
