"""The agent pauses, is edited and resumed, by one at a time (B04, B07)."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from langchain_core.tools import tool
from langgraph.types import interrupt

from gieok import Category, Gieok, Scope
from gieok.kernel.errors import (
    ConflictError,
    InvalidInputError,
)
from gieok.sessions import Layer, Status
from gieok.surfaces.langgraph import Agent, Edits, RunState
from gieok.testing import FixedClock
from support.agents import (
    ASKED,
    LIVES,
    STEPS,
    Talker,
    agent,
    plain,
    talker,
    told,
    using,
)


@pytest.mark.req("B04", "B07")
async def test_a_run_pauses_before_planning_and_is_resumed(
    memory: Gieok, me: Scope
) -> None:
    model = talker()
    helper = agent(memory, model)
    waiting = await helper.run(me, ASKED, interrupt=True)
    session_id = waiting.session.session_id
    assert (waiting.session.status, waiting.waits_before) == (
        Status.PAUSED,
        "planning",
    )
    assert waiting.session.current_layer is Layer.COGNITIVE
    assert (waiting.response, waiting.plan) == (None, ())
    assert await told(memory, me, waiting) == []
    assert await helper.state(me, session_id) == waiting
    with pytest.raises(ConflictError, match="the session is paused"):
        await helper.run(me, "또", session_id=session_id, interrupt=False)
    done = await helper.resume(me, session_id)
    assert (done.session.status, done.response) == (Status.ACTIVE, f"답: {ASKED}")
    assert [layer for layer, _ in model.prompts] == [
        "cognitive",
        "planning",
        "response",
    ]
    assert done.session.total_turns == 1
    with pytest.raises(ConflictError, match="no run to resume"):
        await helper.resume(me, session_id)


@pytest.mark.req("B07")
async def test_a_person_edits_what_the_layers_came_to(memory: Gieok, me: Scope) -> None:
    model = talker()
    helper = agent(memory, model)
    waiting = await helper.run(me, ASKED, interrupt=True)
    edits = Edits(understanding="라벨도 묻는다.", plan=["라벨을 뗀다", "헹군다"])
    done = await helper.resume(me, waiting.session.session_id, edits=edits)
    assert (done.understanding, done.plan) == (
        "라벨도 묻는다.",
        ("라벨을 뗀다", "헹군다"),
    )
    assert [layer for layer, _ in model.prompts] == ["cognitive", "response"]
    assert "라벨도 묻는다." in model.prompts[-1][1]
    assert "1. 라벨을 뗀다\n2. 헹군다" in model.prompts[-1][1]


@pytest.mark.parametrize(
    ("edits", "field"),
    [
        (Edits(understanding=" "), "edits.understanding"),
        (Edits(understanding="가" * 3_000), "edits.understanding"),
        (Edits(plan=[]), "edits.plan"),
        (Edits(plan=["x"] * 21), "edits.plan"),
        (Edits(plan=["x", "a\x00b"]), "edits.plan.1"),
    ],
)
async def test_a_bad_edit_is_named_and_the_run_stays_paused(
    memory: Gieok, me: Scope, edits: Edits, field: str
) -> None:
    helper = agent(memory)
    waiting = await helper.run(me, ASKED, interrupt=True)
    session_id = waiting.session.session_id
    with pytest.raises(InvalidInputError) as refused:
        await helper.resume(me, session_id, edits=edits)
    assert refused.value.field == field
    assert await helper.state(me, session_id) == waiting
    assert (await helper.resume(me, session_id)).response


async def pause_with_memory(memory: Gieok, me: Scope, helper: Agent) -> RunState:
    await memory.memories.remember(me, LIVES.content, category=Category.LOCATION)
    await memory.recall.index(me)
    waiting = await helper.run(me, "강남구에서는 어떻게 버려?")
    assert [each["content"] for each in waiting.memories] == [LIVES.content]
    return waiting


@pytest.mark.req("B07", "A14")
async def test_what_is_forgotten_while_a_run_is_paused_is_told_to_nobody(
    memory: Gieok, me: Scope
) -> None:
    model = talker()
    helper = agent(memory, model)
    session_id = (await pause_with_memory(memory, me, helper)).session.session_id
    await memory.memories.forget_all(me)
    assert (await helper.state(me, session_id)).memories == ()
    done = await helper.resume(me, session_id)
    assert done.memories == ()
    before, *after = [LIVES.content in prompt for _, prompt in model.prompts]
    assert (before, after) == (True, [False, False])


@pytest.mark.req("B07", "D04")
async def test_a_run_that_is_resumed_obeys_the_switch(memory: Gieok, me: Scope) -> None:
    model = talker(using("approve", {"amount": 7}))
    helper = agent(memory, model, tools=[approve])
    session_id = (await pause_with_memory(memory, me, helper)).session.session_id
    asking = await helper.resume(me, session_id)
    assert [each["content"] for each in asking.memories] == [LIVES.content]
    assert LIVES.content in model.prompts[-1][1]
    told_before = len(model.prompts)
    await memory.settings.update(me, {"is_enabled": False})
    done = await helper.resume(me, session_id, answer="좋아")
    assert done.response == "승인: 좋아"
    after = [prompt for _, prompt in model.prompts[told_before:]]
    assert len(after) > 1
    assert not any(LIVES.content in prompt for prompt in after)


@pytest.mark.req("B07")
async def test_what_expired_is_not_resumed(
    memory: Gieok, me: Scope, clock: FixedClock
) -> None:
    helper = agent(memory)
    session_id = (await helper.run(me, ASKED, interrupt=True)).session.session_id
    clock.advance(timedelta(hours=25))
    for _ in range(2):
        with pytest.raises(ConflictError, match="expired"):
            await helper.resume(me, session_id)
    kept = await helper.state(me, session_id)
    assert kept.session.status is Status.EXPIRED
    assert (kept.message, kept.understanding) == (ASKED, "분리배출을 묻는다.")


@pytest.mark.req("B07")
async def test_of_two_who_resume_at_once_one_wins(memory: Gieok, me: Scope) -> None:
    model = talker()
    helper = agent(memory, model)
    session_id = (await helper.run(me, ASKED, interrupt=True)).session.session_id
    ended = await asyncio.gather(
        *(helper.resume(me, session_id) for _ in range(4)), return_exceptions=True
    )
    assert sorted(type(each).__name__ for each in ended) == [
        *["ConflictError"] * 3,
        "RunState",
    ]
    assert [layer for layer, _ in model.prompts].count("response") == 1


async def test_of_two_runs_of_a_session_at_once_one_wins(
    memory: Gieok, me: Scope
) -> None:
    helper = agent(memory)
    session_id = (await helper.run(me, ASKED, interrupt=False)).session.session_id
    ended = await asyncio.gather(
        *(
            helper.run(me, f"{n}", session_id=session_id, interrupt=False)
            for n in range(3)
        ),
        return_exceptions=True,
    )
    kinds = sorted(type(each).__name__ for each in ended)
    assert kinds == ["ConflictError", "ConflictError", "RunState"]
    assert (await helper.state(me, session_id)).session.total_turns == 2


@pytest.mark.req("B04")
async def test_a_user_pauses_a_run_at_the_next_layer(memory: Gieok, me: Scope) -> None:
    session = await memory.sessions.start(me)
    going = asyncio.Event()

    class Slow(Talker):
        async def _agenerate(self, messages: Any, *_: Any, **__: Any) -> Any:
            answer = self._generate(messages)
            if self.prompts[-1][0] == "planning" and not going.is_set():
                await memory.sessions.pause(me, session.session_id)
                going.set()
            return answer

    model = Slow(answers=plain, prompts=[], shown=[])
    helper = agent(memory, model)
    stopped = await helper.run(
        me, ASKED, session_id=session.session_id, interrupt=False
    )
    assert (stopped.session.status, stopped.waits_before) == (
        Status.PAUSED,
        "execution",
    )
    assert stopped.plan == STEPS
    done = await helper.resume(me, session.session_id, edits=Edits(plan=["짧게"]))
    assert (done.plan, done.response) == (("짧게",), f"답: {ASKED}")
    assert [layer for layer, _ in model.prompts] == [
        "cognitive",
        "planning",
        "response",
    ]


@pytest.mark.req("B04")
async def test_a_session_that_is_closed_stops_the_run(memory: Gieok, me: Scope) -> None:
    session_id = (await memory.sessions.start(me)).session_id

    class Closing(Talker):
        async def _agenerate(self, messages: Any, *_: Any, **__: Any) -> Any:
            answer = self._generate(messages)
            await memory.sessions.close(me, session_id)
            return answer

    helper = agent(memory, Closing(answers=plain, prompts=[], shown=[]))
    with pytest.raises(ConflictError, match="the session is completed"):
        await helper.run(me, ASKED, session_id=session_id, interrupt=False)
    kept = await helper.state(me, session_id)
    assert (kept.session.status, kept.message) == (Status.COMPLETED, ASKED)
    with pytest.raises(ConflictError, match="completed cannot become active"):
        await helper.resume(me, session_id, edits=Edits(plan=["x"]))


@tool
def approve(amount: int) -> str:
    """Ask before paying."""
    return f"승인: {interrupt({'amount': amount})}"


@pytest.mark.req("B07")
async def test_a_tool_asks_and_is_answered(memory: Gieok, me: Scope) -> None:
    model = talker(using("approve", {"amount": 7}))
    helper = agent(memory, model, tools=[approve])
    waiting = await helper.run(me, ASKED, interrupt=False)
    session_id = waiting.session.session_id
    assert (waiting.session.status, waiting.waits_before) == (
        Status.PAUSED,
        "execution",
    )
    assert waiting.questions == ({"amount": 7},)
    with pytest.raises(ConflictError, match="answered first"):
        await helper.resume(me, session_id)
    with pytest.raises(ConflictError, match="answered first"):
        await helper.resume(me, session_id, edits=Edits(plan=["x"]))
    done = await helper.resume(me, session_id, answer="좋아")
    assert (done.response, done.questions) == ("승인: 좋아", ())


async def test_an_answer_that_nobody_asked_for_is_refused(
    memory: Gieok, me: Scope
) -> None:
    helper = agent(memory)
    session_id = (await helper.run(me, ASKED, interrupt=True)).session.session_id
    with pytest.raises(ConflictError, match="asks nothing"):
        await helper.resume(me, session_id, answer="좋아")


async def test_another_workflow_of_the_app_is_not_disturbed(
    memory: Gieok, me: Scope
) -> None:
    session_id = (await memory.sessions.start(me)).session_id
    await memory.sessions.set_workflow(me, session_id, "cleaning")
    with pytest.raises(ConflictError, match="another workflow"):
        await agent(memory).run(me, ASKED, session_id=session_id, interrupt=False)
