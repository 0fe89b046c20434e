"""Reading a text that is long, while others go on."""

import asyncio
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sized
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final, TypeVar, cast

T = TypeVar("T")
LONG: Final = 1_000
"""Characters whose reading may take 5 ms of the event loop (the worst takes 4)."""
STRETCH: Final = 0.005
"""Seconds that a thread works before it lets the event loop run."""
_MAX_WAIT: Final = 0.1
"""Seconds that it waits for that; the loop may have ended meanwhile."""


async def run_aside(characters: int, work: Callable[[], T]) -> T:
    """Return what `work` returns, which reads so many characters.

    Long ones are read in a thread, short ones at once: a thread costs 0.1 ms.
    """
    return work() if characters < LONG else await run_in_thread(work)


def is_long(value: object) -> bool:
    """Tell whether a value of JSON has `LONG` characters, or as many parts.

    Looks at no more of it than that.
    """
    left, waiting = LONG, [value]
    while waiting and left > 0:
        each = waiting.pop()
        if isinstance(each, str | list | tuple | Mapping):
            left -= len(cast("Sized", each))
        if left > 0 and isinstance(each, list | tuple):
            waiting += cast("list[object] | tuple[object, ...]", each)
        elif left > 0 and isinstance(each, Mapping):
            parts = cast("Mapping[object, object]", each)
            waiting += [*parts, *parts.values()]
    return left <= 0


async def run_in_thread(work: Callable[[], T]) -> T:
    """Return what `work` returns, done in a thread that can `yield_to_loop`."""
    loop = asyncio.get_running_loop()

    def run() -> T:
        with begin_yielding(loop):
            return work()

    return await asyncio.to_thread(run)


@contextmanager
def begin_yielding(loop: asyncio.AbstractEventLoop) -> Generator[None]:
    """Let the thread that enters this `yield_to_loop`, for work given to it elsewhere.

    Never for the thread in which the loop runs: it would wait for itself.
    """
    before = _waiting_loop.set(_WaitingLoop(loop))
    try:
        yield
    finally:
        _waiting_loop.reset(before)


def yield_to_loop() -> None:
    """Wait until the event loop had its turn, if that has waited for `STRETCH`.

    For work of many small steps: a thread that goes on computing may keep the
    interpreter for seconds, whatever its switch interval says. Does nothing outside of
    `run_in_thread` and `begin_yielding`.
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
        ran.wait(_MAX_WAIT)
        self.since = time.monotonic()


_waiting_loop: ContextVar[_WaitingLoop | None] = ContextVar(
    "waiting_loop", default=None
)
