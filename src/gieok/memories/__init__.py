"""Single facts about a person, and the candidates they grow from."""

from typing import TYPE_CHECKING

from gieok.kernel.exports import export_lazily
from gieok.memories.model import (
    Candidate,
    CandidateStatus,
    DeletePolicy,
    Fact,
    ForgetPreview,
    ForgetQuestion,
    HistoryAction,
    HistoryEntry,
    Memory,
    MemoryEdit,
    MemoryGrowth,
    MemoryOrigins,
    Outcome,
    PossibleMention,
    QuarantineReason,
    SourceType,
    Trigger,
    Trust,
)

if TYPE_CHECKING:
    from gieok.memories.service import Memories
else:
    __getattr__ = export_lazily(__name__, {"Memories": "gieok.memories.service"})

__all__ = [
    "Candidate",
    "CandidateStatus",
    "DeletePolicy",
    "Fact",
    "ForgetPreview",
    "ForgetQuestion",
    "HistoryAction",
    "HistoryEntry",
    "Memories",
    "Memory",
    "MemoryEdit",
    "MemoryGrowth",
    "MemoryOrigins",
    "Outcome",
    "PossibleMention",
    "QuarantineReason",
    "SourceType",
    "Trigger",
    "Trust",
]
