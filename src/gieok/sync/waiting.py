"""Waits for a person's next change, and holds no connection while it does.

A hint wakes whoever waits as soon as a change is committed (`gieok.cache`). One may be
lost, or the change be made by a process that shares no cache, so one short look a
second finds it anyway.
"""

import asyncio
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from gieok.cache import Cache
from gieok.database import Database
from gieok.kernel.scope import Scope
from gieok.sync import feed_store

MAX_WAIT_S: Final = 25
"""The longest wait; proxies close what is silent for much longer."""
MAX_WAITING: Final = 20
"""Requests of one person that wait in this process; others are answered at once."""


@dataclass(frozen=True, slots=True)
class ChangeWaiter:
    """Everyone who waits in this process."""

    database: Database
    cache: Cache
    poll_s: float = 1.0
    """Seconds after which it is looked without a hint."""
    waiting: Counter[UUID] = field(default_factory=Counter[UUID])

    async def wait(self, scope: Scope, since: int, seconds: float) -> None:
        """Return once there is a change after a number, or so many seconds are over."""
        person = scope.user_id
        if self.waiting[person] >= MAX_WAITING:
            return
        self.waiting[person] += 1
        try:
            async with self.cache.listen(person, person) as hinted:
                await self._wait_hinted(scope, since, hinted, seconds)
        finally:
            self.waiting[person] -= 1
            if not self.waiting[person]:
                del self.waiting[person]

    async def _wait_hinted(
        self, scope: Scope, since: int, hinted: asyncio.Event, seconds: float
    ) -> None:
        ends = asyncio.get_running_loop().time() + seconds
        while not hinted.is_set() and await self._read_head(scope) == since:
            left = ends - asyncio.get_running_loop().time()
            if left <= 0:
                return
            with suppress(TimeoutError):
                async with asyncio.timeout(min(self.poll_s, left)):
                    await hinted.wait()

    async def _read_head(self, scope: Scope) -> int | None:
        async with self.database.begin(scope) as tx:
            feed = await feed_store.get_feed_state(tx)
        return feed and feed.head
