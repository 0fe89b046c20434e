"""Reading a text that is long, while others go on."""

import asyncio
from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")
LONG: Final = 1_000
"""Characters whose reading may take 5 ms of the event loop (the worst takes 4)."""


async def run_aside(characters: int, work: Callable[[], T]) -> T:
    """Return what `work` returns, which reads so many characters.

    Long ones are read in a thread, short ones at once: a thread costs 0.1 ms.
    """
    return work() if characters < LONG else await asyncio.to_thread(work)
