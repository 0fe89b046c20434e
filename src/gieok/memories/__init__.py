"""Single facts about a person, and the candidates they grow from."""

from typing import TYPE_CHECKING

from gieok.kernel.exports import export_lazily
from gieok.memories.claims import (
    Candidate,
    CandidateStatus,
    ForgetQuestion,
    MemoryEdit,
    Outcome,
)
from gieok.memories.model import (
    DeletePolicy,
    Fact,
    Memory,
    MemoryGrowth,
    PossibleMention,
    QuarantineReason,
    SourceType,
    Trigger,
    Trust,
)
from gieok.memories.origins import (
    ForgetPreview,
    HistoryAction,
    HistoryEntry,
    MemoryOrigins,
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
