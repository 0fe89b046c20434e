"""Figures about memories: how old they are, and how many came in each month."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

AGES: Final[Sequence[tuple[str, timedelta]]] = (
    ("week", timedelta(days=7)),
    ("month", timedelta(days=30)),
    ("quarter", timedelta(days=91)),
    ("year", timedelta(days=365)),
)
OLDER: Final = "older"
MONTHS_SHOWN: Final = 6
MONTHS_A_YEAR: Final = 12


def count_by_age(created: Iterable[datetime], now: datetime) -> list[tuple[str, int]]:
    """Return how many are of each age, youngest first; each counts once."""
    counts = Counter(_name_age(now - at) for at in created)
    return [(name, counts[name]) for name in (*(name for name, _ in AGES), OLDER)]


def count_by_month(
    created: Iterable[datetime], now: datetime, zone: ZoneInfo
) -> list[tuple[str, int]]:
    """Return how many came in each of the last months, oldest first."""
    local = now.astimezone(zone)
    last = local.year * MONTHS_A_YEAR + local.month - 1
    counts = Counter(
        each.year * MONTHS_A_YEAR + each.month - 1
        for each in (at.astimezone(zone) for at in created)
    )
    return [
        (f"{month // MONTHS_A_YEAR}-{month % MONTHS_A_YEAR + 1:02}", counts[month])
        for month in range(last - MONTHS_SHOWN + 1, last + 1)
    ]


def _name_age(age: timedelta) -> str:
    return next((name for name, most in AGES if age < most), OLDER)
