"""Conversations as they happened."""

from typing import TYPE_CHECKING

from gieok.kernel.exports import export_lazily
from gieok.sessions.model import (
    Layer,
    Message,
    Pair,
    RecordedPair,
    Session,
    Status,
    Transcript,
    Turn,
)

if TYPE_CHECKING:
    from gieok.sessions.service import Sessions
else:
    __getattr__ = export_lazily(__name__, {"Sessions": "gieok.sessions.service"})

__all__ = [
    "Layer",
    "Message",
    "Pair",
    "RecordedPair",
    "Session",
    "Sessions",
    "Status",
    "Transcript",
    "Turn",
]
