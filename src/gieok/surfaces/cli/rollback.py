"""`rollback`: takes back what came from a session, or since a time."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated
from uuid import UUID

import typer

from gieok.facade import Gieok
from gieok.kernel.errors import InvalidInputError
from gieok.kernel.scope import Scope
from gieok.memories import Memory
from gieok.surfaces.cli import show
from gieok.surfaces.cli.arguments import PAGE, AsJson, Person, session_called
from gieok.surfaces.cli.terminal import run, terminal_of


def rollback(
    context: typer.Context,
    user: Person,
    *,
    since: Annotated[str, typer.Option(help="opt.since")] = "",
    session: Annotated[str, typer.Option(help="opt.from_session")] = "",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="opt.roll_back")] = False,
    as_json: AsJson = False,
) -> None:
    """Show what would be taken back, and with `--yes` take it back."""
    terminal = terminal_of(context)
    moment = _moment(since) if since else None

    async def work() -> None:
        async with terminal.memory() as gieok:
            scope = gieok.person(user)
            whence = await session_called(gieok, scope, session) if session else None
            gone = await gieok.memories.rollback(
                scope, since=moment, session_id=whence, dry_run=not yes
            )
            found = await _called(gieok, scope, gone)
        if as_json:
            rows = [show.memory_json(memory) for memory in found]
            terminal.data({"dry_run": not yes, "memories": rows})
        elif not found:
            terminal.tell("rollback.none")
        else:
            terminal.out.print(show.memory_table(terminal, found))
            key = "rollback.done" if yes else "rollback.would"
            terminal.tell(key, count=len(found))

    run(work)


async def _called(
    gieok: Gieok, scope: Scope, memory_ids: Sequence[UUID]
) -> list[Memory]:
    """Return memories in the order of their ids."""
    found: dict[UUID, Memory] = {}
    start, total = 0, len(memory_ids)
    while start < total:
        page, total = await gieok.memories.page(
            scope, include_inactive=True, limit=PAGE, offset=start
        )
        found |= {memory.memory_id: memory for memory in page}
        start += PAGE
    return [found[each] for each in memory_ids if each in found]


def _moment(text: str) -> datetime:
    """Return a time; one without a zone is this computer's."""
    try:
        return datetime.fromisoformat(text).astimezone()
    except ValueError:
        field = "since"
        raise InvalidInputError(field, "it must be a day or a time") from None
