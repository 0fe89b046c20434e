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

from gieok.items.executor import CallOutcome, ItemCall, ItemName
from gieok.items.model import Operation, OperationAnswer
from gieok.kernel.errors import ConflictError, GieokError, UnavailableError
from gieok.kernel.scope import Scope

RunCalls = Callable[[Scope, Sequence[ItemCall]], Awaitable[Sequence[CallOutcome]]]
"""Does calls in one transaction, and returns what became of each."""
MAX_OPERATIONS: Final = 1_000
"""Operations of the calls that share a transaction."""
MAX_CHARACTERS: Final = 8_000_000
"""Characters that they write."""


@dataclass(slots=True, eq=False)
class QueuedCall:
    """A call that waits; `call` is made when its turn comes."""

    scope: Scope
    ops: Sequence[Operation]
    answer: asyncio.Future[Sequence[OperationAnswer]]
    call: ItemCall | None = None

    async def prepare_call(self) -> ItemCall | None:
        """Return the call; None when it cannot be done, or nobody waits any more."""
        if self.call is None and not self.answer.done():
            try:
                self.call = await ItemCall.from_operations(self.ops)
            except Exception as error:  # noqa: BLE001 - it is the caller's own
                self.set_error(error)
        return None if self.answer.done() else self.call

    def set_outcome(self, outcome: CallOutcome) -> None:
        """Tell the caller what became of the call."""
        if isinstance(outcome, GieokError):
            self.set_error(outcome)
        elif not self.answer.done():
            self.answer.set_result(outcome)

    def set_error(self, error: Exception) -> None:
        """Tell the caller why nothing came of the call."""
        if not self.answer.done():
            self.answer.set_exception(error)


@dataclass(slots=True)
class CallGroup:
    """Calls that share a transaction, which reads before it writes."""

    members: list[QueuedCall] = field(default_factory=list[QueuedCall])
    written: dict[ItemName, None] = field(default_factory=dict[ItemName, None])
    operations: int = 0
    characters: int = 0

    def add_call(self, waiting: QueuedCall, call: ItemCall) -> bool:
        """Take a call in, if it then has its turn after all that are in already."""
        self.operations += len(call.ops)
        self.characters += call.size
        if self.members and (
            self.members[0].scope != waiting.scope
            or self.operations > MAX_OPERATIONS
            or self.characters > MAX_CHARACTERS
            or call.can_read(self.written)
        ):
            return False
        self.members.append(waiting)
        self.written |= dict.fromkeys(call.puts)
        return True


class CallQueue:
    """Everyone's calls, in order for each person, at most `at_once` people at a time.

    It is used in one event loop.
    """

    def __init__(self, run: RunCalls, at_once: int) -> None:
        self._run = run
        self._free = asyncio.Semaphore(at_once)
        self._waiting: dict[UUID, deque[QueuedCall]] = {}
        self._working: set[asyncio.Task[None]] = set()

    async def answer_call(
        self, scope: Scope, ops: Sequence[Operation]
    ) -> list[OperationAnswer]:
        """Return one answer for each operation, when the call's turn has come."""
        waiting = QueuedCall(scope, ops, asyncio.get_running_loop().create_future())
        queue = self._waiting.get(scope.user_id)
        if queue is None:
            queue = self._waiting[scope.user_id] = deque()
            # In a context of its own: it works for whoever comes, not for the first.
            work = asyncio.create_task(
                self._answer_person(scope.user_id), context=Context()
            )
            self._working.add(work)
            work.add_done_callback(self._working.discard)
        queue.append(waiting)
        return list(await waiting.answer)

    async def _answer_person(self, person: UUID) -> None:
        """Answer a person's calls until none waits."""
        queue, group = self._waiting[person], list[QueuedCall]()
        try:
            while queue:
                async with self._free:
                    group = await _collect_group(queue)
                    await self._answer_group(group)
        finally:
            del self._waiting[person]
            for waiting in (*group, *queue):  # only if this ended before its time
                waiting.answer.cancel()

    async def _answer_group(self, group: Sequence[QueuedCall]) -> None:
        """Run calls in one transaction; if one of them spoils it, the others anew."""
        calls = [each.call for each in group if each.call is not None]
        if not calls:
            return
        try:
            outcomes = await self._run(group[0].scope, calls)
        except Exception as error:  # noqa: BLE001 - handed to the callers
            if len(group) == 1 or isinstance(error, UnavailableError | ConflictError):
                for waiting in group:
                    waiting.set_error(error)
                return
            half = len(group) // 2
            await self._answer_group(group[:half])
            await self._answer_group(group[half:])
            return
        for waiting, outcome in zip(group, outcomes, strict=True):
            waiting.set_outcome(outcome)


async def _collect_group(queue: deque[QueuedCall]) -> list[QueuedCall]:
    """Take from the queue's front the calls that can share a transaction."""
    group = CallGroup()
    while queue:
        call = await queue[0].prepare_call()
        if call is not None and not group.add_call(queue[0], call):
            break
        queue.popleft()
        await asyncio.sleep(0)  # reading what is written takes time: others go on
    return group.members
