"""`access`: the keys of apps."""

from typing import Annotated
from uuid import UUID

import typer
from rich.table import Table

from gieok.access import ApiKey, Right
from gieok.kernel.errors import InvalidInputError
from gieok.surfaces.cli.arguments import AsJson, ListsByDefault
from gieok.surfaces.cli.show import plain
from gieok.surfaces.cli.terminal import Terminal, run, terminal_of

access = typer.Typer(cls=ListsByDefault, help="help.access")


@access.command("list", help="help.access.list")
def listing(context: typer.Context, *, as_json: AsJson = False) -> None:
    """List every key, revoked ones too, without the keys themselves."""
    terminal = terminal_of(context)

    async def work() -> None:
        async with terminal.memory() as gieok:
            keys = await gieok.access.list()
        if as_json:
            terminal.data([_json(key) for key in keys])
        elif keys:
            terminal.out.print(_table(terminal, keys))
        else:
            terminal.tell("access.none")

    run(work)


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
    terminal = terminal_of(context)

    async def work() -> None:
        async with terminal.memory() as gieok:
            made = await gieok.access.create(name, rights)
        if as_json:
            terminal.data({**_json(made.key), "key": made.secret})
        else:
            terminal.out.file.write(f"{made.secret}\n")
            terminal.note("access.created", id=made.key.key_id)

    run(work)


@access.command("revoke", help="help.access.revoke")
def revoke(
    context: typer.Context,
    key_id: Annotated[str, typer.Argument(help="arg.key", metavar="ID")],
    *,
    as_json: AsJson = False,
) -> None:
    """Refuse a key from now on."""
    terminal = terminal_of(context)

    async def work() -> None:
        revoked = _id(key_id)
        async with terminal.memory() as gieok:
            await gieok.access.revoke(revoked)
        if as_json:
            terminal.data({"revoked": str(revoked)})
        else:
            terminal.tell("access.revoked")

    run(work)


def _id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        field = "id"
        raise InvalidInputError(field, "it must be a UUID") from None


def _json(key: ApiKey) -> dict[str, object]:
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


def _table(terminal: Terminal, keys: list[ApiKey]) -> Table:
    table = Table(expand=False, header_style="bold")
    for column in ("key", "app", "rights", "used", "revoked"):
        table.add_column(terminal.say(f"column.{column}"), no_wrap=column == "key")
    for key in keys:
        table.add_row(
            str(key.key_id),
            plain(key.name),
            " ".join(sorted(key.rights)),
            *(
                f"{time:%Y-%m-%d %H:%M}" if time else ""
                for time in (key.last_used_at, key.revoked_at)
            ),
        )
    return table
