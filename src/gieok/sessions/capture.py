"""Capture: what is said is cleaned, masked, sealed and written.

A turn takes one round trip: `prepare_turn` cleans and masks it before a transaction is
open, `write_pairs` seals it and sends `capture_store.RECORD`, whose answer nobody waits
for until COMMIT.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Any, Final, Literal, NamedTuple
from uuid import UUID

from gieok.database import (
    Audit,
    Change,
    ConversationPaused,
    Cursor,
    NoRowError,
    Transaction,
    TurnsRecorded,
)
from gieok.database.arrays import to_array_literal, to_text_array_literal
from gieok.kernel.language import Role
from gieok.kernel.offload import run_aside
from gieok.privacy import PersonKey
from gieok.sessions import capture_store, message_store
from gieok.sessions.inputs import clean_turn, count_characters
from gieok.sessions.lifecycle import SessionLimits
from gieok.sessions.masking import (
    MaskedTexts,
    audit_masked,
    mask_begun_values,
    mask_turn,
)
from gieok.sessions.model import CLIENT_TIME, OTHER_SPEAKER, Message, Pair, Turn

Row = dict[str, Any]
"""A row of a table by its columns, as PostgreSQL reads it in JSON."""
MESSAGES_A_TURN: Final = 2


class TurnMessage(NamedTuple):
    """One message on its way in."""

    role: Role
    content: str
    layer: str | None
    metadata: Mapping[str, Any]
    tokens: int
    cost: Decimal
    turns: int = 0


class PreparedTurn(NamedTuple):
    """A turn as it will be kept: clean and masked."""

    turn: Turn
    screened: MaskedTexts
    pair_id: UUID | None = None
    """The id that the pair has already; a new one if None."""
    heard: int = 0
    """How many texts said before it were known when it was masked."""

    @property
    def texts(self) -> tuple[str, str]:
        """Return what was said, as it will be kept."""
        return self.turn.user_text, self.turn.assistant_text


class SessionTurn(NamedTuple):
    """A turn, and the session that takes it."""

    session_id: UUID
    prepared: PreparedTurn


class QueuedTurns(NamedTuple):
    """Turns that were sent to the database; read them once that is committed."""

    pairs: Sequence[Pair]
    turn_indexes: Cursor

    async def read_pairs(self) -> list[Pair]:
        """Return the pairs as they are on disk."""
        stored = dict(await self.turn_indexes.fetchall())
        return [
            replace(pair, turn_index=stored[pair.pair_id])
            for pair in self.pairs
            if pair.pair_id in stored
        ]


async def prepare_turn(
    turn: Turn,
    before: Sequence[str],
    *,
    pair_id: UUID | None = None,
    told_at: datetime | None = None,
) -> PreparedTurn:
    """Return a turn as it may be kept; `before` was said last in its session.

    It was told at `told_at` if that is given. To be called while no transaction is
    open.

    Raises:
        InvalidInputError: it names the field that cannot be kept.
    """
    size = count_characters(turn.user_text, turn.assistant_text)
    clean = await run_aside(size, lambda: clean_turn(turn, told_at))
    said, screened = await mask_turn(clean, before)
    return PreparedTurn(said, screened, pair_id, len(before))


async def write_pairs(
    tx: Transaction,
    said: Sequence[SessionTurn],
    *,
    key: PersonKey,
    limits: SessionLimits,
) -> QueuedTurns:
    """Send turns of any sessions to the database in order, waiting for nothing.

    One that begins in what was said before comes first of its session: that has to be
    written.
    """
    until = tx.now + limits.pair_retention
    for session_id, prepared in said:
        if prepared.screened.begun:
            await mask_begun_values(tx, key, session_id, prepared.screened.begun)
    size = count_characters(*(text for _, each in said for text in each.texts))
    rows = await run_aside(size, lambda: _seal_turns(tx, said, key, until))
    values = {
        **_build_room_values(tx, limits, rows.turns),
        "retention_until": until,
        "pair_rows": rows.pair_rows,
        "message_rows": rows.message_rows,
    }
    return QueuedTurns(rows.pairs, await capture_store.record_pairs(tx, values))


class _SealedTurns(NamedTuple):
    """Turns as they are written: the rows of two tables in JSON."""

    turns: Mapping[UUID, Sequence[Turn]]
    """By their sessions."""
    pairs: Sequence[Pair]
    pair_rows: str
    message_rows: str


def _seal_turns(
    tx: Transaction, said: Sequence[SessionTurn], key: PersonKey, until: datetime
) -> _SealedTurns:
    """Return the rows of turns, and note in the journal what becomes of them."""
    turns: dict[UUID, list[Turn]] = {}
    sealers: dict[UUID, _MessageSealer] = {}
    pairs: list[Pair] = []
    pair_rows: list[Row] = []
    message_rows: list[Row] = []
    for session_id, prepared in said:
        before = turns.setdefault(session_id, [])
        pair_id = prepared.pair_id or tx.new_id()
        ids = tx.new_id(), tx.new_id()
        pair = Pair(pair_id, session_id, len(before), *ids, tx.now, until)
        before.append(prepared.turn)
        pairs.append(pair)
        pair_rows.append(_build_pair_row(key, pair, prepared))
        if session_id not in sealers:
            sealers[session_id] = _MessageSealer(tx, key, session_id)
        message_rows += sealers[session_id].seal_messages(pair, prepared)
        tx.record_changes(Change("conversation_pair", pair_id))
        audit = Audit("create", "conversation_pairs", pair_id, "turn_recorded")
        tx.record_audit(audit)
        audit_masked(tx, "conversation_pairs", pair_id, prepared.screened.screen)
    return _SealedTurns(turns, pairs, json.dumps(pair_rows), json.dumps(message_rows))


async def write_message(
    tx: Transaction,
    session_id: UUID,
    *,
    key: PersonKey,
    said: TurnMessage,
    limits: SessionLimits,
    screened: MaskedTexts,
) -> Message:
    """Write one message.

    Raises:
        NoRowError: the session is not open.
    """
    if screened.begun:
        await mask_begun_values(tx, key, session_id, screened.begun)
    message_id = tx.new_id()
    spelled = screened.notes
    notes = spelled and key.seal_text(message_store.METADATA, message_id, spelled)
    provenance = message_store.Provenance(session_id, said.role, tx.now)
    sealed = message_store.seal_content(key, message_id, said.content, provenance)
    row = await capture_store.append_message(
        tx,
        {
            **_build_open_values(tx, limits),
            "sessions": [session_id],
            "added": [1],
            "pairs": [0],
            "turns": [said.turns],
            "tokens": [said.tokens],
            "costs": [said.cost],
            "routes": [None],
            "message_id": message_id,
            "role": said.role.value,
            "content": sealed,
            "layer": said.layer,
            "metadata": notes,
            "is_special": screened.screen.is_special,
        },
    )
    if row is None:
        raise NoRowError
    tx.record_changes(Change("session_message", message_id))
    tx.record_sealed_rows(message_store.CONTENT.table, {message_id: sealed})
    reason = "message_recorded"
    tx.record_audit(Audit("create", "session_messages", message_id, reason))
    audit_masked(tx, "session_messages", message_id, screened.screen)
    return Message(
        message_id,
        session_id,
        row[0],
        said.role,
        said.content,
        said.layer,
        tx.now,
        said.metadata,
    )


def _build_open_values(tx: Transaction, limits: SessionLimits) -> dict[str, Any]:
    """Return what finding open sessions needs to know, and what follows from it."""
    return {
        "user_id": tx.scope.user_id,
        "at": tx.now,
        "rested": tx.now - limits.idle,
        "recorded": TurnsRecorded.name,
        "paused": ConversationPaused.name,
        "pause_ends": tx.now + limits.extraction_pause,
    }


def _build_room_values(
    tx: Transaction, limits: SessionLimits, said: Mapping[UUID, Sequence[Turn]]
) -> dict[str, Any]:
    """Return what taking room in sessions needs to know, for turns."""
    turns = said.values()
    counts = [len(each) for each in turns]
    pairs = to_array_literal(map(str, counts))
    return _build_open_values(tx, limits) | {
        "sessions": to_array_literal(map(str, said)),
        "added": to_array_literal(str(MESSAGES_A_TURN * count) for count in counts),
        "pairs": pairs,
        "turns": pairs,
        "tokens": to_array_literal(str(sum(t.tokens for t in each)) for each in turns),
        "costs": to_array_literal(str(sum(t.cost for t in each)) for each in turns),
        "routes": to_text_array_literal(map(_find_last_route, turns)),
    }


def _find_last_route(turns: Sequence[Turn]) -> str | None:
    routes = (turn.route_family for turn in reversed(turns))
    return next(filter(None, routes), None)


def _build_pair_row(key: PersonKey, pair: Pair, prepared: PreparedTurn) -> Row:
    notes = prepared.screened.notes
    return {
        "session_id": str(pair.session_id),
        "pair_id": str(pair.pair_id),
        "turn_index": pair.turn_index,
        "user_message_id": str(pair.user_message_id),
        "assistant_message_id": str(pair.assistant_message_id),
        "route_family": prepared.turn.route_family,
        "planner_summary": _encode_bytes(
            notes and key.seal_text(message_store.PLANNER_SUMMARY, pair.pair_id, notes)
        ),
        "sensitive_flags": dict(prepared.screened.screen.flags),
    }


class _MessageSealer:
    """Seals the messages of turns of one session."""

    def __init__(self, tx: Transaction, key: PersonKey, session_id: UUID) -> None:
        self._tx, self._key, self._session = tx, key, str(session_id)
        self._bound = {
            role: message_store.Provenance(session_id, role, tx.now).encode()
            for role in (Role.USER, Role.ASSISTANT)
        }

    def seal_messages(self, pair: Pair, prepared: PreparedTurn) -> tuple[Row, Row]:
        """Return the rows of a turn's messages."""
        turn, asked_id, answered_id = (
            prepared.turn,
            pair.user_message_id,
            pair.assistant_message_id,
        )
        asked = self._seal_message(asked_id, Role.USER, turn.user_text)
        answered = self._seal_message(answered_id, Role.ASSISTANT, turn.assistant_text)
        asked["position"] = MESSAGES_A_TURN * pair.turn_index
        answered["position"] = asked["position"] + 1
        asked["layer"], answered["layer"] = turn.user_layer, turn.assistant_layer
        if notes := _encode_client_notes(turn):
            for message_id, row in ((asked_id, asked), (answered_id, answered)):
                sealed = self._key.seal_text(message_store.METADATA, message_id, notes)
                row["metadata"] = _encode_bytes(sealed)
        if prepared.screened.screen.is_special:
            asked["forgotten_at"] = answered["forgotten_at"] = self._tx.now.isoformat()
        return asked, answered

    def _seal_message(self, message_id: UUID, role: Role, text: str) -> Row:
        content = message_store.CONTENT
        bound = self._bound[role]
        sealed = self._key.seal_text(content, message_id, text, bound=bound)
        self._tx.record_sealed_rows(content.table, {message_id: sealed})
        return {
            "session_id": self._session,
            "message_id": str(message_id),
            "role": role.value,
            "content": _encode_bytes(sealed),
        }


def _encode_bytes(sealed: bytes | Literal[""] | None) -> str | None:
    """Return sealed bytes as PostgreSQL reads them in JSON; none stay none."""
    return f"\\x{sealed.hex()}" if sealed else None


def _encode_client_notes(turn: Turn) -> str:
    """Return what the client says of a turn: when it was said, and by whom else."""
    told = turn.told_at and turn.told_at.isoformat()
    if turn.speaker:
        known = {CLIENT_TIME: told} if told else {}
        return json.dumps(known | {OTHER_SPEAKER: turn.speaker})
    # Turns of devices have no more than a time: it is spelled as JSON would be.
    return f'{{"{CLIENT_TIME}": "{told}"}}' if told else ""
