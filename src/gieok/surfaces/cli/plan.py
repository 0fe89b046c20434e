"""`plan`: the plan a person is on (E07)."""

from typing import Annotated

import typer

from gieok.surfaces.cli.arguments import AsJson, DefaultShowGroup, PersonArgument
from gieok.surfaces.cli.terminal import get_terminal, run_command

plan = typer.Typer(cls=DefaultShowGroup, help="help.plan")


@plan.command("show", help="help.plan.show")
def show_plan(
    context: typer.Context, user: PersonArgument, *, as_json: AsJson = False
) -> None:
    """Show a person's plan."""
    terminal = get_terminal(context)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            found = await gieok.accounts.plan(gieok.person(user))
        if as_json:
            terminal.print_json({"plan": found})
        else:
            terminal.print_message("plan.is", user=user, plan=found)

    run_command(work)


@plan.command("set", help="help.plan.set")
def set_plan(
    context: typer.Context,
    user: PersonArgument,
    wanted: Annotated[str, typer.Argument(help="arg.plan", metavar="PLAN")],
    *,
    as_json: AsJson = False,
) -> None:
    """Put a person on a plan."""
    terminal = get_terminal(context)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            archived = await gieok.episodes.set_plan(gieok.person(user), wanted)
        if as_json:
            ids = [str(each.episode_id) for each in archived]
            terminal.print_json({"plan": wanted, "archived": ids})
            return
        terminal.print_message("plan.is", user=user, plan=wanted)
        if archived:
            terminal.print_message("plan.archived", count=len(archived))

    run_command(work)
