"""What gieok keeps of a person."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Person:
    """One person, by pseudonym; `plan` is "free" or "premium"."""

    user_id: UUID
    plan: str
    language: str
    time_zone: str
    created_at: datetime
