"""Calls wait their turn, and those of one person share a transaction.

However many calls wait, few connections are in use. A call waits as long as its caller
does, so the queue is never longer than what callers already hold.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextvars import Context
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from gieok.items.executor import Call, Name, Outcome
from gieok.items.model import Answer, Operation
from gieok.kernel.errors import ConflictError, GieokError, UnavailableError
from gieok.kernel.scope import Scope

Run = Callable[[Scope, Sequence[Call]], Awaitable[Sequence[Outcome]]]
"""Does calls in one transaction, and returns what became of each."""
MOST_OPERATIONS: Final = 1_000
"""Operations of the calls that share a transaction."""
MOST_CHARACTERS: Final = 8_000_000
"""Characters that they write."""


@dataclass(slots=True, eq=False)
class Waiting:
    """A call that waits; `call` is made when its turn comes."""

    scope: Scope
    ops: Sequence[Operation]
    answer: asyncio.Future[Sequence[Answer]]
    call: Call | None = None

    async def checked(self) -> Call | None:
        """Return the call; None when it cannot be done, or nobody waits any more."""
        if self.call is None and not self.answer.done():
            try:
                self.call = await Call.of(self.ops)
            except Exception as error:  # noqa: BLE001 - it is the caller's own
                self.fail(error)
        return None if self.answer.done() else self.call

    def end(self, outcome: Outcome) -> None:
        """Tell the caller what became of the call."""
        if isinstance(outcome, GieokError):
            self.fail(outcome)
        elif not self.answer.done():
            self.answer.set_result(outcome)

    def fail(self, error: Exception) -> None:
        """Tell the caller why nothing came of the call."""
        if not self.answer.done():
            self.answer.set_exception(error)


@dataclass(slots=True)
class Group:
    """Calls that share a transaction, which reads before it writes."""

    members: list[Waiting] = field(default_factory=list[Waiting])
    written: dict[Name, None] = field(default_factory=dict[Name, None])
    operations: int = 0
    characters: int = 0

    def takes(self, waiting: Waiting, call: Call) -> bool:
        """Take a call in, if it then has its turn after all that are in already."""
        self.operations += len(call.ops)
        self.characters += call.size
        if self.members and (
            self.members[0].scope != waiting.scope
            or self.operations > MOST_OPERATIONS
            or self.characters > MOST_CHARACTERS
            or call.reads(self.written)
        ):
            return False
        self.members.append(waiting)
        self.written |= dict.fromkeys(call.puts)
        return True


class Queue:
    """Everyone's calls, in order for each person, at most `at_once` people at a time.

    It is used in one event loop.
    """

    def __init__(self, run: Run, at_once: int) -> None:
        self._run = run
        self._free = asyncio.Semaphore(at_once)
        self._waiting: dict[UUID, deque[Waiting]] = {}
        self._working: set[asyncio.Task[None]] = set()

    async def answer(self, scope: Scope, ops: Sequence[Operation]) -> list[Answer]:
        """Return one answer for each operation, when the call's turn has come."""
        waiting = Waiting(scope, ops, asyncio.get_running_loop().create_future())
        queue = self._waiting.get(scope.user_id)
        if queue is None:
            queue = self._waiting[scope.user_id] = deque()
            # In a context of its own: it works for whoever comes, not for the first.
            work = asyncio.create_task(self._work(scope.user_id), context=Context())
            self._working.add(work)
            work.add_done_callback(self._working.discard)
        queue.append(waiting)
        return list(await waiting.answer)

    async def _work(self, person: UUID) -> None:
        """Answer a person's calls until none waits."""
        queue, group = self._waiting[person], list[Waiting]()
        try:
            while queue:
                async with self._free:
                    group = await _next(queue)
                    await self._answer(group)
        finally:
            del self._waiting[person]
            for waiting in (*group, *queue):  # only if this ended before its time
                waiting.answer.cancel()

    async def _answer(self, group: Sequence[Waiting]) -> None:
        """Run calls in one transaction; if one of them spoils it, the others anew."""
        calls = [each.call for each in group if each.call is not None]
        if not calls:
            return
        try:
            outcomes = await self._run(group[0].scope, calls)
        except Exception as error:  # noqa: BLE001 - handed to the callers
            if len(group) == 1 or isinstance(error, UnavailableError | ConflictError):
                for waiting in group:
                    waiting.fail(error)
                return
            half = len(group) // 2
            await self._answer(group[:half])
            await self._answer(group[half:])
            return
        for waiting, outcome in zip(group, outcomes, strict=True):
            waiting.end(outcome)


async def _next(queue: deque[Waiting]) -> list[Waiting]:
    """Take from the queue's front the calls that can share a transaction."""
    group = Group()
    while queue:
        call = await queue[0].checked()
        if call is not None and not group.takes(queue[0], call):
            break
        queue.popleft()
        await asyncio.sleep(0)  # reading what is written takes time: others go on
    return group.members
