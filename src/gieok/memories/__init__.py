"""Single facts about a person, and the candidates they grow from."""

from gieok.memories.model import (
    Candidate,
    CandidateStatus,
    DeletePolicy,
    Fact,
    Grounds,
    HeldReason,
    HistoryAction,
    HistoryEntry,
    Memory,
    Outcome,
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
    "Grounds",
    "HeldReason",
    "HistoryAction",
    "HistoryEntry",
    "Memories",
    "Memory",
    "Outcome",
    "SourceType",
    "Trigger",
    "Trust",
]
