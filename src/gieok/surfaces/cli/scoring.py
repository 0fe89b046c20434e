"""`eval`: predictions and ranks of evaluation sets, for score.py to judge."""

import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Annotated, Generic, NamedTuple, TextIO, TypeVar

import typer
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
)

from gieok.evaluation import cards, dialogues, harness, later_sessions
from gieok.evaluation.harness import Bench, ResultRow
from gieok.evaluation.months import read_months, run_months
from gieok.evaluation.results import EvaluationResult, write_result
from gieok.evaluation.second_session import run_days, run_session
from gieok.evaluation.tally import Tally
from gieok.kernel.clock import read_system_clock
from gieok.kernel.errors import ConfigurationError, InvalidInputError
from gieok.surfaces.cli import masking, show
from gieok.surfaces.cli.arguments import AsJson
from gieok.surfaces.cli.terminal import (
    Terminal,
    get_terminal,
    render_plain,
    run_command,
)

evaluation = typer.Typer(help="help.eval", no_args_is_help=True)

SourceFile = Annotated[
    Path, typer.Option("--in", exists=True, dir_okay=False, help="opt.in")
]
TargetFile = Annotated[Path, typer.Option("--out", dir_okay=False, help="opt.out")]
T = TypeVar("T")


@evaluation.command("extract", help="help.eval.extract")
def extract(
    context: typer.Context,
    source: SourceFile,
    target: TargetFile,
    *,
    as_json: AsJson = False,
) -> None:
    """Write what is remembered of single sessions: what is in use afterwards."""

    async def one(bench: Bench, dialogue: dialogues.Dialogue) -> Sequence[ResultRow]:
        return [await bench.extract_facts(dialogue)]

    terminal = get_terminal(context)
    sessions = dialogues.read_dialogues(source)
    total = dialogues.count_lines(source)
    work = _EvaluationWork(source, sessions, total, one, target)
    _run_work(terminal, work, as_json=as_json)


@evaluation.command("recall", help="help.eval.recall")
def recall(
    context: typer.Context,
    source: SourceFile,
    target: TargetFile,
    *,
    as_json: AsJson = False,
) -> None:
    """Write which messages are found for the questions of long-term users."""
    people = dialogues.read_people(source)
    work = _EvaluationWork(
        source, people, dialogues.count_lines(source), Bench.rank_messages, target
    )
    _run_work(get_terminal(context), work, as_json=as_json)


@evaluation.command("locomo", help="help.eval.locomo")
def locomo(
    context: typer.Context,
    source: SourceFile,
    target: TargetFile,
    *,
    as_json: AsJson = False,
) -> None:
    """Write which turns are found for the questions of LoCoMo."""
    people = list(dialogues.read_conversations(source))
    work = _EvaluationWork(source, people, len(people), Bench.rank_messages, target)
    _run_work(get_terminal(context), work, as_json=as_json)


SourceFiles = Annotated[
    list[Path], typer.Option("--in", exists=True, dir_okay=False, help="opt.in_several")
]


@evaluation.command("second", help="help.eval.second")
def second(
    context: typer.Context,
    sources: SourceFiles,
    *,
    known: Annotated[
        list[int] | None, typer.Option("--known", min=0, help="opt.known")
    ] = None,
    wrong: Annotated[bool, typer.Option("--wrong", help="opt.wrong")] = False,
    as_json: AsJson = False,
) -> None:
    """Show what single sessions do when so many things are known."""
    rounds = [
        (f"{path.stem} · {most}", list(later_sessions.read_later_sessions(path, most)))
        for most in known or [8, 30]
        for path in sources
    ]
    _run_tally(rounds, run_session, _TallyOptions(context, wrong, as_json))


@evaluation.command("days", help="help.eval.days")
def days(
    context: typer.Context,
    sources: SourceFiles,
    *,
    later: Annotated[
        int | None, typer.Option("--later", min=1, help="opt.later")
    ] = None,
    wrong: Annotated[bool, typer.Option("--wrong", help="opt.wrong")] = False,
    as_json: AsJson = False,
) -> None:
    """Show what is known and answered after six days with a person."""
    rounds = [(path.stem, list(later_sessions.read_six_days(path))) for path in sources]
    span = timedelta(days=later) if later else None
    run = partial(run_days, later=span)
    _run_tally(rounds, run, _TallyOptions(context, wrong, as_json))


@evaluation.command("months", help="help.eval.months")
def months(
    context: typer.Context,
    sources: SourceFiles,
    *,
    wrong: Annotated[bool, typer.Option("--wrong", help="opt.wrong")] = False,
    as_json: AsJson = False,
) -> None:
    """Show what is known, answered and kept without reason over a year."""
    rounds = [(path.stem, list(read_months(path))) for path in sources]
    _run_tally(rounds, run_months, _TallyOptions(context, wrong, as_json))


@evaluation.command("profile", help="help.eval.profile")
def profile(
    context: typer.Context,
    sources: SourceFiles,
    *,
    wrong: Annotated[bool, typer.Option("--wrong", help="opt.wrong")] = False,
    as_json: AsJson = False,
) -> None:
    """Show what single sessions make of a card, a column a language."""
    rounds = [
        (f"{path.stem} · {language}", found)
        for path in sources
        for language, found in cards.group_by_language(path).items()
    ]
    _run_tally(
        rounds,
        cards.run_card_case,
        _TallyOptions(context, wrong, as_json),
    )


@evaluation.command("pii", help="help.eval.pii")
def pii(
    context: typer.Context,
    sources: SourceFiles,
    *,
    wrong: Annotated[bool, typer.Option("--wrong", help="opt.wrong")] = False,
    as_json: AsJson = False,
) -> None:
    """Show what is masked of labelled texts, and what is wrongly masked."""
    terminal = get_terminal(context)
    rounds = {path.stem: masking.MaskingScore() for path in sources}
    for path in sources:
        for case in masking.read_labelled(path):
            rounds[path.stem].record(case)
    if as_json:
        terminal.print_json({name: marks.as_json() for name, marks in rounds.items()})
    else:
        terminal.out.print(show.render_masking(terminal, rounds))
    if wrong:
        for marks in rounds.values():
            for row in marks.wrong:
                terminal.out.print(render_plain(" · ".join(row), "dim"), soft_wrap=True)


class _TallyOptions(NamedTuple):
    context: typer.Context
    wrong: bool
    as_json: bool


def _run_tally(
    rounds: Sequence[tuple[str, Sequence[T]]],
    one: Callable[[Bench, T, Tally], Awaitable[None]],
    shown: _TallyOptions,
) -> None:
    terminal = get_terminal(shown.context)
    tallies = run_command(lambda: _collect_tallies(terminal, rounds, one))
    if shown.as_json:
        terminal.print_json({name: tally.counts for name, tally in tallies.items()})
    else:
        terminal.out.print(show.render_tallies(terminal, tallies))
    if shown.wrong:
        for tally in tallies.values():
            for row in tally.wrong:
                terminal.out.print(render_plain(" · ".join(row), "dim"), soft_wrap=True)

    _keep_result(terminal, shown.context.info_name or "", tallies)


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
class _EvaluationWork(Generic[T]):
    """Items of a file to go through, how many there are, what makes lines of one."""

    source: Path
    items: Iterable[T]
    total: int
    lines: Callable[[Bench, T], Awaitable[Sequence[ResultRow]]]
    target: Path


def _run_work(terminal: Terminal, work: _EvaluationWork[T], *, as_json: bool) -> None:
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


async def _write_lines(terminal: Terminal, work: _EvaluationWork[T]) -> int:
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
