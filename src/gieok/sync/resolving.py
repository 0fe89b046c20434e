"""Conflicts of devices: which there is, and what somebody decides about it (A17)."""

from dataclasses import replace
from typing import Final

from gieok.database import Transaction
from gieok.kernel.chain import Position
from gieok.kernel.errors import ConflictError
from gieok.privacy import PersonKey
from gieok.sync import store
from gieok.sync.cursors import audit_cursor, clear_conflict
from gieok.sync.devices import WAYS_OUT, SyncedDevice
from gieok.sync.model import ConflictKind, DeviceResolution, SyncCursor, SyncStatus

SHUT_OUT: Final = "the device was shut out: register it under another name"
IN_STEP: Final = "the device is in no conflict"


def find_conflict(
    taken: Position, up: Position, waiting: int | None
) -> ConflictKind | None:
    """Return why a device is not in step, by what it says was taken of it.

    `waiting` is how many of its pairs wait for somebody, None where nothing does.
    """
    if waiting is not None:
        return ConflictKind.NEEDS_PERSON
    if up.seq == taken.seq and up.chain != taken.chain:
        return ConflictKind.FORK
    return ConflictKind.CLOUD_BEHIND if up.seq > taken.seq else None


async def resolve_conflicts(
    tx: Transaction, key: PersonKey, device: SyncedDevice, resolution: DeviceResolution
) -> None:
    """Keep what somebody decided about the conflicts of a device's installations.

    Raises:
        ConflictError: there is none about which just that may be decided.
    """
    cursors = await store.lock_cursors(tx, key, device.device_id)
    found = [
        each
        for each in cursors
        if each.conflict and resolution in WAYS_OUT.get(each.conflict, ())
    ]
    if not found:
        raise ConflictError(_describe_refusal(device))
    for each in found:
        await store.update_cursor(tx, key, _apply_resolution(each, resolution))
        details = {"kind": str(each.conflict), "resolution": resolution.value}
        audit_cursor(tx, each, "conflict_resolved", details)


def _describe_refusal(device: SyncedDevice) -> str:
    """Return why that cannot be decided about a device."""
    if device.ways_out:
        return "the device sends what it has by itself: shut it out to prevent that"
    is_out = device.sync_status is SyncStatus.ERROR
    return SHUT_OUT if is_out else IN_STEP


def _apply_resolution(cursor: SyncCursor, resolution: DeviceResolution) -> SyncCursor:
    """Return a cursor with what was decided; what its device does by itself is over."""
    if cursor.conflict is not ConflictKind.NEEDS_PERSON:
        return clear_conflict(cursor)
    decided = {**(cursor.conflict_state or {}), "resolution": resolution.value}
    return replace(cursor, conflict_state=decided)
