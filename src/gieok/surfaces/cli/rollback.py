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
from gieok.surfaces.cli import encoding, show
from gieok.surfaces.cli.arguments import PAGE, resolve_session
from gieok.surfaces.cli.command_result import CommandResult, print_result
from gieok.surfaces.cli.terminal import Terminal


@print_result(known=True)
async def rollback(
    gieok: Gieok,
    scope: Scope,
    *,
    since: Annotated[str, typer.Option(help="opt.since")] = "",
    session: Annotated[str, typer.Option(help="opt.from_session")] = "",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="opt.roll_back")] = False,
) -> CommandResult:
    """Show what would be taken back, and with `--yes` take it back."""
    moment = _parse_time(since) if since else None
    whence = await resolve_session(gieok, scope, session) if session else None
    gone = await gieok.memories.rollback(
        scope, since=moment, session_id=whence, dry_run=not yes
    )
    found, now = await _find_memories(gieok, scope, gone), gieok.clock()

    def view(terminal: Terminal) -> None:
        if not found:
            terminal.print_message("rollback.none")
            return
        terminal.out.print(show.render_memories(terminal, found, now))
        key = "rollback.done" if yes else "rollback.would"
        terminal.print_message(key, count=len(found))

    rows = [encoding.encode_memory(memory, now) for memory in found]
    return CommandResult({"dry_run": not yes, "memories": rows}, view)


async def _find_memories(
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


def _parse_time(text: str) -> datetime:
    """Return a time; one without a zone is this computer's."""
    try:
        return datetime.fromisoformat(text).astimezone()
    except ValueError:
        field = "since"
        raise InvalidInputError(field, "it must be a day or a time") from None
