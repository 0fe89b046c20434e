"""What a day or a week rests on, as one digest: pure rules."""

from collections.abc import Iterable
from datetime import date
from hashlib import sha256
from zoneinfo import ZoneInfo

from gieok.summaries.model import SessionSources, SessionSummary
from gieok.summaries.periods import resolve_day


def compute_day_fingerprint(sessions: Iterable[SessionSources]) -> bytes:
    """Return what stands for the summaries of a day's sessions."""
    return _hash_summaries(session.usable_summary for session in sessions)


def compute_week_fingerprint(
    sessions: Iterable[SessionSources], zone: ZoneInfo
) -> bytes:
    """Return what stands for the summaries of a week's sessions, day by day."""
    days = dict[date, list[SessionSources]]()
    for session in sessions:
        if session.usable_summary:
            days.setdefault(resolve_day(session.created_at, zone), []).append(session)
    return merge_fingerprints(compute_day_fingerprint(day) for day in days.values())


def merge_fingerprints(digests: Iterable[bytes]) -> bytes:
    """Return what stands for the sources of days, in order."""
    return sha256(b"".join(digests)).digest()


def _hash_summaries(told: Iterable[SessionSummary | None]) -> bytes:
    named = (f"{one.session_id}:{one.revision}" for one in told if one)
    return sha256("\n".join(named).encode()).digest()
