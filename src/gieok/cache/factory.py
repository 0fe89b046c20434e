"""Opens the configured cache."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from gieok.cache.local import LocalCache
from gieok.cache.model import Cache
from gieok.kernel.clock import Clock


@asynccontextmanager
async def open_cache(url: str | None, clock: Clock) -> AsyncGenerator[Cache]:
    """Open the Redis at an address, or a cache of this process without one.

    A Redis that does not answer stops nothing: it is tried again every few seconds.

    Raises:
        ConfigurationError: the address cannot be one of a Redis.
    """
    if url is None:
        yield LocalCache(clock)
        return
    from gieok.cache.redis import RedisCache  # noqa: PLC0415 - only where configured

    async with RedisCache.connect(url, clock) as cache:
        yield cache
