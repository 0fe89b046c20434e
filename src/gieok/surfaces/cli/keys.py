"""`access`: the keys of apps."""

from typing import Annotated
from uuid import UUID

import typer
from rich.table import Table

from gieok.access import ApiKey, Right
from gieok.kernel.errors import InvalidInputError
from gieok.surfaces.cli.arguments import AsJson, DefaultListGroup
from gieok.surfaces.cli.terminal import (
    Terminal,
    get_terminal,
    render_plain,
    run_command,
)

access = typer.Typer(cls=DefaultListGroup, help="help.access")


@access.command("list", help="help.access.list")
def listing(context: typer.Context, *, as_json: AsJson = False) -> None:
    """List every key, revoked ones too, without the keys themselves."""
    terminal = get_terminal(context)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            keys = await gieok.access.list()
        if as_json:
            terminal.print_json([_encode_key(key) for key in keys])
        elif keys:
            terminal.out.print(_render_table(terminal, keys))
        else:
            terminal.print_message("access.none")

    run_command(work)


@access.command("create", help="help.access.create")
def create(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="arg.app", metavar="APP")],
    rights: Annotated[
        list[Right], typer.Option("--right", "-r", help="opt.right", metavar="RIGHT")
    ],
    *,
    as_json: AsJson = False,
) -> None:
    """Make a key and print it, once."""
    terminal = get_terminal(context)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            made = await gieok.access.create(name, rights)
        if as_json:
            terminal.print_json({**_encode_key(made.key), "key": made.secret})
        else:
            terminal.out.file.write(f"{made.secret}\n")
            terminal.print_note("access.created", id=made.key.key_id)

    run_command(work)


@access.command("revoke", help="help.access.revoke")
def revoke(
    context: typer.Context,
    key_id: Annotated[str, typer.Argument(help="arg.key", metavar="ID")],
    *,
    as_json: AsJson = False,
) -> None:
    """Refuse a key from now on."""
    terminal = get_terminal(context)

    async def work() -> None:
        revoked = _parse_id(key_id)
        async with terminal.open_gieok() as gieok:
            await gieok.access.revoke(revoked)
        if as_json:
            terminal.print_json({"revoked": str(revoked)})
        else:
            terminal.print_message("access.revoked")

    run_command(work)


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


def _render_table(terminal: Terminal, keys: list[ApiKey]) -> Table:
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
