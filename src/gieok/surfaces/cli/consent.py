"""`consent`: what a person agrees to."""

from collections.abc import Sequence
from typing import Annotated

import typer

from gieok.settings import Consent
from gieok.surfaces.cli.arguments import AsJson, Person, ShowsByDefault
from gieok.surfaces.cli.settings import read_change
from gieok.surfaces.cli.terminal import Terminal, run, terminal_of

consent = typer.Typer(cls=ShowsByDefault, help="help.consent")


@consent.command("show", help="help.consent.show")
def show_consents(
    context: typer.Context, user: Person, *, as_json: AsJson = False
) -> None:
    """Show what a person agrees to."""
    terminal = terminal_of(context)

    async def work() -> None:
        async with terminal.memory() as gieok:
            found = await gieok.settings.consents(gieok.person(user))
        _print(terminal, found, as_json=as_json)

    run(work)


@consent.command("set", help="help.consent.set")
def set_consents(
    context: typer.Context,
    user: Person,
    changes: Annotated[
        list[str], typer.Argument(help="arg.consents", metavar="PURPOSE=true|false...")
    ],
    *,
    notice: Annotated[str | None, typer.Option(help="opt.notice")] = None,
    as_json: AsJson = False,
) -> None:
    """Note what a person agrees to or no longer does; what has to go, goes at once."""
    terminal = terminal_of(context)
    wanted = dict(read_change(change) for change in changes)

    async def work() -> None:
        async with terminal.memory() as gieok:
            scope = gieok.person(user)
            found = await gieok.settings.consent(scope, wanted, notice=notice)
            await gieok.withdraw(scope)
        _print(terminal, found, as_json=as_json)

    run(work)


def _print(terminal: Terminal, found: Sequence[Consent], *, as_json: bool) -> None:
    if as_json:
        terminal.data(
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
        terminal.tell(key, purpose=each.purpose.value, version=each.version)
