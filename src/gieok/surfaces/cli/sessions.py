"""`sessions`: the conversations of a person; seen, ended and erased."""

from typing import Annotated

import typer

from gieok.sessions import Status
from gieok.sessions.inputs import MOST_LISTED
from gieok.surfaces.cli import show
from gieok.surfaces.cli.arguments import (
    AsJson,
    ListsByDefault,
    Mark,
    Person,
    session_called,
)
from gieok.surfaces.cli.terminal import run, terminal_of

sessions = typer.Typer(cls=ListsByDefault, help="help.sessions")


@sessions.command("list", help="help.sessions.list")
def listing(
    context: typer.Context,
    user: Person,
    *,
    status: Annotated[Status | None, typer.Option(help="opt.status")] = None,
    limit: Annotated[
        int, typer.Option(min=1, max=MOST_LISTED, help="opt.limit")
    ] = MOST_LISTED,
    as_json: AsJson = False,
) -> None:
    """List sessions, newest first."""
    terminal = terminal_of(context)

    async def work() -> None:
        async with terminal.memory() as gieok:
            scope = gieok.person(user)
            found, total = await gieok.sessions.page(scope, limit=limit, status=status)
        if as_json:
            rows = [show.session_json(session) for session in found]
            terminal.data({"total": total, "sessions": rows})
        elif found:
            terminal.out.print(show.session_table(terminal, found))
            terminal.tell("memories.shown", shown=len(found), total=total)
        else:
            terminal.tell("sessions.none")

    run(work)


@sessions.command("show", help="help.sessions.show")
def show_session(
    context: typer.Context, user: Person, name: Mark, *, as_json: AsJson = False
) -> None:
    """Show what was said in a session."""
    terminal = terminal_of(context)

    async def work() -> None:
        async with terminal.memory() as gieok:
            scope = gieok.person(user)
            session_id = await session_called(gieok, scope, name)
            transcript = await gieok.sessions.read(scope, session_id)
        if as_json:
            terminal.data(show.transcript_json(transcript))
            return
        terminal.out.print(show.session_table(terminal, [transcript.session]))
        for message in transcript.messages:
            terminal.out.print(show.message_line(terminal, message))

    run(work)


@sessions.command("close", help="help.sessions.close")
def close(
    context: typer.Context, user: Person, name: Mark, *, as_json: AsJson = False
) -> None:
    """End a session."""
    terminal = terminal_of(context)

    async def work() -> None:
        async with terminal.memory() as gieok:
            scope = gieok.person(user)
            session_id = await session_called(gieok, scope, name)
            session = await gieok.sessions.close(scope, session_id)
        if as_json:
            terminal.data(show.session_json(session))
        else:
            terminal.tell("sessions.closed", mark=show.mark(session.session_id))

    run(work)


@sessions.command("delete", help="help.sessions.delete")
def delete(
    context: typer.Context,
    user: Person,
    name: Mark,
    *,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="opt.yes")] = False,
    as_json: AsJson = False,
) -> None:
    """Erase a session with what was learned from it alone."""
    terminal = terminal_of(context)
    if not yes:
        typer.confirm(terminal.say("sessions.sure", mark=name), abort=True, err=True)

    async def work() -> None:
        async with terminal.memory() as gieok:
            scope = gieok.person(user)
            session_id = await session_called(gieok, scope, name)
            receipt = await gieok.erasure.session(scope, session_id)
        if as_json:
            terminal.data(dict(receipt.counts))
        else:
            terminal.tell(
                "sessions.deleted",
                mark=show.mark(session_id),
                messages=receipt.counts["messages"],
                memories=receipt.counts["memories"],
            )

    run(work)
