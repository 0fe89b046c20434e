"""Runs an evaluation with a progress bar, and shows or writes what it finds."""

import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Generic, NamedTuple, TextIO, TypeVar

import typer
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
)

from gieok.evaluation import harness
from gieok.evaluation.harness import Bench, ResultRow
from gieok.evaluation.results import EvaluationResult, write_result
from gieok.evaluation.tally import Tally
from gieok.kernel.clock import read_system_clock
from gieok.kernel.errors import ConfigurationError, InvalidInputError
from gieok.surfaces.cli import show
from gieok.surfaces.cli.terminal import (
    Terminal,
    get_terminal,
    render_plain,
    run_command,
)

T = TypeVar("T")


class TallyOptions(NamedTuple):
    """What is to be shown of an evaluation, and how."""

    context: typer.Context
    wrong: bool
    as_json: bool


def run_tally(
    rounds: Sequence[tuple[str, Sequence[T]]],
    one: Callable[[Bench, T, Tally], Awaitable[None]],
    shown: TallyOptions,
) -> None:
    """Go through every round, and show what was counted of each."""
    terminal = get_terminal(shown.context)
    tallies = run_command(lambda: _collect_tallies(terminal, rounds, one))
    if shown.as_json:
        terminal.print_json(
            {
                name: own.counts | ({"wrong": own.wrong} if shown.wrong else {})
                for name, own in tallies.items()
            }
        )
    else:
        terminal.out.print(show.render_tallies(terminal, tallies))
        for own in tallies.values() if shown.wrong else ():
            print_wrong(terminal, own.wrong)
    _keep_result(terminal, shown.context.info_name or "", tallies)


def print_wrong(terminal: Terminal, rows: Iterable[Sequence[str]]) -> None:
    """Print a line for each case that went wrong."""
    for row in rows:
        terminal.out.print(render_plain(" · ".join(row), "dim"), soft_wrap=True)


def _keep_result(terminal: Terminal, name: str, tallies: Mapping[str, Tally]) -> None:
    """Keep the figures for the console; what was printed is not lost without it."""
    rounds = {each: tally.counts for each, tally in tallies.items()}
    result = EvaluationResult(name, read_system_clock(), version("gieok"), rounds)
    try:
        write_result(terminal.config.data, result)
    except OSError as error:
        problem = error.strerror or type(error).__name__
        terminal.err.print(
            render_plain(
                terminal.translate_message("eval.not_kept", problem=problem), "dim"
            )
        )


async def _collect_tallies(
    terminal: Terminal,
    rounds: Sequence[tuple[str, Sequence[T]]],
    one: Callable[[Bench, T, Tally], Awaitable[None]],
) -> dict[str, Tally]:
    """Go through every round on an installation of its own."""
    tallies: dict[str, Tally] = {}
    with _create_bar(terminal) as bar:
        for name, items in rounds:
            tally = tallies[name] = Tally()
            task = bar.add_task(name, total=len(items))
            async with harness.open_bench(terminal.config, terminal.parts) as bench:
                for item in items:
                    await one(bench, item, tally)
                    bar.advance(task)
    return tallies


def _create_bar(terminal: Terminal) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=terminal.err,
    )


@dataclass(frozen=True, slots=True)
class EvaluationWork(Generic[T]):
    """Items of a file to go through, how many there are, what makes lines of one."""

    source: Path
    items: Iterable[T]
    total: int
    lines: Callable[[Bench, T], Awaitable[Sequence[ResultRow]]]
    target: Path


def run_work(terminal: Terminal, work: EvaluationWork[T], *, as_json: bool) -> None:
    """Write what every item makes, and say how many lines that were."""
    started = perf_counter()
    written = run_command(lambda: _write_lines(terminal, work))
    seconds = round(perf_counter() - started, 1)
    if as_json:
        summary = {"items": work.total, "lines": written, "seconds": seconds}
        terminal.print_json(summary | {"out": str(work.target)})
        return
    terminal.print_message(
        "eval.done",
        items=work.total,
        lines=written,
        seconds=seconds,
        out=work.target,
    )


async def _write_lines(terminal: Terminal, work: EvaluationWork[T]) -> int:
    """Write the lines of one item after the other; nothing else stays in memory."""
    bar = _create_bar(terminal)
    written = 0
    with _open_target(work.target, work.source) as file:
        async with harness.open_bench(terminal.config, terminal.parts) as bench:
            with bar:
                task = bar.add_task(
                    terminal.translate_message("eval.going"), total=work.total
                )
                for item in work.items:
                    lines = await work.lines(bench, item)
                    for line in lines:
                        file.write(json.dumps(line, ensure_ascii=False) + "\n")
                    written += len(lines)
                    bar.advance(task)
    return written


def _open_target(path: Path, source: Path) -> TextIO:
    try:
        if path.exists() and path.samefile(source):
            raise InvalidInputError("--out", "it is the file that is read")
        return path.open("w", encoding="utf-8")
    except OSError as error:
        problem = f"{path} cannot be written ({error.strerror})."
        raise ConfigurationError(problem) from error
