"""A process that still holds the key of somebody who was erased harms nobody."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import replace
from uuid import uuid4

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import CheckpointMetadata, empty_checkpoint

from gieok import Config, Gieok, Scope, Turn, open_memory
from gieok.items import Put
from gieok.kernel.errors import ConflictError, DeviceGoneError
from gieok.surfaces.langgraph import GieokSaver
from gieok.testing import FixedClock
from support.database import Owner
from support.fake_parts import PARTS
from support.sync_device import joined

Writing = Callable[[Gieok, Scope], Awaitable[object]]


@pytest.fixture
async def elsewhere(
    config: Config, address: str, clock: FixedClock
) -> AsyncGenerator[Gieok]:
    """Another process of the same installation."""
    same = replace(config, database_url=address, key_file=config.key_path)
    parts = replace(PARTS, clock=clock)
    async with open_memory(same, parts=parts, worker=False) as memory:
        yield memory


async def keep(memory: Gieok, who: Scope) -> object:
    return await memory.memories.remember(who, "고양이를 키운다")


async def say(memory: Gieok, who: Scope) -> object:
    session = await memory.sessions.start(who, config={"tone": "다정하게"})
    turn = Turn("나 강남구 살아", "네.")
    return await memory.sessions.record(who, session.session_id, turn)


async def name(memory: Gieok, who: Scope) -> object:
    return await memory.accounts.persona(who, "mina")


async def put(memory: Gieok, who: Scope) -> object:
    return await memory.items.batch(who, [Put(("books",), "one", {"title": "책"})])


async def checkpoint(memory: Gieok, who: Scope) -> object:
    here: RunnableConfig = {
        "configurable": {"thread_id": str(uuid4()), "checkpoint_ns": ""}
    }
    about: CheckpointMetadata = {"source": "input", "step": 0, "run_id": "나"}
    return await GieokSaver(memory, who).aput(here, empty_checkpoint(), about, {})


@pytest.mark.req("A15", "E19", "D16")
@pytest.mark.parametrize("write", [keep, say, name, put, checkpoint])
@pytest.mark.parametrize("back_by", ["the same process", "another"])
async def test_nothing_is_sealed_with_the_key_of_somebody_erased(
    memory: Gieok, elsewhere: Gieok, me: Scope, write: Writing, back_by: str
) -> None:
    await keep(elsewhere, me)
    await memory.erasure.person(me)
    if back_by == "another":
        await memory.memories.remember(me, "개를 키운다")
    with pytest.raises(ConflictError, match="erased meanwhile"):
        await write(elsewhere, me)
    await write(elsewhere, me)
    memory.maintenance.vault.opened.clear()
    lines = [each async for each in memory.portability.export(me)]
    assert lines, "everything opens"
    kept, _ = await memory.memories.page(me)
    assert {each.content for each in kept} <= {"개를 키운다", "고양이를 키운다"}


@pytest.mark.req("A15", "E19")
async def test_what_was_known_of_somebody_erased_is_not_told_to_who_comes_back(
    memory: Gieok, elsewhere: Gieok, me: Scope
) -> None:
    await elsewhere.memories.remember(me, "벌을 키운다")
    assert await elsewhere.recall.search(me, "벌을 키운다")
    await memory.erasure.person(me)
    await memory.accounts.ensure(me)
    assert not await elsewhere.recall.search(me, "벌을 키운다")
    await memory.memories.remember(me, "개를 키운다")
    with pytest.raises(ConflictError, match="erased meanwhile"):
        await elsewhere.memories.page(me)
    (kept,), _ = await elsewhere.memories.page(me)
    assert kept.content == "개를 키운다", "the key was asked for again"
    (hit,) = await elsewhere.recall.search(me, "키운다")
    assert hit.content == "개를 키운다"


@pytest.mark.req("A15")
@pytest.mark.usefixtures("replayed")
async def test_a_keystore_of_before_an_erasure_seals_nothing(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    await keep(memory, me)
    await memory.erasure.person(me)
    async with memory.maintenance.vault.keystore.pool.connection() as connection:
        await connection.execute(
            "DELETE FROM erased_ledger WHERE user_id = %s", [me.user_id]
        )
    for reason in ("erased meanwhile", "run gieok restore-check"):
        with pytest.raises(ConflictError, match=reason):
            await keep(memory, me)
    counted = "SELECT count(*) FROM user_memories WHERE user_id = %s"
    found = await owner.execute(counted, [me.user_id])
    assert await found.fetchone() == (0,)
    assert await memory.erasure.replay() == 1
    await keep(memory, me)


async def test_the_device_of_somebody_erased_hears_of_it_from_every_process(
    memory: Gieok, elsewhere: Gieok, me: Scope
) -> None:
    device = await joined(elsewhere, me)
    device.says("지울 말")
    await device.push()
    await memory.erasure.person(me)
    assert elsewhere.maintenance.vault.opened[me.user_id].is_fresh
    for ask in (device.push, device.pull, device.hello):
        with pytest.raises(DeviceGoneError):
            await ask()
