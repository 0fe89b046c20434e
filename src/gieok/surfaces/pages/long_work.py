"""Work that goes on while nobody looks at its page; what it found stays to be seen."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Final, cast

from fastapi import Depends, Request

from gieok.kernel.background import mark_background
from gieok.kernel.errors import GieokError
from gieok.surfaces.rest.errors import InternalError, log_internal_error

Progress = Callable[[int, int], None]
"""Is told (done, all)."""
NO_ID: Final = "-"
SHORT_SECONDS: Final = 1.0
"""How long a page waits for work, so that what is short needs no second look."""
MAX_KNOWN: Final = 1_000
"""Pieces of work remembered."""


@dataclass(slots=True)
class LongWork:
    """One piece of work: how far it is, and what it found the last time."""

    name: str
    done: int = 0
    total: int = 0
    finished_at: datetime | None = None
    result: Any = None
    failure: GieokError | None = None
    _task: asyncio.Task[None] | None = field(default=None, repr=False)

    @property
    def is_running(self) -> bool:
        """Whether it goes on."""
        return self._task is not None and not self._task.done()

    def start(
        self, work: Callable[[Progress], Awaitable[Any]], now: Callable[[], datetime]
    ) -> bool:
        """Begin, unless it goes on already; return whether it began."""
        if self.is_running:
            return False
        self.done = self.total = 0
        with mark_background():
            self._task = asyncio.create_task(self._run(work, now))
        return True

    def report_progress(self, done: int, total: int) -> None:
        """Note how far it is."""
        self.done, self.total = done, total

    def forget(self, result: object) -> None:
        """Hold a result no longer, unless another one has come since."""
        if self.result is result:
            self.result = None

    async def wait(self, seconds: float = SHORT_SECONDS) -> None:
        """Wait until it is done, but no longer than a page may take."""
        if self._task is not None:
            await asyncio.wait([self._task], timeout=seconds)

    async def _run(
        self, work: Callable[[Progress], Awaitable[Any]], now: Callable[[], datetime]
    ) -> None:
        try:
            self.result, self.failure = await work(self.report_progress), None
        except GieokError as error:
            self.failure = error
        except Exception as error:  # noqa: BLE001 - logged, shown without content
            log_internal_error(error, self.name)
            self.failure = InternalError(NO_ID)
        self.finished_at = now()


@dataclass(frozen=True, slots=True)
class LongWorks:
    """What this process does for operators and for people, by name."""

    by_name: dict[str, LongWork] = field(default_factory=dict[str, LongWork])

    def get(self, name: str) -> LongWork:
        """Return a piece of work; one that nobody began is not remembered."""
        return self.by_name.get(name) or LongWork(name)

    def ensure(self, name: str) -> LongWork:
        """Return a piece of work that is about to begin, and remember it.

        For it, beyond the most, what is done and was begun longest ago is forgotten.
        """
        work = self.by_name.pop(name, None) or LongWork(name)
        done = [each for each in self.by_name.values() if not each.is_running]
        for old in done[: max(len(self.by_name) - MAX_KNOWN + 1, 0)]:
            del self.by_name[old.name]
        self.by_name[name] = work
        return work


async def get_works(request: Request) -> LongWorks:
    """Return what goes on while nobody looks."""
    return cast("LongWorks", request.app.state.works)


Works = Annotated[LongWorks, Depends(get_works)]
