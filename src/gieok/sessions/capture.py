"""Capture: what is said is cleaned, masked, sealed and written.

A turn takes one round trip: `prepare_turn` cleans and masks it before a transaction is
open, `write_pairs` seals it and sends `capture_store.RECORD`, whose answer nobody waits
for until COMMIT.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
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


class QueuedTurns(NamedTuple):
    """Turns that were sent to the database; read them once that is committed."""

    pairs: Sequence[Pair]
    turn_index: Cursor

    async def read_pairs(self) -> list[Pair]:
        """Return the pairs as they are on disk."""
        first = await self.turn_index.fetchone()
        return [
            replace(pair, turn_index=pair.turn_index + (first[0] if first else 0))
            for pair in self.pairs
        ]


async def prepare_turn(
    turn: Turn, before: Sequence[str], *, pair_id: UUID | None = None
) -> PreparedTurn:
    """Return a turn as it may be kept; `before` was said last in its session.

    To be called while no transaction is open.

    Raises:
        InvalidInputError: it names the field that cannot be kept.
    """
    size = count_characters(turn.user_text, turn.assistant_text)
    clean = await run_aside(size, lambda: clean_turn(turn))
    said, screened = await mask_turn(clean, before)
    return PreparedTurn(said, screened, pair_id, len(before))


async def write_pairs(
    tx: Transaction,
    session_id: UUID,
    *,
    key: PersonKey,
    turns: Sequence[PreparedTurn],
    limits: SessionLimits,
) -> QueuedTurns:
    """Send turns of one session to the database, waiting for nothing.

    One that begins in what was said before comes first: that has to be written.
    """
    if turns[0].screened.begun:
        await mask_begun_values(tx, key, session_id, turns[0].screened.begun)
    until = tx.now + limits.pair_retention
    pairs: list[Pair] = []
    pair_rows: list[Row] = []
    message_rows: list[Row] = []
    for number, prepared in enumerate(turns):
        pair_id = prepared.pair_id or tx.new_id()
        ids = tx.new_id(), tx.new_id()
        pairs.append(Pair(pair_id, session_id, number, *ids, tx.now, until))
        pair_rows.append(_build_pair_row(key, pairs[-1], prepared))
        message_rows += _seal_messages(tx, key, pairs[-1], prepared)
        tx.record_changes(Change("conversation_pair", pair_id))
        audit = Audit("create", "conversation_pairs", pair_id, "turn_recorded")
        tx.record_audit(audit)
        audit_masked(tx, "conversation_pairs", pair_id, prepared.screened.screen)
    said = [prepared.turn for prepared in turns]
    values = {
        **_build_room_values(tx, session_id, limits),
        "added": len(message_rows),
        "pairs": len(turns),
        "turns": len(turns),
        "tokens": sum(turn.tokens for turn in said),
        "cost": sum(turn.cost for turn in said),
        "route_family": next(
            (t.route_family for t in said[::-1] if t.route_family), None
        ),
        "retention_until": until,
        "pair_rows": json.dumps(pair_rows),
        "message_rows": json.dumps(message_rows),
    }
    return QueuedTurns(pairs, await capture_store.record_pairs(tx, values))


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
            **_build_room_values(tx, session_id, limits),
            "tokens": said.tokens,
            "cost": said.cost,
            "turns": said.turns,
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


def _build_room_values(
    tx: Transaction, session_id: UUID, limits: SessionLimits
) -> dict[str, Any]:
    """Return what taking room in a session needs to know, for one message."""
    return {
        "user_id": tx.scope.user_id,
        "session_id": session_id,
        "at": tx.now,
        "rested": tx.now - limits.idle,
        "added": 1,
        "pairs": 0,
        "turns": 0,
        "tokens": 0,
        "cost": 0,
        "route_family": None,
        "recorded": TurnsRecorded.name,
        "paused": ConversationPaused.name,
        "pause_ends": tx.now + limits.extraction_pause,
    }


def _build_pair_row(key: PersonKey, pair: Pair, prepared: PreparedTurn) -> Row:
    notes = prepared.screened.notes
    return {
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


def _seal_messages(
    tx: Transaction, key: PersonKey, pair: Pair, prepared: PreparedTurn
) -> Iterator[Row]:
    turn, is_special = prepared.turn, prepared.screened.screen.is_special
    for step, (message_id, role, text, layer) in enumerate(
        (
            (pair.user_message_id, Role.USER, turn.user_text, turn.user_layer),
            (
                pair.assistant_message_id,
                Role.ASSISTANT,
                turn.assistant_text,
                turn.assistant_layer,
            ),
        )
    ):
        provenance = message_store.Provenance(pair.session_id, role, tx.now)
        sealed = message_store.seal_content(key, message_id, text, provenance)
        tx.record_sealed_rows(message_store.CONTENT.table, {message_id: sealed})
        yield {
            "message_id": str(message_id),
            "position": MESSAGES_A_TURN * pair.turn_index + step,
            "role": role.value,
            "content": _encode_bytes(sealed),
            "layer": layer,
            "metadata": _encode_bytes(_seal_metadata(key, message_id, turn)),
            "forgotten_at": tx.now.isoformat() if is_special else None,
        }


def _encode_bytes(sealed: bytes | Literal[""] | None) -> str | None:
    """Return sealed bytes as PostgreSQL reads them in JSON; none stay none."""
    return f"\\x{sealed.hex()}" if sealed else None


def _seal_metadata(key: PersonKey, message_id: UUID, turn: Turn) -> bytes | None:
    """Return what the client says of a turn: when it was said, and by whom else."""
    notes: dict[str, str] = {}
    if turn.told_at is not None:
        notes[CLIENT_TIME] = turn.told_at.isoformat()
    if turn.speaker:
        notes[OTHER_SPEAKER] = turn.speaker
    if not notes:
        return None
    return key.seal_text(message_store.METADATA, message_id, json.dumps(notes))
