"""Writing while a session lives: it is open and has room, or the next one has."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import TypeVar
from uuid import UUID

from gieok.cache import Cache, LocalCache
from gieok.database import Cursor, Database, NoRowError, Transaction
from gieok.kernel.scope import Scope
from gieok.privacy import PersonKey
from gieok.sessions import session_store, transitions
from gieok.sessions.batch import TurnBatch
from gieok.sessions.lifecycle import ENDED, SessionLimits, is_expired, require_open
from gieok.sessions.masking import RecentTexts
from gieok.sessions.model import Session, Status
from gieok.sessions.progress import build_record
from gieok.settings.consent_rules import require_storage_consent

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionWriter:
    """Writes into open sessions, and says so to who follows them."""

    database: Database
    limits: SessionLimits
    cache: Cache = field(default_factory=LocalCache)
    recent: RecentTexts = field(default_factory=RecentTexts, repr=False)
    """How conversations end, as far as this process knows."""

    @asynccontextmanager
    async def lock_open_session(
        self, scope: Scope, session_id: UUID, check: Callable[[Status], None]
    ) -> AsyncGenerator[transitions.OpenSession]:
        """Lend the session in which a conversation goes on, if its status allows.

        One that is over becomes expired, and is refused like any that is.
        """
        async with self.database.begin(scope) as tx:
            session = await transitions.lock_successor(tx, session_id)
            over = is_expired(self.limits.compute_expiry(session), tx.now)
            if over:
                session = await transitions.expire_session(tx, session, self.limits)
            else:
                check(session.status)
                yield transitions.OpenSession(tx, session)
        if over:
            await self.publish_change(scope, session)
            check(session.status)

    async def write_in_session(
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
        async with self.lock_open_session(scope, session_id, require_open) as (
            tx,
            session,
        ):
            await require_storage_consent(tx)
            into, most = session.session_id, session.max_pairs
            if most is not None and session.pair_count + pairs > most:
                changed = await transitions.continue_session(
                    tx, key, session, self.limits
                )
                into = changed[-1].session_id
            written = await write(tx, into)
            if changed:
                changed = (changed[0], await transitions.get_session(tx, into))
        for each in changed:
            await self.publish_change(scope, each)
        return written

    def create_batch(self, tx: Transaction, key: PersonKey) -> TurnBatch:
        """Return what writes turns within a transaction; then `publish_batch`."""
        return TurnBatch(tx, key, self.limits)

    async def publish_batch(
        self, scope: Scope, batch: TurnBatch, changed: Cursor
    ) -> None:
        """Tell of a batch, once its transaction is committed."""
        for each in await session_store.read_sessions(changed):
            await self.publish_change(scope, each)
        for session_id, turns in batch.written.items():
            for into, run in groupby(turns, itemgetter(0)):
                texts = [text for _, prepared in run for text in prepared.texts]
                self.publish_message(scope, session_id, into, texts)

    async def publish_change(self, scope: Scope, session: Session) -> None:
        """Tell of a session whose life took a turn, once that is committed."""
        await self.cache.keep_session(build_record(scope.user_id, session))
        self.cache.hint(scope.user_id, session.session_id)
        if session.status in ENDED:
            self.recent.drop_session(scope, session.session_id)

    def publish_message(
        self, scope: Scope, session_id: UUID, into: UUID, texts: Sequence[str]
    ) -> None:
        """Tell of what was said in a session and is kept in `into`, once committed."""
        self.recent.add_texts(scope, {session_id, into}, texts)
        self.cache.publish_hint(scope.user_id, into)
