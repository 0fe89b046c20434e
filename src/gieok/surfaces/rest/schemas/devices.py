"""The devices of a person, by the ids that the app gave them."""

from datetime import datetime
from typing import Self

from pydantic import Field, StrictInt

from gieok.locale import load_texts
from gieok.surfaces.rest.schemas.shared import RequestModel, ResponseModel, Time
from gieok.sync import (
    ConflictKind,
    DeviceResolution,
    ErasureOnDevice,
    HeardErasure,
    SyncedDevice,
    SyncStatus,
)


class DeviceConflictState(ResponseModel):
    """Both sides of a conflict about what was said."""

    kind: ConflictKind
    since: Time
    sent: int = Field(description="Turns that the device said it had.")
    taken: int = Field(description="Turns of it that had been taken.")
    resolution: DeviceResolution | None = Field(
        description="What was decided; it is done when the device next asks."
    )


class DeviceView(ResponseModel):
    """One device, and whether it is in step."""

    id: str = Field(description="As you gave it.")
    sync_status: SyncStatus | None = Field(description="Null: it never synced.")
    conflict: ConflictKind | None
    conflict_state: DeviceConflictState | None
    ways_out: list[DeviceResolution] = Field(
        description="What may be decided about the conflict, by `resolve`."
    )
    state: str = Field(description="The same in words, by Accept-Language.")
    last_seen_at: Time | None
    installations: int = Field(description="How often it began with an empty file.")

    @classmethod
    def from_device(cls, device: SyncedDevice, language: str) -> Self:
        """Return the device."""
        return cls.from_fields(
            device,
            id=device.name,
            conflict_state=device.sides,
            state=load_texts(language, "devices")[device.text_key],
        )


class DeviceList(ResponseModel):
    """Devices, oldest first."""

    devices: list[DeviceView]


class NewDevice(RequestModel):
    """A device to register."""

    id: str = Field(description="Your id of it.")
    token_days: StrictInt = Field(
        default=365, ge=1, le=3_650, description="For how long its token is good."
    )


class ConflictResolution(RequestModel):
    """What becomes of what a device still has."""

    resolution: DeviceResolution = Field(
        description="send: it sends all that, under new numbers. discard: it puts it "
        "aside."
    )


class RegisteredDevice(DeviceView):
    """A device with its credential, which is shown once."""

    token: str = Field(
        description="Opens what this device asks: sync and requests of the person's."
    )
    token_expires_at: Time

    @classmethod
    def from_registered(
        cls, device: SyncedDevice, language: str, token: str, expires_at: datetime
    ) -> Self:
        """Return the device with its credential."""
        seen = DeviceView.from_device(device, language).model_dump()
        return cls(**seen, token=token, token_expires_at=expires_at)


class DeviceErasure(ResponseModel):
    """Whether a device has heard of an erasure."""

    id: str = Field(description="The device's, as you gave it.")
    state: HeardErasure
    last_seen_at: Time

    @classmethod
    def from_erasure(cls, found: ErasureOnDevice) -> Self:
        """Return how far it is."""
        return cls.from_fields(found, id=found.name)


class DeviceErasureList(ResponseModel):
    """Every device that holds a copy of what is remembered."""

    devices: list[DeviceErasure]
