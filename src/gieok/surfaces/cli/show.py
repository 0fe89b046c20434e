"""How things look in a terminal.

What a person said is printed as plain text: markup in it stays visible, and control
characters, which could steer a terminal, become spaces.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime

from rich.table import Table
from rich.text import Text

from gieok.database import Job
from gieok.erasure import Forgotten
from gieok.evaluation.tally import MEASURED, Tally
from gieok.memories import Candidate, Memory, MemoryOrigins
from gieok.recall import Hit
from gieok.sessions import Message, Session
from gieok.settings import Settings
from gieok.surfaces.cli.encoding import encode_settings, truncate_id
from gieok.surfaces.cli.masking import MaskingScore
from gieok.surfaces.cli.terminal import Terminal, render_plain

PREVIEW_CHARACTERS = 60
LISTS = {"allowed_categories"}


def truncate_text(value: str | None) -> str:
    """Return the beginning of a longer text."""
    flat = " ".join((value or "").split())
    if len(flat) <= PREVIEW_CHARACTERS:
        return flat
    return flat[: PREVIEW_CHARACTERS - 1] + "…"


def render_memories(
    terminal: Terminal, memories: Iterable[Memory], now: datetime
) -> Table:
    """Return memories as a table: what is known, how surely now, and from where."""
    table = _create_table(
        terminal, "category", "confidence", "memory", "source", "mark"
    )
    for memory in memories:
        state = _describe_state(memory, now)
        style = "dim strike" if state else ""
        shown = "\n" + terminal.translate_message(state) if state else ""
        source = truncate_text(memory.preview) or memory.extractor
        table.add_row(
            terminal.translate_message(f"category.{memory.category.value}"),
            f"{memory.confidence_at(now):.2f}",
            render_plain(memory.content, style),
            render_plain(source, "dim"),
            truncate_id(memory.memory_id) + shown,
        )
    return table


def _describe_state(memory: Memory, now: datetime) -> str | None:
    """Return the key of the word for why a memory is not in use; None if it is."""
    if memory.is_active:
        is_over = memory.expires_at is not None and memory.expires_at <= now
        return "inactive.retention" if is_over else None
    known = {"superseded", "denied", "capacity", "user_request", "retention"}
    reason = memory.inactive_reason
    return f"inactive.{reason if reason in known else 'other'}"


def print_origins(found: MemoryOrigins, now: datetime, terminal: Terminal) -> None:
    """Print what a memory rests on, what it replaced, and what stands beside it."""
    pairs = [
        ("why.is", (found.memory,)),
        ("why.replaced", found.replaced),
        ("why.replaced_by", found.replaced_by),
        ("why.beside", found.beside),
    ]
    for title, memories in pairs:
        if memories:
            table = render_memories(terminal, memories, now)
            table.title, table.title_justify = terminal.translate_message(title), "left"
            terminal.out.print(table)
    table = _create_table(terminal, "at", "action", "before", "after", "session")
    for step in found.history:
        table.add_row(
            f"{step.created_at:%Y-%m-%d %H:%M}",
            terminal.translate_message(f"action.{step.action.value}"),
            render_plain(step.old_content or ""),
            render_plain(step.new_content or ""),
            truncate_id(step.session_id) if step.session_id else step.trigger,
        )
    terminal.out.print(table)


def print_forgotten(found: Forgotten, terminal: Terminal) -> None:
    """Print what a wish to forget erased, and what the person should be asked."""
    for content in found.memories:
        terminal.out.print(render_plain(f"－ {content}"))
    for one in found.unsure:
        name = truncate_id(one.candidate_id) if one.candidate_id else ""
        terminal.out.print(render_plain(f"？ {one.content}  {name}"))
    if found.unsure:
        terminal.print_message("forget.unsure")
    terminal.print_message(
        "forget.done", memories=len(found.memories), messages=found.messages
    )


def render_candidates(terminal: Terminal, candidates: Iterable[Candidate]) -> Table:
    """Return candidates as a table."""
    table = _create_table(
        terminal, "operation", "category", "confidence", "claim", "mark"
    )
    for candidate in candidates:
        table.add_row(
            terminal.translate_message(f"operation.{candidate.operation.value}"),
            terminal.translate_message(f"category.{candidate.category.value}"),
            f"{candidate.confidence:.2f}",
            render_plain(candidate.claim),
            f"{truncate_id(candidate.candidate_id)}\n"
            + _format_status(terminal, candidate),
        )
    return table


def _format_status(terminal: Terminal, candidate: Candidate) -> str:
    status = terminal.translate_message(f"status.{candidate.status.value}")
    if candidate.held_reason is None:
        return status
    return (
        f"{status}: {terminal.translate_message(f'held.{candidate.held_reason.value}')}"
    )


def render_hits(terminal: Terminal, hits: Iterable[Hit]) -> Table:
    """Return what recall found as a table, best first."""
    table = _create_table(terminal, "score", "kind", "found", "at", "mark")
    for hit in hits:
        who = (
            f" ({terminal.translate_message(f'role.{hit.role.value}')})"
            if hit.role
            else ""
        )
        table.add_row(
            f"{hit.score:.2f}",
            terminal.translate_message(f"kind.{hit.kind.value}") + who,
            render_plain(hit.content),
            f"{hit.at:%Y-%m-%d}",
            truncate_id(hit.id),
        )
    return table


def render_tallies(terminal: Terminal, tallies: Mapping[str, Tally]) -> Table:
    """Return what an evaluation measured, one column a round."""
    table = Table(terminal.translate_message("column.measured"))
    for name in tallies:
        table.add_column(render_plain(name), justify="right")
    for measured in MEASURED:
        cells = [
            _format_share(tally.counts.get(measured)) for tally in tallies.values()
        ]
        if any(cells):
            table.add_row(terminal.translate_message(f"measured.{measured}"), *cells)
    return table


def _format_share(counts: tuple[int, int] | None) -> str:
    if counts is None:
        return ""
    hits, cases = counts
    return f"{hits / cases:.3f}  {hits}/{cases}"


def render_masking(terminal: Terminal, rounds: Mapping[str, MaskingScore]) -> Table:
    """Return what was masked of labelled texts, one column a file."""
    table = Table(terminal.translate_message("column.measured"))
    for name in rounds:
        table.add_column(render_plain(name), justify="right")
    for kind in dict.fromkeys(
        kind for marks in rounds.values() for kind in marks.recall
    ):
        shares = [_format_share(marks.recall.get(kind)) for marks in rounds.values()]
        table.add_row(render_plain(kind), *shares)
    table.add_row(
        terminal.translate_message("measured.recall"),
        *map(_format_recall, rounds.values()),
    )
    table.add_row(
        terminal.translate_message("measured.false_marks"),
        *map(_format_false_marks, rounds.values()),
    )
    return table


def _format_recall(marks: MaskingScore) -> str:
    hits = sum(hit for hit, _ in marks.recall.values())
    cases = sum(all_ for _, all_ in marks.recall.values())
    return _format_share((hits, cases)) if cases else ""


def _format_false_marks(marks: MaskingScore) -> str:
    if not marks.near_misses:
        return ""
    return f"{marks.false_in_1000:.2f}  {marks.false_marks}/{marks.near_misses}"


def render_sessions(terminal: Terminal, sessions: Iterable[Session]) -> Table:
    """Return sessions as a table."""
    columns = ("session_status", "messages", "pairs", "started", "mark")
    table = _create_table(terminal, *columns)
    for session in sessions:
        most = f"/{session.max_pairs}" if session.max_pairs else ""
        table.add_row(
            terminal.translate_message(f"session.{session.status.value}"),
            str(session.message_count),
            f"{session.pair_count}{most}",
            f"{session.created_at:%Y-%m-%d %H:%M}",
            truncate_id(session.session_id),
        )
    return table


def render_message(terminal: Terminal, message: Message) -> Text:
    """Return one message as a line that cannot steer the terminal."""
    speaker = message.speaker or terminal.translate_message(
        f"role.{message.role.value}"
    )
    return Text(": ").join(
        [render_plain(speaker, "bold"), render_plain(message.content)]
    )


def render_settings(terminal: Terminal, settings: Settings) -> Table:
    """Return a person's settings as a table."""
    table = _create_table(terminal, "setting", "value")
    for name, value in encode_settings(settings).items():
        shown = ", ".join(settings.allowed_categories) if name in LISTS else value
        table.add_row(
            name,
            terminal.translate_message("unlimited") if shown is None else str(shown),
        )
    return table


def render_jobs(terminal: Terminal, jobs: Iterable[Job]) -> Table:
    """Return jobs as a table."""
    table = _create_table(terminal, "job", "task", "attempts", "reason", "about")
    for job in jobs:
        about = " ".join(f"{name}={value}" for name, value in job.arguments.items())
        reason = render_plain(job.failure or "")
        tries = str(job.attempts)
        table.add_row(
            str(job.job_id), job.task, tries, reason, render_plain(about, "dim")
        )
    return table


def _create_table(terminal: Terminal, *columns: str) -> Table:
    table = Table(expand=False, header_style="bold")
    for column in columns:
        wide = column in {"memory", "claim", "found"}
        table.add_column(
            terminal.translate_message(f"column.{column}"),
            overflow="fold",
            ratio=2 if wide else None,
            no_wrap=column in {"category", "confidence", "score", "at"},
        )
    return table


def render_plain_block(value: str) -> Text:
    """Return text of several lines that cannot steer the terminal."""
    return Text("\n").join(render_plain(line) for line in value.split("\n"))
