"""`person`: a person's language and time zone."""

from typing import Annotated

import typer

from gieok.accounts import Person as Account
from gieok.surfaces.cli.arguments import AsJson, DefaultShowGroup, PersonArgument
from gieok.surfaces.cli.terminal import Terminal, get_terminal, run_command

person = typer.Typer(cls=DefaultShowGroup, help="help.person")


@person.command("show", help="help.person.show")
def show_person(
    context: typer.Context, user: PersonArgument, *, as_json: AsJson = False
) -> None:
    """Show a person's language, time zone and plan."""
    terminal = get_terminal(context)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            found = await gieok.accounts.get(gieok.person(user))
        _print_account(terminal, found, as_json=as_json)

    run_command(work)


@person.command("set", help="help.person.set")
def set_person(
    context: typer.Context,
    user: PersonArgument,
    *,
    language: Annotated[str | None, typer.Option(help="opt.language")] = None,
    time_zone: Annotated[str | None, typer.Option(help="opt.time_zone")] = None,
    as_json: AsJson = False,
) -> None:
    """Change a person's language or time zone."""
    terminal = get_terminal(context)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            found = await gieok.accounts.update(
                gieok.person(user), language=language, time_zone=time_zone
            )
        _print_account(terminal, found, as_json=as_json)

    run_command(work)


def _print_account(terminal: Terminal, found: Account, *, as_json: bool) -> None:
    row = {
        "language": found.language,
        "time_zone": found.time_zone,
        "plan": found.plan,
        "created_at": found.created_at.isoformat(),
    }
    if as_json:
        terminal.print_json(row)
        return
    for name, value in row.items():
        terminal.out.print(name, value, markup=False, highlight=False)
