"""Summaries of sessions, days and weeks (A02, A03, A04)."""

from datetime import date
from typing import Literal, Self
from uuid import UUID

from pydantic import Field

from gieok.kernel.language import Emotion
from gieok.summaries import DaySummary, SessionSummary, UsagePattern, WeekSummary
from gieok.surfaces.rest.schemas.shared import (
    Devices,
    ResponseModel,
    Time,
    get_device_name,
)

FALLBACK = "Whether the model was away or refused, and the original stands in."


class SessionSummaryView(ResponseModel):
    """What a conversation was about, in one or two sentences (A02, E04)."""

    session_id: UUID
    summary: str
    topics: list[str]
    emotion: Emotion
    importance: int = Field(description="1 to 10.")
    open_tasks: list[str]
    preferences: list[str]
    is_fallback: bool = Field(description=FALLBACK)
    summarizer: str = Field(description="What made it, with its version.")
    message_ids: list[UUID] = Field(description="The messages it rests on.")
    updated_at: Time

    @classmethod
    def from_summary(cls, summary: SessionSummary) -> Self:
        """Return the summary."""
        return cls.from_fields(
            summary.gist,
            session_id=summary.session_id,
            is_fallback=summary.is_fallback,
            summarizer=summary.summarizer,
            message_ids=summary.message_ids,
            updated_at=summary.updated_at,
        )


class SummedUp(ResponseModel):
    """A conversation's summary; null when there is nothing to say."""

    summary: SessionSummaryView | None


class DaySummaryView(ResponseModel):
    """What a day of the person's was about (A03)."""

    summary_id: UUID
    date_key: date = Field(description="The day in the person's time zone.")
    device_id: str | None = Field(
        description="As you gave it; set when all conversations came from one device."
    )
    summary_text: str
    open_tasks: list[str]
    recent_preferences: list[str]
    topics: list[str]
    source_session_ids: list[UUID]
    is_fallback: bool = Field(description=FALLBACK)
    created_at: Time
    updated_at: Time
    expires_at: Time

    @classmethod
    def from_summary(cls, day: DaySummary, devices: Devices) -> Self:
        """Return the summary."""
        device = get_device_name(day.device_id, devices)
        return cls.from_fields(day, device_id=device, summary_text=day.text)


class DaySummaryList(ResponseModel):
    """Summaries of days, newest first."""

    summaries: list[DaySummaryView]


class UsagePatternView(ResponseModel):
    """What was asked for again and again at one time of day."""

    device_id: str | None = Field(description="As you gave it.")
    route_family: str | None
    band: Literal["night", "morning", "afternoon", "evening"]
    count: int
    days: int = Field(description="On how many days.")
    text: str

    @classmethod
    def from_pattern(cls, pattern: UsagePattern, devices: Devices) -> Self:
        """Return the pattern."""
        device = get_device_name(pattern.device_id, devices)
        return cls.from_fields(pattern, device_id=device)


class WeekSummaryView(ResponseModel):
    """What an ISO week was about (A04)."""

    summary_id: UUID
    week_key: str = Field(description="The ISO week, such as 2026-W47.")
    summary_text: str
    repeated_topics: list[str]
    device_usage_patterns: list[UsagePatternView]
    unresolved_items: list[str]
    source_summary_ids: list[UUID]
    is_fallback: bool = Field(description=FALLBACK)
    created_at: Time
    updated_at: Time
    expires_at: Time

    @classmethod
    def from_summary(cls, week: WeekSummary, devices: Devices) -> Self:
        """Return the summary."""
        patterns = [
            UsagePatternView.from_pattern(pattern, devices)
            for pattern in week.device_usage_patterns
        ]
        return cls.from_fields(
            week, summary_text=week.text, device_usage_patterns=patterns
        )


class WeekSummaryList(ResponseModel):
    """Summaries of weeks, newest first."""

    summaries: list[WeekSummaryView]
