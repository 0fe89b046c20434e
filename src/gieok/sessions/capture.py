"""Capture: what is said is cleaned, masked, sealed and written.

A turn takes one round trip: `prepare_turn` cleans and masks it before a transaction is
open, `write_pair` seals it and sends `capture_store.RECORD`, whose answer nobody waits
for until COMMIT.
"""

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple
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


class QueuedTurn(NamedTuple):
    """A turn that was sent to the database; read it once that is committed."""

    values: dict[str, Any]
    turn_index: Cursor

    async def read_pair(self) -> Pair:
        """Return the pair as it is on disk."""
        row = await self.turn_index.fetchone()
        return Pair(
            self.values["pair_id"],
            self.values["session_id"],
            row[0] if row else 0,
            self.values["user_message_id"],
            self.values["assistant_message_id"],
            self.values["at"],
            self.values["retention_until"],
        )


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


async def write_pair(
    tx: Transaction,
    session_id: UUID,
    *,
    key: PersonKey,
    prepared: PreparedTurn,
    limits: SessionLimits,
) -> QueuedTurn:
    """Send a turn to the database, waiting for nothing."""
    screened = prepared.screened
    if screened.begun:
        await mask_begun_values(tx, key, session_id, screened.begun)
    values = _build_pair_values(tx, key, session_id, prepared, limits)
    values["sensitive_flags"] = json.dumps(screened.screen.flags)
    values["is_special"] = screened.screen.is_special
    pair_id, reason = values["pair_id"], "turn_recorded"
    tx.record_changes(Change("conversation_pair", pair_id))
    tx.record_audit(Audit("create", "conversation_pairs", pair_id, reason))
    audit_masked(tx, "conversation_pairs", pair_id, screened.screen)
    return QueuedTurn(values, await capture_store.record_pair(tx, values))


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


def _build_pair_values(
    tx: Transaction,
    key: PersonKey,
    session_id: UUID,
    prepared: PreparedTurn,
    limits: SessionLimits,
) -> dict[str, Any]:
    turn, notes = prepared.turn, prepared.screened.notes
    asked, answered = tx.new_id(), tx.new_id()
    pair = prepared.pair_id or tx.new_id()
    sealed_notes = notes and key.seal_text(message_store.PLANNER_SUMMARY, pair, notes)
    said = {
        message_id: message_store.seal_content(
            key, message_id, text, message_store.Provenance(session_id, role, tx.now)
        )
        for message_id, role, text in (
            (asked, Role.USER, turn.user_text),
            (answered, Role.ASSISTANT, turn.assistant_text),
        )
    }
    tx.record_sealed_rows(message_store.CONTENT.table, said)
    return {
        **_build_room_values(tx, session_id, limits),
        "added": 2,
        "pairs": 1,
        "turns": 1,
        "user_layer": turn.user_layer,
        "assistant_layer": turn.assistant_layer,
        "pair_id": pair,
        "user_message_id": asked,
        "assistant_message_id": answered,
        "user_content": said[asked],
        "assistant_content": said[answered],
        "user_metadata": _seal_metadata(key, asked, turn),
        "assistant_metadata": _seal_metadata(key, answered, turn),
        "route_family": turn.route_family,
        "planner_summary": sealed_notes,
        "tokens": turn.tokens,
        "cost": turn.cost,
        "retention_until": tx.now + limits.pair_retention,
    }


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
