"""`open`: a link to the pages of a person's memory (D14), or to those of operators."""

from typing import Annotated

import typer

from gieok.access import SignInLink
from gieok.kernel.errors import InvalidInputError
from gieok.surfaces.cli.command_result import CommandResult, print_result
from gieok.surfaces.cli.terminal import Terminal

SERVER = "http://127.0.0.1:8321"


@print_result
async def open_pages(
    terminal: Terminal,
    user: Annotated[
        str | None, typer.Argument(help="arg.person", metavar="[USER]")
    ] = None,
    *,
    console: Annotated[bool, typer.Option("--console", help="opt.console")] = False,
    server: Annotated[str, typer.Option(help="opt.server")] = SERVER,
    revoke: Annotated[bool, typer.Option(help="opt.revoke")] = False,
) -> CommandResult:
    """Print a link that signs a person or an operator in once, or sign them out."""
    if console is (user is not None):
        raise InvalidInputError("user", "give either a person or --console")
    link = await _create_link(terminal, user, revoke=revoke)
    if link is None:
        return CommandResult(
            {"url": None}, lambda shown: shown.print_note("open.revoked")
        )
    pages = "console" if console else "me"
    address = f"{server.rstrip('/')}/{pages}/open/{link.secret}"

    def view(terminal: Terminal) -> None:
        terminal.out.file.write(f"{address}\n")
        terminal.print_note("open.console" if console else "open.once")

    return CommandResult(
        {"url": address, "expires_at": link.expires_at.isoformat()}, view
    )


async def _create_link(
    terminal: Terminal, user: str | None, *, revoke: bool
) -> SignInLink | None:
    """Return a link for a person, or without one for operators; or None and revoke."""
    async with terminal.open_gieok() as gieok:
        if user is None:
            if revoke:
                return await gieok.operator_sign_ins.revoke()
            return await gieok.operator_sign_ins.create_link()
        scope = gieok.person(user)
        if revoke:
            return await gieok.sign_ins.revoke(scope)
        return await gieok.sign_ins.create_link(scope)
