"""The exchange with devices: hello, push, pull, snapshot, ack; each one transaction."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from gieok.accounts import Accounts, naming
from gieok.accounts.naming import DEVICE
from gieok.database import Audit, Change, Database, Transaction
from gieok.database.feed import get_feed_floor, trim_feed
from gieok.kernel.chain import Position
from gieok.kernel.errors import (
    InvalidInputError,
    NotFoundError,
    ProtocolError,
    SyncEpochError,
    SyncForkError,
    SyncGapError,
    SyncUnknownError,
)
from gieok.kernel.scope import Actor, Scope
from gieok.privacy import PersonKey, Vault
from gieok.sessions import Sessions
from gieok.sessions.inputs import check_range
from gieok.sessions.masking import mask_unmasked
from gieok.settings import Purpose, SettingsService
from gieok.sync import cursors, downloads, feed_store, store
from gieok.sync.cursors import OpenCursor, find_device, require_not_erased
from gieok.sync.devices import (
    DEVICE_KEPT,
    ErasureOnDevice,
    SyncedDevice,
    list_devices,
    list_heard_erasures,
)
from gieok.sync.downloads import (
    PARTS,
    SINGLE,
    SYNCED,
    DownloadReader,
    count_fitting,
)
from gieok.sync.model import (
    MAX_CHANGES,
    MAX_PAIRS,
    NO_INSTALLATION,
    PAGE_BYTES,
    PROTOCOL,
    ConflictKind,
    DeviceResolution,
    Greeting,
    Installation,
    ItemChange,
    Page,
    Pushed,
    PushedPair,
    Snapshot,
    SyncCursor,
    SyncStatus,
)
from gieok.sync.overview import SyncOverview, count_devices
from gieok.sync.pushing import PairWriter, prepare_pairs
from gieok.sync.resolving import find_conflict, resolve_conflicts
from gieok.sync.snapshot_pages import SnapshotPlace
from gieok.sync.upload import Refusal, UploadPlan, decide_upload
from gieok.sync.waiting import MAX_WAIT_S, ChangeWaiter

MAX_SEQ: Final = 2**63 - 1
FEED_KEPT: Final = timedelta(days=7)
"""How long changes stay for whoever keeps something in memory."""
CONTACT_KEPT: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sync:
    """The exchange with everyone's devices.

    A device is named by the app's id for it. All times are the cloud's; a device's
    clock orders nothing. What devices send is audited as the device's doing.
    """

    database: Database
    vault: Vault
    accounts: Accounts
    settings: SettingsService
    sessions: Sessions
    waiter: ChangeWaiter

    async def hello(
        self,
        scope: Scope,
        device: Installation,
        up: Position,
        down: int,
        *,
        waiting: int | None = None,
        protocol: int = PROTOCOL,
    ) -> Greeting:
        """Return where a device stands; the first word after every time apart (A16).

        `up` is the last of its pairs that it knows the cloud has taken, `down` the last
        change that it has applied. A device that nobody knows joins. Where the cloud
        has fewer pairs than it said, the device sends them again from `Greeting.up`.
        `waiting` is how many of its pairs wait for somebody to `resolve` a conflict;
        None where it can go on by itself.

        Raises:
            InvalidInputError: an id or number that cannot be one.
            ProtocolError: the device speaks another version.
            DeviceGoneError: it has to empty itself.
            SyncForkError: another installation has sent other words under the same
                numbers. The device makes itself a new incarnation and sends again,
                under the same pair ids, what it still has.
        """
        if protocol != PROTOCOL:
            raise ProtocolError(PROTOCOL)
        _check_numbers(up.seq, down, waiting or 0)
        scope = replace(scope, actor=Actor.DEVICE)
        keystore, is_new = self.vault.keystore, device.epoch is None
        if not (is_new or await keystore.list_keys(scope.user_id)):
            await self._require_not_erased(scope, device)
        key = await self.vault.get_key(scope)
        async with self.database.begin(scope) as tx:
            opened = await cursors.register_hello(
                tx, key, self.accounts, keystore.ledger, device
            )
            last = opened.cursor.position
            conflict = find_conflict(last, up, waiting)
            resolution = opened.cursor.resolution
            if resolution is not None:
                await opened.save()
            elif conflict is not None:
                await opened.note_conflict(conflict, up.seq + (waiting or 0))
            else:
                await opened.save(
                    sync_status=_get_status(opened, up, down, device.epoch)
                )
            wipe = await self._should_wipe(tx)
        if conflict is ConflictKind.FORK and resolution is None:
            raise SyncForkError
        epoch, head, floor = opened.feed
        stale = device.epoch != str(epoch) or not max(floor, 1) <= down <= head
        return Greeting(
            str(epoch), last, head, tx.now, wipe, stale and not wipe, resolution
        )

    async def push(
        self,
        scope: Scope,
        device: Installation,
        base: Position,
        pairs: Sequence[PushedPair],
    ) -> Pushed:
        """Keep what was said on a device; when this returns, it survives a crash.

        `base` is the position before the first of the pairs. Pairs that were taken
        before are not taken again, so a push may be repeated as often as need be; a
        pair that cannot be kept uses up its number and is named in `rejected`.

        Raises:
            InvalidInputError: more than 50 pairs, or a number that cannot be one.
            DeviceGoneError: the device has to empty itself.
            SyncConflictError: nothing was taken; a hello shows where to go on.
            StorageFullError, DatabaseUnavailableError: nothing was taken.
        """
        if len(pairs) > MAX_PAIRS:
            field = "pairs"
            raise InvalidInputError(field, f"it has more than {MAX_PAIRS} entries")
        for number in (base.seq, *(pair.seq for pair in pairs)):
            check_range("seq", number, 0, MAX_SEQ)
        scope = replace(scope, actor=Actor.DEVICE)
        key = await self._find_key(scope, device)
        ready = await prepare_pairs(
            self.accounts, self.sessions, scope, pairs, self.database.clock()
        )
        async with self.database.begin(scope) as tx:
            opened = await self._find_device(tx, key, device, lock=True)
            writer = self._create_writer(opened)
            plan = decide_upload(
                opened.cursor.position, base, [pair.sent for pair in ready]
            )
            if isinstance(plan, UploadPlan):
                await writer.write(ready, plan.known)
                await writer.batch.advance_masking()
                await _advance(opened, plan.after, writer)
            elif plan is Refusal.FORK:
                await opened.note_conflict(ConflictKind.FORK, base.seq)
            changed = await writer.batch.queue_changed()
            await tx.journal.write(tx)
            feed = await feed_store.queue_feed_state(tx)
        if isinstance(plan, Refusal):
            raise SyncForkError if plan is Refusal.FORK else SyncGapError
        await self.sessions.writer.publish_batch(scope, writer.batch, changed)
        after = await feed_store.read_feed_state(feed) or opened.feed
        return Pushed(plan.after, after.head, tuple(writer.rejected))

    async def pull(
        self,
        scope: Scope,
        device: Installation,
        since: int,
        *,
        limit: int = MAX_CHANGES,
        wait_s: float = 0,
    ) -> Page:
        """Return what changed after a change number, for the device to apply wholly.

        What it said itself comes too; it knows it by the pair's id. Where nothing
        changed, that is waited for, up to `wait_s` seconds; then the page is empty.

        Raises:
            InvalidInputError: a number that cannot be one.
            DeviceGoneError: the device has to empty itself.
            SyncEpochError: its copy is of another epoch, it was away for so long that
                the feed does not reach back, or it says it has seen what has not
                happened: it takes a snapshot.
        """
        check_range("since", since, 0, MAX_SEQ)
        check_range("limit", limit, 1, MAX_CHANGES)
        scope = replace(scope, actor=Actor.DEVICE)
        page = await self._read_page(scope, device, since, limit)
        if not wait_s or page.to > since or page.wipe:
            return page
        await self.waiter.wait(scope, since, min(wait_s, MAX_WAIT_S))
        return await self._read_page(scope, device, since, limit)

    async def _read_page(
        self, scope: Scope, device: Installation, since: int, limit: int
    ) -> Page:
        key = await self._find_key(scope, device)
        async with self.database.begin(scope) as tx:
            opened, reader, wipe = await self._open_reader(tx, key, device)
            epoch, head, _ = opened.feed
            if since > head:
                raise SyncEpochError
            if wipe:
                return Page(str(epoch), since, since, head, (), wipe)
            found = await store.list_changes(tx, SYNCED, since, head, limit)
            # Read last: what is removed meanwhile would be missing in what was found.
            if since < await get_feed_floor(tx):
                raise SyncEpochError
            changed = [each[1:] for each in found]
            fitting = await count_fitting(tx, changed, PAGE_BYTES)
            is_last = fitting == len(found) < limit
            to = head if is_last else found[fitting - 1][0]
            changes = await reader.read_changes(changed[:fitting])
            devices = await naming.list_names(tx, key, DEVICE)
            _audit_download(tx, opened.cursor, "pull", changes)
        await self._note_contact(scope, opened.cursor)
        return Page(str(epoch), since, to, head, changes, wipe, devices)

    async def snapshot(
        self,
        scope: Scope,
        device: Installation,
        *,
        page: str | None = None,
        limit: int = MAX_CHANGES,
    ) -> Snapshot:
        """Return a part of everything that a device may hold, the first without `page`.

        What changes while parts are fetched comes by the pull that follows, as all
        parts name the change number at which the first one began.

        Raises:
            InvalidInputError: a page that was never given out, or a limit.
            DeviceGoneError: the device has to empty itself.
            SyncEpochError: the memory is of another epoch by now.
        """
        check_range("limit", limit, 1, MAX_CHANGES)
        place = None if page is None else SnapshotPlace.parse(page)
        scope = replace(scope, actor=Actor.DEVICE)
        key = await self._find_key(scope, device)
        async with self.database.begin(scope) as tx:
            opened, reader, wipe = await self._open_reader(tx, key, device)
            epoch = str(opened.feed.epoch)
            if wipe:
                return Snapshot(epoch, 0, (), None, wipe)
            items: list[ItemChange] = []
            if place is None:
                place = SnapshotPlace.begin(opened.feed.head)
                items += await _read_single(tx, reader)
            rest, following = await _read_parts(tx, reader, place, limit)
            items += rest
            devices = await naming.list_names(tx, key, DEVICE)
            _audit_download(tx, opened.cursor, "snapshot", items)
        next_page = following and str(following)
        return Snapshot(epoch, place.seq, tuple(items), next_page, wipe, devices)

    async def ack(self, scope: Scope, device: Installation, down: int) -> SyncCursor:
        """Note that a device has applied all changes up to a number.

        Raises:
            InvalidInputError: a number that cannot be one.
            DeviceGoneError: the device has to empty itself.
            SyncEpochError: it was no change of this epoch.
        """
        check_range("down", down, 0, MAX_SEQ)
        scope = replace(scope, actor=Actor.DEVICE)
        key = await self._find_key(scope, device)
        async with self.database.begin(scope) as tx:
            opened = await self._find_device(tx, key, device, lock=True)
            if down > opened.feed.head:
                raise SyncEpochError
            before, epoch = opened.cursor, str(opened.feed.epoch)
            if before.epoch == epoch:
                down = max(down, before.last_cloud_update_seq)
            status = _get_status(opened, before.position, down, epoch)
            return await opened.save(
                last_cloud_update_seq=down, epoch=epoch, sync_status=status
            )

    async def trim_feed(self, scope: Scope) -> None:
        """Remove changes that nobody may ask for any more (`gieok.database.feed`).

        Those of the last week stay, and those that a device has not applied which was
        heard of in the last 90 days; one that comes back later takes a snapshot.
        """
        while True:
            async with self.database.begin(scope) as tx:
                until = await self._find_trimmable(tx)
                if until is None or not await trim_feed(tx, until):
                    return

    async def _find_trimmable(self, tx: Transaction) -> int | None:
        feed = await feed_store.get_feed_state(tx)
        if feed is None:
            return None
        until = await store.find_last_before(tx, feed.floor, tx.now - FEED_KEPT)
        if until is None or await self._should_wipe(tx):
            return until
        slowest = await store.find_slowest(tx, feed.epoch, tx.now - DEVICE_KEPT)
        return until if slowest is None else min(until, slowest)

    async def _note_contact(self, scope: Scope, cursor: SyncCursor) -> None:
        """Keep, once an hour, that a device was heard of which only listens."""
        before = self.database.clock() - CONTACT_KEPT
        if cursor.last_sync_at < before:
            async with self.database.begin(scope) as tx:
                await store.note_contact(tx, cursor.cursor_id, before)

    async def cursors(self, scope: Scope) -> tuple[SyncCursor, ...]:
        """Return where all of the person's devices stand (A08)."""
        if not await self.vault.keystore.list_keys(scope.user_id):
            return ()
        key = await self.vault.get_key(scope)
        async with self.database.begin(scope) as tx:
            return tuple(await store.list_cursors(tx, key))

    async def devices(self, scope: Scope) -> tuple[SyncedDevice, ...]:
        """Return the person's devices, oldest first, and where each stands."""
        names = await self.accounts.device_names(scope)
        return list_devices(names, await self.cursors(scope))

    async def register(self, scope: Scope, name: str) -> SyncedDevice:
        """Return a device by the app's name, kept on first sight.

        One that was shut out stays shut out: give a new one another name.

        Raises:
            InvalidInputError: the name is empty, too long or not text.
        """
        device_id = await self.accounts.device(scope, name)
        found = await self.devices(scope)
        return next(each for each in found if each.device_id == device_id)

    async def unregister(self, scope: Scope, device_id: UUID) -> None:
        """Shut a device out, and forget its name; what was said on it stays.

        Raises:
            NotFoundError: the person has no such device.
        """
        await self.revoke(scope, device_id)
        async with self.database.begin(scope) as tx:
            await tx.lock_person()
            if await naming.delete_name(tx, DEVICE, device_id):
                tx.record_changes(Change("device", device_id, "delete"))
                tx.record_audit(Audit("delete", "devices", device_id, "unregistered"))

    async def heard_erasures(
        self, scope: Scope, finished_at: datetime
    ) -> tuple[ErasureOnDevice, ...]:
        """Return which devices have heard of an erasure that ended at a time."""
        names = await self.accounts.device_names(scope)
        if not await self.vault.keystore.list_keys(scope.user_id):
            return ()
        key = await self.vault.get_key(scope)
        async with self.database.begin(scope) as tx:
            feed = await feed_store.get_feed_state(tx)
            if feed is None:
                return ()
            change = await store.find_last_change(tx, finished_at)
            return list_heard_erasures(
                names,
                await store.list_cursors(tx, key),
                epoch=str(feed.epoch),
                change=feed.floor if change is None else change,
                now=tx.now,
            )

    async def count_devices(
        self, progress: Callable[[int, int], None] = lambda _done, _total: None
    ) -> SyncOverview:
        """Return how many of everybody's devices are in which state, for operators.

        `progress` is told (people done, people in all).
        """
        return await count_devices(self.database, self.vault, progress)

    async def revoke(self, scope: Scope, device_id: UUID) -> None:
        """Shut a device out for good: whatever it asks, it is told to empty itself.

        What was said on it stays; `Erasure.device` erases that.

        Raises:
            NotFoundError: the person has no such device.
        """
        async with self.database.begin(scope) as tx:
            is_known = await naming.is_saved(tx, DEVICE, device_id)
            if not (is_known or await store.has_cursor(tx, device_id)):
                thing = "device"
                raise NotFoundError(thing)
        key = await self.vault.get_key(scope)
        async with self.database.begin(scope) as tx:
            found = await store.lock_cursors(tx, key, device_id)
            state = cursors.build_conflict(ConflictKind.REVOKED, tx.now)
            if not found:
                mark = cursors.create_cursor(tx, device_id, NO_INSTALLATION)
                await store.insert_cursor(tx, key, mark)
                found = [mark]
            for each in found:
                revoked = replace(
                    each, sync_status=SyncStatus.ERROR, conflict_state=state
                )
                await store.update_cursor(tx, key, revoked)
            tx.record_audit(Audit("update", "devices", device_id, "device_revoked"))
        self.waiter.cache.hint(scope.user_id, scope.user_id)

    async def resolve(
        self, scope: Scope, device_id: UUID, resolution: DeviceResolution
    ) -> SyncedDevice:
        """Decide about a conflict of a device, and return how it stands then (A17).

        It hears of that when it next asks. What it does by itself in any case is not
        waited for: the conflict is over at once.

        Raises:
            NotFoundError: the person has no such device.
            ConflictError: it is in no conflict about which just that may be decided.
        """
        known = {each.device_id: each for each in await self.devices(scope)}
        if device_id not in known:
            thing = "device"
            raise NotFoundError(thing)
        key = await self.vault.get_key(scope)
        async with self.database.begin(scope) as tx:
            await resolve_conflicts(tx, key, known[device_id], resolution)
        self.waiter.cache.hint(scope.user_id, scope.user_id)
        found = await self.devices(scope)
        return next(each for each in found if each.device_id == device_id)

    async def _find_key(self, scope: Scope, device: Installation) -> PersonKey:
        """Return the key of a person whom a device knew before; none is made.

        Of one who was erased in another process a key may be known still; the person
        is not, which `find_device` sees.

        Raises:
            SyncUnknownError: the device has to say hello first.
            DeviceGoneError: the person was erased.
        """
        if device.epoch is None:
            raise SyncUnknownError
        key = await self.vault.find_key(scope)
        if key is None:
            await self._require_not_erased(scope, device)
            raise SyncUnknownError
        return key

    async def _require_not_erased(self, scope: Scope, device: Installation) -> None:
        """Fail if what an installation holds of somebody without a key was erased."""
        ledger = self.vault.keystore.ledger
        device_id = self.accounts.device_id(scope, device.device)
        await require_not_erased(ledger, scope, device, device_id)

    async def _find_device(
        self,
        tx: Transaction,
        key: PersonKey,
        device: Installation,
        *,
        lock: bool = False,
    ) -> OpenCursor:
        ledger = self.vault.keystore.ledger
        return await find_device(tx, key, self.accounts, ledger, device, lock=lock)

    def _create_writer(self, opened: OpenCursor) -> PairWriter:
        return PairWriter(
            opened,
            self.accounts,
            self.sessions.writer.create_batch(opened.tx, opened.key),
            self.vault.keystore.ledger,
            self.sessions.writer.limits.device_pairs,
        )

    async def _open_reader(
        self, tx: Transaction, key: PersonKey, device: Installation
    ) -> tuple[OpenCursor, DownloadReader, bool]:
        await mask_unmasked(tx, key)
        await tx.journal.write(tx)
        opened = await self._find_device(tx, key, device)
        settings = await self.settings.read_settings(tx)
        reader = DownloadReader(tx, key, settings, self.settings.defaults)
        return opened, reader, Purpose.SYNC in reader.settings.withheld

    async def _should_wipe(self, tx: Transaction) -> bool:
        return Purpose.SYNC in (await self.settings.read_settings(tx)).withheld


async def _advance(opened: OpenCursor, after: Position, writer: PairWriter) -> None:
    """Move a cursor on to what was taken; whoever was behind has caught up by it."""
    before = opened.cursor
    state = before.conflict_state
    if state and after.seq >= int(state.get("device_up", 0)):
        state = None
    if writer.rejected:
        counts: dict[str, str | float | None] = {}
        for each in writer.rejected:
            counts[each.code] = int(counts.get(each.code) or 0) + 1
        cursors.audit_cursor(opened.tx, before, "pairs_rejected", counts)
    await opened.save(
        last_pair_seq=after.seq,
        chain=after.chain,
        sync_status=SyncStatus.CONFLICT if state else SyncStatus.PENDING,
        conflict_state=state,
    )


def _check_numbers(up: int, down: int, waiting: int) -> None:
    check_range("up.seq", up, 0, MAX_SEQ)
    check_range("down", down, 0, MAX_SEQ)
    check_range("waiting", waiting, 0, MAX_SEQ - up)


def _get_status(
    opened: OpenCursor, up: Position, down: int, epoch: str | None
) -> SyncStatus:
    """Return ok only for a device that has all there is, and of which all is here."""
    if opened.cursor.conflict_state:
        return SyncStatus.CONFLICT
    is_level = up.seq == opened.cursor.last_pair_seq and down == opened.feed.head
    is_current = epoch == str(opened.feed.epoch)
    return SyncStatus.OK if is_level and is_current else SyncStatus.PENDING


async def _read_single(tx: Transaction, reader: DownloadReader) -> list[ItemChange]:
    person = tx.scope.user_id
    return [
        downloads.build_change(entity, person, found[person])
        for entity in SINGLE
        for found in [await reader.read(entity, [person])]
    ]


async def _read_parts(
    tx: Transaction, reader: DownloadReader, place: SnapshotPlace, limit: int
) -> tuple[list[ItemChange], SnapshotPlace | None]:
    """Return the items from a place on, and the place at which the next page begins."""
    items: list[ItemChange] = []
    left = limit
    while place.part < len(PARTS):
        part = PARTS[place.part]
        ids = await store.list_ids(tx, part.table, part.column, place.after, left)
        named = [(part.entity, each) for each in ids]
        fitting = await count_fitting(tx, named, PAGE_BYTES)
        found = await reader.read(part.entity, ids[:fitting])
        items += [
            ItemChange(part.entity, each, found[each]) for each in ids if each in found
        ]
        if fitting < len(ids) or len(ids) == left:
            return items, replace(place, after=ids[fitting - 1])
        left -= len(ids)
        place = place.find_next_part()
    return items, None


def _audit_download(
    tx: Transaction, cursor: SyncCursor, reason: str, items: Sequence[ItemChange]
) -> None:
    """Note in the audit log that a device read what is kept (D16)."""
    if items:
        details = {"n": len(items)}
        line = Audit("access", cursors.TABLE, cursor.cursor_id, reason, details)
        tx.record_audit(line)
