"""`sessions`: the conversations of a person; seen, ended and erased."""

from typing import Annotated

import typer

from gieok.facade import Gieok
from gieok.kernel.scope import Scope
from gieok.sessions import Status
from gieok.sessions.inputs import MAX_LISTED
from gieok.surfaces.cli import encoding, show
from gieok.surfaces.cli.arguments import DefaultListGroup, IdArgument, resolve_session
from gieok.surfaces.cli.command_result import (
    CommandResult,
    build_message_view,
    build_page_view,
    print_result,
)
from gieok.surfaces.cli.terminal import Terminal

sessions = typer.Typer(cls=DefaultListGroup, help="help.sessions")


@sessions.command("list", help="help.sessions.list")
@print_result(known=True)
async def listing(
    gieok: Gieok,
    scope: Scope,
    *,
    status: Annotated[Status | None, typer.Option(help="opt.status")] = None,
    limit: Annotated[
        int, typer.Option(min=1, max=MAX_LISTED, help="opt.limit")
    ] = MAX_LISTED,
) -> CommandResult:
    """List sessions, newest first."""
    found, total = await gieok.sessions.page(scope, limit=limit, status=status)
    rows = [encoding.encode_session(session) for session in found]
    view = build_page_view(found, total, show.render_sessions, none="sessions.none")
    return CommandResult({"total": total, "sessions": rows}, view)


@sessions.command("show", help="help.sessions.show")
@print_result(known=True)
async def show_session(gieok: Gieok, scope: Scope, name: IdArgument) -> CommandResult:
    """Show what was said in a session."""
    session_id = await resolve_session(gieok, scope, name)
    transcript = await gieok.sessions.read(scope, session_id)

    def view(terminal: Terminal) -> None:
        terminal.out.print(show.render_sessions(terminal, [transcript.session]))
        for message in transcript.messages:
            terminal.out.print(show.render_message(terminal, message))

    return CommandResult(encoding.encode_transcript(transcript), view)


@sessions.command("close", help="help.sessions.close")
@print_result(known=True)
async def close(gieok: Gieok, scope: Scope, name: IdArgument) -> CommandResult:
    """End a session."""
    session_id = await resolve_session(gieok, scope, name)
    session = await gieok.sessions.close(scope, session_id)
    view = build_message_view(
        "sessions.closed", mark=show.truncate_id(session.session_id)
    )
    return CommandResult(encoding.encode_session(session), view)


@sessions.command("delete", help="help.sessions.delete")
@print_result(sure="sessions.sure")
async def delete(gieok: Gieok, scope: Scope, name: IdArgument) -> CommandResult:
    """Erase a session with what was learned from it alone."""
    session_id = await resolve_session(gieok, scope, name)
    receipt = await gieok.erasure.session(scope, session_id)
    view = build_message_view(
        "sessions.deleted",
        mark=show.truncate_id(session_id),
        messages=receipt.counts["messages"],
        memories=receipt.counts["memories"],
    )
    return CommandResult(dict(receipt.counts), view)
