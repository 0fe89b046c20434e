"""What a device pushes, and what became of it."""

from typing import Self
from uuid import UUID

from pydantic import Field, JsonValue, StrictInt

from gieok.sessions import Turn
from gieok.surfaces.rest.schemas.shared import RequestModel, ResponseModel
from gieok.surfaces.rest.schemas.sync import (
    DEVICE_ID,
    INCARNATION,
    SPEAKER,
    Sequence64,
    SyncPosition,
)
from gieok.sync import MAX_PAIRS, Installation, Pushed, PushedPair, RejectionCode


class SyncPair(RequestModel):
    """A pair that was said on the device (A01)."""

    seq: Sequence64
    pair_id: UUID = Field(description="The same however often it is sent.")
    session: str = Field(description="Your id of the session; it starts by itself.")
    persona: str | None = Field(default=None, description="As whom you spoke.")
    user_text: str
    assistant_text: str
    route_family: str | None = None
    planner_summary: dict[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    client_ms: StrictInt | None = Field(
        default=None, description="By the device's clock, in ms since 1970."
    )
    speaker: str | None = Field(default=None, description=SPEAKER)

    def to_pair(self) -> PushedPair:
        """Return the pair."""
        turn = Turn(
            self.user_text,
            self.assistant_text,
            self.route_family,
            self.planner_summary,
            speaker=self.speaker,
        )
        return PushedPair(
            self.seq, self.pair_id, self.session, turn, self.persona, self.client_ms
        )


class SyncPush(RequestModel):
    """Pairs that a device was told, in order."""

    device_id: str = Field(description=DEVICE_ID)
    incarnation: UUID = Field(description=INCARNATION)
    epoch: str = Field(max_length=64)
    base: SyncPosition = Field(description="The position before the first pair.")
    pairs: list[SyncPair] = Field(max_length=MAX_PAIRS)

    @property
    def installation(self) -> Installation:
        """Return which installation speaks."""
        return Installation(self.device_id, self.incarnation, self.epoch)


class SyncRejection(ResponseModel):
    """A pair that was not kept; its number is used up."""

    seq: int
    code: RejectionCode


class SyncPushed(ResponseModel):
    """How far the cloud has taken what was said; it survives a crash."""

    up: SyncPosition
    head: int
    rejected: list[SyncRejection]

    @classmethod
    def from_pushed(cls, pushed: Pushed) -> Self:
        """Return the answer."""
        return cls.from_fields(pushed, up=SyncPosition.from_position(pushed.up))
