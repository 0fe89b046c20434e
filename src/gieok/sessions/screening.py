"""What may be kept of what is said: sensitive information goes before it is written.

A message may announce what the next one holds, or hold the first half of its number.
What was said last is known of the sessions in which this process read or wrote; asking
the database would cost every turn a round trip.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple, TypeVar
from uuid import UUID

from gieok.database import Audit, Change, Transaction
from gieok.kernel.errors import InvalidInputError
from gieok.kernel.scope import Scope
from gieok.pii import Screen
from gieok.privacy import PersonKey
from gieok.sessions import session_store, store
from gieok.sessions.model import Message, Turn

T = TypeVar("T")
REASON: Final = "pii"
BACK: Final = 3
"""Messages in which the beginning of a value may stand."""
TAIL: Final = 200
"""Characters of each that count."""
MOST_SESSIONS: Final = 2_000
LONG: Final = 20_000
"""Characters that take so long to read that other work goes on meanwhile."""

Place = tuple[UUID, UUID]
"""A person and a session of theirs."""


@dataclass(frozen=True, slots=True)
class Recent:
    """How the last messages of sessions end, as they were kept; bounded, in memory."""

    _tails: OrderedDict[Place, tuple[str, ...]] = field(
        default_factory=OrderedDict[Place, tuple[str, ...]], repr=False
    )

    def of(self, scope: Scope, session_id: UUID) -> tuple[str, ...]:
        """Return what is known of a session's last messages, oldest first."""
        return self._tails.get((scope.user_id, session_id), ())

    def add(
        self, scope: Scope, session_ids: Iterable[UUID], texts: Sequence[str]
    ) -> None:
        """Remember what was just kept or read of a session, by each of its ids."""
        new = [text[-TAIL:] for text in texts]
        for session_id in session_ids:
            place = scope.user_id, session_id
            self._tails[place] = (*self._tails.pop(place, ()), *new)[-BACK:]
        while len(self._tails) > MOST_SESSIONS:
            self._tails.popitem(last=False)

    def seed(self, scope: Scope, session_id: UUID, texts: Sequence[str]) -> None:
        """Remember what was read of a session of which nothing is known."""
        if not self.of(scope, session_id):
            self.add(scope, [session_id], texts[-BACK:])

    def drop(self, scope: Scope, session_id: UUID) -> None:
        """Let go of a session that has ended."""
        self._tails.pop((scope.user_id, session_id), None)


class Screened(NamedTuple):
    """What was found; `begun` is what was said, if part of it was said before."""

    screen: Screen
    begun: Sequence[str] = ()


async def screened_turn(turn: Turn, before: Sequence[str]) -> tuple[Turn, Screened]:
    """Return a turn as it may be kept.

    Raises:
        InvalidInputError: notes that cannot be written as JSON.
    """
    texts = (turn.user_text, turn.assistant_text)
    (user, assistant), screened = await _screened(texts, before)
    notes = turn.planner_summary
    if notes:
        notes = screened_json("planner_summary", notes, screened.screen)
    if screened.screen.is_masked:
        turn = replace(
            turn, user_text=user, assistant_text=assistant, planner_summary=notes
        )
    return turn, screened


async def screened_message(
    text: str, metadata: Mapping[str, Any], before: Sequence[str]
) -> tuple[str, Mapping[str, Any], Screened]:
    """Return a message and its metadata as they may be kept; raises as for a turn."""
    (kept,), screened = await _screened((text,), before)
    if metadata:
        metadata = screened_json("metadata", metadata, screened.screen)
    return kept, metadata, screened


def screened_json(
    name: str, value: Mapping[str, Any], screen: Screen
) -> Mapping[str, Any]:
    """Return an object as it may be kept.

    Raises:
        InvalidInputError: it is nested too deeply, or holds itself.
    """
    try:
        return screen.json(dict(value))
    except (RecursionError, TypeError, ValueError):
        raise InvalidInputError(name, "it cannot be written as JSON") from None


async def mend(
    tx: Transaction, key: PersonKey, session_id: UUID, begun: Sequence[str]
) -> None:
    """Mask in the last messages what only shows with what is said now (rare)."""
    await session_store.lock(tx, session_id)
    last = await store.last_messages(tx, key, session_id, BACK)
    said = [message.content for message in last]
    kept = Screen().texts([*said, *begun])
    for message, content in zip(last, kept, strict=False):
        if content != message.content:
            await _rewrite(tx, key, message, content)


def note_masked(tx: Transaction, table: str, row_id: UUID, screen: Screen) -> None:
    """Audit that something was masked, with how many of what (A18)."""
    if screen.is_masked:
        tx.audit(Audit("mask", table, row_id, REASON, screen.flags))


async def _rewrite(
    tx: Transaction, key: PersonKey, message: Message, content: str
) -> None:
    """Keep other words of a message; it becomes searchable anew."""
    await store.rewrite_message(tx, key, message.message_id, content)
    await store.drop_recall_item(tx, message.message_id)
    tx.number(Change("session_message", message.message_id))
    tx.audit(Audit("mask", "session_messages", message.message_id, REASON))


async def _screened(
    texts: Sequence[str], before: Sequence[str]
) -> tuple[Sequence[str], Screened]:
    kept, screened = await _aside(texts, lambda: _read(texts, before))
    return kept, screened


def _read(
    texts: Sequence[str], before: Sequence[str]
) -> tuple[Sequence[str], Screened]:
    screen = Screen()
    kept = screen.texts(texts, before)
    if not (screen.is_masked and before):
        return kept, Screened(screen)
    whole = Screen().texts([*before, *texts])
    begun = whole[: len(before)] != list(before)
    return kept, Screened(screen, texts if begun else ())


async def _aside(texts: Sequence[str], work: Callable[[], T]) -> T:
    """Do work at once or, where it takes long, while others go on."""
    if sum(map(len, texts)) < LONG:
        return work()
    return await asyncio.to_thread(work)
