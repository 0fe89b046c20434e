"""`reembed`: vectors made anew after the embedder was changed."""

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from gieok.surfaces.cli.arguments import AsJson
from gieok.surfaces.cli.terminal import get_terminal, run_command


def reembed(context: typer.Context, *, as_json: AsJson = False) -> None:
    """Make every vector anew with the configured embedder."""
    terminal = get_terminal(context)
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        console=terminal.err,
    )

    async def work() -> None:
        async with terminal.open_gieok(any_embedder=True) as gieok:
            with bar:
                task = bar.add_task(
                    terminal.translate_message("reembed.people"), total=None
                )
                made = await gieok.maintenance.reembed(
                    lambda done, total: bar.update(task, completed=done, total=total)
                )
        if as_json:
            terminal.print_json(
                {"embedded": made, "embedder": gieok.recall.embedder.name}
            )
        else:
            name = gieok.recall.embedder.name
            terminal.print_message("reembed.done", count=made, embedder=name)

    run_command(work)
