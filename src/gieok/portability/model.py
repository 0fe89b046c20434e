"""What an export leaves and what an import did."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

RowProgress = Callable[[int], object]
"""Told how many rows were read or written by now."""


def ignore_progress(_: int) -> None:
    """Hear of progress that nobody asked for."""


class Source(StrEnum):
    """Where an archive comes from."""

    GIEOK = "gieok"
    MEM0 = "mem0"
    CHATGPT = "chatgpt"
    CLAUDE = "claude"


@dataclass(frozen=True, slots=True)
class Archive:
    """An export that waits to be fetched; without the token nobody can read it."""

    token: str = field(repr=False)
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Imported:
    """How many rows of each part came in."""

    parts: Mapping[str, int]

    @property
    def rows(self) -> int:
        """Return how many rows came in."""
        return sum(self.parts.values())
