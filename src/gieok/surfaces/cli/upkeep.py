"""`reembed`: vectors made anew after the embedder was changed."""

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from gieok.surfaces.cli.command_result import (
    CommandResult,
    build_message_view,
    print_result,
)
from gieok.surfaces.cli.terminal import Terminal


@print_result
async def reembed(terminal: Terminal) -> CommandResult:
    """Make every vector anew with the configured embedder."""
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        console=terminal.err,
    )
    async with terminal.open_gieok(any_embedder=True) as gieok:
        with bar:
            task = bar.add_task(
                terminal.translate_message("reembed.people"), total=None
            )
            made = await gieok.maintenance.reembed(
                lambda done, total: bar.update(task, completed=done, total=total)
            )
    name = gieok.recall.embedder.name
    return CommandResult(
        {"embedded": made, "embedder": name},
        build_message_view("reembed.done", count=made, embedder=name),
    )
