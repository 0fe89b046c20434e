"""Builds hits of the rows that a search found."""

from collections.abc import Mapping
from datetime import UTC, datetime
from math import isnan
from typing import NamedTuple

from gieok.memories import Fact, Memory
from gieok.recall.model import Hit, HitKind
from gieok.recall.recall_index import ID_BYTES
from gieok.recall.summary_store import SummaryEntry, SummaryText
from gieok.sessions import Message


class RankedRow(NamedTuple):
    """One row that was chosen; without a fact or a kind it is a message."""

    id: bytes
    fact: Fact | None
    summary: SummaryEntry | None
    score: float
    relevance: float
    signals: Mapping[str, float]


def build_memory_hit(memory: Memory, found: RankedRow, now: datetime) -> Hit:
    """Return the hit of a memory, as sure as it is now."""
    return Hit(
        kind=HitKind.MEMORY,
        id=memory.memory_id,
        content=memory.content,
        score=found.score,
        at=memory.last_confirmed_at.astimezone(UTC),
        session_id=memory.source_session_id,
        category=memory.category,
        confidence=round(memory.confidence_at(now), 4),
        trust=memory.trust,
        relevance=_get_relevance(found),
        signals=found.signals,
        contradicted_by=memory.contradicted_by,
        is_directive=memory.is_directive,
        reference_time=memory.reference_time.astimezone(UTC),
    )


def build_message_hit(message: Message | None, found: RankedRow) -> Hit | None:
    """Return the hit of a message, nothing of one that is gone."""
    if message is None:
        return None
    return Hit(
        kind=HitKind.MESSAGE,
        id=message.message_id,
        content=message.content,
        score=found.score,
        at=message.spoken_at.astimezone(UTC),
        session_id=message.session_id,
        position=message.position,
        role=message.role,
        relevance=_get_relevance(found),
        signals=found.signals,
        other_speaker=message.other_speaker,
    )


def build_summary_hit(told: SummaryText | None, found: RankedRow) -> Hit | None:
    """Return the hit of a sentence of a summary, nothing of one that is gone."""
    if told is None:
        return None
    return Hit(
        kind=told.kind,
        id=told.item_id,
        content=told.text,
        score=found.score,
        at=told.at,
        session_id=told.session_id,
        position=found.id[ID_BYTES],
        relevance=_get_relevance(found),
        signals=found.signals,
    )


def _get_relevance(found: RankedRow) -> float | None:
    return None if isnan(found.relevance) else round(found.relevance, 3)
