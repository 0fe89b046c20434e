"""A worker that is told to stop ends, whatever its library makes of that."""

import asyncio
from typing import Any, cast

import pytest

from gieok.worker import stop_worker
from gieok.worker.runner import stop_when_cancelled


class DeafWorker:
    """Swallows cancellations, and ends a while after it is asked to."""

    def __init__(self, *, swallowed: int, seconds: float = 0) -> None:
        self.swallowed = swallowed
        self.seconds = seconds
        self.asked = asyncio.Event()
        self.put_back = False

    async def run(self) -> None:
        while self.swallowed:
            try:
                await self.asked.wait()
                break
            except asyncio.CancelledError:
                self.swallowed -= 1
        try:
            await self.asked.wait()
        finally:
            await asyncio.sleep(self.seconds)
            self.put_back = True

    def stop(self) -> None:
        self.asked.set()


async def run(worker: DeafWorker) -> None:
    async with stop_when_cancelled(cast("Any", worker), check_seconds=0.01):
        await worker.run()
    raise asyncio.CancelledError


@pytest.mark.parametrize("swallowed", [0, 1])
async def test_a_worker_that_swallows_its_cancellation_ends(swallowed: int) -> None:
    worker = DeafWorker(swallowed=swallowed)
    running = asyncio.create_task(run(worker))
    await asyncio.sleep(0)
    async with asyncio.timeout(5):
        await stop_worker(running)
    assert running.cancelled()
    assert worker.put_back


async def test_a_stop_under_way_is_not_broken_off() -> None:
    worker = DeafWorker(swallowed=0, seconds=0.2)
    running = asyncio.create_task(run(worker))
    await asyncio.sleep(0)
    await stop_worker(running)
    assert worker.put_back


async def test_what_went_wrong_meanwhile_is_told() -> None:
    async def fail() -> None:
        raise ValueError("broken")

    running = asyncio.create_task(fail())
    await asyncio.sleep(0)
    with pytest.raises(ValueError, match="broken"):
        await stop_worker(running)
