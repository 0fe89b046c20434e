"""A thread that makes calls one at a time, in the order they came."""

import asyncio
import threading
import weakref
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")


class _Call(NamedTuple):
    make: Callable[[], Any]
    future: Future[Any]


class OneThread:
    """Makes calls of what must not be called from two threads at once.

    The thread is a daemon: a process that ends does not wait for the call under way.
    """

    def __init__(self) -> None:
        self._calls: SimpleQueue[_Call | None] = SimpleQueue()
        self._start = threading.Lock()
        self._started = False

    async def run(self, make: Callable[[], T]) -> T:
        """Return what a call returns, or raise what it raises.

        One that is cancelled before its turn is never made.
        """
        self._ensure_started()
        future: Future[T] = Future()
        self._calls.put(_Call(make, future))
        return await asyncio.wrap_future(future)

    def _ensure_started(self) -> None:
        with self._start:
            if self._started:
                return
            self._started = True
            threading.Thread(target=_run_calls, args=[self._calls], daemon=True).start()
            weakref.finalize(self, self._calls.put, None).atexit = False


def _run_calls(calls: "SimpleQueue[_Call | None]") -> None:
    while call := calls.get():
        if call.future.set_running_or_notify_cancel():
            try:
                call.future.set_result(call.make())
            except BaseException as error:  # noqa: BLE001 - whoever waits is told
                call.future.set_exception(error)
        del call
