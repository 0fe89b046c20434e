"""`access`: the keys of apps."""

from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

import typer
from rich.table import Table

from gieok.access import ApiKey, Right
from gieok.facade import Gieok
from gieok.kernel.errors import InvalidInputError
from gieok.surfaces.cli.arguments import DefaultListGroup
from gieok.surfaces.cli.command_result import (
    CommandResult,
    build_message_view,
    build_table_view,
    print_result,
)
from gieok.surfaces.cli.terminal import Terminal, render_plain

access = typer.Typer(cls=DefaultListGroup, help="help.access")


@access.command("list", help="help.access.list")
@print_result
async def listing(gieok: Gieok) -> CommandResult:
    """List every key, revoked ones too, without the keys themselves."""
    keys = await gieok.access.list()
    rows = [_encode_key(key) for key in keys]
    return CommandResult(
        rows, build_table_view(keys, _render_table, none="access.none")
    )


@access.command("create", help="help.access.create")
@print_result
async def create(
    gieok: Gieok,
    name: Annotated[str, typer.Argument(help="arg.app", metavar="APP")],
    rights: Annotated[
        list[Right], typer.Option("--right", "-r", help="opt.right", metavar="RIGHT")
    ],
) -> CommandResult:
    """Make a key and print it, once."""
    made = await gieok.access.create(name, rights)

    def view(terminal: Terminal) -> None:
        terminal.out.file.write(f"{made.secret}\n")
        terminal.print_note("access.created", id=made.key.key_id)

    return CommandResult({**_encode_key(made.key), "key": made.secret}, view)


@access.command("revoke", help="help.access.revoke")
@print_result
async def revoke(
    gieok: Gieok,
    key_id: Annotated[str, typer.Argument(help="arg.key", metavar="ID")],
) -> CommandResult:
    """Refuse a key from now on."""
    revoked = _parse_id(key_id)
    await gieok.access.revoke(revoked)
    return CommandResult(
        {"revoked": str(revoked)}, build_message_view("access.revoked")
    )


def _parse_id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        field = "id"
        raise InvalidInputError(field, "it must be a UUID") from None


def _encode_key(key: ApiKey) -> dict[str, object]:
    times = {
        "created_at": key.created_at,
        "last_used_at": key.last_used_at,
        "revoked_at": key.revoked_at,
    }
    return {
        "key_id": str(key.key_id),
        "name": key.name,
        "rights": sorted(key.rights),
        **{name: time and time.isoformat() for name, time in times.items()},
    }


def _render_table(terminal: Terminal, keys: Sequence[ApiKey]) -> Table:
    table = Table(expand=False, header_style="bold")
    for column in ("key", "app", "rights", "used", "revoked"):
        table.add_column(
            terminal.translate_message(f"column.{column}"), no_wrap=column == "key"
        )
    for key in keys:
        table.add_row(
            str(key.key_id),
            render_plain(key.name),
            " ".join(sorted(key.rights)),
            *(
                f"{time:%Y-%m-%d %H:%M}" if time else ""
                for time in (key.last_used_at, key.revoked_at)
            ),
        )
    return table
