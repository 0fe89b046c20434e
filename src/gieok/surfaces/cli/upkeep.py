"""`reembed`: vectors made anew after the embedder was changed."""

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from gieok.surfaces.cli.arguments import AsJson
from gieok.surfaces.cli.terminal import run, terminal_of


def reembed(context: typer.Context, *, as_json: AsJson = False) -> None:
    """Make every vector anew with the configured embedder."""
    terminal = terminal_of(context)
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        console=terminal.err,
    )

    async def work() -> None:
        async with terminal.memory(any_embedder=True) as gieok:
            with bar:
                task = bar.add_task(terminal.say("reembed.people"), total=None)
                made = await gieok.reembed(
                    lambda done, total: bar.update(task, completed=done, total=total)
                )
        if as_json:
            terminal.data({"embedded": made, "embedder": gieok.recall.embedder.name})
        else:
            name = gieok.recall.embedder.name
            terminal.tell("reembed.done", count=made, embedder=name)

    run(work)
