"""Single facts about a person, and the candidates they grow from."""

from gieok.memories.model import (
    Candidate,
    CandidateStatus,
    DeletePolicy,
    Fact,
    Grounds,
    HistoryAction,
    HistoryEntry,
    Memory,
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
    "Grounds",
    "HistoryAction",
    "HistoryEntry",
    "Memories",
    "Memory",
    "Outcome",
    "QuarantineReason",
    "SourceType",
    "Trigger",
    "Trust",
]
