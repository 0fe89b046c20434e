"""`consent`: what a person agrees to."""

from collections.abc import Sequence
from typing import Annotated

import typer

from gieok.settings import Consent
from gieok.surfaces.cli.arguments import AsJson, DefaultShowGroup, PersonArgument
from gieok.surfaces.cli.settings import parse_change
from gieok.surfaces.cli.terminal import Terminal, get_terminal, run_command

consent = typer.Typer(cls=DefaultShowGroup, help="help.consent")


@consent.command("show", help="help.consent.show")
def show_consents(
    context: typer.Context, user: PersonArgument, *, as_json: AsJson = False
) -> None:
    """Show what a person agrees to."""
    terminal = get_terminal(context)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            found = await gieok.settings.consents(gieok.person(user))
        _print_consents(terminal, found, as_json=as_json)

    run_command(work)


@consent.command("set", help="help.consent.set")
def set_consents(
    context: typer.Context,
    user: PersonArgument,
    changes: Annotated[
        list[str], typer.Argument(help="arg.consents", metavar="PURPOSE=true|false...")
    ],
    *,
    notice: Annotated[str | None, typer.Option(help="opt.notice")] = None,
    as_json: AsJson = False,
) -> None:
    """Note what a person agrees to or no longer does; what has to go, goes at once."""
    terminal = get_terminal(context)
    wanted = dict(parse_change(change) for change in changes)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            scope = gieok.person(user)
            found = await gieok.settings.consent(scope, wanted, notice=notice)
            await gieok.maintenance.erase_withdrawn(scope)
        _print_consents(terminal, found, as_json=as_json)

    run_command(work)


def _print_consents(
    terminal: Terminal, found: Sequence[Consent], *, as_json: bool
) -> None:
    if as_json:
        terminal.print_json(
            [
                {
                    "purpose": each.purpose.value,
                    "granted": each.granted,
                    "version": each.version,
                    "notice": each.notice,
                    "at": each.at and each.at.isoformat(),
                }
                for each in found
            ]
        )
        return
    for each in found:
        key = "consent.granted" if each.granted else "consent.withheld"
        terminal.print_message(key, purpose=each.purpose.value, version=each.version)
