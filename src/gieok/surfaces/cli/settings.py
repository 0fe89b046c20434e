"""`settings`: what a person allows."""

from dataclasses import asdict
from typing import Annotated

import typer

from gieok.config import ALL_CATEGORIES
from gieok.facade import Gieok
from gieok.kernel.errors import InvalidInputError
from gieok.kernel.scope import Scope
from gieok.kernel.whole_numbers import parse_whole_number
from gieok.settings import Settings
from gieok.surfaces.cli import encoding, show
from gieok.surfaces.cli.arguments import DefaultShowGroup
from gieok.surfaces.cli.command_result import (
    CommandResult,
    build_fields_view,
    print_result,
)
from gieok.surfaces.cli.terminal import Terminal

settings = typer.Typer(cls=DefaultShowGroup, help="help.settings")

WORDS: dict[str, object] = {"true": True, "false": False, "none": None}


@settings.command("show", help="help.settings.show")
@print_result
async def show_settings(gieok: Gieok, scope: Scope) -> CommandResult:
    """Show what a person allows."""
    return _build_settings_result(await gieok.settings.get(scope))


@settings.command("set", help="help.settings.set")
@print_result
async def set_settings(
    gieok: Gieok,
    scope: Scope,
    changes: Annotated[
        list[str], typer.Argument(help="arg.changes", metavar="NAME=VALUE...")
    ],
) -> CommandResult:
    """Change what a person allows."""
    wanted = dict(parse_change(change) for change in changes)
    return _build_settings_result(await gieok.settings.update(scope, wanted))


@settings.command("usage", help="help.settings.usage")
@print_result
async def show_usage(gieok: Gieok, scope: Scope) -> CommandResult:
    """Show what is remembered of a person, in numbers."""
    found = await gieok.settings.usage(scope)
    at = found.last_used_at
    row = {**asdict(found), "last_used_at": at and at.isoformat()}

    def view(terminal: Terminal) -> None:
        build_fields_view({name: row[name] for name in row if name != "categories"})(
            terminal
        )
        for kind, each in found.categories.items():
            terminal.out.print(kind, each.active, each.uses, markup=False)

    return CommandResult(row, view)


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
    number = parse_whole_number(value)
    return name, value if number is None else number


def _build_settings_result(found: Settings) -> CommandResult:
    return CommandResult(
        encoding.encode_settings(found),
        lambda terminal: terminal.out.print(show.render_settings(terminal, found)),
    )
