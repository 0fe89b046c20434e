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
from gieok.surfaces.cli.footprint import Footprint, measure_postgres_megabytes
from gieok.surfaces.cli.scenario import SCENARIOS
from gieok.surfaces.cli.story import DemoStory
from gieok.surfaces.cli.terminal import Terminal, get_terminal, run_command
from gieok.testing import FixedClock

PREFIX = "gieok-demo-"
_FAMILY = {"ko": "지호", "en": "Sam"}
"""Who has two devices."""


def demo(
    context: typer.Context,
    *,
    keep: Annotated[bool, typer.Option("--keep", help="opt.keep")] = False,
) -> None:
    """Show in a few seconds what gieok does; exit code 1 when it did not do it."""
    terminal = get_terminal(context)
    with ExitStack() as stack:
        data = Path(mkdtemp(prefix=PREFIX)) if keep else _create_temporary(stack)
        broken = run_command(lambda: _run_stories(terminal, data))
    if keep:
        terminal.print_message("demo.kept", data=data, person=SCENARIOS[0].person)
    for claim in broken:
        terminal.err.print(
            Text(terminal.translate_message("demo.broken", claim=claim), "bold red")
        )
    if broken:
        raise typer.Exit(1)


def _create_temporary(stack: ExitStack) -> Path:
    directory = TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True)
    return Path(stack.enter_context(directory))


async def _run_stories(terminal: Terminal, data: Path) -> list[str]:
    """Tell both stories; return the expectations that did not hold."""
    started = perf_counter()
    memory = Footprint.start(terminal)
    clock = FixedClock()
    # Nothing of the environment counts: the demo is the same on every machine.
    config = Config(data=data, defaults=Settings(allowed_categories=ALL_CATEGORIES))
    own = replace(terminal, config=config, parts=replace(terminal.parts, clock=clock))
    terminal.print_message("demo.what")
    async with own.open_gieok() as gieok:
        memory.record_step("demo.libraries")
        await _load_models(terminal, gieok, memory)
        broken: list[str] = []
        for scenario in SCENARIOS:
            story = DemoStory.from_scenario(own, gieok, clock, scenario)
            await story.run()
            broken += story.broken
        broken += await _run_devices(own, gieok, clock, data)
        memory.record_step("demo.work")
        server = measure_postgres_megabytes(data)
    seconds = f"{perf_counter() - started:.1f}"
    terminal.out.rule()
    terminal.print_message(
        "demo.done", seconds=seconds, total=memory.total, parts=str(memory)
    )
    if server is not None:
        terminal.print_message("demo.postgres", megabytes=server)
    return broken


async def _run_devices(
    terminal: Terminal, gieok: Gieok, clock: FixedClock, data: Path
) -> list[str]:
    """Tell the story of two devices in the language that is shown."""
    from gieok.surfaces.cli.device_story import DeviceStory  # noqa: PLC0415 - an extra

    (scenario,) = (each for each in SCENARIOS if each.language == terminal.language)
    own = replace(scenario, person=_FAMILY[terminal.language])
    story = DemoStory.from_scenario(terminal, gieok, clock, own)
    await DeviceStory(story, data).run()
    return story.broken


async def _load_models(terminal: Terminal, gieok: Gieok, memory: Footprint) -> None:
    """Load what would be loaded with the first words, one after the other."""
    with terminal.err.status(terminal.translate_message("demo.loading_e5")):
        await gieok.recall.embedder.queries(["기억"])
    memory.record_step("demo.e5")
    with terminal.err.status(terminal.translate_message("demo.loading_kiwi")):
        await asyncio.to_thread(gieok.recall.tokenizer.terms, "기억")
    memory.record_step("demo.kiwi")
