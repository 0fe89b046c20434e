"""Wait for what a worker does, and look at what waits for it."""

import asyncio
from collections.abc import Awaitable, Callable

from gieok import (
    Gieok,
    Scope,
)


async def wait_until(
    check: Callable[[], Awaitable[object]], *, seconds: float = 15
) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(seconds):
        while not await check():  # noqa: ASYNC110 - a worker is watched
            await asyncio.sleep(0.05)


async def list_queued_tasks(memory: Gieok, scope: Scope) -> list[str]:
    """Return the jobs that wait for a person."""
    person = str(scope.user_id)
    return [
        job.task
        for job in await memory.jobs.list_waiting(limit=100_000)
        if job.arguments.get("user_id") == person
    ]
