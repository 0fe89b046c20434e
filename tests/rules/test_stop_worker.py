"""A worker that is told to stop ends, whatever its library makes of that."""

import asyncio

import pytest

from gieok.worker import stop_worker


async def wait_for_ever(*, swallowed: int) -> None:
    """Wait; that many cancellations are swallowed."""
    for _ in range(swallowed + 1):
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            if swallowed == 0:
                raise
            swallowed -= 1
    await asyncio.Event().wait()


@pytest.mark.parametrize("swallowed", [0, 1, 2])
async def test_a_cancellation_that_is_swallowed_is_said_again(swallowed: int) -> None:
    running = asyncio.create_task(wait_for_ever(swallowed=swallowed))
    await asyncio.sleep(0)
    async with asyncio.timeout(5):
        await stop_worker(running, cancel_again_after=0.01)
    assert running.cancelled()


async def test_what_went_wrong_meanwhile_is_told() -> None:
    async def fail() -> None:
        raise ValueError("broken")

    running = asyncio.create_task(fail())
    await asyncio.sleep(0)
    with pytest.raises(ValueError, match="broken"):
        await stop_worker(running)
