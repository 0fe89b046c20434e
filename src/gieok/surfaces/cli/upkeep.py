"""`reembed`: vectors made anew after the embedder was changed."""

from gieok.surfaces.cli.bars import open_progress_bar
from gieok.surfaces.cli.command_result import (
    CommandResult,
    build_message_view,
    print_result,
)
from gieok.surfaces.cli.terminal import Terminal


@print_result
async def reembed(terminal: Terminal) -> CommandResult:
    """Make every vector anew with the configured embedder."""
    async with terminal.open_gieok(any_embedder=True) as gieok:
        with open_progress_bar(terminal, "reembed.people") as move_bar:
            made = await gieok.maintenance.reembed(move_bar)
    name = gieok.recall.embedder.name
    return CommandResult(
        {"embedded": made, "embedder": name},
        build_message_view("reembed.done", count=made, embedder=name),
    )
