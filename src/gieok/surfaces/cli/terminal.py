"""What every command is given: configuration, language, and where to print."""

import asyncio
import json
import signal
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

import typer
from rich.console import Console

from gieok.bootstrap import Parts, open_memory
from gieok.config import Config
from gieok.facade import Gieok
from gieok.surfaces.cli.messages import format_message

TERMINATED = 128 + signal.SIGTERM
"""Exit code of a command that was told to stop before it was done."""
STANDARD = Parts()
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Terminal:
    """One run of the command line; data goes to `out`, everything else to `err`."""

    config: Config
    language: str
    out: Console
    err: Console
    parts: Parts = STANDARD

    def translate_message(self, key: str, **details: object) -> str:
        """Return a message in the reader's language."""
        return format_message(key, self.language, **details)

    def print_message(self, key: str, **details: object) -> None:
        """Print a message where people read it."""
        self.out.print(
            self.translate_message(key, **details), markup=False, highlight=False
        )

    def print_note(self, key: str, **details: object) -> None:
        """Print a message that is not part of the answer."""
        self.err.print(
            self.translate_message(key, **details),
            markup=False,
            highlight=False,
            style="dim",
        )

    def print_json(self, value: object) -> None:
        """Print one JSON document, as text that a program can read."""
        self.out.file.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")
        self.out.file.flush()

    @asynccontextmanager
    async def open_gieok(
        self, *, any_embedder: bool = False, leaving_kms: bool = False
    ) -> AsyncGenerator[Gieok]:
        """Open gieok without a worker, with a sign of life while it starts."""
        async with AsyncExitStack() as stack:
            with self.err.status(self.translate_message("opening")):
                opening = open_memory(
                    replace(self.config, kms_key=None) if leaving_kms else self.config,
                    parts=self.parts,
                    worker=False,
                    any_embedder=any_embedder,
                    leaving_kms=leaving_kms,
                )
                gieok = await stack.enter_async_context(opening)
            yield gieok


def get_terminal(context: typer.Context) -> Terminal:
    """Return the terminal of a command."""
    return cast("Terminal", context.obj)


def run_command(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a command to its end; SIGTERM ends it as cleanly as Ctrl-C does."""
    try:
        return asyncio.run(_run_interruptible(work))
    except asyncio.CancelledError:
        raise typer.Exit(TERMINATED) from None


async def _run_interruptible(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    task = asyncio.current_task()
    if task is not None:
        with suppress(NotImplementedError):  # Windows has no such handlers
            loop = asyncio.get_running_loop()
            loop.add_signal_handler(signal.SIGTERM, task.cancel)
    return await work()
