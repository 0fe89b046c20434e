"""The forms of what lies sealed as JSON: what its readers rely on, and nothing more."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Final
from uuid import UUID

from pydantic import Field, TypeAdapter, ValidationError

from gieok.kernel.language import Emotion, Role
from gieok.portability.parts import (
    DAYS,
    EPISODES,
    ITEMS,
    MESSAGES,
    PAIRS,
    SESSIONS,
    WEEKS,
    ExportPart,
)

Importance = Annotated[int, Field(ge=1, le=10)]
Count = Annotated[int, Field(ge=0, le=10**9)]


@dataclass(frozen=True, slots=True)
class _DraftForm:
    summary: str
    topics: list[str]
    emotion: Emotion
    importance: Importance
    open_tasks: list[str]
    preferences: list[str]
    evidence: list[Count]


@dataclass(frozen=True, slots=True)
class _SessionSummaryForm:
    gist: _DraftForm
    summarizer: str
    message_ids: list[UUID]
    first_position: Count
    end_position: Count
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class _DayForm:
    open_tasks: list[str]
    recent_preferences: list[str]
    topics: list[str]
    importance: Importance


@dataclass(frozen=True, slots=True)
class _WeekForm:
    repeated_topics: list[str]
    device_usage_patterns: list[tuple[UUID | None, str | None, str, Count, Count, str]]
    unresolved_items: list[str]


@dataclass(frozen=True, slots=True)
class _ItemForm:
    value: dict[str, Any]
    texts: list[str]
    speaker: str | None
    role: Role | None


_FORMS: Final[Mapping[tuple[str, str], TypeAdapter[Any]]] = {
    (part.name, column): TypeAdapter(form)
    for part, column, form in (
        (SESSIONS, "config", dict[str, Any]),
        (SESSIONS, "session_summary", _SessionSummaryForm),
        (MESSAGES, "metadata", dict[str, Any]),
        (PAIRS, "planner_summary", dict[str, Any]),
        (DAYS, "details", _DayForm),
        (WEEKS, "details", _WeekForm),
        (EPISODES, "topics", list[str]),
        (EPISODES, "tags", list[str]),
        (ITEMS, "name", tuple[Annotated[list[str], Field(min_length=1)], str]),
        (ITEMS, "content", _ItemForm),
    )
}


def has_form(part: ExportPart, column: str, document: str) -> bool:
    """Tell whether a document, as JSON, is one that the readers of its column know."""
    try:
        _FORMS[part.name, column].validate_json(document, strict=True)
    except ValidationError:
        return False
    return True
