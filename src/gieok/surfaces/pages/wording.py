"""How figures and times are said to a person."""

from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from gieok.memories import Memory

MONTHS: Final = (
    "Jan",
    "Feb",
    "Mar",
    "Apr",
    "May",
    "Jun",
    "Jul",
    "Aug",
    "Sep",
    "Oct",
    "Nov",
    "Dec",
)
SURE: Final = 0.8
LIKELY: Final = 0.55
UNSURE: Final = 0.3


def describe_confidence(confidence: float) -> str:
    """Return the key of the word for a confidence between 0 and 1."""
    if confidence >= SURE:
        return "sure"
    if confidence >= LIKELY:
        return "likely"
    return "unsure" if confidence >= UNSURE else "fading"


def describe_state(memory: Memory, now: datetime) -> str:
    """Return the key of the word for whether a memory is in use, and if not, why."""
    if memory.is_active:
        is_over = memory.expires_at is not None and memory.expires_at <= now
        return "expired" if is_over else "active"
    return "replaced" if memory.superseded_by else "aside"


def format_day(at: datetime, zone: ZoneInfo, language: str) -> str:
    """Return a day as a person writes it."""
    local = at.astimezone(zone)
    if language == "ko":
        return f"{local.year}년 {local.month}월 {local.day}일"
    return f"{local.day} {MONTHS[local.month - 1]} {local.year}"


def format_time(at: datetime, zone: ZoneInfo, language: str) -> str:
    """Return a day and a time of day as a person writes them."""
    return f"{format_day(at, zone, language)} {at.astimezone(zone):%H:%M}"


def clip_text(text: str, most: int) -> tuple[str, int]:
    """Return the beginning of a text, and how many characters were left out."""
    return (text, 0) if len(text) <= most else (text[:most], len(text) - most)
