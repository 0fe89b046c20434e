"""Calls made at once: few transactions, each caller's own answer, the order kept."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import pytest
from langgraph.store.base import GetOp, PutOp

from gieok import Gieok, Scope
from gieok.items import Get, Put
from gieok.items.executor import CallOutcome, ItemCall
from gieok.items.queue import MAX_OPERATIONS, CallQueue
from gieok.kernel.errors import (
    DatabaseUnavailableError,
    InvalidInputError,
    NotPermittedError,
)
from gieok.surfaces.langgraph import GieokStore
from support.database import Owner
from support.store_people import keys

pytestmark = pytest.mark.req("D13")
SPACE = ("notes",)
MINJI, SORA = Scope(UUID(int=1)), Scope(UUID(int=2))


@dataclass
class Recorder:
    """Stands for the transactions: writes down what each would do."""

    groups: list[list[str]] = field(default_factory=list)
    may_go_on: asyncio.Event = field(default_factory=asyncio.Event)
    fails: Exception | None = None
    running: int = 0
    most: int = 0

    async def __call__(
        self, scope: Scope, calls: Sequence[ItemCall]
    ) -> list[CallOutcome]:
        """Do calls; what is written under the key "bad" fails all of them."""
        del scope
        self.running += 1
        self.most = max(self.most, self.running)
        await self.may_go_on.wait()
        self.running -= 1
        names = [str(getattr(op, "key", "")) for call in calls for op in call.ops]
        self.groups.append(names)
        if self.fails is not None:
            raise self.fails
        if "bad" in names:
            raise LookupError("bad")
        return [[None] * len(call.ops) for call in calls]


def write(key: str) -> list[Put]:
    return [Put(SPACE, key, {"n": 1})]


async def test_what_waits_shares_transactions_of_a_bounded_size() -> None:
    recorder = Recorder()
    recorder.may_go_on.set()
    queue = CallQueue(recorder, 1)
    names = [str(number) for number in range(2 * MAX_OPERATIONS + 1)]
    await asyncio.gather(*(queue.answer_call(MINJI, write(name)) for name in names))
    assert [len(group) for group in recorder.groups] == [
        MAX_OPERATIONS,
        MAX_OPERATIONS,
        1,
    ]
    assert [name for group in recorder.groups for name in group] == names


async def test_a_read_has_its_turn_after_the_writes_before_it() -> None:
    recorder = Recorder()
    recorder.may_go_on.set()
    queue = CallQueue(recorder, 1)
    calls = [write("a"), [Get(SPACE, "b")], [Get(SPACE, "a")], write("a"), write("b")]
    await asyncio.gather(*(queue.answer_call(MINJI, call) for call in calls))
    assert recorder.groups == [["a", "b"], ["a", "a", "b"]]


async def test_no_more_people_at_once_than_there_are_connections_for() -> None:
    recorder = Recorder()
    queue = CallQueue(recorder, 2)
    people = [Scope(UUID(int=number)) for number in range(20)]
    waiting = [
        asyncio.create_task(queue.answer_call(who, write("a"))) for who in people
    ]
    await asyncio.sleep(0.01)
    recorder.may_go_on.set()
    await asyncio.gather(*waiting)
    assert recorder.most == 2
    assert len(recorder.groups) == 20


async def test_one_spoilt_call_fails_alone() -> None:
    recorder = Recorder()
    recorder.may_go_on.set()
    queue = CallQueue(recorder, 1)
    names = ["a", "b", "bad", "c", "d"]
    done = await asyncio.gather(
        *(queue.answer_call(MINJI, write(name)) for name in names),
        return_exceptions=True,
    )
    assert [isinstance(each, LookupError) for each in done] == [
        name == "bad" for name in names
    ]


async def test_without_a_database_everybody_is_told_at_once() -> None:
    recorder = Recorder(fails=DatabaseUnavailableError("gone"))
    recorder.may_go_on.set()
    queue = CallQueue(recorder, 1)
    done = await asyncio.gather(
        *(queue.answer_call(MINJI, write(str(number))) for number in range(50)),
        return_exceptions=True,
    )
    assert all(isinstance(each, DatabaseUnavailableError) for each in done)
    assert len(recorder.groups) == 1
    recorder.fails = None
    assert await queue.answer_call(MINJI, write("again")) == [None]


async def test_a_cancelled_call_takes_no_other_along() -> None:
    recorder = Recorder()
    queue = CallQueue(recorder, 1)
    running = asyncio.create_task(queue.answer_call(MINJI, write("running")))
    await asyncio.sleep(0.01)
    names = ["first", "second", "third"]
    tasks = [
        asyncio.create_task(queue.answer_call(MINJI, write(name))) for name in names
    ]
    other = asyncio.create_task(queue.answer_call(SORA, write("other")))
    await asyncio.sleep(0)
    tasks[0].cancel()
    running.cancel()
    recorder.may_go_on.set()
    done = await asyncio.gather(running, *tasks, other, return_exceptions=True)
    assert isinstance(done[0], asyncio.CancelledError)
    assert isinstance(done[1], asyncio.CancelledError)
    assert done[2:] == [[None]] * 3
    assert sorted(recorder.groups) == [["other"], ["running"], ["second", "third"]]


async def test_puts_at_once_are_a_few_transactions(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    store = GieokStore(memory, me)
    await asyncio.gather(
        *(store.aput(SPACE, str(number), {"n": number}) for number in range(300))
    )
    assert len(await store.asearch(SPACE, limit=1_000)) == 300
    counted = await owner.execute(
        "SELECT sum((details->>'n')::int), count(*) < 10 FROM memory_audit_log "
        "WHERE user_id = %s AND event_type = 'create' AND target_table = %s",
        [me.user_id, "store_items"],
    )
    assert await counted.fetchone() == (300, True)


async def test_calls_at_once_have_effect_in_the_order_they_were_made(
    memory: Gieok, me: Scope
) -> None:
    store = GieokStore(memory, me)
    done: list[Any] = await asyncio.gather(
        store.aput(SPACE, "k", {"n": 1}),
        store.aget(SPACE, "k"),
        store.abatch([PutOp(SPACE, "k", {"n": 2}), GetOp(SPACE, "k")]),
        store.asearch(SPACE),
        store.adelete(SPACE, "k"),
        store.aget(SPACE, "k"),
        store.aput(SPACE, "k", {"n": 3}),
    )
    assert done[1].value == {"n": 1}
    assert done[2][1].value == {"n": 1}  # a batch reads before it writes
    assert [each.value for each in done[3]] == [{"n": 2}]
    assert done[5] is None
    last = await store.aget(SPACE, "k")
    assert last is not None
    assert last.value == {"n": 3}


async def test_each_caller_has_its_own_error(memory: Gieok, me: Scope) -> None:
    store = GieokStore(memory, me)
    await memory.settings.consent(me, {"sensitive": False})
    done = await asyncio.gather(
        store.aput(SPACE, "good", {"text": "bees"}),
        store.aput(SPACE, "odd", {"text": object()}),
        store.aput(SPACE, "ill", {"text": "우울증 약을 먹음"}),
        store.aput(SPACE, "fine", {"text": "honey"}),
        return_exceptions=True,
    )
    assert [type(each) for each in done] == [
        type(None),
        InvalidInputError,
        NotPermittedError,
        type(None),
    ]
    assert sorted(keys(await store.asearch(SPACE))) == ["fine", "good"]


async def test_an_item_that_does_not_open_spoils_nobody_elses_call(
    memory: Gieok, me: Scope, owner: Owner
) -> None:
    store = GieokStore(memory, me)
    await store.aput(SPACE, "broken", {"n": 1})
    await owner.execute(
        "UPDATE store_items SET content = content || '\\x00' WHERE user_id = %s",
        [me.user_id],
    )
    done = await asyncio.gather(
        *(store.aput(SPACE, str(number), {"n": number}) for number in range(5)),
        store.aget(SPACE, "broken"),
        store.aget(SPACE, "absent"),
        return_exceptions=True,
    )
    assert done == [None] * 7
    found = await store.aget(SPACE, "4")
    assert found is not None
