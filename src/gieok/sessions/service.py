"""Starts sessions, records what is said and reads it back."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from gieok.accounts import store as accounts
from gieok.database import (
    Audit,
    Change,
    ConversationPaused,
    Database,
    NoRowError,
    SessionClosed,
    Transaction,
    TurnsRecorded,
)
from gieok.kernel.errors import ConflictError, InvalidInputError, NotFoundError
from gieok.kernel.language import Role
from gieok.kernel.scope import Scope
from gieok.kernel.text import clean_name, clean_text
from gieok.privacy import PersonKey, Vault
from gieok.sessions import store
from gieok.sessions.model import Message, Pair, Session, Transcript, Turn

MOST_LISTED = 200
EXTRACT_AT = 10
"""Unread messages at which extraction no longer waits for a pause (D05)."""
MOST_COST = 10_000
"""Largest cost of one turn; a session's sum stops at 999,999.9999 (B02)."""
MOST_COUNTED = 2**53
"""Largest token count accepted, so that sums stay exact everywhere."""


@dataclass(frozen=True, slots=True)
class Sessions:
    """The sessions of everyone."""

    database: Database
    vault: Vault
    pair_retention: timedelta
    pause: timedelta
    """How long a conversation rests before what was said is extracted."""

    async def start(
        self,
        scope: Scope,
        *,
        language: str = "ko",
        session_id: UUID | None = None,
        device_id: UUID | None = None,
        persona_id: UUID | None = None,
        config: Mapping[str, Any] | None = None,
    ) -> Session:
        """Start a session and return it.

        Raises:
            InvalidInputError: a language other than "ko" and "en".
            ConflictError: the person already has a session of this id.
        """
        if language not in {"ko", "en"}:
            field = "language"
            raise InvalidInputError(field, "it must be ko or en")
        key = await self.vault.key(scope)
        async with self.database.begin(scope) as tx:
            new = session_id or tx.new_id()
            await accounts.insert(tx)
            sealed = config and key.seal_text(
                store.CONFIG, new, _json("config", config)
            )
            inserted = await store.insert(
                tx,
                {
                    "user_id": scope.user_id,
                    "session_id": new,
                    "device_id": device_id,
                    "persona_id": persona_id,
                    "language": language,
                    "config": sealed,
                    "at": tx.now,
                    "expires_at": None,
                },
            )
            if not inserted:
                reason = "a session of this id exists"
                raise ConflictError(reason)
            tx.number(Change("session", new))
            tx.audit(Audit("create", "sessions", new, "session_started"))
            return await _found(tx, new)

    async def record(self, scope: Scope, session_id: UUID, turn: Turn) -> Pair:
        """Keep a turn; when this returns, it survives a crash.

        Raises:
            InvalidInputError: a text that cannot be kept; nothing was written.
            NotFoundError: the person has no such session.
            ConflictError: the session is paused or has ended.
            StorageFullError, DatabaseUnavailableError: nothing was written.
        """
        said = _checked(turn)
        key = await self.vault.key(scope)
        try:
            async with self.database.begin(scope) as tx:
                values = self._pair_values(tx, key, session_id, said)
                recorded = await store.record_pair(tx, values)
                pair_id, reason = values["pair_id"], "turn_recorded"
                tx.number(Change("conversation_pair", pair_id))
                tx.audit(Audit("create", "conversation_pairs", pair_id, reason))
                self._announce(tx, session_id)
        except NoRowError:
            async with self.database.begin(scope) as tx:
                await _refuse(tx, session_id)
            raise
        row = await recorded.fetchone()
        return Pair(
            pair_id,
            session_id,
            row[0] if row else 0,
            values["user_message_id"],
            values["assistant_message_id"],
            tx.now,
            values["retention_until"],
        )

    async def append(
        self,
        scope: Scope,
        session_id: UUID,
        *,
        role: Role,
        content: str,
        layer: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Message:
        """Keep one message; raises as `record` does.

        `metadata` is JSON; its "speaker" names who spoke where that is not plain.
        """
        text = clean_text("content", content)
        layer = layer and clean_name("layer", layer)
        key = await self.vault.key(scope)
        async with self.database.begin(scope) as tx:
            message_id = tx.new_id()
            row = await store.append_message(
                tx,
                {
                    "user_id": scope.user_id,
                    "session_id": session_id,
                    "message_id": message_id,
                    "role": role.value,
                    "content": key.seal_text(store.CONTENT, message_id, text),
                    "layer": layer,
                    "metadata": metadata
                    and key.seal_text(
                        store.METADATA, message_id, _json("metadata", metadata)
                    ),
                    "at": tx.now,
                },
            )
            if row is None:
                await _refuse(tx, session_id)
            position = row[0] if row else 0
            tx.number(Change("session_message", message_id))
            reason = "message_recorded"
            tx.audit(Audit("create", "session_messages", message_id, reason))
            self._announce(tx, session_id)
        return Message(
            message_id,
            session_id,
            position,
            role,
            text,
            layer,
            tx.now,
            metadata or {},
        )

    async def read(self, scope: Scope, session_id: UUID) -> Transcript:
        """Return a session with its messages.

        Raises:
            NotFoundError: the person has no such session.
        """
        key = await self.vault.key(scope)
        async with self.database.begin(scope) as tx:
            session = await _found(tx, session_id)
            return Transcript(session, tuple(await store.messages(tx, key, session_id)))

    async def page(
        self, scope: Scope, *, limit: int = 50, offset: int = 0
    ) -> tuple[Session, ...]:
        """Return the person's sessions, newest first."""
        if not 1 <= limit <= MOST_LISTED:
            field = "limit"
            raise InvalidInputError(field, f"it must be from 1 to {MOST_LISTED}")
        async with self.database.begin(scope) as tx:
            return tuple(await store.newest(tx, limit, max(0, offset)))

    async def close(self, scope: Scope, session_id: UUID) -> Session:
        """End a session; what was said in it is extracted at once.

        Raises:
            NotFoundError: the person has no such session.
            ConflictError: it has ended already.
        """
        async with self.database.begin(scope) as tx:
            if not await store.complete(tx, session_id):
                await _refuse(tx, session_id)
            tx.number(Change("session", session_id))
            tx.audit(Audit("update", "sessions", session_id, "session_closed"))
            tx.announce(SessionClosed(scope.user_id, session_id))
            return await _found(tx, session_id)

    async def unread(self, scope: Scope) -> Sequence[UUID]:
        """Return the sessions that hold messages extraction has not read."""
        async with self.database.begin(scope) as tx:
            return await store.unread(tx)

    async def has_paused(self, scope: Scope, session_id: UUID) -> bool:
        """Tell whether it is time to extract: a pause, or many messages unread.

        If not, what follows the pause is announced again for when it may be.
        """
        async with self.database.begin(scope) as tx:
            waiting = await store.waiting_since(tx, session_id)
            if waiting is None:
                return False
            unread, last = waiting
            if unread >= EXTRACT_AT or tx.now >= last + self.pause:
                return True
            due = last + self.pause
            tx.announce(ConversationPaused(scope.user_id, session_id, due=due))
        return False

    def _announce(self, tx: Transaction, session_id: UUID) -> None:
        person = tx.scope.user_id
        tx.announce(
            TurnsRecorded(person, session_id),
            ConversationPaused(person, session_id, due=tx.now + self.pause),
        )

    def _pair_values(
        self, tx: Transaction, key: PersonKey, session_id: UUID, turn: Turn
    ) -> dict[str, Any]:
        asked, answered, pair = tx.new_id(), tx.new_id(), tx.new_id()
        notes = turn.planner_summary and key.seal_text(
            store.PLANNER_SUMMARY, pair, _json("planner_summary", turn.planner_summary)
        )
        return {
            "user_id": tx.scope.user_id,
            "session_id": session_id,
            "pair_id": pair,
            "user_message_id": asked,
            "assistant_message_id": answered,
            "user_content": key.seal_text(store.CONTENT, asked, turn.user_text),
            "assistant_content": key.seal_text(
                store.CONTENT, answered, turn.assistant_text
            ),
            "route_family": turn.route_family,
            "planner_summary": notes or None,
            "tokens": turn.tokens,
            "cost": turn.cost,
            "retention_until": tx.now + self.pair_retention,
            "at": tx.now,
        }


def _json(field: str, value: Mapping[str, Any]) -> str:
    try:
        return clean_text(field, json.dumps(dict(value), allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        raise InvalidInputError(field, "it cannot be written as JSON") from None


def _checked(turn: Turn) -> Turn:
    if not 0 <= turn.tokens <= MOST_COUNTED:
        field = "tokens"
        raise InvalidInputError(field, "it must be a whole number, 0 or more")
    if not (turn.cost.is_finite() and 0 <= turn.cost <= MOST_COST):
        field = "cost"
        raise InvalidInputError(field, f"it must be from 0 to {MOST_COST}")
    return Turn(
        user_text=clean_text("user_text", turn.user_text),
        assistant_text=clean_text("assistant_text", turn.assistant_text),
        route_family=turn.route_family
        and clean_name("route_family", turn.route_family),
        planner_summary=turn.planner_summary,
        tokens=turn.tokens,
        cost=turn.cost,
    )


async def _found(tx: Transaction, session_id: UUID) -> Session:
    session = await store.get(tx, session_id)
    if session is None:
        thing = "session"
        raise NotFoundError(thing)
    return session


async def _refuse(tx: Transaction, session_id: UUID) -> None:
    session = await _found(tx, session_id)
    raise ConflictError(f"the session is {session.status.value}")
