"""Single facts about a person, and the candidates they grow from."""

from gieok.memories.model import (
    Candidate,
    CandidateStatus,
    Fact,
    HistoryAction,
    HistoryEntry,
    Memory,
    Outcome,
    SourceType,
)
from gieok.memories.service import Memories

__all__ = [
    "Candidate",
    "CandidateStatus",
    "Fact",
    "HistoryAction",
    "HistoryEntry",
    "Memories",
    "Memory",
    "Outcome",
    "SourceType",
]
