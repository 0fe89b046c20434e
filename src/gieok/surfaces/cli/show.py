"""How things look in a terminal, and as JSON.

What a person said is printed as plain text: markup in it stays visible, and control
characters, which could steer a terminal, become spaces.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from rich.table import Table
from rich.text import Text

from gieok.context import Block
from gieok.database import Job
from gieok.erasure import Forgotten
from gieok.evaluation.tally import MEASURED, Tally
from gieok.memories import Candidate, Memory, MemoryOrigins
from gieok.recall import Hit
from gieok.sessions import Message, Session, Transcript
from gieok.settings import Settings
from gieok.surfaces.cli.masking import MaskingScore
from gieok.surfaces.cli.terminal import Terminal, render_plain

MARK_CHARACTERS = 8
"""Characters of an id that are shown, as on the lines of a context block."""
PREVIEW_CHARACTERS = 60
LISTS = {"allowed_categories"}


def truncate_id(thing: UUID) -> str:
    """Return the short form of an id."""
    return thing.hex[-MARK_CHARACTERS:]


def truncate_text(value: str | None) -> str:
    """Return the beginning of a longer text."""
    flat = " ".join((value or "").split())
    if len(flat) <= PREVIEW_CHARACTERS:
        return flat
    return flat[: PREVIEW_CHARACTERS - 1] + "…"


def render_memories(terminal: Terminal, memories: Iterable[Memory]) -> Table:
    """Return memories as a table: what is known, how surely, and from where."""
    table = _create_table(
        terminal, "category", "confidence", "memory", "source", "mark"
    )
    for memory in memories:
        style = "" if memory.is_active else "dim strike"
        source = truncate_text(memory.preview) or memory.extractor
        table.add_row(
            terminal.translate_message(f"category.{memory.category.value}"),
            f"{memory.confidence:.2f}",
            render_plain(memory.content, style),
            render_plain(source, "dim"),
            truncate_id(memory.memory_id) + _format_state(terminal, memory),
        )
    return table


def _format_state(terminal: Terminal, memory: Memory) -> str:
    if memory.is_active:
        return ""
    known = {"superseded", "denied", "capacity", "user_request"}
    reason = memory.inactive_reason
    return "\n" + terminal.translate_message(
        f"inactive.{reason if reason in known else 'other'}"
    )


def print_origins(found: MemoryOrigins, terminal: Terminal) -> None:
    """Print what a memory rests on, what it replaced, and what stands beside it."""
    pairs = [
        ("why.is", (found.memory,)),
        ("why.replaced", found.replaced),
        ("why.replaced_by", found.replaced_by),
        ("why.beside", found.beside),
    ]
    for title, memories in pairs:
        if memories:
            table = render_memories(terminal, memories)
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


def encode_origins(found: MemoryOrigins) -> dict[str, object]:
    """Return the same for programs."""
    return {
        "memory": encode_memory(found.memory),
        "replaced": [encode_memory(one) for one in found.replaced],
        "replaced_by": [encode_memory(one) for one in found.replaced_by],
        "beside": [encode_memory(one) for one in found.beside],
        "history": [
            {
                "at": step.created_at.isoformat(),
                "action": step.action.value,
                "before": step.old_content,
                "after": step.new_content,
                "session_id": step.session_id and str(step.session_id),
                "trigger": step.trigger,
            }
            for step in found.history
        ],
    }


def encode_forgotten(found: Forgotten) -> dict[str, object]:
    """Return what a wish to forget erased as stable JSON."""
    return {
        "forgotten": list(found.memories),
        "messages": found.messages,
        "unsure": [
            {"candidate": truncate_id(one.candidate_id), "content": one.content}
            for one in found.unsure
        ],
    }


def print_forgotten(found: Forgotten, terminal: Terminal) -> None:
    """Print what a wish to forget erased, and what the person should be asked."""
    for content in found.memories:
        terminal.out.print(render_plain(f"－ {content}"))
    for one in found.unsure:
        name = truncate_id(one.candidate_id)
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


def encode_memory(memory: Memory) -> dict[str, object]:
    """Return a memory as stable JSON."""
    return {
        "memory_id": str(memory.memory_id),
        "mark": truncate_id(memory.memory_id),
        "content": memory.content,
        "category": memory.category.value,
        "subcategory": memory.subcategory,
        "confidence": memory.confidence,
        "relevance_score": memory.relevance_score,
        "source_type": memory.source_type.value,
        "source_session_id": _encode_id(memory.source_session_id),
        "source_message_ids": [str(said) for said in memory.source_message_ids],
        "source_message_preview": memory.preview,
        "extractor": memory.extractor,
        "trust": memory.trust.value,
        "usage_count": memory.usage_count,
        "is_active": memory.is_active,
        "inactive_reason": memory.inactive_reason,
        "superseded_by": _encode_id(memory.superseded_by),
        "created_at": _encode_time(memory.created_at),
        "updated_at": _encode_time(memory.updated_at),
        "last_confirmed_at": _encode_time(memory.last_confirmed_at),
        "expires_at": _encode_time(memory.expires_at),
        "delete_policy": memory.delete_policy.value,
        "is_pinned": memory.is_pinned,
    }


def encode_candidate(candidate: Candidate) -> dict[str, object]:
    """Return a candidate as stable JSON."""
    return {
        "candidate_id": str(candidate.candidate_id),
        "mark": truncate_id(candidate.candidate_id),
        "claim": candidate.claim,
        "category": candidate.category.value,
        "confidence": candidate.confidence,
        "basis": candidate.basis.value,
        "operation": candidate.operation.value,
        "target_id": _encode_id(candidate.target_id),
        "status": candidate.status.value,
        "held_reason": candidate.held_reason and candidate.held_reason.value,
        "memory_id": _encode_id(candidate.memory_id),
        "message_ids": [str(said) for said in candidate.message_ids],
        "extractor": candidate.extractor,
        "created_at": _encode_time(candidate.created_at),
    }


def encode_hit(hit: Hit) -> dict[str, object]:
    """Return something found as stable JSON."""
    return {
        "kind": hit.kind.value,
        "id": str(hit.id),
        "content": hit.content,
        "score": round(hit.score, 6),
        "at": _encode_time(hit.at),
        "session_id": _encode_id(hit.session_id),
        "position": hit.position,
        "role": hit.role and hit.role.value,
        "category": hit.category and hit.category.value,
        "confidence": hit.confidence,
    }


def encode_block(block: Block) -> dict[str, object]:
    """Return a context block as stable JSON."""
    lines = [
        {
            "text": line.text,
            "memory_id": str(line.memory_id),
            "at": _encode_time(line.at),
        }
        for line in block.lines
    ]
    excerpts = [
        {
            "text": excerpt.text,
            "message_id": _encode_id(excerpt.message_id),
            "session_id": _encode_id(excerpt.session_id),
            "episode_id": _encode_id(excerpt.episode_id),
            "at": _encode_time(excerpt.at),
        }
        for excerpt in block.excerpts
    ]
    return {
        "text": block.text,
        "tokens": block.tokens,
        "lines": lines,
        "excerpts": excerpts,
    }


def encode_session(session: Session) -> dict[str, object]:
    """Return a session as stable JSON."""
    return {
        "session_id": str(session.session_id),
        "mark": truncate_id(session.session_id),
        "status": session.status.value,
        "language": session.language,
        "persona_id": _encode_id(session.persona_id),
        "device_id": _encode_id(session.device_id),
        "message_count": session.message_count,
        "pair_count": session.pair_count,
        "max_pairs": session.max_pairs,
        "total_tokens": session.total_tokens,
        "total_cost": str(session.total_cost),
        "created_at": _encode_time(session.created_at),
        "updated_at": _encode_time(session.updated_at),
        "expires_at": _encode_time(session.expires_at),
        "completed_at": _encode_time(session.completed_at),
        "ended_reason": session.ended_reason,
        "continues": _encode_id(session.continues),
        "continued_by": _encode_id(session.continued_by),
    }


def encode_transcript(transcript: Transcript) -> dict[str, object]:
    """Return a session with its messages as stable JSON."""
    messages = [
        {
            "message_id": str(said.message_id),
            "position": said.position,
            "role": said.role.value,
            "content": said.content,
            "created_at": _encode_time(said.created_at),
        }
        for said in transcript.messages
    ]
    return {**encode_session(transcript.session), "messages": messages}


def encode_settings(settings: Settings) -> dict[str, object]:
    """Return settings as stable JSON."""
    return {
        "is_enabled": settings.is_enabled,
        "allowed_categories": [kind.value for kind in settings.allowed_categories],
        "auto_extraction": settings.auto_extraction,
        "max_memories": settings.max_memories,
        "retention_days": settings.retention_days,
        "promotion_policy": settings.promotion_policy.value,
        "words_days": settings.words_days,
    }


def encode_jobs(
    counts: dict[str, int], failed: Sequence[Job], retrying: Sequence[Job]
) -> dict[str, object]:
    """Return the state of the queue as stable JSON."""
    return {
        "counts": counts,
        "failed": [_encode_job(job) for job in failed],
        "retrying": [_encode_job(job) for job in retrying],
    }


def _encode_job(job: Job) -> dict[str, object]:
    return {
        "job_id": job.job_id,
        "task": job.task,
        "attempts": job.attempts,
        "arguments": job.arguments,
        "scheduled_at": _encode_time(job.scheduled_at),
        "reason": job.failure,
    }


def _encode_id(value: UUID | None) -> str | None:
    return str(value) if value else None


def _encode_time(value: datetime | None) -> str | None:
    return value.isoformat() if value else None


def render_plain_block(value: str) -> Text:
    """Return text of several lines that cannot steer the terminal."""
    return Text("\n").join(render_plain(line) for line in value.split("\n"))
