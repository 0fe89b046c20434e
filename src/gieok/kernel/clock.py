"""Time as an argument: the one place that reads the machine's clock."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

FIRST_SET: Final = datetime(2020, 1, 1, tzinfo=UTC)
"""A device's clock that tells an earlier time was never set."""
Clock = Callable[[], datetime]
"""Returns the current time, always with a zone."""


def read_system_clock() -> datetime:
    """Return the machine's time in UTC."""
    return datetime.now(UTC)  # noqa: TID251 - this is the one place


def is_time_zone(name: str) -> bool:
    """Tell whether there is an IANA time zone of this name."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, TypeError, OSError):
        return False
    return True
