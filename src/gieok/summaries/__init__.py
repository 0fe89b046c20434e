"""What conversations, days and weeks were about."""

from gieok.summaries.model import (
    FALLBACK,
    DaySummary,
    SessionSummary,
    UsagePattern,
    WeekSummary,
)
from gieok.summaries.service import Summaries
from gieok.summaries.withdrawal import withdraw_messages, withdraw_sessions

__all__ = [
    "FALLBACK",
    "DaySummary",
    "SessionSummary",
    "Summaries",
    "UsagePattern",
    "WeekSummary",
    "withdraw_messages",
    "withdraw_sessions",
]
