"""Talks, time and jobs, for the tests of what becomes of sessions."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from gieok import Gieok, Scope, Turn
from gieok.sessions import Sessions, Status
from gieok.testing import FixedClock
from support.database import Owner

HOME = Turn("나 강남구 살아", "네, 강남구요.")


@contextmanager
def later(clock: FixedClock, by: timedelta) -> Generator[datetime]:
    """Let time pass for as long as the block runs."""
    try:
        yield clock.advance(by)
    finally:
        clock.advance(-by)


async def active(memory: Gieok, me: Scope, **options: Any) -> UUID:
    """Return a session in which something was said."""
    session = await memory.sessions.start(me, **options)
    await memory.sessions.record(me, session.session_id, HOME)
    return session.session_id


async def status(memory: Gieok, me: Scope, session_id: UUID) -> Status:
    return (await memory.sessions.read(me, session_id)).session.status


async def announced(owner: Owner, task: str, about: UUID) -> int:
    found = await owner.execute(
        "SELECT count(*) FROM procrastinate_jobs "
        "WHERE task_name = %s AND args->>'about' = %s",
        [task, str(about)],
    )
    row = await found.fetchone()
    assert row is not None
    return row[0]


async def expected(owner: Owner, me: Scope) -> datetime | None:
    found = await owner.execute(
        "SELECT due FROM agenda WHERE user_id = %s AND task = 'sessions_may_be_idle'",
        [me.user_id],
    )
    row = await found.fetchone()
    return row[0] if row else None


def with_parts(sessions: Sessions, **parts: Any) -> Sessions:
    """Return sessions written with another database or cache."""
    return replace(sessions, writer=replace(sessions.writer, **parts))
