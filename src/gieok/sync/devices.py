"""A person's devices as the person sees them: named, last seen, in step or not."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final
from uuid import UUID

from gieok.kernel.ids import parse_id_time
from gieok.sync.model import (
    NO_INSTALLATION,
    ConflictKind,
    DeviceResolution,
    SyncCursor,
    SyncStatus,
)

DEVICE_KEPT: Final = timedelta(days=90)
"""How long changes wait for a device that is not heard of."""
WAYS_OUT: Final[Mapping[ConflictKind, tuple[DeviceResolution, ...]]] = {
    ConflictKind.FORK: (DeviceResolution.SEND,),
    ConflictKind.CLOUD_BEHIND: (DeviceResolution.SEND,),
    ConflictKind.NEEDS_PERSON: tuple(DeviceResolution),
}
"""What may be decided about a conflict. The first two a device ends by itself, by
sending: for one that does not come back any more, somebody says that they are over."""


@dataclass(frozen=True, slots=True)
class DeviceConflict:
    """How far two sides that are not in step had come when that was seen."""

    kind: ConflictKind
    since: datetime
    sent: int
    """Turns that the device said it had sent."""
    taken: int
    """Turns of it that had been taken."""
    resolution: DeviceResolution | None = None
    """What was decided; it is done when the device next asks."""


@dataclass(frozen=True, slots=True)
class SyncedDevice:
    """A device by the app's name, and where its newest installation stands."""

    device_id: UUID
    name: str
    sync_status: SyncStatus | None
    """None of a device that never exchanged anything."""
    conflict: ConflictKind | None
    last_seen_at: datetime | None
    installations: int
    sides: DeviceConflict | None = None
    """Both sides of a conflict that is about what was said."""

    @property
    def text_key(self) -> str:
        """Return the key of the text that says where it stands."""
        if self.conflict is not None:
            return f"conflict.{self.conflict}"
        return f"sync.{self.sync_status}" if self.sync_status else "devices.never"

    @property
    def needs_person(self) -> bool:
        """Whether it waits for somebody to decide, and cannot go on by itself."""
        return self.conflict is ConflictKind.NEEDS_PERSON

    @property
    def ways_out(self) -> tuple[DeviceResolution, ...]:
        """Return what may be decided about its conflict; see `Sync.resolve`."""
        return WAYS_OUT.get(self.conflict, ()) if self.conflict else ()


class HeardErasure(StrEnum):
    """Whether an erasure has reached a device."""

    DONE = "done"
    PENDING = "pending"
    EXPIRED = "expired"
    """The device was not heard of for 90 days: it takes a whole copy if it returns."""


_BY_DISTANCE: Final = (HeardErasure.DONE, HeardErasure.EXPIRED, HeardErasure.PENDING)


@dataclass(frozen=True, slots=True)
class ErasureOnDevice:
    """How far an erasure is on one device that holds a copy."""

    name: str
    state: HeardErasure
    last_seen_at: datetime


def list_devices(
    names: Mapping[UUID, str], cursors: Iterable[SyncCursor]
) -> tuple[SyncedDevice, ...]:
    """Return devices in the order of their names; one shut out stays shut out."""
    by_device: dict[UUID, list[SyncCursor]] = {device_id: [] for device_id in names}
    for cursor in cursors:
        if cursor.device_id in by_device:
            by_device[cursor.device_id].append(cursor)
    return tuple(
        _build_device(device_id, name, by_device[device_id])
        for device_id, name in names.items()
    )


def _build_device(
    device_id: UUID, name: str, cursors: list[SyncCursor]
) -> SyncedDevice:
    shut_out = [each for each in cursors if each.conflict is ConflictKind.REVOKED]
    newest = max(shut_out or cursors, key=lambda each: each.last_sync_at, default=None)
    seen = [each for each in cursors if each.incarnation != NO_INSTALLATION]
    return SyncedDevice(
        device_id,
        name,
        newest and newest.sync_status,
        newest and newest.conflict,
        max((each.last_sync_at for each in seen), default=None),
        len(seen),
        newest and _parse_conflict(newest.conflict_state),
    )


def _parse_conflict(state: Mapping[str, Any] | None) -> DeviceConflict | None:
    if state is None or "device_up" not in state:
        return None
    return DeviceConflict(
        ConflictKind(state["kind"]),
        datetime.fromisoformat(state["since"]),
        state["device_up"],
        state["cloud_up"],
        state.get("resolution") and DeviceResolution(state["resolution"]),
    )


def list_heard_erasures(
    names: Mapping[UUID, str],
    cursors: Iterable[SyncCursor],
    *,
    epoch: str,
    change: int,
    now: datetime,
) -> tuple[ErasureOnDevice, ...]:
    """Return how far an erasure is that was over with a change of the feed.

    Of several installations of a device, as of a card that was cloned, the one that is
    furthest from it counts. One that was not heard of any more once another joined is
    over. An installation that took no copy yet holds nothing, and is left out. What is
    not named any more was shut out; it is called by its id.
    """
    by_device: dict[UUID, list[SyncCursor]] = defaultdict(list)
    for cursor in cursors:
        if cursor.epoch is not None:
            by_device[cursor.device_id].append(cursor)
    return tuple(
        max(
            (
                ErasureOnDevice(
                    names.get(device_id, str(device_id)),
                    _resolve_state(each, epoch, change, now),
                    each.last_sync_at,
                )
                for each in _select_alive(found)
            ),
            key=lambda each: (_BY_DISTANCE.index(each.state), each.last_seen_at),
        )
        for device_id, found in by_device.items()
    )


def _select_alive(cursors: Sequence[SyncCursor]) -> list[SyncCursor]:
    """Return the installations that were heard of since the last of them joined."""
    joined = max(parse_id_time(each.cursor_id) for each in cursors)
    alive = [each for each in cursors if each.last_sync_at >= joined]
    return alive or [max(cursors, key=lambda each: each.last_sync_at)]


def _resolve_state(
    cursor: SyncCursor, epoch: str, change: int, now: datetime
) -> HeardErasure:
    if cursor.epoch == epoch and cursor.last_cloud_update_seq >= change:
        return HeardErasure.DONE
    if now - cursor.last_sync_at > DEVICE_KEPT:
        return HeardErasure.EXPIRED
    return HeardErasure.PENDING
