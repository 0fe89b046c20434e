"""What an erasure took."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Erased:
    """How much of each went."""

    sessions: int
    messages: int
    memories: int
    candidates: int
    episodes: int
    summaries: int
