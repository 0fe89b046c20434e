"""`consent`: what a person agrees to."""

from collections.abc import Sequence
from typing import Annotated

import typer

from gieok.facade import Gieok
from gieok.kernel.scope import Scope
from gieok.settings import Consent
from gieok.surfaces.cli.arguments import DefaultShowGroup
from gieok.surfaces.cli.command_result import CommandResult, print_result
from gieok.surfaces.cli.settings import parse_change
from gieok.surfaces.cli.terminal import Terminal

consent = typer.Typer(cls=DefaultShowGroup, help="help.consent")


@consent.command("show", help="help.consent.show")
@print_result
async def show_consents(gieok: Gieok, scope: Scope) -> CommandResult:
    """Show what a person agrees to."""
    return _build_consents_result(await gieok.settings.consents(scope))


@consent.command("set", help="help.consent.set")
@print_result
async def set_consents(
    gieok: Gieok,
    scope: Scope,
    changes: Annotated[
        list[str], typer.Argument(help="arg.consents", metavar="PURPOSE=true|false...")
    ],
    *,
    notice: Annotated[str | None, typer.Option(help="opt.notice")] = None,
) -> CommandResult:
    """Note what a person agrees to or no longer does; what has to go, goes at once."""
    wanted = dict(parse_change(change) for change in changes)
    found = await gieok.settings.consent(scope, wanted, notice=notice)
    await gieok.maintenance.erase_withdrawn(scope)
    return _build_consents_result(found)


def _build_consents_result(found: Sequence[Consent]) -> CommandResult:
    def view(terminal: Terminal) -> None:
        for each in found:
            key = "consent.granted" if each.granted else "consent.withheld"
            terminal.print_message(
                key, purpose=each.purpose.value, version=each.version
            )

    return CommandResult([_encode_consent(each) for each in found], view)


def _encode_consent(consent: Consent) -> dict[str, object]:
    return {
        "purpose": consent.purpose.value,
        "granted": consent.granted,
        "version": consent.version,
        "notice": consent.notice,
        "at": consent.at and consent.at.isoformat(),
    }
