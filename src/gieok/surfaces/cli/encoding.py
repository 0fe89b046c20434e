"""What commands answer, as the JSON that `--json` prints."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from gieok.context import Block
from gieok.database import Job
from gieok.erasure import Forgotten
from gieok.memories import Candidate, Memory, MemoryOrigins
from gieok.recall import Hit
from gieok.sessions import Session, Transcript
from gieok.settings import Settings

MARK_CHARACTERS = 8
"""Characters of an id that are shown, as on the lines of a context block."""
CONFIDENCE_DIGITS = 4
"""Digits of a confidence that fades with every second."""


def truncate_id(thing: UUID) -> str:
    """Return the short form of an id."""
    return thing.hex[-MARK_CHARACTERS:]


def encode_origins(found: MemoryOrigins, now: datetime) -> dict[str, object]:
    """Return the same for programs."""
    return {
        "memory": encode_memory(found.memory, now),
        "replaced": [encode_memory(one, now) for one in found.replaced],
        "replaced_by": [encode_memory(one, now) for one in found.replaced_by],
        "beside": [encode_memory(one, now) for one in found.beside],
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
            if one.candidate_id
        ],
    }


def encode_memory(memory: Memory, now: datetime) -> dict[str, object]:
    """Return a memory as stable JSON, with what time has left of its confidence."""
    return {
        "memory_id": str(memory.memory_id),
        "mark": truncate_id(memory.memory_id),
        "content": memory.content,
        "category": memory.category.value,
        "subcategory": memory.subcategory,
        "confidence": memory.confidence,
        "current_confidence": round(memory.confidence_at(now), CONFIDENCE_DIGITS),
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
