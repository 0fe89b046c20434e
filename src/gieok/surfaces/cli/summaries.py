"""`summaries`: what the days, weeks and conversations of a person were about."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from functools import partial
from typing import Annotated, Any

import typer
from rich.table import Table

from gieok.facade import Gieok
from gieok.kernel.scope import Scope
from gieok.summaries import DaySummary, SessionSummary, WeekSummary
from gieok.surfaces.cli import show
from gieok.surfaces.cli.arguments import DefaultListGroup, IdArgument, resolve_session
from gieok.surfaces.cli.command_result import (
    CommandResult,
    build_message_view,
    build_table_view,
    print_result,
)
from gieok.surfaces.cli.terminal import Terminal, render_plain

MAX_LISTED = 200
SummaryLimitOption = Annotated[
    int, typer.Option(min=1, max=MAX_LISTED, help="opt.limit")
]
BeforeDayOption = Annotated[
    datetime | None, typer.Option(formats=["%Y-%m-%d"], help="opt.before_day")
]
BeforeWeekOption = Annotated[str | None, typer.Option(help="opt.before_week")]


class DefaultDaysGroup(DefaultListGroup):
    """A group whose command `days` runs when no command is named."""

    default = "days"


summaries = typer.Typer(cls=DefaultDaysGroup, help="help.summaries")


@summaries.command("days", help="help.summaries.days")
@print_result(known=True)
async def days(
    gieok: Gieok,
    scope: Scope,
    *,
    limit: SummaryLimitOption = 30,
    before: BeforeDayOption = None,
) -> CommandResult:
    """List the summaries of days, newest first."""
    last = before and before.date()
    found = await gieok.summaries.days(scope, limit=limit, before=last)
    rows = [(str(day.date_key), day.text, day.open_tasks) for day in found]
    return CommandResult(
        {"days": [encode_day_summary(day) for day in found]},
        build_table_view(rows, partial(_render_table, "day"), none="summaries.none"),
    )


@summaries.command("weeks", help="help.summaries.weeks")
@print_result(known=True)
async def weeks(
    gieok: Gieok,
    scope: Scope,
    *,
    limit: SummaryLimitOption = 26,
    before: BeforeWeekOption = None,
) -> CommandResult:
    """List the summaries of weeks, newest first."""
    found = await gieok.summaries.weeks(scope, limit=limit, before=before)
    rows = [
        (week.week_key, _format_week(week), week.unresolved_items) for week in found
    ]
    return CommandResult(
        {"weeks": [encode_week_summary(week) for week in found]},
        build_table_view(rows, partial(_render_table, "week"), none="summaries.none"),
    )


@summaries.command("session", help="help.summaries.session")
@print_result(known=True)
async def session(gieok: Gieok, scope: Scope, name: IdArgument) -> CommandResult:
    """Say what a conversation was about, summed up now if need be."""
    called = await resolve_session(gieok, scope, name)
    found = await gieok.summaries.session(scope, called)
    if found is None:
        return CommandResult({"summary": None}, build_message_view("summaries.nothing"))
    return CommandResult(
        {"summary": encode_session_summary(found)}, partial(_print_summary, found)
    )


def _print_summary(found: SessionSummary, terminal: Terminal) -> None:
    gist = found.gist
    terminal.out.print(show.render_plain_block(gist.summary))
    terminal.print_message(
        "summaries.felt",
        emotion=terminal.translate_message(f"emotion.{gist.emotion.value}"),
        importance=gist.importance,
    )
    for task in gist.open_tasks:
        terminal.out.print(render_plain(f"· {task}"))
    if found.is_fallback:
        terminal.print_note("summaries.fallback")


def _format_week(week: WeekSummary) -> str:
    return "\n".join([week.text, *(used.text for used in week.device_usage_patterns)])


def _render_table(
    when: str, terminal: Terminal, rows: Sequence[tuple[str, str, Sequence[str]]]
) -> Table:
    table = Table(expand=False, header_style="bold")
    table.add_column(terminal.translate_message(f"column.{when}"), no_wrap=True)
    table.add_column(
        terminal.translate_message("column.summary"), overflow="fold", ratio=2
    )
    table.add_column(
        terminal.translate_message("column.open"), overflow="fold", ratio=1
    )
    for name, text, left in rows:
        table.add_row(
            name,
            show.render_plain_block(text),
            show.render_plain_block("\n".join(left)),
        )
    return table


def encode_session_summary(summary: SessionSummary) -> dict[str, Any]:
    """Return the summary of a session as stable JSON."""
    return {
        "session_id": str(summary.session_id),
        "summary": summary.gist.summary,
        "topics": list(summary.gist.topics),
        "emotion": summary.gist.emotion.value,
        "importance": summary.gist.importance,
        "open_tasks": list(summary.gist.open_tasks),
        "preferences": list(summary.gist.preferences),
        "is_fallback": summary.is_fallback,
        "summarizer": summary.summarizer,
        "message_ids": [str(message) for message in summary.message_ids],
        "updated_at": summary.updated_at.isoformat(),
    }


def encode_day_summary(day: DaySummary) -> dict[str, Any]:
    """Return the summary of a day as stable JSON."""
    return {
        "summary_id": str(day.summary_id),
        "date_key": day.date_key.isoformat(),
        "device_id": day.device_id and str(day.device_id),
        "summary_text": day.text,
        "open_tasks": list(day.open_tasks),
        "recent_preferences": list(day.recent_preferences),
        "topics": list(day.topics),
        "source_session_ids": [str(one) for one in day.source_session_ids],
        "is_fallback": day.is_fallback,
        "created_at": day.created_at.isoformat(),
        "updated_at": day.updated_at.isoformat(),
        "expires_at": day.expires_at.isoformat(),
    }


def encode_week_summary(week: WeekSummary) -> dict[str, Any]:
    """Return the summary of a week as stable JSON."""
    return {
        "summary_id": str(week.summary_id),
        "week_key": week.week_key,
        "summary_text": week.text,
        "repeated_topics": list(week.repeated_topics),
        "device_usage_patterns": [
            {**asdict(used), "device_id": used.device_id and str(used.device_id)}
            for used in week.device_usage_patterns
        ],
        "unresolved_items": list(week.unresolved_items),
        "source_summary_ids": [str(one) for one in week.source_summary_ids],
        "is_fallback": week.is_fallback,
        "created_at": week.created_at.isoformat(),
        "updated_at": week.updated_at.isoformat(),
        "expires_at": week.expires_at.isoformat(),
    }
