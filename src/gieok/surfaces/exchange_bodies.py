"""The exchange around one utterance of a device (A11, A12), as document A has it."""

import re
from typing import Annotated
from uuid import UUID

from pydantic import Field, JsonValue, StringConstraints

from gieok.exchange import (
    ExchangeRequest,
    ExchangeTurn,
    HintStrength,
    RecentTurn,
    SentHint,
    SentSummary,
)
from gieok.kernel.errors import InvalidInputError
from gieok.kernel.planning import MAX_MID_TERM, MAX_PROFILE_HINTS, MAX_SHORT_TERM
from gieok.sessions import Turn
from gieok.surfaces.bodies import RequestModel

Text = Annotated[str, StringConstraints(max_length=20_000)]
Name = Annotated[str, StringConstraints(max_length=512)]
Number = Annotated[int, Field(ge=0, le=2**63 - 1)]
CursorName = Annotated[str, StringConstraints(pattern=r"^(pair_seq_)?[0-9]{1,18}$")]
DEVICE_ID = "device_id"
"""The member of `device_context` that names the device."""


class SpokenTurnBody(RequestModel):
    """A turn that the device still holds."""

    user_text: Text
    assistant_text: Text = ""
    route_family: Name | None = None


class VoiceContext(RequestModel):
    """What was said before, as the device knows it."""

    session_id: Name | None = None
    recent_turns: list[SpokenTurnBody] = Field(
        default=[], max_length=50, description="Oldest first."
    )
    history_hint_strength: HintStrength = HintStrength.WEAK
    active_workflow_id: Name | None = Field(
        default=None,
        description="Empty or null: the cloud's, if any is under way.",
    )


class ShortTermBody(RequestModel):
    """The summary of a day, as it came down."""

    date_key: Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}-\d{2}$")]
    summary_text: Text = ""


class MidTermBody(RequestModel):
    """The summary of a week, as it came down."""

    week_key: Annotated[str, StringConstraints(pattern=r"^\d{4}-W\d{2}$")]
    summary_text: Text = ""


class ProfileHintBody(RequestModel):
    """A confirmed memory, as it came down."""

    id: UUID | None = None
    category: Name | None = None
    claim: Text = ""


class MemorySnapshot(RequestModel):
    """The compact copy that the device sends along."""

    session_summary: Text | None = None
    short_term: list[ShortTermBody] = Field(default=[], max_length=MAX_SHORT_TERM)
    mid_term: list[MidTermBody] = Field(default=[], max_length=MAX_MID_TERM)
    profile_hints: list[ProfileHintBody] = Field(
        default=[], max_length=MAX_PROFILE_HINTS
    )


class MemorySyncBody(RequestModel):
    """Where the device stands."""

    device_cursor: CursorName | Number | None = Field(
        default=None, description='Its last pair: 42, or "pair_seq_42".'
    )
    last_cloud_update_seq: Number = 0


class ExchangeRequestBody(RequestModel):
    """What was said, and the device's snapshot (document A, 5.1)."""

    recognized_text: Text
    voice_context: VoiceContext = VoiceContext()
    memory_snapshot: MemorySnapshot = MemorySnapshot()
    memory_sync: MemorySyncBody = MemorySyncBody()
    device_context: dict[str, JsonValue] = Field(
        default={},
        max_length=100,
        description="Whatever your planner needs; `device_id` names the device.",
    )

    def to_request(self) -> ExchangeRequest:
        """Return the request.

        Raises:
            InvalidInputError: a device id that is no text.
        """
        voice, snapshot = self.voice_context, self.memory_snapshot
        device = self.device_context.get(DEVICE_ID)
        if not (device is None or isinstance(device, str)):
            field = f"device_context.{DEVICE_ID}"
            raise InvalidInputError(field, "it must be a string")
        return ExchangeRequest(
            recognized_text=self.recognized_text,
            session=voice.session_id or None,
            recent_turns=tuple(
                RecentTurn(each.user_text, each.assistant_text, each.route_family)
                for each in voice.recent_turns
            ),
            hint_strength=voice.history_hint_strength,
            active_workflow_id=voice.active_workflow_id or None,
            session_summary=snapshot.session_summary or None,
            short_term=tuple(
                SentSummary(each.date_key, each.summary_text)
                for each in snapshot.short_term
            ),
            mid_term=tuple(
                SentSummary(each.week_key, each.summary_text)
                for each in snapshot.mid_term
            ),
            profile_hints=tuple(
                SentHint(each.id, each.claim) for each in snapshot.profile_hints
            ),
            device_cursor=_parse_cursor(self.memory_sync.device_cursor),
            last_cloud_update_seq=self.memory_sync.last_cloud_update_seq,
            device=device,
            device_context=self.device_context,
        )


def _parse_cursor(cursor: int | str | None) -> int | None:
    if cursor is None or isinstance(cursor, int):
        return cursor
    return int(re.sub(r"\D", "", cursor))


class ExchangeResultBody(RequestModel):
    """What a caller's own planner decided about an utterance."""

    request_id: UUID = Field(description="As the answer gave it.")
    session_id: Name = Field(description="As the answer gave it.")
    recognized_text: Text
    assistant_text: Text
    route_family: Name | None = None
    planner_summary: dict[str, JsonValue] = Field(default={}, max_length=100)
    active_workflow_id: Name | None = None
    device_id: Name | None = None

    def to_turn(self) -> ExchangeTurn:
        """Return the turn."""
        turn = Turn(
            self.recognized_text,
            self.assistant_text,
            self.route_family,
            self.planner_summary,
        )
        return ExchangeTurn(
            self.request_id,
            self.session_id,
            self.device_id,
            turn,
            self.active_workflow_id or None,
        )
