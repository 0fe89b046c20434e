"""A progress bar for what takes long."""

from collections.abc import Callable, Generator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from gieok.surfaces.cli.terminal import Terminal


@contextmanager
def open_progress_bar(
    terminal: Terminal, key: str
) -> Generator[Callable[[int, int], None]]:
    """Show a bar and lend what moves it: (done, in all)."""
    shown = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        console=terminal.err,
    )
    with shown:
        task = shown.add_task(terminal.translate_message(key), total=None)
        yield lambda done, total: shown.update(task, completed=done, total=total)
