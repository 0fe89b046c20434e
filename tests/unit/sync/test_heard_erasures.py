"""How far an erasure is on a device, of which there may be several installations."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from gieok.sync import HeardErasure, SyncStatus
from gieok.sync.devices import list_heard_erasures
from gieok.sync.model import SyncCursor

pytestmark = pytest.mark.req("A08", "A15")

KITCHEN = UUID(int=1)
START = datetime(2026, 1, 5, tzinfo=UTC)
ERASED = 10


def installed(on_day: int, *, heard_on: int, applied: int) -> SyncCursor:
    """Return where an installation stands that joined on a day."""
    joined = START + timedelta(days=on_day)
    return SyncCursor(
        cursor_id=UUID(int=int(joined.timestamp() * 1_000) << 80),
        device_id=KITCHEN,
        incarnation=UUID(int=on_day),
        last_pair_seq=0,
        last_cloud_update_seq=applied,
        epoch="e",
        last_sync_at=START + timedelta(days=heard_on),
        sync_status=SyncStatus.OK,
        conflict_state=None,
    )


def resolve(*cursors: SyncCursor, day: int = 61) -> HeardErasure:
    now = START + timedelta(days=day)
    names = {KITCHEN: "kitchen"}
    (found,) = list_heard_erasures(names, cursors, epoch="e", change=ERASED, now=now)
    return found.state


@pytest.mark.parametrize("is_first_done", [True, False])
def test_of_two_copies_in_use_the_one_that_has_not_heard_counts(
    *, is_first_done: bool
) -> None:
    done, other = {"heard_on": 60, "applied": 10}, {"heard_on": 30, "applied": 9}
    first, second = (done, other) if is_first_done else (other, done)
    copies = installed(1, **first), installed(20, **second)
    assert resolve(*copies) is HeardErasure.PENDING
    assert resolve(*copies, day=125) is HeardErasure.EXPIRED


def test_what_was_installed_anew_since_is_over() -> None:
    before = installed(1, heard_on=19, applied=9)
    assert resolve(before, installed(20, heard_on=60, applied=10)) is HeardErasure.DONE
