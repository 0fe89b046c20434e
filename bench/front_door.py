"""Processor time of a process that only starts: help, and opening not yet used."""

import asyncio
import os
import resource
import sys
from tempfile import TemporaryDirectory
from typing import NamedTuple

from report import Figure
from rich.progress import Progress


class Start(NamedTuple):
    """One way to start, and the most seconds it may take."""

    name: str
    program: str
    at_most: float | None = None


STARTS = (
    Start("python alone", "pass"),
    Start(
        "`gieok --help`",
        "from gieok.surfaces.cli.app import execute; execute(['--help'])",
        0.25,
    ),
    Start(
        "`open_memory()` before its first use",
        "from gieok import Turn, open_memory; open_memory()",
        0.35,
    ),
    Start(
        "everything that `open_memory()` imports when used", "import gieok.bootstrap"
    ),
)
RUNS, QUICK_RUNS = 15, 5


async def measure(progress: Progress, *, quick: bool) -> list[Figure]:
    """Return the least of several runs each; other programs make all of them longer."""
    runs = QUICK_RUNS if quick else RUNS
    task = progress.add_task("fresh processes", total=runs * len(STARTS))
    least = dict.fromkeys(STARTS, float("inf"))
    with TemporaryDirectory() as compiled:
        for start in STARTS:
            await _run(start.program, compiled)  # leaves its bytecode for the others
        for _ in range(runs):
            for start in STARTS:
                seconds = await _run(start.program, compiled)
                least[start] = min(least[start], seconds)
                progress.advance(task)
    return [
        Figure(start.name, seconds, "s", at_most=start.at_most)
        for start, seconds in least.items()
    ]


async def _run(program: str, compiled: str) -> float:
    """Return the processor seconds of a process that runs a program."""
    environment = os.environ | {"PYTHONPYCACHEPREFIX": compiled}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before = _measure_children()
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        program,
        env=environment,
        stdout=asyncio.subprocess.DEVNULL,
    )
    if await child.wait():
        problem = f"the measured process ended with {child.returncode}"
        raise RuntimeError(problem)
    return _measure_children() - before


def _measure_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
