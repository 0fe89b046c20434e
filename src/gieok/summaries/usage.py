"""Which device and route were used again and again, and when: pure statistics (A04)."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date, datetime
from typing import Final, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from gieok.summaries.model import UsagePattern

LEAST: Final = 3
"""Uses of one kind that make a pattern."""
_BANDS: Final = (
    ("night", "밤 0–6시", "at night (0–6 h)"),
    ("morning", "오전 6–12시", "in the morning (6–12 h)"),
    ("afternoon", "오후 12–18시", "in the afternoon (12–18 h)"),
    ("evening", "저녁 18–24시", "in the evening (18–24 h)"),
)


class UsageEvent(NamedTuple):
    """One pair that came from a device or took a route."""

    device_id: UUID | None
    route_family: str | None
    at: datetime


def find_patterns(
    uses: Iterable[UsageEvent], zone: ZoneInfo, language: str
) -> tuple[UsagePattern, ...]:
    """Return what was used at least three times in one part of the day, most first."""
    kinds = defaultdict[tuple[UUID | None, str | None, int], list[date]](list)
    for use in uses:
        if use.device_id or use.route_family:
            local = use.at.astimezone(zone)
            kind = use.device_id, use.route_family, local.hour // 6
            kinds[kind].append(local.date())
    found = [
        _build_pattern(device, route, band, days, language)
        for (device, route, band), days in kinds.items()
        if len(days) >= LEAST
    ]
    return tuple(sorted(found, key=lambda pattern: -pattern.count))


def _build_pattern(
    device: UUID | None, route: str | None, band: int, days: list[date], language: str
) -> UsagePattern:
    name, korean, english = _BANDS[band]
    count, distinct = len(days), len(set(days))
    if language == "ko":
        what = f"{route} 요청" if route else "대화"
        text = f"{korean}에 {what} {count}번, {distinct}일"
    else:
        what = f"{route} requests" if route else "Conversations"
        plural = "" if distinct == 1 else "s"
        text = f"{what} {english}: {count} times on {distinct} day{plural}"
    return UsagePattern(device, route, name, count, distinct, text)
