"""`plan`: the plan a person is on (E07)."""

from typing import Annotated

import typer

from gieok.surfaces.cli.arguments import AsJson, Person, ShowsByDefault
from gieok.surfaces.cli.terminal import run, terminal_of

plan = typer.Typer(cls=ShowsByDefault, help="help.plan")


@plan.command("show", help="help.plan.show")
def show_plan(context: typer.Context, user: Person, *, as_json: AsJson = False) -> None:
    """Show a person's plan."""
    terminal = terminal_of(context)

    async def work() -> None:
        async with terminal.memory() as gieok:
            found = await gieok.accounts.plan(gieok.person(user))
        if as_json:
            terminal.data({"plan": found})
        else:
            terminal.tell("plan.is", user=user, plan=found)

    run(work)


@plan.command("set", help="help.plan.set")
def set_plan(
    context: typer.Context,
    user: Person,
    wanted: Annotated[str, typer.Argument(help="arg.plan", metavar="PLAN")],
    *,
    as_json: AsJson = False,
) -> None:
    """Put a person on a plan."""
    terminal = terminal_of(context)

    async def work() -> None:
        async with terminal.memory() as gieok:
            archived = await gieok.episodes.set_plan(gieok.person(user), wanted)
        if as_json:
            ids = [str(each.episode_id) for each in archived]
            terminal.data({"plan": wanted, "archived": ids})
            return
        terminal.tell("plan.is", user=user, plan=wanted)
        if archived:
            terminal.tell("plan.archived", count=len(archived))

    run(work)
