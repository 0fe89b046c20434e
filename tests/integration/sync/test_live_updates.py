"""A device that waits for news hears of them at once, and holds no connection."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from gieok import Config, Gieok, Parts, Scope, open_memory
from gieok.cache import Cache, LocalCache
from gieok.kernel.errors import DeviceGoneError
from gieok.sync import MAX_WAIT_S, Page
from gieok.sync.waiting import MAX_WAITING, ChangeWaiter
from gieok.testing import HashEmbedder, ScriptedModel, WordTokenizer
from support.redis_server import redis_server
from support.sync_device import Device, joined

pytestmark = pytest.mark.req("A08")
SOON = 2.0
"""Seconds within which a second device hears."""
HANGS = MAX_WAIT_S / 2
"""Long before a wait ends by itself."""


def create_patient(
    memory: Gieok, cache: Cache | None = None, poll_s: float = 0.05
) -> ChangeWaiter:
    """Return a waiter that never looks by itself, or that another cache wakes."""
    waiter = memory.sync.waiter
    if cache is None:
        return replace(waiter, poll_s=3_600.0, waiting=type(waiter.waiting)())
    return replace(waiter, cache=cache, poll_s=poll_s, waiting=type(waiter.waiting)())


async def wait_for_news(device: Device, waiter: ChangeWaiter) -> Page:
    sync = replace(device.memory.sync, waiter=waiter)
    async with asyncio.timeout(HANGS):
        return await sync.pull(
            device.scope, device.installation, device.down, wait_s=MAX_WAIT_S
        )


async def begin_waiting(waiter: ChangeWaiter, me: Scope, count: int = 1) -> None:
    """Return once so many requests of the person wait."""
    async with asyncio.timeout(HANGS):
        while waiter.waiting[me.user_id] < count:  # noqa: ASYNC110 - nobody sets one
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)


async def test_what_one_device_said_wakes_the_other(memory: Gieok, me: Scope) -> None:
    kitchen, phone = await joined(memory, me, "kitchen"), await joined(memory, me, "p")
    await phone.pull()
    waiter = create_patient(memory)
    news = asyncio.create_task(wait_for_news(phone, waiter))
    await begin_waiting(waiter, me)
    kitchen.says("불 켜줘")
    await kitchen.push()
    page = await news
    assert "conversation_pair" in {each.entity for each in page.changes}
    assert page.since == phone.down
    assert not waiter.waiting


async def test_what_another_server_took_wakes_who_waits_here(
    memory: Gieok, config: Config, me: Scope, tmp_path: Path
) -> None:
    """Two servers share nothing but the database and a Redis."""
    assert memory, "it has started the database"
    parts = Parts(
        model=ScriptedModel(), embedder=HashEmbedder(), tokenizer=WordTokenizer()
    )
    async with AsyncExitStack() as stack:
        url = stack.enter_context(redis_server(tmp_path)).url
        here, there = [
            await stack.enter_async_context(
                open_memory(replace(config, redis_url=url), parts=parts, worker=False)
            )
            for _ in range(2)
        ]
        phone, kitchen = await joined(here, me, "p"), await joined(there, me, "kitchen")
        await phone.pull()
        waiter = create_patient(here, here.sync.waiter.cache, poll_s=3_600.0)
        news = asyncio.create_task(wait_for_news(phone, waiter))
        await begin_waiting(waiter, me)
        kitchen.says("불 켜줘")
        await kitchen.push()
        async with asyncio.timeout(SOON):
            page = await news
        assert "conversation_pair" in {each.entity for each in page.changes}


async def test_a_change_without_a_hint_is_found_by_looking(
    memory: Gieok, me: Scope
) -> None:
    phone = await joined(memory, me, "phone")
    await phone.pull()
    waiter = create_patient(memory, LocalCache())
    news = asyncio.create_task(wait_for_news(phone, waiter))
    await begin_waiting(waiter, me)
    await memory.memories.remember(me, "사용자는 벌을 키움")
    assert (await news).changes


async def test_what_is_there_is_not_waited_for(memory: Gieok, me: Scope) -> None:
    phone = await joined(memory, me, "phone")
    await memory.memories.remember(me, "사용자는 벌을 키움")
    assert (await wait_for_news(phone, create_patient(memory))).changes


async def test_without_news_the_wait_ends_with_an_empty_page(
    memory: Gieok, me: Scope
) -> None:
    phone = await joined(memory, me, "phone")
    await phone.pull()
    page = await memory.sync.pull(me, phone.installation, phone.down, wait_s=0.2)
    assert (page.changes, page.to) == ((), phone.down)


async def test_nobody_else_is_woken(memory: Gieok, me: Scope, other: Scope) -> None:
    phone = await joined(memory, me, "phone")
    await phone.pull()
    waiter = create_patient(memory)
    news = asyncio.create_task(wait_for_news(phone, waiter))
    await begin_waiting(waiter, me)
    await memory.memories.remember(other, "사용자는 벌을 키움")
    await asyncio.sleep(0.3)
    assert not news.done()
    await memory.memories.remember(me, "사용자는 개를 키움")
    assert (await news).changes


async def test_who_is_shut_out_while_waiting_hears_of_it(
    memory: Gieok, me: Scope
) -> None:
    phone = await joined(memory, me, "phone")
    await phone.pull()
    waiter = create_patient(memory)
    news = asyncio.create_task(wait_for_news(phone, waiter))
    await begin_waiting(waiter, me)
    await memory.sync.revoke(me, phone.device_id)
    with pytest.raises(DeviceGoneError):
        await news


async def test_waiting_holds_no_connection(memory: Gieok, me: Scope) -> None:
    """More wait than there are connections; and some more, whom nobody lets wait."""
    phone = await joined(memory, me, "phone")
    await phone.pull()
    assert memory.maintenance.database.size < MAX_WAITING
    waiter = create_patient(memory)
    news = [
        asyncio.create_task(wait_for_news(phone, waiter)) for _ in range(MAX_WAITING)
    ]
    await begin_waiting(waiter, me, MAX_WAITING)
    assert not (await wait_for_news(phone, waiter)).changes, "one too many"
    assert not (await memory.memories.page(me))[0]
    assert not any(each.done() for each in news)
    await memory.memories.remember(me, "사용자는 벌을 키움")
    assert all(page.changes for page in await asyncio.gather(*news))


async def test_who_hangs_up_leaves_nothing_behind(memory: Gieok, me: Scope) -> None:
    phone = await joined(memory, me, "phone")
    await phone.pull()
    waiter = create_patient(memory)
    news = asyncio.create_task(wait_for_news(phone, waiter))
    await begin_waiting(waiter, me)
    news.cancel()
    await asyncio.gather(news, return_exceptions=True)
    assert not waiter.waiting
