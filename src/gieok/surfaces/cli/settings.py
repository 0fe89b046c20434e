"""`settings`: what a person allows."""

from dataclasses import asdict
from typing import Annotated

import typer

from gieok.config import ALL_CATEGORIES
from gieok.kernel.errors import InvalidInputError
from gieok.settings import Settings
from gieok.surfaces.cli import show
from gieok.surfaces.cli.arguments import AsJson, DefaultShowGroup, PersonArgument
from gieok.surfaces.cli.terminal import Terminal, get_terminal, run_command

settings = typer.Typer(cls=DefaultShowGroup, help="help.settings")

WORDS: dict[str, object] = {"true": True, "false": False, "none": None}


@settings.command("show", help="help.settings.show")
def show_settings(
    context: typer.Context, user: PersonArgument, *, as_json: AsJson = False
) -> None:
    """Show what a person allows."""
    terminal = get_terminal(context)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            found = await gieok.settings.get(gieok.person(user))
        _print_settings(terminal, found, as_json=as_json)

    run_command(work)


@settings.command("set", help="help.settings.set")
def set_settings(
    context: typer.Context,
    user: PersonArgument,
    changes: Annotated[
        list[str], typer.Argument(help="arg.changes", metavar="NAME=VALUE...")
    ],
    *,
    as_json: AsJson = False,
) -> None:
    """Change what a person allows."""
    terminal = get_terminal(context)
    wanted = dict(parse_change(change) for change in changes)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            found = await gieok.settings.update(gieok.person(user), wanted)
        _print_settings(terminal, found, as_json=as_json)

    run_command(work)


@settings.command("usage", help="help.settings.usage")
def show_usage(
    context: typer.Context, user: PersonArgument, *, as_json: AsJson = False
) -> None:
    """Show what is remembered of a person, in numbers."""
    terminal = get_terminal(context)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            found = await gieok.settings.usage(gieok.person(user))
        at = found.last_used_at
        row = {**asdict(found), "last_used_at": at and at.isoformat()}
        if as_json:
            terminal.print_json(row)
            return
        del row["categories"]
        for name, number in row.items():
            terminal.out.print(name, number, markup=False, highlight=False)
        for kind, each in found.categories.items():
            terminal.out.print(kind, each.active, each.uses, markup=False)

    run_command(work)


def parse_change(change: str) -> tuple[str, object]:
    """Return name and value of "name=value"; the service judges the value.

    Raises:
        InvalidInputError: there is no "=".
    """
    name, equals, value = change.partition("=")
    name, value = name.strip(), value.strip()
    if not equals:
        raise InvalidInputError(name, "write it as name=value")
    if name == "allowed_categories":
        if value == "all":
            return name, list(ALL_CATEGORIES)
        return name, [one.strip() for one in value.split(",") if one.strip()]
    if value.lower() in WORDS:
        return name, WORDS[value.lower()]
    return name, int(value) if value.isdecimal() else value


def _print_settings(terminal: Terminal, found: Settings, *, as_json: bool) -> None:
    if as_json:
        terminal.print_json(show.encode_settings(found))
    else:
        terminal.out.print(show.render_settings(terminal, found))
