"""How things look in a terminal, and as JSON.

What a person said is printed as plain text: markup in it stays visible, and control
characters, which could steer a terminal, become spaces.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from rich.table import Table
from rich.text import Text

from gieok.context import Block
from gieok.database import Job
from gieok.erasure import Forgotten
from gieok.kernel.errors import GieokError
from gieok.memories import Candidate, Grounds, Memory
from gieok.recall import Hit
from gieok.sessions import Message, Session, Transcript
from gieok.settings import Settings
from gieok.surfaces.cli.masking import Marks
from gieok.surfaces.cli.second import MEASURED, Tally
from gieok.surfaces.cli.terminal import Terminal

MARK_CHARACTERS = 8
"""Characters of an id that are shown, as on the lines of a context block."""
PREVIEW_CHARACTERS = 60
LISTS = {"allowed_categories"}


def plain(value: str, style: str = "") -> Text:
    """Return what was said as text that cannot steer the terminal."""
    visible = (
        " " if unicodedata.category(character) in {"Cc", "Cf"} else character
        for character in value
    )
    return Text("".join(visible), style=style)


def mark(thing: UUID) -> str:
    """Return the short form of an id."""
    return thing.hex[-MARK_CHARACTERS:]


def shortened(value: str | None) -> str:
    """Return the beginning of a longer text."""
    flat = " ".join((value or "").split())
    if len(flat) <= PREVIEW_CHARACTERS:
        return flat
    return flat[: PREVIEW_CHARACTERS - 1] + "…"


def problem(terminal: Terminal, error: GieokError) -> None:
    """Print an error as one red line."""
    line = " ".join(error.message(terminal.language).split())
    if error.code == "not_permitted":
        line = f"{line} {terminal.say('hint.not_permitted')}"
    terminal.err.print(plain(line, "bold red"), soft_wrap=True)


def memory_table(terminal: Terminal, memories: Iterable[Memory]) -> Table:
    """Return memories as a table: what is known, how surely, and from where."""
    table = _table(terminal, "category", "confidence", "memory", "source", "mark")
    for memory in memories:
        style = "" if memory.is_active else "dim strike"
        source = shortened(memory.preview) or memory.extractor
        table.add_row(
            terminal.say(f"category.{memory.category.value}"),
            f"{memory.confidence:.2f}",
            plain(memory.content, style),
            plain(source, "dim"),
            mark(memory.memory_id) + _state(terminal, memory),
        )
    return table


def _state(terminal: Terminal, memory: Memory) -> str:
    if memory.is_active:
        return ""
    known = {"superseded", "denied", "capacity", "user_request"}
    reason = memory.inactive_reason
    return "\n" + terminal.say(f"inactive.{reason if reason in known else 'other'}")


def grounds(terminal: Terminal, found: Grounds) -> None:
    """Print what a memory rests on, what it replaced, and what stands beside it."""
    pairs = [
        ("why.is", (found.memory,)),
        ("why.replaced", found.replaced),
        ("why.replaced_by", found.replaced_by),
        ("why.beside", found.beside),
    ]
    for title, memories in pairs:
        if memories:
            table = memory_table(terminal, memories)
            table.title, table.title_justify = terminal.say(title), "left"
            terminal.out.print(table)
    table = _table(terminal, "at", "action", "before", "after", "session")
    for step in found.history:
        table.add_row(
            f"{step.created_at:%Y-%m-%d %H:%M}",
            terminal.say(f"action.{step.action.value}"),
            plain(step.old_content or ""),
            plain(step.new_content or ""),
            mark(step.session_id) if step.session_id else step.trigger,
        )
    terminal.out.print(table)


def grounds_json(found: Grounds) -> dict[str, object]:
    """Return the same for programs."""
    return {
        "memory": memory_json(found.memory),
        "replaced": [memory_json(one) for one in found.replaced],
        "replaced_by": [memory_json(one) for one in found.replaced_by],
        "beside": [memory_json(one) for one in found.beside],
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


def wish_fulfilled(terminal: Terminal, found: Forgotten, *, as_json: bool) -> None:
    """Print what a wish to forget erased, and what the person should be asked."""
    unsure = [(mark(one.candidate_id), one.content) for one in found.unsure]
    if as_json:
        asked = [{"candidate": name, "content": said} for name, said in unsure]
        told = {"forgotten": list(found.memories), "messages": found.messages}
        terminal.data(told | {"unsure": asked})
        return
    for content in found.memories:
        terminal.out.print(plain(f"－ {content}"))
    for name, content in unsure:
        terminal.out.print(plain(f"？ {content}  {name}"))
    if unsure:
        terminal.tell("forget.unsure")
    terminal.tell("forget.done", memories=len(found.memories), messages=found.messages)


def candidate_table(terminal: Terminal, candidates: Iterable[Candidate]) -> Table:
    """Return candidates as a table."""
    table = _table(terminal, "operation", "category", "confidence", "claim", "mark")
    for candidate in candidates:
        table.add_row(
            terminal.say(f"operation.{candidate.operation.value}"),
            terminal.say(f"category.{candidate.category.value}"),
            f"{candidate.confidence:.2f}",
            plain(candidate.claim),
            f"{mark(candidate.candidate_id)}\n" + _standing(terminal, candidate),
        )
    return table


def _standing(terminal: Terminal, candidate: Candidate) -> str:
    status = terminal.say(f"status.{candidate.status.value}")
    if candidate.held_reason is None:
        return status
    return f"{status}: {terminal.say(f'held.{candidate.held_reason.value}')}"


def hit_table(terminal: Terminal, hits: Iterable[Hit]) -> Table:
    """Return what recall found as a table, best first."""
    table = _table(terminal, "score", "kind", "found", "at", "mark")
    for hit in hits:
        who = f" ({terminal.say(f'role.{hit.role.value}')})" if hit.role else ""
        table.add_row(
            f"{hit.score:.2f}",
            terminal.say(f"kind.{hit.kind.value}") + who,
            plain(hit.content),
            f"{hit.at:%Y-%m-%d}",
            mark(hit.id),
        )
    return table


def tally_table(terminal: Terminal, tallies: Mapping[str, Tally]) -> Table:
    """Return what an evaluation measured, one column a round."""
    table = Table(terminal.say("column.measured"))
    for name in tallies:
        table.add_column(plain(name), justify="right")
    for measured in MEASURED:
        cells = [_share(tally.counts.get(measured)) for tally in tallies.values()]
        if any(cells):
            table.add_row(terminal.say(f"measured.{measured}"), *cells)
    return table


def _share(counts: tuple[int, int] | None) -> str:
    if counts is None:
        return ""
    hits, cases = counts
    return f"{hits / cases:.3f}  {hits}/{cases}"


def marks_table(terminal: Terminal, rounds: Mapping[str, Marks]) -> Table:
    """Return what was masked of labelled texts, one column a file."""
    table = Table(terminal.say("column.measured"))
    for name in rounds:
        table.add_column(plain(name), justify="right")
    for kind in dict.fromkeys(
        kind for marks in rounds.values() for kind in marks.recall
    ):
        shares = [_share(marks.recall.get(kind)) for marks in rounds.values()]
        table.add_row(plain(kind), *shares)
    table.add_row(terminal.say("measured.recall"), *map(_recall, rounds.values()))
    table.add_row(terminal.say("measured.false_marks"), *map(_false, rounds.values()))
    return table


def _recall(marks: Marks) -> str:
    hits = sum(hit for hit, _ in marks.recall.values())
    cases = sum(all_ for _, all_ in marks.recall.values())
    return _share((hits, cases)) if cases else ""


def _false(marks: Marks) -> str:
    if not marks.near_misses:
        return ""
    return f"{marks.false_in_1000:.2f}  {marks.false_marks}/{marks.near_misses}"


def session_table(terminal: Terminal, sessions: Iterable[Session]) -> Table:
    """Return sessions as a table."""
    columns = ("session_status", "messages", "pairs", "started", "mark")
    table = _table(terminal, *columns)
    for session in sessions:
        most = f"/{session.max_pairs}" if session.max_pairs else ""
        table.add_row(
            terminal.say(f"session.{session.status.value}"),
            str(session.message_count),
            f"{session.pair_count}{most}",
            f"{session.created_at:%Y-%m-%d %H:%M}",
            mark(session.session_id),
        )
    return table


def message_line(terminal: Terminal, message: Message) -> Text:
    """Return one message as a line that cannot steer the terminal."""
    speaker = message.speaker or terminal.say(f"role.{message.role.value}")
    return Text(": ").join([plain(speaker, "bold"), plain(message.content)])


def settings_table(terminal: Terminal, settings: Settings) -> Table:
    """Return a person's settings as a table."""
    table = _table(terminal, "setting", "value")
    for name, value in settings_json(settings).items():
        shown = ", ".join(settings.allowed_categories) if name in LISTS else value
        table.add_row(name, terminal.say("unlimited") if shown is None else str(shown))
    return table


def job_table(terminal: Terminal, jobs: Iterable[Job]) -> Table:
    """Return jobs as a table."""
    table = _table(terminal, "job", "task", "attempts", "reason", "about")
    for job in jobs:
        about = " ".join(f"{name}={value}" for name, value in job.arguments.items())
        reason = plain(job.failure or "")
        tries = str(job.attempts)
        table.add_row(str(job.job_id), job.task, tries, reason, plain(about, "dim"))
    return table


def _table(terminal: Terminal, *columns: str) -> Table:
    table = Table(expand=False, header_style="bold")
    for column in columns:
        wide = column in {"memory", "claim", "found"}
        table.add_column(
            terminal.say(f"column.{column}"),
            overflow="fold",
            ratio=2 if wide else None,
            no_wrap=column in {"category", "confidence", "score", "at"},
        )
    return table


def memory_json(memory: Memory) -> dict[str, object]:
    """Return a memory as stable JSON."""
    return {
        "memory_id": str(memory.memory_id),
        "mark": mark(memory.memory_id),
        "content": memory.content,
        "category": memory.category.value,
        "subcategory": memory.subcategory,
        "confidence": memory.confidence,
        "relevance_score": memory.relevance_score,
        "source_type": memory.source_type.value,
        "source_session_id": _id(memory.source_session_id),
        "source_message_ids": [str(said) for said in memory.source_message_ids],
        "source_message_preview": memory.preview,
        "extractor": memory.extractor,
        "trust": memory.trust.value,
        "usage_count": memory.usage_count,
        "is_active": memory.is_active,
        "inactive_reason": memory.inactive_reason,
        "superseded_by": _id(memory.superseded_by),
        "created_at": _time(memory.created_at),
        "updated_at": _time(memory.updated_at),
        "last_confirmed_at": _time(memory.last_confirmed_at),
        "expires_at": _time(memory.expires_at),
        "delete_policy": memory.delete_policy.value,
    }


def candidate_json(candidate: Candidate) -> dict[str, object]:
    """Return a candidate as stable JSON."""
    return {
        "candidate_id": str(candidate.candidate_id),
        "mark": mark(candidate.candidate_id),
        "claim": candidate.claim,
        "category": candidate.category.value,
        "confidence": candidate.confidence,
        "basis": candidate.basis.value,
        "operation": candidate.operation.value,
        "target_id": _id(candidate.target_id),
        "status": candidate.status.value,
        "held_reason": candidate.held_reason and candidate.held_reason.value,
        "memory_id": _id(candidate.memory_id),
        "message_ids": [str(said) for said in candidate.message_ids],
        "extractor": candidate.extractor,
        "created_at": _time(candidate.created_at),
    }


def hit_json(hit: Hit) -> dict[str, object]:
    """Return something found as stable JSON."""
    return {
        "kind": hit.kind.value,
        "id": str(hit.id),
        "content": hit.content,
        "score": round(hit.score, 6),
        "at": _time(hit.at),
        "session_id": _id(hit.session_id),
        "position": hit.position,
        "role": hit.role and hit.role.value,
        "category": hit.category and hit.category.value,
        "confidence": hit.confidence,
    }


def block_json(block: Block) -> dict[str, object]:
    """Return a context block as stable JSON."""
    lines = [
        {"text": line.text, "memory_id": str(line.memory_id), "at": _time(line.at)}
        for line in block.lines
    ]
    return {"text": block.text, "tokens": block.tokens, "lines": lines}


def session_json(session: Session) -> dict[str, object]:
    """Return a session as stable JSON."""
    return {
        "session_id": str(session.session_id),
        "mark": mark(session.session_id),
        "status": session.status.value,
        "language": session.language,
        "persona_id": _id(session.persona_id),
        "device_id": _id(session.device_id),
        "message_count": session.message_count,
        "pair_count": session.pair_count,
        "max_pairs": session.max_pairs,
        "total_tokens": session.total_tokens,
        "total_cost": str(session.total_cost),
        "created_at": _time(session.created_at),
        "updated_at": _time(session.updated_at),
        "expires_at": _time(session.expires_at),
        "completed_at": _time(session.completed_at),
        "ended_reason": session.ended_reason,
        "continues": _id(session.continues),
        "continued_by": _id(session.continued_by),
    }


def transcript_json(transcript: Transcript) -> dict[str, object]:
    """Return a session with its messages as stable JSON."""
    messages = [
        {
            "message_id": str(said.message_id),
            "position": said.position,
            "role": said.role.value,
            "content": said.content,
            "created_at": _time(said.created_at),
        }
        for said in transcript.messages
    ]
    return {**session_json(transcript.session), "messages": messages}


def settings_json(settings: Settings) -> dict[str, object]:
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


def jobs_json(
    counts: dict[str, int], failed: Sequence[Job], retrying: Sequence[Job]
) -> dict[str, object]:
    """Return the state of the queue as stable JSON."""
    return {
        "counts": counts,
        "failed": [_job_json(job) for job in failed],
        "retrying": [_job_json(job) for job in retrying],
    }


def _job_json(job: Job) -> dict[str, object]:
    return {
        "job_id": job.job_id,
        "task": job.task,
        "attempts": job.attempts,
        "arguments": job.arguments,
        "scheduled_at": _time(job.scheduled_at),
        "reason": job.failure,
    }


def _id(value: UUID | None) -> str | None:
    return str(value) if value else None


def _time(value: datetime | None) -> str | None:
    return value.isoformat() if value else None


def plain_block(value: str) -> Text:
    """Return text of several lines that cannot steer the terminal."""
    return Text("\n").join(plain(line) for line in value.split("\n"))
