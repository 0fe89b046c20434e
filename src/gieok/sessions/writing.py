"""What use cases of sessions share: the parts, and writing while a session lives."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeVar
from uuid import UUID

from gieok.cache import Cache, LocalCache
from gieok.database import Database, NoRowError, Transaction
from gieok.kernel.scope import Scope
from gieok.privacy import PersonKey, Vault
from gieok.sessions import transitions
from gieok.sessions.batch import TurnBatch
from gieok.sessions.lifecycle import ENDED, compute_expiry, is_expired, require_open
from gieok.sessions.masking import RecentTexts
from gieok.sessions.model import Session, Status
from gieok.sessions.progress import build_record
from gieok.sessions.recording import SessionDurations
from gieok.settings.consent_rules import require_storage_consent

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionWriter:
    """What writing into sessions needs."""

    database: Database
    vault: Vault
    pair_retention: timedelta
    extraction_pause: timedelta
    """How long a conversation rests before what was said is extracted."""
    idle: timedelta = timedelta(minutes=30)
    """How long an open session rests before it is over (E01)."""
    patience: timedelta = timedelta(hours=24)
    """How long a paused session waits to be resumed."""
    device_pairs: int = 8
    """Most pairs of a session on a device (A02)."""
    cache: Cache = field(default_factory=LocalCache)
    _recent: RecentTexts = field(default_factory=RecentTexts, repr=False)

    def drop(self, scope: Scope) -> None:
        """Forget what is held in memory of a person."""
        self._recent.drop_person(scope)

    @asynccontextmanager
    async def _lock_open_session(
        self, scope: Scope, session_id: UUID, check: Callable[[Status], None]
    ) -> AsyncGenerator[transitions.OpenSession]:
        """Lend the session in which a conversation goes on, if its status allows.

        One that is over becomes expired, and is refused like any that is.
        """
        async with self.database.begin(scope) as tx:
            session = await transitions.lock_successor(tx, session_id)
            over = is_expired(self._compute_expiry(session), tx.now)
            if over:
                session = await transitions.expire_session(
                    tx, session, self._compute_expiry
                )
            else:
                check(session.status)
                yield transitions.OpenSession(tx, session)
        if over:
            await self._publish_change(scope, session)
            check(session.status)

    async def _write_in_session(
        self,
        scope: Scope,
        key: PersonKey,
        session_id: UUID,
        write: Callable[[Transaction, UUID], Awaitable[T]],
        *,
        pairs: int,
    ) -> T:
        """Write into a session that is open and has room, in one round trip.

        Only if it is not or has none is it looked at; a full one is continued.
        """
        with suppress(NoRowError):
            async with self.database.begin(scope) as tx:
                return await write(tx, session_id)
        changed: tuple[Session, ...] = ()
        async with self._lock_open_session(scope, session_id, require_open) as (
            tx,
            session,
        ):
            await require_storage_consent(tx)
            into, most = session.session_id, session.max_pairs
            if most is not None and session.pair_count + pairs > most:
                changed = await transitions.continue_session(
                    tx, key, session, self._compute_expiry
                )
                into = changed[-1].session_id
            written = await write(tx, into)
            if changed:
                changed = (changed[0], await transitions.get_session(tx, into))
        for each in changed:
            await self._publish_change(scope, each)
        return written

    def create_batch(self, tx: Transaction, key: PersonKey) -> TurnBatch:
        """Return what writes turns within a transaction; then `publish_batch`."""
        return TurnBatch(tx, key, self._spans, self._compute_expiry)

    def get_recent_texts(self, scope: Scope, session_id: UUID) -> tuple[str, ...]:
        """Return how the last messages of a session end, as far as known here."""
        return self._recent.get_texts(scope, session_id)

    async def publish_batch(
        self, scope: Scope, batch: TurnBatch, changed: Sequence[Session]
    ) -> None:
        """Hear of a batch, once its transaction is committed."""
        for each in changed:
            await self._publish_change(scope, each)
        for session_id, turns in batch.written.items():
            for into, prepared in turns:
                heard = {session_id, into}
                self._recent.add_texts(scope, heard, prepared.texts)
                self._publish_message(scope, into)

    @property
    def _spans(self) -> SessionDurations:
        return SessionDurations(self.extraction_pause, self.idle, self.pair_retention)

    def _compute_expiry(self, session: Session) -> datetime | None:
        return compute_expiry(session, self.idle, self.patience)

    async def _publish_change(self, scope: Scope, session: Session) -> None:
        """Hear of a session whose life took a turn, once that is committed."""
        await self.cache.keep_session(build_record(scope.user_id, session))
        self.cache.hint(scope.user_id, session.session_id)
        if session.status in ENDED:
            self._recent.drop_session(scope, session.session_id)

    def _publish_message(self, scope: Scope, session_id: UUID) -> None:
        """Hear of something recorded, once that is committed; waits for nothing."""
        self.cache.publish_hint(scope.user_id, session_id)
