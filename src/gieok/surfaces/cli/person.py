"""`person`: a person's language and time zone."""

from typing import Annotated

import typer

from gieok.accounts import Person as Account
from gieok.facade import Gieok
from gieok.kernel.scope import Scope
from gieok.surfaces.cli.arguments import DefaultShowGroup
from gieok.surfaces.cli.command_result import (
    CommandResult,
    build_fields_view,
    print_result,
)

person = typer.Typer(cls=DefaultShowGroup, help="help.person")


@person.command("show", help="help.person.show")
@print_result(known=True)
async def show_person(gieok: Gieok, scope: Scope) -> CommandResult:
    """Show a person's language, time zone and plan."""
    return _build_account_result(await gieok.accounts.get(scope))


@person.command("set", help="help.person.set")
@print_result
async def set_person(
    gieok: Gieok,
    scope: Scope,
    *,
    language: Annotated[str | None, typer.Option(help="opt.language")] = None,
    time_zone: Annotated[str | None, typer.Option(help="opt.time_zone")] = None,
) -> CommandResult:
    """Change a person's language or time zone."""
    return _build_account_result(
        await gieok.accounts.update(scope, language=language, time_zone=time_zone)
    )


def _build_account_result(found: Account) -> CommandResult:
    row = {
        "language": found.language,
        "time_zone": found.time_zone,
        "plan": found.plan,
        "created_at": found.created_at.isoformat(),
    }
    return CommandResult(row, build_fields_view(row))
