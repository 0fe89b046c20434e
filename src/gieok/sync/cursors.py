"""Opens the exchange with one installation of a device, within a transaction.

The device's cursors are locked first, then sessions, then the person: so does erasure.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from gieok.accounts import Accounts
from gieok.accounts import store as people
from gieok.accounts.naming import DEVICE
from gieok.database import Audit, Transaction
from gieok.kernel.chain import start_chain
from gieok.kernel.errors import (
    ConflictError,
    DeviceGoneError,
    SyncEpochError,
    SyncUnknownError,
)
from gieok.kernel.scope import Scope
from gieok.privacy import Ledger, PersonKey
from gieok.sync import feed_store, store
from gieok.sync.epoch import Epoch
from gieok.sync.feed_store import FeedState
from gieok.sync.model import ConflictKind, Installation, SyncCursor, SyncStatus

TABLE: Final = "memory_sync_cursors"
PERSON_ERASED: Final = "what it holds was erased"
DEVICE_ERASED: Final = "it was erased"
DEVICE_REVOKED: Final = "it was shut out"
_ENDED_BY_JOINING: Final = frozenset({ConflictKind.FORK, ConflictKind.NEEDS_PERSON})
"""Conflicts that a device ends by beginning anew as another installation."""


@dataclass(frozen=True, slots=True)
class OpenCursor:
    """A cursor that takes part in what follows, locked within a transaction."""

    tx: Transaction
    key: PersonKey
    cursor: SyncCursor
    feed: FeedState

    async def save(self, **changes: Any) -> SyncCursor:
        """Keep the cursor with changes; its device was just heard of."""
        changed = replace(self.cursor, last_sync_at=self.tx.now, **changes)
        await store.update_cursor(self.tx, self.key, changed)
        return changed

    async def note_conflict(self, kind: ConflictKind, device_up: int) -> SyncCursor:
        """Keep why the device is not in step, and say so in the audit log (A17).

        `device_up` is how much it says to have said.
        """
        state = build_conflict(
            kind,
            self._get_conflict_start(kind),
            incarnation=str(self.cursor.incarnation),
            device_up=device_up,
            cloud_up=self.cursor.last_pair_seq,
            epoch=str(self.feed.epoch),
        )
        audit_cursor(self.tx, self.cursor, f"sync_{kind}")
        return await self.save(sync_status=SyncStatus.CONFLICT, conflict_state=state)

    def _get_conflict_start(self, kind: ConflictKind) -> datetime:
        """Return since when there is this conflict: now, unless it was there before."""
        state = self.cursor.conflict_state
        if state is None or self.cursor.conflict is not kind:
            return self.tx.now
        return datetime.fromisoformat(state["since"])


def build_conflict(
    kind: ConflictKind, since: datetime, **details: str | int
) -> dict[str, Any]:
    """Return what a cursor keeps of a conflict: ids and numbers, no content."""
    return {"v": 1, "kind": kind.value, "since": since.isoformat(), **details}


def audit_cursor(
    tx: Transaction,
    cursor: SyncCursor,
    reason: str,
    details: Mapping[str, str | float | None] | None = None,
) -> None:
    """Say in the audit log what became of a device's exchange."""
    tx.record_audit(Audit("update", TABLE, cursor.cursor_id, reason, details or {}))


async def register_hello(
    tx: Transaction,
    key: PersonKey,
    accounts: Accounts,
    ledger: Ledger,
    device: Installation,
) -> OpenCursor:
    """Return the cursor of an installation, made on first sight, locked.

    A person who is not there, and of whose erasure the ledger does not know, is made
    anew: a restored database may be older than they are.

    Raises:
        DeviceGoneError: it has to empty itself.
    """
    if device.epoch is None:
        await people.insert_person(tx, key.incarnation)
    device_id = accounts.device_id(tx.scope, device.device)
    cursors, feed = await store.open_exchange(tx, key, device_id, lock=True)
    is_current = feed is not None and device.epoch == str(feed.epoch)
    if device.epoch is not None and not is_current:
        is_known = find_cursor(cursors, device.incarnation) is not None
        unknown_id = None if is_known else device_id
        await require_not_erased(ledger, tx.scope, device, unknown_id)
    if feed is None:
        await people.insert_person(tx, key.incarnation)
        feed = await feed_store.get_feed_state(tx)
        if feed is None:
            reason = "the person was erased meanwhile"
            raise ConflictError(reason)
    _require_alive(feed, device, cursors)
    mine = find_cursor(cursors, device.incarnation)
    if mine is None:
        mine = await _join(tx, key, device_id, device.incarnation)
        await accounts.register(tx, key, DEVICE, device.device)
    return OpenCursor(tx, key, mine, feed)


async def _join(
    tx: Transaction, key: PersonKey, device_id: UUID, incarnation: UUID
) -> SyncCursor:
    """Return the cursor of a new installation, or that of whoever was faster."""
    await store.insert_cursor(tx, key, create_cursor(tx, device_id, incarnation))
    cursors = await store.lock_cursors(tx, key, device_id)
    mine = find_cursor(cursors, incarnation)
    assert mine is not None  # noqa: S101 - it is there now
    tx.record_audit(Audit("create", TABLE, mine.cursor_id, "device_joined"))
    for each in cursors:
        if each.conflict in _ENDED_BY_JOINING:
            await store.update_cursor(tx, key, clear_conflict(each))
    return mine


def clear_conflict(cursor: SyncCursor) -> SyncCursor:
    """Return a cursor that is in no conflict any more; what it waits for shows then."""
    return replace(cursor, sync_status=SyncStatus.PENDING, conflict_state=None)


async def find_device(
    tx: Transaction,
    key: PersonKey,
    accounts: Accounts,
    ledger: Ledger,
    device: Installation,
    *,
    lock: bool = False,
) -> OpenCursor:
    """Return the cursor of an installation whose copy is of the present epoch.

    Raises:
        DeviceGoneError: it has to empty itself.
        SyncUnknownError: it has to say hello first, also to hear what was decided.
        SyncEpochError: its copy is of another epoch.
    """
    device_id = accounts.device_id(tx.scope, device.device)
    cursors, feed = await store.open_exchange(tx, key, device_id, lock=lock)
    if feed is None:
        await require_not_erased(ledger, tx.scope, device, device_id)
        raise SyncUnknownError
    _require_alive(feed, device, cursors)
    mine = find_cursor(cursors, device.incarnation)
    if mine is None or mine.resolution is not None:
        raise SyncUnknownError
    if device.epoch != str(feed.epoch):
        raise SyncEpochError
    return OpenCursor(tx, key, mine, feed)


def find_cursor(cursors: list[SyncCursor], incarnation: UUID) -> SyncCursor | None:
    """Return the cursor of one installation of a device."""
    return next((each for each in cursors if each.incarnation == incarnation), None)


def create_cursor(tx: Transaction, device_id: UUID, incarnation: UUID) -> SyncCursor:
    """Return the cursor of an installation that has sent nothing yet."""
    return SyncCursor(
        cursor_id=tx.new_id(),
        device_id=device_id,
        incarnation=incarnation,
        last_pair_seq=0,
        last_cloud_update_seq=0,
        epoch=None,
        last_sync_at=tx.now,
        sync_status=SyncStatus.PENDING,
        conflict_state=None,
        chain=start_chain(incarnation).chain,
    )


async def require_not_erased(
    ledger: Ledger, scope: Scope, device: Installation, unknown_id: UUID | None
) -> None:
    """Fail if what an installation holds of another epoch was erased.

    That nobody knows the person proves nothing: what they have may be the only copy.
    `unknown_id` is the device's where this installation of it is not known: then it is
    the erased one, as far as anybody can tell.

    Raises:
        DeviceGoneError: the person was erased since, or the device.
    """
    held = device.epoch and Epoch.parse(device.epoch)
    lived = held.incarnation if held else 0
    if await ledger.count_person_erasures(scope.user_id) > lived:
        raise DeviceGoneError(PERSON_ERASED)
    if unknown_id and await ledger.is_erased_since(scope.user_id, unknown_id):
        raise DeviceGoneError(DEVICE_ERASED)


def _require_alive(
    feed: FeedState, device: Installation, cursors: list[SyncCursor]
) -> None:
    mine = find_cursor(cursors, device.incarnation)
    if ConflictKind.REVOKED in {each.conflict for each in cursors}:
        raise DeviceGoneError(DEVICE_REVOKED)
    if mine is not None and mine.conflict is ConflictKind.ERASED:
        raise DeviceGoneError(DEVICE_ERASED)
    held = device.epoch and Epoch.parse(device.epoch)
    if held and feed.epoch.has_erased(held):
        is_same_life = held.incarnation == feed.epoch.incarnation
        raise DeviceGoneError(PERSON_ERASED, field="content" if is_same_life else "")


async def close_device(tx: Transaction, device_id: UUID) -> None:
    """Have every installation of an erased device empty itself.

    Whoever erases calls `store.lock_device` before it locks anything else.
    """
    state = build_conflict(ConflictKind.ERASED, tx.now)
    await store.mark_erased(tx, device_id, state)
