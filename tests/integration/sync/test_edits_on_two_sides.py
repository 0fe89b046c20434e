"""What a person changes in two places at once (decision 0039)."""

import asyncio
from collections.abc import Sequence
from uuid import UUID

import pytest

from gieok import Gieok, Scope
from gieok.kernel.errors import NotFoundError
from gieok.memories import DeletePolicy, Memory
from support.sync_device import Device, joined

pytestmark = pytest.mark.req("A10", "A17")


async def pull_memories(devices: Sequence[Device]) -> list[dict[UUID, Memory]]:
    """Return the memories that devices hold once they have heard of everything."""
    found: list[dict[UUID, Memory]] = []
    for device in devices:
        await device.pull()
        memories = [each for each in device.store.values() if isinstance(each, Memory)]
        found.append({each.memory_id: each for each in memories})
    return found


@pytest.fixture
async def devices(memory: Gieok, me: Scope) -> list[Device]:
    return [await joined(memory, me, name) for name in ("speaker", "phone")]


async def test_changes_of_two_fields_at_once_both_stay(
    memory: Gieok, me: Scope, devices: list[Device]
) -> None:
    known = await memory.memories.remember(me, "홍차를 좋아한다")
    await asyncio.gather(
        memory.memories.pin(me, known.memory_id),
        memory.retention.set_policy(me, known.memory_id, DeletePolicy.RETENTION_EXPIRE),
    )
    here, there = await pull_memories(devices)
    assert here == there
    merged = here[known.memory_id]
    assert merged.is_pinned
    assert merged.delete_policy is DeletePolicy.RETENTION_EXPIRE


async def test_of_two_corrections_at_once_nothing_is_lost_unsaid(
    memory: Gieok, me: Scope, devices: list[Device]
) -> None:
    known = await memory.memories.remember(me, "홍차를 좋아한다")
    said = ("녹차를 좋아한다", "커피를 좋아한다")
    results = await asyncio.gather(
        *(memory.memories.correct(me, known.memory_id, each) for each in said),
        return_exceptions=True,
    )
    kept = [each for each in results if isinstance(each, Memory)]
    refused = [each for each in results if isinstance(each, NotFoundError)]
    assert len(kept) + len(refused) == len(said)
    assert kept
    here, there = await pull_memories(devices)
    assert here == there
    assert known.memory_id not in here
    assert {each.memory_id for each in kept} >= here.keys()
    for each in kept:
        history = await memory.memories.history(me, each.memory_id)
        assert history


async def test_what_is_forgotten_meanwhile_is_not_corrected(
    memory: Gieok, me: Scope, devices: list[Device]
) -> None:
    known = await memory.memories.remember(me, "홍차를 좋아한다")
    await memory.memories.forget(me, known.memory_id)
    with pytest.raises(NotFoundError):
        await memory.memories.correct(me, known.memory_id, "녹차를 좋아한다")
    assert await pull_memories(devices) == [{}, {}]
