"""The feed stays short: what every device has heard of goes, and nobody misses it."""

import random
from datetime import timedelta

import pytest

from gieok import Gieok, Scope, Turn
from gieok.database.feed import TRIM_ROWS
from gieok.items import Put, Search
from gieok.testing import FixedClock
from support.database import Owner
from support.sync_device import Device, is_epoch_refused, joined

pytestmark = pytest.mark.req("A08")
WEEK = timedelta(days=8)


async def numbers(owner: Owner, me: Scope) -> list[int]:
    found = await owner.execute(
        "SELECT seq FROM memory_updates WHERE user_id = %s ORDER BY seq", [me.user_id]
    )
    return [row[0] for row in await found.fetchall()]


async def change(memory: Gieok, me: Scope, count: int = 1) -> int:
    """Let something change so often; return the number of the last change."""
    for number in range(count):
        await memory.memories.remember(me, f"사용자는 벌을 {number}통 키움")
    return await memory.maintenance.database.wait_for_writers(me)


def get_contents(device: Device) -> dict[object, str]:
    return {key: repr(item) for key, item in device.store.items()}


async def assert_level(device: Device) -> None:
    fresh = Device(device.memory, device.scope, "fresh")
    await fresh.join()
    assert get_contents(device) == get_contents(fresh)


async def test_what_everybody_has_heard_of_goes(
    memory: Gieok, me: Scope, owner: Owner, clock: FixedClock
) -> None:
    kitchen, phone = await joined(memory, me, "kitchen"), await joined(memory, me, "p")
    middle = await change(memory, me, 3)
    await phone.pull()
    await kitchen.pull()
    head = await change(memory, me, 3)
    await kitchen.pull()
    await memory.sync.trim_feed(me)
    assert len(await numbers(owner, me)) == head, "what is young stays"
    clock.advance(WEEK)
    await memory.sync.trim_feed(me)
    assert await numbers(owner, me) == list(range(middle + 1, head + 1))
    await phone.pull()
    await memory.sync.trim_feed(me)
    assert min(await numbers(owner, me)) == head, "the last one stays"
    assert not (await phone.hello()).snapshot
    await assert_level(phone)


async def test_who_was_away_for_long_takes_a_snapshot_and_loses_nothing(
    memory: Gieok, me: Scope, owner: Owner, clock: FixedClock
) -> None:
    away, here = await joined(memory, me, "away"), await joined(memory, me, "here")
    away.says("나 여기 있어")
    await away.goes_on()
    kept = await memory.memories.remember(me, "사용자는 서울에 거주")
    await away.pull()
    for _ in range(9):
        clock.advance(timedelta(days=9))
        await here.pull()
        await memory.sync.trim_feed(me)
    assert min(await numbers(owner, me)) <= away.down + 1, "it is waited for"
    clock.advance(timedelta(days=10))
    await memory.memories.forget(me, kept.memory_id)
    await change(memory, me, 2)
    await here.pull()
    clock.advance(WEEK)
    await memory.sync.trim_feed(me)
    assert await is_epoch_refused(away)
    away.says("오프라인에서 한 말")
    assert (await away.hello()).snapshot
    await away.goes_on()
    assert "오프라인에서 한 말" in away.texts()
    assert "서울" not in repr(away.store.values())
    await assert_level(away)


async def test_a_device_that_only_listens_is_not_away(
    memory: Gieok, me: Scope, owner: Owner, clock: FixedClock
) -> None:
    """Nothing to acknowledge is no silence."""
    device = await joined(memory, me)
    await change(memory, me)
    await device.pull()
    for _ in range(12):
        clock.advance(timedelta(days=9))
        await memory.sync.pull(me, device.installation, device.down)
    (cursor,) = await memory.sync.cursors(me)
    assert cursor.last_sync_at == clock()
    await change(memory, me, 2)
    clock.advance(WEEK)
    await memory.sync.trim_feed(me)
    assert min(await numbers(owner, me)) == device.down + 1


async def test_pairs_that_are_gone_stay_gone(
    memory: Gieok, me: Scope, owner: Owner, clock: FixedClock
) -> None:
    device = await joined(memory, me)
    pair = device.says("잊을 말")
    await device.goes_on()
    clock.advance(timedelta(days=40))
    await memory.settled(me)
    await device.goes_on()
    head = await change(memory, me)
    clock.advance(WEEK)
    await device.goes_on()
    await memory.sync.trim_feed(me)
    assert len(await numbers(owner, me)) < head
    restored = Device(memory, me, "speaker", said=[pair])
    await restored.join()
    (rejected,) = (await restored.push()).rejected
    assert rejected.code == "erased"


async def test_the_feed_of_somebody_without_devices_stays_short(
    memory: Gieok, me: Scope, owner: Owner, clock: FixedClock
) -> None:
    session = await memory.sessions.start(me)
    for number in range(5):
        await memory.sessions.record(me, session.session_id, Turn(f"{number}", "네"))
    clock.advance(WEEK)
    await memory.sync.trim_feed(me)
    assert len(await numbers(owner, me)) == 1
    assert [hit.content for hit in await memory.recall.search(me, "3")]


async def test_devices_that_may_hold_nothing_are_not_waited_for(
    memory: Gieok, me: Scope, owner: Owner, clock: FixedClock
) -> None:
    await joined(memory, me)
    await memory.settings.consent(me, {"sync": False})
    await change(memory, me, 3)
    clock.advance(WEEK)
    await memory.sync.trim_feed(me)
    assert len(await numbers(owner, me)) == 1


async def test_a_long_feed_is_trimmed_in_steps(
    memory: Gieok, me: Scope, owner: Owner, clock: FixedClock
) -> None:
    await change(memory, me)
    await owner.execute(
        "UPDATE user_counters SET head_seq = head_seq + %(n)s WHERE user_id = %(me)s",
        {"n": 2 * TRIM_ROWS, "me": me.user_id},
    )
    head = await change(memory, me)
    clock.advance(WEEK)
    await memory.sync.trim_feed(me)
    assert await numbers(owner, me) == [head]


async def test_an_index_in_memory_misses_nothing_that_was_trimmed(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    gone = await memory.memories.remember(me, "사용자는 매운 음식을 좋아함")
    await memory.memories.remember(me, "사용자는 벌을 키움")
    assert await memory.recall.search(me, "매운 음식")
    await memory.memories.forget(me, gone.memory_id)
    session = await memory.sessions.start(me)
    await memory.sessions.record(me, session.session_id, Turn("응", "네"))
    clock.advance(WEEK)
    await memory.sync.trim_feed(me)
    found = [hit.content for hit in await memory.recall.search(me, "매운 음식")]
    assert gone.content not in found


async def test_a_store_in_memory_misses_nothing_that_was_trimmed(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    notes = ("notes",)
    for key in ("gone", "here"):
        await memory.items.batch(me, [Put(notes, key, {"t": key}, texts=("벌통",))])
    find = Search(notes, query="벌통")
    assert "gone" in repr(await memory.items.batch(me, [find]))
    await memory.items.batch(me, [Put(notes, "gone", None)])
    await memory.items.batch(me, [Put(notes, "later", {})])
    clock.advance(WEEK)
    await memory.sync.trim_feed(me)
    await memory.items.batch(me, [find])
    held = memory.items.finder.indexes.find_index(me.user_id)
    assert held is not None
    assert len(held.ids) == 1


TIMES = {"week": WEEK, "months": timedelta(days=95)}
STEPS = ("change", "forget", "one", "two", "trim", *TIMES)


@pytest.mark.parametrize("seed", range(12))
async def test_devices_agree_however_often_the_feed_is_trimmed(
    memory: Gieok, me: Scope, clock: FixedClock, seed: int
) -> None:
    """Any order of changes, absences and trims ends in the same copy everywhere."""
    drawn = random.Random(seed).choices(STEPS, k=20)  # noqa: S311 - a seeded one
    devices = {name: await joined(memory, me, name) for name in ("one", "two")}
    for step in [*drawn, "one", "two"]:
        if step == "change":
            await change(memory, me)
        elif step == "forget":
            for each in (await memory.memories.page(me))[0][:1]:
                await memory.memories.forget(me, each.memory_id)
        elif step == "trim":
            await memory.sync.trim_feed(me)
        elif step in TIMES:
            clock.advance(TIMES[step])
        else:
            await devices[step].goes_on()
    for device in devices.values():
        await assert_level(device)
