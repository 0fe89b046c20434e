"""`open`: a link to the pages on which a person sees their own memory (D14)."""

from typing import Annotated

import typer

from gieok.surfaces.cli.arguments import AsJson, PersonArgument
from gieok.surfaces.cli.terminal import get_terminal, run_command

SERVER = "http://127.0.0.1:8321"


def open_pages(
    context: typer.Context,
    user: PersonArgument,
    *,
    server: Annotated[str, typer.Option(help="opt.server")] = SERVER,
    revoke: Annotated[bool, typer.Option(help="opt.revoke")] = False,
    as_json: AsJson = False,
) -> None:
    """Print a link that signs a person in once, or sign them out everywhere."""
    terminal = get_terminal(context)

    async def work() -> None:
        async with terminal.open_gieok() as gieok:
            scope = gieok.person(user)
            if revoke:
                await gieok.sign_ins.revoke(scope)
                terminal.print_note("open.revoked")
                return
            link = await gieok.sign_ins.create_link(scope)
        address = f"{server.rstrip('/')}/me/open/{link.secret}"
        if as_json:
            expires = link.expires_at.isoformat()
            terminal.print_json({"url": address, "expires_at": expires})
        else:
            terminal.out.file.write(f"{address}\n")
            terminal.print_note("open.once")

    run_command(work)
