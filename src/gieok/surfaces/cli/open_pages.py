"""`open`: a link to the pages of a person's memory (D14), or to those of operators."""

from typing import Annotated

import typer

from gieok.access import SignInLink
from gieok.kernel.errors import InvalidInputError
from gieok.surfaces.cli.arguments import AsJson
from gieok.surfaces.cli.terminal import Terminal, get_terminal, run_command

SERVER = "http://127.0.0.1:8321"


def open_pages(
    context: typer.Context,
    user: Annotated[
        str | None, typer.Argument(help="arg.person", metavar="[USER]")
    ] = None,
    *,
    console: Annotated[bool, typer.Option("--console", help="opt.console")] = False,
    server: Annotated[str, typer.Option(help="opt.server")] = SERVER,
    revoke: Annotated[bool, typer.Option(help="opt.revoke")] = False,
    as_json: AsJson = False,
) -> None:
    """Print a link that signs a person or an operator in once, or sign them out."""
    terminal = get_terminal(context)
    if console is (user is not None):
        raise InvalidInputError("user", "give either a person or --console")

    async def work() -> None:
        link = await _create_link(terminal, user, revoke=revoke)
        if link is None:
            terminal.print_note("open.revoked")
            return
        pages = "console" if console else "me"
        address = f"{server.rstrip('/')}/{pages}/open/{link.secret}"
        if as_json:
            expires = link.expires_at.isoformat()
            terminal.print_json({"url": address, "expires_at": expires})
        else:
            terminal.out.file.write(f"{address}\n")
            terminal.print_note("open.console" if console else "open.once")

    run_command(work)


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
