"""`demo`: two people, two languages, three days; real database, no key."""

import asyncio
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from time import perf_counter
from typing import Annotated

import typer
from rich.text import Text

from gieok.config import ALL_CATEGORIES, Config
from gieok.facade import Gieok
from gieok.settings import Settings
from gieok.surfaces.cli.footprint import Footprint, postgres_megabytes
from gieok.surfaces.cli.scenario import SCENARIOS
from gieok.surfaces.cli.story import Story
from gieok.surfaces.cli.terminal import Terminal, run, terminal_of
from gieok.testing import FixedClock

PREFIX = "gieok-demo-"


def demo(
    context: typer.Context,
    *,
    keep: Annotated[bool, typer.Option("--keep", help="opt.keep")] = False,
) -> None:
    """Show in a few seconds what gieok does; exit code 1 when it did not do it."""
    terminal = terminal_of(context)
    with ExitStack() as stack:
        data = Path(mkdtemp(prefix=PREFIX)) if keep else _fleeting(stack)
        broken = run(lambda: _told(terminal, data))
    if keep:
        terminal.tell("demo.kept", data=data, person=SCENARIOS[0].person)
    for claim in broken:
        terminal.err.print(Text(terminal.say("demo.broken", claim=claim), "bold red"))
    if broken:
        raise typer.Exit(1)


def _fleeting(stack: ExitStack) -> Path:
    directory = TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True)
    return Path(stack.enter_context(directory))


async def _told(terminal: Terminal, data: Path) -> list[str]:
    """Tell both stories; return the expectations that did not hold."""
    started = perf_counter()
    memory = Footprint.now(terminal)
    clock = FixedClock()
    # Nothing of the environment counts: the demo is the same on every machine.
    config = Config(data=data, defaults=Settings(allowed_categories=ALL_CATEGORIES))
    own = replace(terminal, config=config, parts=replace(terminal.parts, clock=clock))
    terminal.tell("demo.what")
    async with own.memory() as gieok:
        memory.note("demo.libraries")
        await _load(terminal, gieok, memory)
        broken: list[str] = []
        for scenario in SCENARIOS:
            story = Story.of(own, gieok, clock, scenario)
            await story.tell()
            broken += story.broken
        memory.note("demo.work")
        server = postgres_megabytes(data)
    seconds = f"{perf_counter() - started:.1f}"
    terminal.out.rule()
    terminal.tell("demo.done", seconds=seconds, total=memory.total, parts=str(memory))
    if server is not None:
        terminal.tell("demo.postgres", megabytes=server)
    return broken


async def _load(terminal: Terminal, gieok: Gieok, memory: Footprint) -> None:
    """Load what would be loaded with the first words, one after the other."""
    with terminal.err.status(terminal.say("demo.loading_e5")):
        await gieok.recall.embedder.queries(["기억"])
    memory.note("demo.e5")
    with terminal.err.status(terminal.say("demo.loading_kiwi")):
        await asyncio.to_thread(gieok.recall.tokenizer.terms, "기억")
    memory.note("demo.kiwi")
