"""`sessions`: the conversations of a person; seen, ended and erased."""

from typing import Annotated

import typer

from gieok.sessions import Status
from gieok.sessions.inputs import MOST_LISTED
from gieok.surfaces.cli import show
from gieok.surfaces.cli.arguments import (
    AsJson,
    DefaultListGroup,
    IdArgument,
    PersonArgument,
    resolve_session,
)
from gieok.surfaces.cli.terminal import get_terminal, run_command

sessions = typer.Typer(cls=DefaultListGroup, help="help.sessions")


@sessions.command("list", help="help.sessions.list")
def listing(
    context: typer.Context,
    user: PersonArgument,
    *,
    status: Annotated[Status | None, typer.Option(help="opt.status")] = None,
    limit: Annotated[
        int, typer.Option(min=1, max=MOST_LISTED, help="opt.limit")
    ] = MOST_LISTED,
    as_json: AsJson = False,
) -> None:
    """List sessions, newest first."""
    terminal = get_terminal(context)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            scope = gieok.person(user)
            found, total = await gieok.sessions.page(scope, limit=limit, status=status)
        if as_json:
            rows = [show.encode_session(session) for session in found]
            terminal.print_json({"total": total, "sessions": rows})
        elif found:
            terminal.out.print(show.render_sessions(terminal, found))
            terminal.print_message("memories.shown", shown=len(found), total=total)
        else:
            terminal.print_message("sessions.none")

    run_command(work)


@sessions.command("show", help="help.sessions.show")
def show_session(
    context: typer.Context,
    user: PersonArgument,
    name: IdArgument,
    *,
    as_json: AsJson = False,
) -> None:
    """Show what was said in a session."""
    terminal = get_terminal(context)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            scope = gieok.person(user)
            session_id = await resolve_session(gieok, scope, name)
            transcript = await gieok.sessions.read(scope, session_id)
        if as_json:
            terminal.print_json(show.encode_transcript(transcript))
            return
        terminal.out.print(show.render_sessions(terminal, [transcript.session]))
        for message in transcript.messages:
            terminal.out.print(show.render_message(terminal, message))

    run_command(work)


@sessions.command("close", help="help.sessions.close")
def close(
    context: typer.Context,
    user: PersonArgument,
    name: IdArgument,
    *,
    as_json: AsJson = False,
) -> None:
    """End a session."""
    terminal = get_terminal(context)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            scope = gieok.person(user)
            session_id = await resolve_session(gieok, scope, name)
            session = await gieok.sessions.close(scope, session_id)
        if as_json:
            terminal.print_json(show.encode_session(session))
        else:
            terminal.print_message(
                "sessions.closed", mark=show.truncate_id(session.session_id)
            )

    run_command(work)


@sessions.command("delete", help="help.sessions.delete")
def delete(
    context: typer.Context,
    user: PersonArgument,
    name: IdArgument,
    *,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="opt.yes")] = False,
    as_json: AsJson = False,
) -> None:
    """Erase a session with what was learned from it alone."""
    terminal = get_terminal(context)
    if not yes:
        typer.confirm(
            terminal.translate_message("sessions.sure", mark=name), abort=True, err=True
        )

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            scope = gieok.person(user)
            session_id = await resolve_session(gieok, scope, name)
            receipt = await gieok.erasure.session(scope, session_id)
        if as_json:
            terminal.print_json(dict(receipt.counts))
        else:
            terminal.print_message(
                "sessions.deleted",
                mark=show.truncate_id(session_id),
                messages=receipt.counts["messages"],
                memories=receipt.counts["memories"],
            )

    run_command(work)
