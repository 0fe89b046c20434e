"""What may be kept of what is said: sensitive information goes before it is written.

A message may announce what the next one holds, or hold the first part of its number.
What was said last is known of the sessions in which this process read or wrote; asking
the database would cost every turn a round trip. What another process wrote is caught up
with before anything is made of the messages: search entries, memories or summaries.
"""

import json
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple
from uuid import UUID

from gieok.database import Audit, Change, Transaction, TurnsRecorded
from gieok.kernel.errors import InvalidInputError
from gieok.kernel.offload import is_long, run_aside, run_in_thread
from gieok.kernel.scope import Scope
from gieok.pii import MAX_BEFORE, PiiFinding, TextMasker, count_kinds
from gieok.privacy import PersonKey
from gieok.search import entry_store
from gieok.sessions import masking_store, message_store, reader_store, session_store
from gieok.sessions.model import Message, Turn
from gieok.text.cleaning import clean_json

REASON: Final = "pii"
TAIL: Final = 200
"""Characters of a message on which the next ones may depend."""
MAX_SESSIONS: Final = 2_000
LONGEST: Final = 1_800.0
"""Seconds for which the end of a conversation is remembered."""

Place = tuple[UUID, UUID]
"""A person and a session of theirs."""


class RecentTail(NamedTuple):
    """How the last messages of a session end, and when that was used last."""

    used: float
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RecentTexts:
    """How the last messages of sessions end, as they were kept.

    In memory, bounded in number and time; `now` is in seconds.
    """

    now: Callable[[], float] = time.monotonic
    _tails: OrderedDict[Place, RecentTail] = field(
        default_factory=OrderedDict[Place, RecentTail], repr=False
    )

    def get_texts(self, scope: Scope, session_id: UUID) -> tuple[str, ...]:
        """Return what is known of a session's last messages, oldest first."""
        self._evict_oldest()
        tail = self._tails.get((scope.user_id, session_id))
        return tail.texts if tail else ()

    def add_texts(
        self, scope: Scope, session_ids: Iterable[UUID], texts: Sequence[str]
    ) -> None:
        """Remember what was just kept or read of a session, by each of its ids."""
        new = [text[-TAIL:] for text in texts]
        for session_id in session_ids:
            tail = self._tails.pop((scope.user_id, session_id), None)
            last = (*(tail.texts if tail else ()), *new)[-MAX_BEFORE:]
            self._tails[scope.user_id, session_id] = RecentTail(self.now(), last)
        self._evict_oldest()

    def seed_texts(self, scope: Scope, session_id: UUID, texts: Sequence[str]) -> None:
        """Remember what was read of a session of which nothing is known."""
        if not self.get_texts(scope, session_id):
            self.add_texts(scope, [session_id], texts[-MAX_BEFORE:])

    def drop_session(self, scope: Scope, session_id: UUID) -> None:
        """Let go of a session that has ended."""
        self._tails.pop((scope.user_id, session_id), None)

    def drop_person(self, scope: Scope) -> None:
        """Let go of all sessions of a person."""
        for user_id, session_id in list(self._tails):
            if user_id == scope.user_id:
                self.drop_session(scope, session_id)

    def _evict_oldest(self) -> None:
        """Forget what was not used for long, or is too much."""
        since = self.now() - LONGEST
        while self._tails:
            oldest = next(iter(self._tails.values()))
            if oldest.used >= since and len(self._tails) <= MAX_SESSIONS:
                break
            self._tails.popitem(last=False)


class MaskedTexts(NamedTuple):
    """What was found; `begun` is what was said, if part of it was said before.

    `notes` are those of a turn or the metadata of a message, as JSON.
    """

    screen: TextMasker
    begun: Sequence[str] = ()
    notes: str | None = None


async def mask_turn(turn: Turn, before: Sequence[str]) -> tuple[Turn, MaskedTexts]:
    """Return a turn as it may be kept.

    Raises:
        InvalidInputError: notes that cannot be written as JSON.
    """
    texts = (turn.user_text, turn.assistant_text)
    (user, assistant), screened = await _mask_texts(texts, before)
    notes = turn.planner_summary
    if notes:
        notes, spelled = await mask_json("planner_summary", notes, screened.screen)
        screened = screened._replace(notes=spelled)
    speaker = turn.speaker and screened.screen.mask_text(turn.speaker)
    if screened.screen.is_masked:
        turn = replace(
            turn,
            user_text=user,
            assistant_text=assistant,
            planner_summary=notes,
            speaker=speaker,
        )
    return turn, screened


async def mask_message(
    text: str, metadata: Mapping[str, Any], before: Sequence[str]
) -> tuple[str, Mapping[str, Any], MaskedTexts]:
    """Return a message and its metadata as they may be kept; raises as for a turn."""
    (kept,), screened = await _mask_texts((text,), before)
    if metadata:
        metadata, spelled = await mask_json("metadata", metadata, screened.screen)
        screened = screened._replace(notes=spelled)
    return kept, metadata, screened


async def mask_json(
    name: str, value: Mapping[str, Any], screen: TextMasker
) -> tuple[Mapping[str, Any], str]:
    """Return an object as it may be kept, and the same as JSON.

    Raises:
        InvalidInputError: it cannot be written as JSON, or is too long.
    """
    if not is_long(value):
        return _mask_json(name, value, screen)
    return await run_in_thread(lambda: _mask_json(name, value, screen))


def _mask_json(
    name: str, value: Mapping[str, Any], screen: TextMasker
) -> tuple[Mapping[str, Any], str]:
    try:
        kept = screen.mask_value(dict(value))
        return kept, clean_json(name, kept)
    except (RecursionError, TypeError, ValueError):
        raise InvalidInputError(name, "it cannot be written as JSON") from None


async def mask_begun_values(
    tx: Transaction, key: PersonKey, session_id: UUID, begun: Sequence[str]
) -> None:
    """Mask in the last messages what only shows with what is said now (rare)."""
    await session_store.lock_session(tx, session_id)
    last = await message_store.list_last_messages(tx, key, session_id, MAX_BEFORE)
    await _remask_messages(tx, key, last, begun)


async def mask_unmasked(
    tx: Transaction, key: PersonKey, session_id: UUID | None = None
) -> None:
    """Mask what only shows with what another process or path recorded.

    To be called, in the same transaction, before messages are read to make anything of
    them; every message is looked at once. Without a session all of the person's are
    meant.
    """
    for behind in await reader_store.claim_unmasked(tx, session_id):
        start, lacking = behind.start - MAX_BEFORE, MAX_BEFORE - behind.start
        said = await message_store.list_messages(
            tx, key, behind.session_id, start=max(0, start)
        )
        if behind.continues and lacking > 0:
            past = await message_store.list_last_messages(
                tx, key, behind.continues, lacking
            )
            said = [*past, *said]
        if await _remask_messages(tx, key, said):
            tx.publish(TurnsRecorded(tx.scope.user_id, behind.session_id))


def audit_masked(tx: Transaction, table: str, row_id: UUID, screen: TextMasker) -> None:
    """Audit that something was masked, with how many of what (A18)."""
    if screen.is_masked:
        tx.record_audit(Audit("mask", table, row_id, REASON, screen.flags))


async def _remask_messages(
    tx: Transaction,
    key: PersonKey,
    messages: Sequence[Message],
    begun: Sequence[str] = (),
) -> bool:
    """Rewrite messages in which more shows together than alone; tell whether any."""
    said = [message.content for message in messages]
    screen = TextMasker()
    size = sum(map(len, said))
    kept = await run_aside(size, lambda: screen.mask_each([*said, *begun]))
    changed = False
    for message, (content, found) in zip(messages, kept, strict=False):
        if content != message.content:
            await _rewrite_message(tx, key, replace(message, content=content), found)
            changed = True
    return changed


async def _rewrite_message(
    tx: Transaction, key: PersonKey, message: Message, found: Iterable[PiiFinding]
) -> None:
    """Keep other words of a message; it becomes searchable anew."""
    counted = count_kinds(one for one in found if not one.kind.topic)
    await masking_store.rewrite_message(tx, key, message)
    gone = await entry_store.delete_entries(tx, [message.message_id])
    await reader_store.add_searchable(tx, {each: -n for each, n in gone.items()})
    pair_id = await masking_store.add_flags(tx, message, json.dumps(counted))
    tx.record_changes(Change("session_message", message.message_id))
    if pair_id is not None:
        tx.record_changes(Change("conversation_pair", pair_id))
    tx.record_audit(
        Audit("mask", "session_messages", message.message_id, REASON, counted)
    )


async def _mask_texts(
    texts: Sequence[str], before: Sequence[str]
) -> tuple[Sequence[str], MaskedTexts]:
    return await run_aside(sum(map(len, texts)), lambda: _scan_texts(texts, before))


def _scan_texts(
    texts: Sequence[str], before: Sequence[str]
) -> tuple[Sequence[str], MaskedTexts]:
    screen = TextMasker()
    kept = screen.mask_texts(texts, before)
    if not (screen.is_masked and before):
        return kept, MaskedTexts(screen)
    whole = TextMasker().mask_texts([*before, *texts])
    begun = whole[: len(before)] != list(before)
    return kept, MaskedTexts(screen, texts if begun else ())
