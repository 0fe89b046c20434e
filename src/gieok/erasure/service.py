"""Erases sessions and what rests only on them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

from gieok.accounts import naming
from gieok.database import Audit, Change, Database, Transaction
from gieok.episodes import Episodes
from gieok.episodes import store as episode_store
from gieok.episodes.keeping import erase as erase_episodes
from gieok.erasure import store
from gieok.erasure.model import Erased
from gieok.kernel.errors import NotFoundError
from gieok.kernel.scope import Scope
from gieok.memories import Memories, listing
from gieok.memories.withdrawal import withdraw
from gieok.privacy import Vault
from gieok.recall import Recall
from gieok.sessions import Sessions
from gieok.sessions.threads import delete_threads
from gieok.summaries import Summaries, withdraw_sessions

SESSION: Final = "session_deleted"
PERSONA: Final = "persona_deleted"


@dataclass(frozen=True, slots=True)
class Erasure:
    """Erasure for everyone."""

    database: Database
    vault: Vault
    sessions: Sessions
    summaries: Summaries
    episodes: Episodes
    memories: Memories
    recall: Recall

    async def session(self, scope: Scope, session_id: UUID) -> Erased:
        """Erase a session with everything that was learned from it alone (B11).

        That includes LangGraph's states of its thread and what caches hold of it.
        What was learned from other sessions as well stays, and no longer names this
        one. Summaries of days and weeks that told of it are made anew from the rest.

        Raises:
            NotFoundError: the person has no such session.
        """
        async with self.database.begin(scope) as tx:
            if session_id not in await store.lock(tx, [session_id]):
                thing = "session"
                raise NotFoundError(thing)
            await tx.lock_person()
            erased = await self._erase(tx, [session_id], SESSION)
        await self._gone(scope, [session_id])
        return erased

    async def persona(self, scope: Scope, persona_id: UUID) -> Erased:
        """Erase all sessions with a persona as `session` does, and all its episodes.

        Raises:
            NotFoundError: the person has nothing with such a persona.
        """
        async with self.database.begin(scope) as tx:
            theirs = await store.with_persona(tx, persona_id)
            there = await store.lock(tx, theirs)
            session_ids = [each for each in theirs if each in there]
            await tx.lock_person()
            erased = await self._erase(tx, session_ids, PERSONA)
            others = await episode_store.ids(tx, persona_id)
            await erase_episodes(tx, others, PERSONA)
            named = await naming.remove(tx, naming.PERSONA, persona_id)
            if not (named or session_ids or others):
                thing = "persona"
                raise NotFoundError(thing)
            tx.number(Change("persona", persona_id, "delete"))
            tx.audit(Audit("delete", "personas", persona_id, PERSONA))
        await self._gone(scope, session_ids)
        return replace(erased, episodes=erased.episodes + len(others))

    async def _erase(
        self, tx: Transaction, session_ids: Sequence[UUID], reason: str
    ) -> Erased:
        """Erase sessions; the caller holds them and the person."""
        message_ids = await store.messages(tx, session_ids)
        pair_ids = await store.pairs(tx, session_ids)
        memories, candidates = await withdraw(tx, session_ids, message_ids)
        about = await self.episodes.erase_sessions(tx, session_ids)
        resting = await store.episodes(tx, message_ids)
        await erase_episodes(tx, resting, reason)
        summaries = await withdraw_sessions(tx, session_ids)
        await store.bridge(tx, session_ids)
        await delete_threads(tx, session_ids)
        await store.delete_sessions(tx, session_ids)
        await store.delete_jobs(tx, session_ids)
        for entity, gone in (
            ("session", session_ids),
            ("session_message", message_ids),
            ("conversation_pair", pair_ids),
        ):
            tx.number(*(Change(entity, each, "delete") for each in gone))
        tx.audit(*(Audit("delete", "sessions", each, reason) for each in session_ids))
        return Erased(
            len(session_ids),
            len(message_ids),
            len(memories),
            len(candidates),
            about + len(resting),
            summaries,
        )

    async def _gone(self, scope: Scope, session_ids: Collection[UUID]) -> None:
        """Let go of what is held outside the database, once that is committed."""
        self.recall.drop(scope)
        await listing.drop(self.memories.cache, scope.user_id)
        for session_id in session_ids:
            await self.sessions.cache.drop_session(scope.user_id, session_id)
