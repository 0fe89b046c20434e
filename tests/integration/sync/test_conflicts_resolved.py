"""What somebody decides about a device's conflict, in the cloud (A17)."""

from contextlib import suppress
from dataclasses import replace

import pytest

from gieok import Gieok, Scope
from gieok.kernel.errors import (
    ConflictError,
    NotFoundError,
    SyncForkError,
    SyncUnknownError,
)
from gieok.sync import (
    ConflictKind,
    DeviceResolution,
    Greeting,
    SyncedDevice,
    SyncStatus,
)
from support.sync_device import Device, joined

pytestmark = pytest.mark.req("A17")


async def see(memory: Gieok, me: Scope) -> SyncedDevice:
    (device,) = await memory.sync.devices(me)
    return device


async def waits(device: Device, waiting: int = 3) -> Greeting:
    """Say hello as a device that waits for somebody."""
    return await device.memory.sync.hello(
        device.scope,
        device.installation,
        device.position(device.up),
        device.down,
        waiting=waiting,
    )


async def forked(memory: Gieok, me: Scope) -> Device:
    """Return a device of which a copy was refused."""
    phone = await joined(memory, me, "phone")
    copy = replace(phone, said=[], store={})
    phone.says("원본이 한 말")
    copy.says("복제가 한 말")
    await phone.push()
    with suppress(SyncForkError):
        await copy.push()
    return phone


async def test_a_device_that_waits_is_seen_until_it_did_what_was_decided(
    memory: Gieok, me: Scope
) -> None:
    phone = await joined(memory, me, "phone")
    phone.says("하나")
    await phone.push()
    assert (await waits(phone)).resolution is None
    seen = await see(memory, me)
    assert (seen.conflict, seen.ways_out) == (
        ConflictKind.NEEDS_PERSON,
        (DeviceResolution.SEND, DeviceResolution.DISCARD),
    )
    assert seen.sides is not None
    assert (seen.sides.sent, seen.sides.taken) == (4, 1)
    decided = await memory.sync.resolve(me, seen.device_id, DeviceResolution.DISCARD)
    assert decided.sides is not None
    assert decided.sides.resolution is DeviceResolution.DISCARD
    assert decided.sync_status is SyncStatus.CONFLICT
    for ask in (phone.pull, phone.push, phone.install):
        with pytest.raises(SyncUnknownError):
            await ask()
    for hello in (waits, Device.hello, waits):
        assert (await hello(phone)).resolution is DeviceResolution.DISCARD, (
            "until it did"
        )
    await phone.fork()
    seen = await see(memory, me)
    assert (seen.conflict, seen.sides) == (None, None)
    cursors = await memory.sync.cursors(me)
    assert [each.conflict for each in cursors] == [None, None]


async def test_since_when_a_device_waits_does_not_change_with_each_hello(
    memory: Gieok, me: Scope
) -> None:
    phone = await joined(memory, me, "phone")
    await waits(phone)
    first = (await see(memory, me)).sides
    await waits(phone, 5)
    second = (await see(memory, me)).sides
    assert first is not None
    assert second is not None
    assert (second.since, second.sent) == (first.since, 5)


async def test_a_fork_that_nobody_comes_back_from_is_over_when_somebody_says_so(
    memory: Gieok, me: Scope
) -> None:
    phone = await forked(memory, me)
    seen = await see(memory, me)
    assert (seen.conflict, seen.ways_out) == (
        ConflictKind.FORK,
        (DeviceResolution.SEND,),
    )
    with pytest.raises(ConflictError, match="shut it out"):
        await memory.sync.resolve(me, seen.device_id, DeviceResolution.DISCARD)
    after = await memory.sync.resolve(me, seen.device_id, DeviceResolution.SEND)
    assert (after.conflict, after.ways_out, after.sides) == (None, (), None)
    phone.says("원본이 또 한 말")
    await phone.push()
    await phone.pull()
    assert (await see(memory, me)).conflict is None
    audit = [line.reason for line in await memory.audit.lines(me)]
    assert "conflict_resolved" in audit


async def test_a_copy_that_begins_anew_ends_the_fork_by_itself(
    memory: Gieok, me: Scope
) -> None:
    phone = await forked(memory, me)
    await phone.fork()
    cursors = await memory.sync.cursors(me)
    assert [each.conflict for each in cursors] == [None, None]


async def test_nothing_is_decided_about_what_is_in_step_shut_out_or_not_there(
    memory: Gieok, me: Scope
) -> None:
    phone = await joined(memory, me, "phone")
    with pytest.raises(ConflictError, match="in no conflict"):
        await memory.sync.resolve(me, phone.device_id, DeviceResolution.SEND)
    await memory.sync.revoke(me, phone.device_id)
    with pytest.raises(ConflictError, match="another name"):
        await memory.sync.resolve(me, phone.device_id, DeviceResolution.SEND)
    other = memory.person("somebody else")
    with pytest.raises(NotFoundError):
        await memory.sync.resolve(other, phone.device_id, DeviceResolution.SEND)
