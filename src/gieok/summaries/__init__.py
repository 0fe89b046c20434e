"""What conversations, days and weeks were about."""

from typing import TYPE_CHECKING

from gieok.kernel.exports import export_lazily
from gieok.summaries.model import (
    FALLBACK,
    DaySummary,
    SessionSummary,
    UsagePattern,
    WeekSummary,
)

if TYPE_CHECKING:
    from gieok.summaries.service import Summaries
    from gieok.summaries.withdrawal import (
        withdraw_messages,
        withdraw_sessions,
        withdraw_summaries,
        withdraw_wordless,
    )
else:
    __getattr__ = export_lazily(
        __name__,
        {
            "Summaries": "gieok.summaries.service",
            "withdraw_messages": "gieok.summaries.withdrawal",
            "withdraw_wordless": "gieok.summaries.withdrawal",
            "withdraw_sessions": "gieok.summaries.withdrawal",
            "withdraw_summaries": "gieok.summaries.withdrawal",
        },
    )

__all__ = [
    "FALLBACK",
    "DaySummary",
    "SessionSummary",
    "Summaries",
    "UsagePattern",
    "WeekSummary",
    "withdraw_messages",
    "withdraw_sessions",
    "withdraw_summaries",
    "withdraw_wordless",
]
