"""What a day or a week rests on, as one digest: pure rules."""

from collections.abc import Iterable
from datetime import date
from hashlib import sha256
from zoneinfo import ZoneInfo

from gieok.summaries.model import SessionGround, SessionSummary
from gieok.summaries.periods import day_of


def day_ground(sessions: Iterable[SessionGround]) -> bytes:
    """Return what stands for the sums of a day's sessions."""
    return _digest(session.told for session in sessions)


def week_ground(sessions: Iterable[SessionGround], zone: ZoneInfo) -> bytes:
    """Return what stands for the sums of a week's sessions, day by day."""
    days = dict[date, list[SessionGround]]()
    for session in sessions:
        if session.told:
            days.setdefault(day_of(session.created_at, zone), []).append(session)
    return together(day_ground(day) for day in days.values())


def together(grounds: Iterable[bytes]) -> bytes:
    """Return what stands for the grounds of days, in order."""
    return sha256(b"".join(grounds)).digest()


def _digest(told: Iterable[SessionSummary | None]) -> bytes:
    named = (f"{one.session_id}:{one.revision}" for one in told if one)
    return sha256("\n".join(named).encode()).digest()
