"""Does what was decided on an answer, within one transaction of the device's file."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from uuid import UUID

from gieok.device.engine import (
    AcceptPairs,
    ApplyPage,
    BeginIncarnation,
    DropOld,
    Effect,
    EmptyFile,
    Link,
    NumberAnew,
    ResolveConflict,
    SetAsidePair,
    SetCursor,
    StagePart,
    WipeItems,
    refresh_status,
)
from gieok.device.model import (
    RETAIN_MS,
    DeviceCursor,
    DeviceFault,
    DownloadedItem,
    PairState,
)
from gieok.device.store import STAGED, DeviceRows
from gieok.device.wire import ConflictChoice
from gieok.kernel.chain import start_chain

_PAIR = "conversation_pair"
_SESSION = "session"


@dataclass(frozen=True, slots=True)
class EffectWriter:
    """Applies effects to the rows of an open transaction."""

    rows: DeviceRows
    now_ms: int
    """The cloud's time, as far as it is known."""
    new_incarnation: UUID

    def apply(
        self, cursor: DeviceCursor, effects: Sequence[Effect], link: Link
    ) -> DeviceCursor:
        """Do all of it, and return where the device stands then; saved."""
        for effect in effects:
            cursor = self._apply_one(cursor, effect)
        cursor = refresh_status(cursor, link)
        self.rows.save_cursor(cursor)
        return cursor

    def _apply_one(  # noqa: C901, PLR0911 - one line for each kind
        self, cursor: DeviceCursor, effect: Effect
    ) -> DeviceCursor:
        match effect:
            case SetCursor():
                taken = effect.changes.get("last_pair_seq", 0)
                if taken > cursor.last_pair_seq:
                    self.rows.drop_sent_words(cursor.last_pair_seq, taken)
                return replace(cursor, **effect.changes)
            case AcceptPairs():
                return self._accept(cursor, effect)
            case BeginIncarnation() | SetAsidePair() | NumberAnew():
                return self._renumber(cursor, effect)
            case ResolveConflict():
                return resolve_conflict(
                    self.rows,
                    cursor,
                    effect.resolution,
                    self.now_ms,
                    self.new_incarnation,
                )
            case StagePart():
                return self._stage(cursor, effect)
            case ApplyPage():
                self._apply_items(effect.items)
                return replace(cursor, last_cloud_update_seq=effect.to)
            case WipeItems():
                self.rows.clear_items()
                # What is forgotten in the cloud could not reach them any more.
                self.rows.erase_pairs_until(cursor.last_pair_seq)
                return forget_copy(replace(cursor, epoch=effect.epoch))
            case DropOld():
                # By the cloud's clock alone: the device's may jump by years.
                self.rows.mark_sent(cursor.last_pair_seq, effect.server_ms)
                oldest = effect.server_ms - RETAIN_MS
                # The last one stays: what follows is chained to it.
                self.rows.drop_pairs_sent_before(oldest, cursor.last_pair_seq)
                return cursor
            case EmptyFile():
                raise AssertionError  # the file is emptied, not written

    def _accept(self, cursor: DeviceCursor, effect: AcceptPairs) -> DeviceCursor:
        for seq, code in effect.rejected:
            if code == PairState.ERASED:
                self.rows.clear_pair(seq, PairState.ERASED)
            else:
                self.rows.reject_pair(seq, code, self.now_ms)
        if cursor.is_withheld:
            self.rows.erase_pairs_until(effect.up.seq)
        self.rows.drop_sent_words(cursor.last_pair_seq, effect.up.seq)
        return replace(cursor, last_pair_seq=effect.up.seq, chain=effect.up.chain)

    def _renumber(
        self,
        cursor: DeviceCursor,
        effect: BeginIncarnation | SetAsidePair | NumberAnew,
    ) -> DeviceCursor:
        if isinstance(effect, BeginIncarnation):
            return begin_incarnation(
                self.rows,
                replace(cursor, conflict_state=effect.conflict),
                self.new_incarnation,
            )
        if isinstance(effect, SetAsidePair):
            self.rows.reject_pair(effect.seq, "unreadable", self.now_ms)
        newest = self.rows.renumber_pairs(cursor.up)
        return replace(cursor, newest_seq=newest.seq, newest_chain=newest.chain)

    def _stage(self, cursor: DeviceCursor, effect: StagePart) -> DeviceCursor:
        part = effect.part
        if effect.is_first:
            self.rows.clear_items(STAGED)
            cursor = replace(cursor, staged_up=cursor.last_pair_seq)
        self.rows.put_items(part.items, STAGED)
        if part.next_page is not None:
            return replace(
                cursor,
                staged_epoch=part.epoch,
                staged_seq=part.seq,
                staged_page=part.next_page,
            )
        # What the cloud had taken and has no more was erased, or its time was over.
        for session_id in self.rows.list_sessions_without_copy(cursor.staged_up or 0):
            self.rows.end_session(session_id)
        self.rows.erase_pairs_until(cursor.staged_up or 0, but_staged=True)
        self.rows.put_staged()
        # Epoch and place become those of the copy only with the copy itself.
        return replace(
            forget_copy(cursor), epoch=part.epoch, last_cloud_update_seq=part.seq
        )

    def _apply_items(self, items: Sequence[DownloadedItem]) -> None:
        """Keep what a page brought and erase what is gone, in its order."""
        for is_gone, run in groupby(items, lambda item: item.body is None):
            if not is_gone:
                self.rows.put_items(run)
                continue
            for item in run:
                self._erase_item(item)

    def _erase_item(self, item: DownloadedItem) -> None:
        self.rows.delete_item(item.entity, item.item_id)
        if item.entity == _PAIR:
            self.rows.erase_pair(item.item_id)
        elif item.entity == _SESSION:
            self.rows.end_session(item.item_id)


def begin_incarnation(
    rows: DeviceRows, cursor: DeviceCursor, incarnation: UUID
) -> DeviceCursor:
    """Become another installation, with all that still has its words to be sent."""
    at = start_chain(incarnation)
    newest = rows.renumber_pairs(at)
    return replace(
        cursor,
        incarnation=incarnation,
        staged_epoch=None,
        staged_page=None,
        last_pair_seq=0,
        chain=at.chain,
        newest_seq=newest.seq,
        newest_chain=newest.chain,
    )


def resolve_conflict(
    rows: DeviceRows,
    cursor: DeviceCursor,
    resolution: ConflictChoice,
    now_ms: int,
    incarnation: UUID | None,
) -> DeviceCursor:
    """Do what somebody decided about a conflict or fault, and return where it stands.

    "discard" puts aside what is not sent. With `incarnation` it is another one then.
    """
    if resolution == "discard":
        rows.discard_pairs(cursor.last_pair_seq, now_ms)
        newest = cursor.up
        cursor = replace(cursor, newest_seq=newest.seq, newest_chain=newest.chain)
    if incarnation is not None:
        cursor = begin_incarnation(rows, cursor, incarnation)
    return replace(cursor, error=None, conflict_state=None)


def create_cursor(
    device_id: str, incarnation: UUID, error: DeviceFault | None = None
) -> DeviceCursor:
    """Return where an installation stands that has said and heard nothing."""
    at = start_chain(incarnation)
    empty = DeviceCursor(device_id, incarnation, None, 0, at.chain, 0, at.chain)
    return refresh_status(replace(empty, error=error), Link())


def forget_copy(cursor: DeviceCursor) -> DeviceCursor:
    """Return a cursor that takes a whole copy next."""
    return replace(
        cursor,
        last_cloud_update_seq=0,
        swept_ms=0,
        staged_epoch=None,
        staged_seq=None,
        staged_page=None,
        staged_up=None,
    )
