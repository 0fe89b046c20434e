"""Turns of many sessions, written in one transaction of somebody else's.

What a device recorded while it was away may belong to sessions that are over by now:
those are continued, as a full one is. Nothing that was said is refused for being late.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple
from uuid import UUID

from gieok.database import Cursor, Transaction
from gieok.kernel.errors import ConflictError
from gieok.pii import MAX_BEFORE
from gieok.privacy import PersonKey
from gieok.sessions import reader_store, session_store, transitions
from gieok.sessions.capture import (
    MESSAGES_A_TURN,
    PreparedTurn,
    SessionTurn,
    write_pairs,
)
from gieok.sessions.lifecycle import ENDED, SessionLimits, is_expired
from gieok.sessions.model import Session, Status


class SessionStart(NamedTuple):
    """How a session begins that is not there yet."""

    device_id: UUID | None
    persona_id: UUID | None
    max_pairs: int | None


@dataclass(slots=True)
class TurnBatch:
    """Writes turns into sessions of one person within one transaction.

    `lock` comes first: sessions are locked before the person's counters. What is
    queued is sent to the database by `write`.
    """

    tx: Transaction
    key: PersonKey
    limits: SessionLimits
    written: dict[UUID, list[SessionTurn]] = field(
        default_factory=dict[UUID, list[SessionTurn]]
    )
    """Turns by the session they were said in, each with the one that holds it."""
    _masked: dict[UUID, int] = field(default_factory=dict[UUID, int])
    """Messages that were masked knowing all that was said before, by their session."""
    _unsure: set[UUID] = field(default_factory=set[UUID])
    """Sessions of which that is not known."""
    _open: dict[UUID, Session] = field(default_factory=dict[UUID, Session])
    _queued: list[SessionTurn] = field(default_factory=list[SessionTurn])
    """Turns that one statement will write."""
    _changed: set[UUID] = field(default_factory=set[UUID])

    async def lock(self, session_ids: Collection[UUID]) -> set[UUID]:
        """Lock the sessions in which these go on; return those that are not there."""
        found = await session_store.lock_successors(self.tx, session_ids)
        for session_id, end in found.items():
            session: Session | None = end
            while session is not None and session.continued_by is not None:
                # It became full while this waited for it.
                session = await session_store.lock_session(
                    self.tx, session.continued_by
                )
            if session is not None:
                self._open[session_id] = session
        return set(session_ids) - self._open.keys()

    async def start(self, starts: Mapping[UUID, SessionStart]) -> None:
        """Start sessions that were not there, by their ids.

        Raises:
            NotPermittedError: the person does not agree that anything is kept.
        """
        rows = [
            {
                "session_id": session_id,
                "device_id": start.device_id,
                "persona_id": start.persona_id,
                "language": None,
                "config": None,
                "expires_at": None,
                "max_pairs": start.max_pairs,
            }
            for session_id, start in sorted(starts.items())
        ]
        started = await transitions.insert_sessions(
            self.tx, self.key, rows, self.limits
        )
        for session_id in starts:
            session = started.get(session_id)
            if session is None:
                # Somebody else started it since this transaction looked.
                session = await transitions.lock_successor(self.tx, session_id)
            self._open[session_id] = session
            self._changed.add(session.session_id)

    def find_session(self, session_id: UUID) -> Session | None:
        """Return the session in which a locked one goes on; None if there is none."""
        return self._open.get(session_id)

    async def queue(self, session_id: UUID, turns: Sequence[PreparedTurn]) -> None:
        """Queue turns said in a locked session, as `Sessions.record` does for one.

        Raises:
            ConflictError: the session is paused and not over yet: somebody has to
                decide first.
        """
        session = self._open[session_id]
        if session.status is Status.PAUSED and not self._is_over(session):
            reason = f"the session is {session.status}"
            raise ConflictError(reason)
        rest = turns
        while rest:
            session = await self._ensure_room(session)
            if rest[0].screened.begun:
                # It masks values that began before it: those have to be written.
                await self.write()
            room = session.max_pairs and session.max_pairs - session.pair_count
            size = _count_run(rest, room)
            session = self._queue_run(session_id, session, rest[:size])
            rest = rest[size:]

    async def write(self) -> None:
        """Send what is queued to the database, in one statement, waiting for nothing.

        What is queued afterwards takes another one.
        """
        queued, self._queued = self._queued, []
        if queued:
            await write_pairs(self.tx, queued, key=self.key, limits=self.limits)

    def _queue_run(
        self, session_id: UUID, session: Session, turns: Sequence[PreparedTurn]
    ) -> Session:
        """Queue turns that a session has room for; return it as it is then."""
        into = session.session_id
        for prepared in turns:
            self._note_masked(session, prepared)
        said = [SessionTurn(into, prepared) for prepared in turns]
        self._queued += said
        self.written.setdefault(session_id, []).extend(said)
        session = replace(
            session,
            status=Status.ACTIVE,
            pair_count=session.pair_count + len(turns),
            updated_at=max(session.updated_at, self.tx.now),
        )
        for name in self._get_names(into):
            self._open[name] = session
        return session

    async def advance_masking(self) -> None:
        """Spare the sessions written here another look for what has to be masked."""
        if self._masked:
            await reader_store.advance_masking(self.tx, self._masked)

    async def set_workflow(self, session_id: UUID, name: str | None) -> None:
        """Note which workflow is under way in a locked session, if any."""
        session = self._open[session_id]
        if session.active_workflow_id == name:
            return
        after = await session_store.set_workflow(self.tx, session.session_id, name)
        transitions.record_change(self.tx, after.session_id, "workflow_set")
        self._changed.add(after.session_id)
        for each in self._get_names(after.session_id):
            self._open[each] = after

    async def queue_changed(self) -> Cursor:
        """Queue reading the sessions whose life took a turn, for `publish_batch`."""
        return await session_store.queue_sessions(self.tx, self._changed)

    def _note_masked(self, session: Session, prepared: PreparedTurn) -> None:
        """Count the messages of a turn, if it was masked with those before it."""
        into = session.session_id
        if into not in self._masked and not has_all_before(session, prepared.heard):
            self._unsure.add(into)
        if into not in self._unsure:
            self._masked[into] = self._masked.get(into, 0) + MESSAGES_A_TURN

    async def _ensure_room(self, session: Session) -> Session:
        """Return the session itself if it takes a turn, or one that continues it."""
        names = self._get_names(session.session_id)
        if self._is_over(session):
            await self.write()
            session = await transitions.expire_session(self.tx, session, self.limits)
            self._changed.add(session.session_id)
        full = session.max_pairs is not None and session.pair_count >= session.max_pairs
        if session.status in ENDED or full:
            await self.write()
            before, session = await transitions.continue_session(
                self.tx, self.key, session, self.limits
            )
            self._changed |= {before.session_id, session.session_id}
        for name in names:
            self._open[name] = session
        return session

    def _is_over(self, session: Session) -> bool:
        """Tell whether a session has rested too long, though nobody noted it yet."""
        return is_expired(self.limits.compute_expiry(session), self.tx.now)

    def _get_names(self, session_id: UUID) -> Sequence[UUID]:
        """Return the locked sessions that go on in this one."""
        return [
            name for name, each in self._open.items() if each.session_id == session_id
        ]


def _count_run(turns: Sequence[PreparedTurn], room: int | None) -> int:
    """Return how many turns may be queued together where there is `room` for so many.

    One that masks values begun before it waits until those are written.
    """
    begun = (n for n, prepared in enumerate(turns) if n and prepared.screened.begun)
    size = next(begun, len(turns))
    return size if room is None else min(size, room)


def has_all_before(session: Session, heard: int) -> bool:
    """Tell whether so many texts are all that a value said next may have begun in."""
    if session.continues is not None:
        return heard >= MAX_BEFORE
    return heard >= min(session.message_count, MAX_BEFORE)
