"""Leaves what does not answer alone for a while."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from gieok.kernel.logs import get_logger

log = get_logger("gieok.cache")

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class CachePatience:
    """How long a cache is waited for, in seconds."""

    patience: float = 0.1
    """Most that one caller waits, connecting included."""
    rest: float = 2.0
    """How long it is left alone after a failure."""


NORMAL = CachePatience()


class Circuit:
    """Asks while there are answers; after a failure, one caller asks now and then."""

    def __init__(self, what: str, pace: CachePatience) -> None:
        self._what = what
        self._pace = pace
        self._is_down = False
        self._next_try = 0.0

    async def call_or_default(
        self, call: Callable[[], Awaitable[Answer]], otherwise: Answer
    ) -> Answer:
        """Return the answer, or something else where there is none in time."""
        if not self._is_call_allowed():
            return otherwise
        cancelled = _count_cancellations()
        answer = otherwise
        try:
            async with asyncio.timeout(self._pace.patience):
                answer = await call()
        except Exception as error:  # noqa: BLE001 - no fault of a cache is its caller's
            self.record_failure(error)
        else:
            self.record_success()
        if _count_cancellations() > cancelled:
            # A client library took it for its own; it was meant for the caller.
            raise asyncio.CancelledError
        return answer

    def record_failure(self, error: Exception) -> None:
        """Note a failure; the first of an outage is logged."""
        self._next_try = asyncio.get_running_loop().time() + self._pace.rest
        if not self._is_down:
            self._is_down = True
            log.warning("cache_away", what=self._what, error=type(error).__name__)

    def record_success(self) -> None:
        """Note a success; it ends an outage."""
        if self._is_down:
            self._is_down = False
            log.info("cache_back", what=self._what)

    def _is_call_allowed(self) -> bool:
        now = asyncio.get_running_loop().time()
        if not self._is_down:
            return True
        if now < self._next_try:
            return False
        self._next_try = now + self._pace.rest
        return True


def _count_cancellations() -> int:
    task = asyncio.current_task()
    return task.cancelling() if task else 0
