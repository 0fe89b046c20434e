"""Reading a text that is long, while others go on."""

import asyncio
import threading
import time
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final, TypeVar

T = TypeVar("T")
LONG: Final = 1_000
"""Characters whose reading may take 5 ms of the event loop (the worst takes 4)."""
STRETCH: Final = 0.005
"""Seconds that a thread works before it lets the event loop run."""
_MOST_WAIT: Final = 0.1
"""Seconds that it waits for that; the loop may have ended meanwhile."""


async def run_aside(characters: int, work: Callable[[], T]) -> T:
    """Return what `work` returns, which reads so many characters.

    Long ones are read in a thread, short ones at once: a thread costs 0.1 ms.
    """
    return work() if characters < LONG else await run_in_thread(work)


async def run_in_thread(work: Callable[[], T]) -> T:
    """Return what `work` returns, done in a thread that can `yield_to_loop`."""
    waiting = _WaitingLoop(asyncio.get_running_loop())

    def run() -> T:
        _waiting_loop.set(waiting)
        return work()

    return await asyncio.to_thread(run)


def yield_to_loop() -> None:
    """Wait until the event loop had its turn, if that has waited for `STRETCH`.

    For work of many small steps: a thread that goes on computing may keep the
    interpreter for seconds, whatever its switch interval says. Does nothing outside of
    `run_in_thread`.
    """
    waiting = _waiting_loop.get()
    if waiting is not None:
        waiting.yield_once()


@dataclass(slots=True)
class _WaitingLoop:
    """The event loop that waits for a thread, and since when."""

    loop: asyncio.AbstractEventLoop
    since: float = field(default_factory=time.monotonic)

    def yield_once(self) -> None:
        if time.monotonic() - self.since < STRETCH:
            return
        ran = threading.Event()
        try:
            self.loop.call_soon_threadsafe(ran.set)
        except RuntimeError:  # it is closed
            return
        ran.wait(_MOST_WAIT)
        self.since = time.monotonic()


_waiting_loop: ContextVar[_WaitingLoop | None] = ContextVar(
    "waiting_loop", default=None
)
