"""Devices as their person sees them, and which of them heard of an erasure."""

from datetime import timedelta

import pytest

from gieok import Gieok, Scope
from gieok.kernel.errors import DeviceGoneError, NotFoundError
from gieok.sync import ConflictKind, HeardErasure, SyncStatus
from gieok.testing import FixedClock
from support.sync_device import joined

pytestmark = pytest.mark.req("A08", "A15")


async def heard(memory: Gieok, me: Scope) -> dict[str, HeardErasure]:
    """Return how far the last erasure is."""
    receipt = (await memory.erasure.receipts(me))[0]
    found = await memory.sync.heard_erasures(me, receipt.finished_at)
    return {each.name: each.state for each in found}


async def test_a_device_is_known_before_it_speaks_and_seen_when_it_does(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    made = await memory.sync.register(me, "kitchen")
    assert (made.name, made.sync_status, made.last_seen_at) == ("kitchen", None, None)
    assert await memory.sync.register(me, "kitchen") == made
    clock.advance(timedelta(hours=1))
    await joined(memory, me, "kitchen")
    (seen,) = await memory.sync.devices(me)
    assert seen.device_id == made.device_id
    assert seen.sync_status in {SyncStatus.OK, SyncStatus.PENDING}
    assert (seen.last_seen_at, seen.installations) == (clock(), 1)


async def test_a_device_that_is_unregistered_is_gone_with_its_name_alone(
    memory: Gieok, me: Scope
) -> None:
    kitchen = await joined(memory, me, "kitchen")
    (seen,) = await memory.sync.devices(me)
    await memory.sync.unregister(me, seen.device_id)
    assert await memory.sync.devices(me) == ()
    with pytest.raises(DeviceGoneError):
        await kitchen.hello()
    again = await memory.sync.register(me, "kitchen")
    assert again.conflict is ConflictKind.REVOKED, "a name that was shut out stays so"
    with pytest.raises(NotFoundError):
        await memory.sync.unregister(me, memory.maintenance.database.new_id())


async def test_an_erasure_is_done_where_a_device_applied_it(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    kept = await memory.memories.remember(me, "사용자는 벌을 키움")
    kitchen, phone = await joined(memory, me, "kitchen"), await joined(memory, me, "p")
    await kitchen.pull()
    await phone.pull()
    clock.advance(timedelta(minutes=1))
    await memory.memories.forget(me, kept.memory_id)
    waiting = HeardErasure.PENDING
    assert await heard(memory, me) == {"kitchen": waiting, "p": waiting}
    clock.advance(timedelta(minutes=1))
    await memory.memories.remember(me, "사용자는 오리를 키움")
    await kitchen.pull()
    await kitchen.pull()  # what it applied is acknowledged with the next word
    assert await heard(memory, me) == {"kitchen": HeardErasure.DONE, "p": waiting}
    clock.advance(timedelta(days=91))
    assert (await heard(memory, me))["p"] is HeardErasure.EXPIRED
    late = await joined(memory, me, "late")
    await late.pull()
    assert (await heard(memory, me))["late"] is HeardErasure.DONE, "it never had it"


async def test_an_erasure_is_done_once_a_device_that_was_installed_again_has_it(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    kept = await memory.memories.remember(me, "사용자는 벌을 키움")
    kitchen = await joined(memory, me, "kitchen")
    await kitchen.pull()
    clock.advance(timedelta(minutes=1))
    await memory.memories.forget(me, kept.memory_id)
    clock.advance(timedelta(minutes=1))
    again = await joined(memory, me, "kitchen")
    await again.pull()
    await again.pull()
    receipt = (await memory.erasure.receipts(me))[0]
    found = await memory.sync.heard_erasures(me, receipt.finished_at)
    assert [(each.name, each.state) for each in found] == [
        ("kitchen", HeardErasure.DONE)
    ]
