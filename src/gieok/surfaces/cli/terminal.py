"""What every command is given: configuration, language, and where to print."""

import asyncio
import json
import signal
import unicodedata
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar, cast

import typer
from rich.console import Console
from rich.text import Text

from gieok.config import Config
from gieok.kernel.errors import GieokError
from gieok.opening import open_for_maintenance
from gieok.parts import Parts
from gieok.surfaces.cli.messages import format_message

if TYPE_CHECKING:
    from gieok.facade import Gieok

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
            self.translate_message(key, **details),
            markup=False,
            highlight=False,
            soft_wrap=True,
        )

    def print_note(self, key: str, **details: object) -> None:
        """Print a message that is not part of the answer."""
        self.err.print(
            self.translate_message(key, **details),
            markup=False,
            highlight=False,
            style="dim",
            soft_wrap=True,
        )

    def print_json(self, value: object) -> None:
        """Print one JSON document, as text that a program can read."""
        self.out.file.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")
        self.out.file.flush()

    def print_error(self, error: GieokError) -> None:
        """Print an error as one red line."""
        line = " ".join(error.message(self.language).split())
        if error.code == "not_permitted":
            line = f"{line} {self.translate_message('hint.not_permitted')}"
        self.err.print(render_plain(line, "bold red"), soft_wrap=True)

    @asynccontextmanager
    async def open_gieok(
        self, *, any_embedder: bool = False, leaving_kms: bool = False
    ) -> AsyncGenerator["Gieok"]:
        """Open gieok without a worker, with a sign of life while it starts."""
        async with AsyncExitStack() as stack:
            with self.err.status(self.translate_message("opening")):
                opening = open_for_maintenance(
                    replace(self.config, kms_key=None) if leaving_kms else self.config,
                    parts=self.parts,
                    any_embedder=any_embedder,
                    leaving_kms=leaving_kms,
                )
                gieok = await stack.enter_async_context(opening)
            yield gieok


def render_plain(value: str, style: str = "") -> Text:
    """Return what was said as text that cannot steer the terminal."""
    visible = (
        " " if unicodedata.category(character) in {"Cc", "Cf"} else character
        for character in value
    )
    return Text("".join(visible), style=style)


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
