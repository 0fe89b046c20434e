"""`eval`: predictions and ranks of evaluation sets, for score.py to judge."""

from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from gieok.evaluation import cards, dialogues, later_sessions
from gieok.evaluation.harness import Bench, ResultRow
from gieok.evaluation.months import read_months, run_months
from gieok.evaluation.second_session import run_days, run_session
from gieok.surfaces.cli import masking, show
from gieok.surfaces.cli.arguments import AsJson
from gieok.surfaces.cli.evaluation_runs import (
    EvaluationWork,
    TallyOptions,
    print_wrong,
    run_tally,
    run_work,
)
from gieok.surfaces.cli.terminal import get_terminal

evaluation = typer.Typer(help="help.eval", no_args_is_help=True)

SourceFile = Annotated[
    Path, typer.Option("--in", exists=True, dir_okay=False, help="opt.in")
]
TargetFile = Annotated[Path, typer.Option("--out", dir_okay=False, help="opt.out")]


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
    work = EvaluationWork(source, sessions, total, one, target)
    run_work(terminal, work, as_json=as_json)


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
    work = EvaluationWork(
        source, people, dialogues.count_lines(source), Bench.rank_messages, target
    )
    run_work(get_terminal(context), work, as_json=as_json)


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
    work = EvaluationWork(source, people, len(people), Bench.rank_messages, target)
    run_work(get_terminal(context), work, as_json=as_json)


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
    run_tally(rounds, run_session, TallyOptions(context, wrong, as_json))


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
    run_tally(rounds, run, TallyOptions(context, wrong, as_json))


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
    run_tally(rounds, run_months, TallyOptions(context, wrong, as_json))


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
    run_tally(
        rounds,
        cards.run_card_case,
        TallyOptions(context, wrong, as_json),
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
        terminal.print_json(
            {
                name: marks.as_json() | ({"wrong": marks.wrong} if wrong else {})
                for name, marks in rounds.items()
            }
        )
        return
    terminal.out.print(show.render_masking(terminal, rounds))
    for marks in rounds.values() if wrong else ():
        print_wrong(terminal, marks.wrong)
