"""Starts sessions, records what is said, reads it back and ends what has rested."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import partial
from operator import attrgetter
from typing import Any, Final
from uuid import UUID

from gieok.accounts import store as accounts
from gieok.database import Database, Transaction
from gieok.kernel.errors import ConflictError
from gieok.kernel.language import Role
from gieok.kernel.offload import run_aside
from gieok.kernel.scope import Scope
from gieok.privacy import PersonKey, Vault
from gieok.sessions import (
    lifecycle,
    message_store,
    reader_store,
    session_store,
    transitions,
)
from gieok.sessions.capture import (
    PreparedTurn,
    QueuedTurns,
    SessionTurn,
    TurnMessage,
    prepare_turn,
    write_message,
    write_pairs,
)
from gieok.sessions.inputs import (
    MAX_LISTED,
    MAX_OFFSET,
    check_figures,
    check_range,
    check_start,
    clean_code,
    count_characters,
)
from gieok.sessions.lifecycle import is_expired, require_next_layer, require_open
from gieok.sessions.masking import mask_message, mask_unmasked
from gieok.sessions.model import (
    Layer,
    Message,
    Pair,
    RecordedPair,
    Session,
    Status,
    Transcript,
    Turn,
)
from gieok.sessions.progress import audit_access
from gieok.sessions.repeats import find_earlier_pair, find_readable_pair
from gieok.sessions.writer import SessionWriter
from gieok.text.cleaning import clean_name, clean_text

PAGE_BYTES: Final = 8_000_000
"""What the messages of one page have at most, as they are kept."""
MAX_READ: Final = 1_000
"""Messages that one page has at most."""
WORKING_MEMORY: Final = 10
"""Messages of a session that go to a model as they are (E01)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sessions:
    """The sessions of everyone.

    A session that is full goes on in another one (A02). Whoever keeps using its id is
    led to where the conversation goes on, except to read what was said in it.

    When a session is over is a matter of time alone: it takes nothing more from then
    on, whether or not `expire_idle` has come by to write that down.
    """

    vault: Vault
    writer: SessionWriter

    @property
    def database(self) -> Database:
        """Where sessions are."""
        return self.writer.database

    async def start(  # noqa: PLR0913 - all but the scope may be left out
        self,
        scope: Scope,
        *,
        language: str | None = None,
        session_id: UUID | None = None,
        device_id: UUID | None = None,
        persona_id: UUID | None = None,
        config: Mapping[str, Any] | None = None,
        max_pairs: int | None = None,
        expires_at: datetime | None = None,
    ) -> Session:
        """Start a session and return it; its language is the person's unless given.

        On a device it takes `device_pairs` pairs, whatever more `max_pairs` asks (A02).

        Raises:
            InvalidInputError: a language other than "ko" and "en", a config that is no
                JSON, no room for a pair, or an end that has passed.
            ConflictError: the person already has a session of this id.
        """
        check_start(language, max_pairs, expires_at, self.database.clock())
        if device_id is not None:
            max_pairs = min(
                max_pairs or self.writer.limits.device_pairs,
                self.writer.limits.device_pairs,
            )
        key = await self.vault.get_key(scope)
        async with self.database.begin(scope) as tx:
            await accounts.insert_person(tx)
            await tx.lock_person()  # before the person's row, which the session names
            session = await transitions.insert_session(
                tx,
                key,
                {
                    "session_id": session_id or tx.new_id(),
                    "device_id": device_id,
                    "persona_id": persona_id,
                    "language": language,
                    "config": config,
                    "expires_at": expires_at,
                    "max_pairs": max_pairs,
                },
                self.writer.limits,
            )
            if session is None:
                reason = "a session of this id exists"
                raise ConflictError(reason)
        await self.writer.publish_change(scope, session)
        return session

    async def record(
        self,
        scope: Scope,
        session_id: UUID,
        turn: Turn,
        *,
        pair_id: UUID | None = None,
    ) -> Pair:
        """Keep a turn; when this returns, it survives a crash.

        The pair names the session it is in: another one if this one was full. With the
        `pair_id` of your own it is kept once, however often it is sent: what it was
        kept as is returned, also once the session is over.

        Raises:
            InvalidInputError: a text that cannot be kept; nothing was written.
            NotFoundError: the person has no such session.
            ConflictError: the session is paused or has ended; or the turn of this id
                was erased, or is another one.
            StorageFullError, DatabaseUnavailableError: nothing was written.
        """
        before = self.writer.recent.get_texts(scope, session_id)
        prepared = await prepare_turn(turn, before, pair_id=pair_id)
        key = await self.vault.get_key(scope)
        limits = self.writer.limits
        earlier = await self._find_earlier(scope, key, prepared)
        if earlier is not None:
            return earlier

        async def write(tx: Transaction, into: UUID) -> QueuedTurns | Pair:
            if pair_id is not None:
                await session_store.lock_session(tx, into)
                said = prepared.turn.user_text
                if found := await find_earlier_pair(tx, key, pair_id, said):
                    return found
            turns = [SessionTurn(into, prepared)]
            return await write_pairs(tx, turns, key=key, limits=limits)

        written = await self.writer.write_in_session(
            scope, key, session_id, write, pairs=1
        )
        if isinstance(written, Pair):
            return written
        [pair] = await written.read_pairs()
        self.writer.publish_message(scope, session_id, pair.session_id, prepared.texts)
        return pair

    async def find_turn(
        self, scope: Scope, pair_id: UUID
    ) -> tuple[Pair, RecordedPair] | None:
        """Return a turn by its id, with its words as they were kept.

        None of one that was never sent, or whose words may not be read (any more).

        Raises:
            ConflictError: it was erased.
        """
        key = await self.vault.get_reading_key(scope)
        async with self.database.begin(scope, durable=False) as tx:
            found = await find_readable_pair(tx, key, pair_id)
            if found is not None:
                audit_access(tx, found[0].session_id, "turn", 2)
            return found

    async def _find_earlier(
        self, scope: Scope, key: PersonKey, prepared: PreparedTurn
    ) -> Pair | None:
        """Return the pair that a turn with an id of its own is kept as already."""
        if prepared.pair_id is None:
            return None
        async with self.database.begin(scope, durable=False) as tx:
            said = prepared.turn.user_text
            return await find_earlier_pair(tx, key, prepared.pair_id, said)

    async def append(  # noqa: PLR0913 - most may be left out
        self,
        scope: Scope,
        session_id: UUID,
        *,
        role: Role,
        content: str,
        layer: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        tokens: int = 0,
        cost: Decimal = Decimal(0),
        is_turn: bool = False,
    ) -> Message:
        """Keep one message; raises as `record` does.

        Its tokens and cost count. Pairs count as turns, and what the user said if it
        `is_turn` that nobody answered. `metadata` is JSON;
        its "speaker" names who spoke where that is not plain, its "other_speaker"
        somebody who is not the person.
        """
        check_figures(tokens, cost)
        text = await run_aside(
            count_characters(content), lambda: clean_text("content", content)
        )
        layer = layer and clean_name("layer", layer)
        before = self.writer.recent.get_texts(scope, session_id)
        text, notes, screened = await mask_message(text, metadata or {}, before)
        said = TurnMessage(role, text, layer, notes, tokens, cost, int(is_turn))
        key = await self.vault.get_key(scope)
        write = partial(
            write_message,
            key=key,
            said=said,
            limits=self.writer.limits,
            screened=screened,
        )
        message = await self.writer.write_in_session(
            scope, key, session_id, write, pairs=0
        )
        self.writer.publish_message(scope, session_id, message.session_id, [text])
        return message

    async def read(
        self,
        scope: Scope,
        session_id: UUID,
        *,
        start: int = 0,
        limit: int | None = None,
    ) -> Transcript:
        """Return a session with its messages; one that is over has ended by now.

        With a `limit` no more of them than that from the position `start` on, and no
        more than 8 MB, but for the first; `has_more` says whether others follow.

        Raises:
            NotFoundError: the person has no such session.
        """
        check_range("start", start, 0, MAX_OFFSET)
        check_range("limit", limit or 1, 1, MAX_READ)
        key = await self.vault.get_reading_key(scope)
        await self.expire_idle(scope)
        async with self.database.begin(scope, durable=False) as tx:
            session = await transitions.get_session(tx, session_id)
            stop, has_more = None, False
            if limit is not None:
                stop, has_more = await message_store.find_page_end(
                    tx, session_id, start, limit, PAGE_BYTES
                )
            messages = await message_store.list_messages(
                tx, key, session_id, start=start, stop=stop
            )
            audit_access(tx, session_id, "read", len(messages))
            config = await session_store.read_config(tx, key, session_id)
        return Transcript(session, tuple(messages), config, has_more)

    async def read_end(
        self, scope: Scope, session_id: UUID, *, limit: int, offset: int = 0
    ) -> tuple[Transcript, int]:
        """Return a session with its last messages, and how many are kept in all.

        `offset` is how many of the last are left out.

        Raises:
            NotFoundError: the person has no such session.
        """
        check_range("limit", limit, 1, MAX_LISTED)
        check_range("offset", offset, 0, MAX_OFFSET)
        key = await self.vault.get_reading_key(scope)
        await self.expire_idle(scope)
        async with self.database.begin(scope, durable=False) as tx:
            session = await transitions.get_session(tx, session_id)
            total = await message_store.count_messages(tx, session_id)
            messages = await message_store.list_end_messages(
                tx, key, session_id, limit, offset
            )
            audit_access(tx, session_id, "read", len(messages))
        return Transcript(session, tuple(messages)), total

    async def find_messages(
        self, scope: Scope, session_id: UUID, message_ids: Sequence[UUID]
    ) -> tuple[Message, ...]:
        """Return those of a session's messages that may still be found, in order."""
        key = await self.vault.get_reading_key(scope)
        async with self.database.begin(scope, durable=False) as tx:
            found = await message_store.list_messages_by_id(tx, key, message_ids)
            said = [each for each in found if each.session_id == session_id]
            audit_access(tx, session_id, "read", len(said))
        return tuple(sorted(said, key=attrgetter("position")))

    async def recent(
        self, scope: Scope, session_id: UUID, limit: int = WORKING_MEMORY
    ) -> tuple[Message, ...]:
        """Return the working memory of a conversation: its last messages, in order.

        What was forgotten is left out; nothing is left once the session is over (E01).

        Raises:
            NotFoundError: the person has no such session.
        """
        check_range("limit", limit, 1, MAX_LISTED)
        key = await self.vault.get_reading_key(scope)
        async with self.database.begin(scope, durable=False) as tx:
            end = await session_store.find_successor(tx, session_id)
            ends = self.writer.limits.compute_expiry(
                await transitions.get_session(tx, end)
            )
            if ends is None or is_expired(ends, tx.now):
                return ()
            await mask_unmasked(tx, key, end)
            last = await message_store.list_last_messages(tx, key, end, limit)
            audit_access(tx, session_id, "recent", len(last))
        self.writer.recent.seed_texts(
            scope, session_id, [message.content for message in last]
        )
        return tuple(last)

    async def page(
        self,
        scope: Scope,
        *,
        limit: int = 50,
        offset: int = 0,
        status: Status | None = None,
        persona_id: UUID | None = None,
    ) -> tuple[tuple[Session, ...], int]:
        """Return sessions, newest first, and how many there are in all."""
        check_range("limit", limit, 1, MAX_LISTED)
        check_range("offset", offset, 0, MAX_OFFSET)
        chosen = {
            "user_id": scope.user_id,
            "status": status and status.value,
            "persona_id": persona_id,
            "limit": limit,
            "offset": offset,
        }
        await self.expire_idle(scope)
        async with self.database.begin(scope) as tx:
            sessions = await session_store.list_newest(tx, chosen)
            return tuple(sessions), await session_store.count_sessions(tx, chosen)

    async def pause(self, scope: Scope, session_id: UUID) -> Session:
        """Stop an active session until it is resumed: somebody has to decide (B07).

        Raises:
            NotFoundError: the person has no such session.
            ConflictError: it is not active.
        """
        return await self._move_session(scope, session_id, Status.PAUSED)

    async def resume(self, scope: Scope, session_id: UUID) -> Session:
        """Go on with a paused session.

        Raises:
            NotFoundError: the person has no such session.
            ConflictError: it is not paused, or it waited too long and has expired.
        """
        return await self._move_session(scope, session_id, Status.ACTIVE)

    async def advance(self, scope: Scope, session_id: UUID, layer: Layer) -> Session:
        """Take the run to its next layer, or begin a new one at the first (B05).

        Raises:
            NotFoundError: the person has no such session.
            ConflictError: a layer would be left out; the session is paused or over.
        """
        async with self.writer.lock_open_session(scope, session_id, require_open) as (
            tx,
            session,
        ):
            require_next_layer(session.current_layer, layer)
            after = await session_store.update_status(
                tx, session.session_id, Status.ACTIVE, layer
            )
            transitions.record_change(tx, session.session_id, f"layer_{layer}")
        await self.writer.publish_change(scope, after)
        return after

    async def set_workflow(
        self,
        scope: Scope,
        session_id: UUID,
        active_workflow_id: str | None,
        *,
        check: Callable[[Session], object] = bool,
    ) -> Session:
        """Note which workflow is under way, if any and if `check` lets; as `record`."""
        given = active_workflow_id or None
        name = given and clean_name("active_workflow_id", given)
        async with self.writer.lock_open_session(scope, session_id, require_open) as (
            tx,
            session,
        ):
            check(session)
            after = await session_store.set_workflow(tx, session.session_id, name)
            transitions.record_change(tx, session.session_id, "workflow_set")
        await self.writer.publish_change(scope, after)
        return after

    async def close(self, scope: Scope, session_id: UUID) -> Session:
        """End a session; what was said in it is extracted at once.

        Raises:
            NotFoundError: the person has no such session.
            ConflictError: it has ended already.
        """
        return await self._end_session(scope, session_id, Status.COMPLETED, None)

    async def fail(self, scope: Scope, session_id: UUID, reason: str) -> Session:
        """End a session because of a fault, `reason` being its code; raises as `close`.

        Raises:
            InvalidInputError: a reason that is no code but a sentence.
        """
        code = clean_code("reason", reason)
        return await self._end_session(scope, session_id, Status.FAILED, code)

    async def expire_idle(self, scope: Scope) -> tuple[UUID, ...]:
        """Expire every session of the person that is over; return which.

        Extraction, summary and episode follow. Running it twice, or in two places at
        once, changes nothing.
        """
        async with self.database.begin(scope) as tx:
            over = await transitions.list_expired(tx, self.writer.limits)
        expired: list[UUID] = []
        for session_id in over:
            async with self.database.begin(scope) as tx:
                after = await transitions.expire_if_over(
                    tx, session_id, self.writer.limits
                )
            if after is not None:
                await self.writer.publish_change(scope, after)
                expired.append(session_id)
        return tuple(expired)

    async def unread(self, scope: Scope) -> Sequence[UUID]:
        """Return the sessions that hold messages extraction has not read."""
        async with self.database.begin(scope) as tx:
            return await reader_store.list_unread_sessions(tx)

    async def claim_extraction_or_reschedule(
        self, scope: Scope, session_id: UUID
    ) -> bool:
        """Tell whether it is time to extract: a pause, or many messages unread.

        If not, what follows the pause is announced again for when it may be.
        """
        async with self.database.begin(scope) as tx:
            return await transitions.claim_extraction_or_reschedule(
                tx, session_id, self.writer.limits.extraction_pause
            )

    async def _move_session(
        self, scope: Scope, session_id: UUID, to: Status
    ) -> Session:
        check = partial(lifecycle.require_transition, to=to)
        async with self.writer.lock_open_session(scope, session_id, check) as (
            tx,
            session,
        ):
            after = await session_store.update_status(tx, session.session_id, to, None)
            await transitions.schedule_expiry(tx, after, self.writer.limits)
            transitions.record_change(tx, session.session_id, f"session_{to}")
        await self.writer.publish_change(scope, after)
        return after

    async def _end_session(
        self, scope: Scope, session_id: UUID, to: Status, reason: str | None
    ) -> Session:
        async with self.database.begin(scope) as tx:
            session = await transitions.lock_successor(tx, session_id)
            lifecycle.require_transition(session.status, to)
            after = await transitions.end_session(
                tx, session.session_id, to, reason, at=tx.now
            )
        await self.writer.publish_change(scope, after)
        return after
