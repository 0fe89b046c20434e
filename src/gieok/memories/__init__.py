"""Single facts about a person, and the candidates they grow from."""

from gieok.memories.model import (
    Candidate,
    CandidateStatus,
    DeletePolicy,
    Fact,
    HistoryAction,
    HistoryEntry,
    Memory,
    MemoryOrigins,
    Outcome,
    QuarantineReason,
    SourceType,
    Trigger,
    Trust,
)
from gieok.memories.service import Memories

__all__ = [
    "Candidate",
    "CandidateStatus",
    "DeletePolicy",
    "Fact",
    "HistoryAction",
    "HistoryEntry",
    "Memories",
    "Memory",
    "MemoryOrigins",
    "Outcome",
    "QuarantineReason",
    "SourceType",
    "Trigger",
    "Trust",
]
