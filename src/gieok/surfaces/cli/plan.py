"""`plan`: the plan a person is on (E07)."""

from typing import Annotated

import typer

from gieok.facade import Gieok
from gieok.surfaces.cli.arguments import DefaultShowGroup, PersonArgument
from gieok.surfaces.cli.command_result import (
    CommandResult,
    build_message_view,
    print_result,
)
from gieok.surfaces.cli.terminal import Terminal

plan = typer.Typer(cls=DefaultShowGroup, help="help.plan")


@plan.command("show", help="help.plan.show")
@print_result
async def show_plan(gieok: Gieok, user: PersonArgument) -> CommandResult:
    """Show a person's plan."""
    found = await gieok.accounts.plan(gieok.person(user))
    return CommandResult(
        {"plan": found}, build_message_view("plan.is", user=user, plan=found)
    )


@plan.command("set", help="help.plan.set")
@print_result
async def set_plan(
    gieok: Gieok,
    user: PersonArgument,
    wanted: Annotated[str, typer.Argument(help="arg.plan", metavar="PLAN")],
) -> CommandResult:
    """Put a person on a plan."""
    archived = await gieok.episodes.set_plan(gieok.person(user), wanted)

    def view(terminal: Terminal) -> None:
        terminal.print_message("plan.is", user=user, plan=wanted)
        if archived:
            terminal.print_message("plan.archived", count=len(archived))

    ids = [str(each.episode_id) for each in archived]
    return CommandResult({"plan": wanted, "archived": ids}, view)
