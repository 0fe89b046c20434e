"""The reference agent: four layers over memory (B05, B06, B08)."""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from decimal import Decimal
from typing import Any, cast

import pytest
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    HumanMessage,
)
from langchain_core.outputs import ChatGenerationChunk

from gieok import Gieok, Scope
from gieok.agent.chat_model import GieokChatModel
from gieok.kernel.errors import (
    ConfigurationError,
)
from gieok.kernel.language import ModelReply, Role
from gieok.sessions import Layer, Status, Turn
from gieok.surfaces.langgraph import Agent, Edits, Happened
from gieok.testing import ScriptedModel
from support.agents import (
    ASKED,
    LIVES,
    STEPS,
    Talker,
    agent,
    fences,
    lookup,
    plain,
    talker,
    told,
    using,
)
from support.scripted_model import Script


@pytest.mark.req("B05", "B06", "B08")
async def test_a_run_goes_through_the_layers_and_is_kept(
    memory: Gieok, me: Scope
) -> None:
    model = talker(tokens=100)
    done = await agent(
        memory, model, price=lambda i, o: Decimal(i * 2 + o * 8) / 1_000_000
    ).run(me, ASKED, interrupt=False)
    assert [layer for layer, _ in model.prompts] == [
        "cognitive",
        "planning",
        "response",
    ]
    assert done.response == f"답: {ASKED}"
    assert (done.understanding, done.plan) == ("분리배출을 묻는다.", STEPS)
    assert (done.waits_before, done.questions, done.message) == (None, (), ASKED)
    session = done.session
    assert (session.status, session.current_layer) == (Status.ACTIVE, Layer.RESPONSE)
    assert (session.total_turns, session.total_tokens) == (1, 303)
    assert session.total_cost == Decimal("0.0006")
    assert session.active_workflow_id is None
    assert await told(memory, me, done) == [
        ("user", ASKED),
        ("assistant", f"답: {ASKED}"),
    ]


@pytest.mark.req("B03", "B05")
async def test_the_messages_of_a_run_carry_their_layers(
    memory: Gieok, me: Scope
) -> None:
    done = await agent(memory).run(me, ASKED, interrupt=False)
    read = await memory.sessions.read(me, done.session.session_id)
    assert [(m.role, m.layer) for m in read.messages] == [
        ("user", "cognitive"),
        ("assistant", "response"),
    ]


@pytest.mark.req("B07")
async def test_a_run_pauses_before_planning_unless_told_otherwise(
    memory: Gieok, me: Scope
) -> None:
    waiting = await agent(memory).run(me, ASKED)
    assert (waiting.session.status, waiting.waits_before) == (
        Status.PAUSED,
        "planning",
    )


@pytest.mark.req("B08", "D11")
async def test_a_run_is_told_what_is_known_and_what_was_just_said(
    memory: Gieok, me: Scope, script: Script
) -> None:
    model = talker()
    helper = agent(memory, model, instructions="분리배출 도우미입니다.")
    script.says(LIVES)
    first = await helper.run(me, "나 강남구 살아", interrupt=False)
    await memory.settled(me)
    second = await helper.run(
        me, "강남구는?", session_id=first.session.session_id, interrupt=False
    )
    assert [m.text for m in model.shown[-1]] == [
        "나 강남구 살아",
        "답: 나 강남구 살아",
        "강남구는?",
    ]
    last_three = [prompt for _, prompt in model.prompts[-3:]]
    assert all(p.startswith("분리배출 도우미입니다.") for p in last_three)
    assert all(LIVES.content in prompt for prompt in last_three)
    assert [fences(prompt) for prompt in last_three] == [1, 1, 1]
    assert [each["content"] for each in second.memories] == [LIVES.content]
    assert second.session.total_turns == 2


async def test_the_layers_speak_the_sessions_language(memory: Gieok, me: Scope) -> None:
    model = talker()
    await agent(memory, model).run(
        me, "Where does glass go?", language="en", interrupt=False
    )
    layers = ["cognitive", "planning", "response"]
    assert [layer for layer, _ in model.prompts] == layers
    assert not any("답하지" in prompt for _, prompt in model.prompts)


@pytest.mark.req("B05")
async def test_tools_are_used_in_the_execution_layer(memory: Gieok, me: Scope) -> None:
    model = talker(using("lookup", {"district": "강남구"}))
    done = await agent(memory, model, tools=[lookup]).run(me, ASKED, interrupt=False)
    assert done.response == "강남구: 목요일"
    assert [layer for layer, _ in model.prompts].count("execution") == 2
    again = await agent(memory, model, tools=[lookup]).run(
        me, "또", session_id=done.session.session_id, interrupt=False
    )
    assert again.response == "강남구: 목요일"


async def test_a_tool_that_is_not_there_is_told_to_the_model(
    memory: Gieok, me: Scope
) -> None:
    model = talker(using("lookdown", {}))
    done = await agent(memory, model, tools=[lookup]).run(me, ASKED, interrupt=False)
    assert done.response is not None
    assert "lookdown" in done.response


async def test_a_model_that_uses_tools_for_ever_is_stopped(
    memory: Gieok, me: Scope
) -> None:
    def answers(layer: str, said: Sequence[BaseMessage]) -> AIMessage | str:
        if layer != "execution":
            return plain(layer, [m for m in said if isinstance(m, HumanMessage)])
        call = {"name": "lookup", "args": {"district": "강남구"}, "id": str(len(said))}
        return AIMessage("", tool_calls=[call])

    model = talker(answers)
    done = await agent(memory, model, tools=[lookup]).run(me, ASKED, interrupt=False)
    assert done.response == f"답: {ASKED}"
    assert [layer for layer, _ in model.prompts].count("execution") == 8


@pytest.mark.req("B08", "B06")
async def test_the_configured_model_talks(memory: Gieok, me: Scope) -> None:
    def replies(instructions: str, messages: Sequence[Any]) -> ModelReply:
        assert instructions
        return ModelReply(
            f"{messages[-1].role.value}: {messages[-1].content}", tokens=5
        )

    helper = Agent(memory)
    cast("GieokChatModel", helper.model).model = ScriptedModel(replies=replies)
    done = await helper.run(me, ASKED, interrupt=False)
    assert done.response == f"user: {ASKED}"
    assert done.session.total_tokens == 15


def test_a_model_that_cannot_be_is_named(memory: Gieok) -> None:
    with pytest.raises(ConfigurationError, match="nonsense"):
        Agent(memory, model="nonsense")
    with pytest.raises(ConfigurationError, match="takes no tools"):
        Agent(memory, tools=[lookup])


@pytest.mark.req("B08")
async def test_a_run_is_followed_layer_by_layer_and_word_by_word(
    memory: Gieok, me: Scope
) -> None:
    class Streaming(Talker):
        async def _astream(
            self, *_: Any, **__: Any
        ) -> AsyncIterator[ChatGenerationChunk]:
            for word in ("투명 ", "페트병은 ", "목요일에."):
                yield ChatGenerationChunk(message=AIMessageChunk(content=word))

    helper = agent(memory, Streaming(answers=plain, prompts=[], shown=[]))
    run = await helper.start(me, ASKED, interrupt=False)
    happened = [each async for each in run]
    assert happened[:4] == [Happened("layer", layer.value) for layer in Layer]
    words = [each.text for each in happened[4:]]
    assert {each.kind for each in happened[4:]} == {"token"}
    assert words == ["투명 ", "페트병은 ", "목요일에."]
    assert (await run.outcome()).response == "투명 페트병은 목요일에."


async def test_nobody_need_follow_a_run(memory: Gieok, me: Scope) -> None:
    run = await agent(memory).start(me, ASKED, interrupt=False)
    followed = cast("AsyncGenerator[Happened]", aiter(run))
    await anext(followed)
    await followed.aclose()
    assert (await run.outcome()).response


@pytest.mark.req("B08")
async def test_a_conversation_of_turns_is_gone_on_with(
    memory: Gieok, me: Scope
) -> None:
    model = talker()
    session = await memory.sessions.start(me)
    await memory.sessions.record(me, session.session_id, Turn("물음", "대답"))
    await agent(memory, model).run(
        me, ASKED, session_id=session.session_id, interrupt=False
    )
    assert [m.text for m in model.shown[-1]] == ["물음", "대답", ASKED]


@pytest.mark.req("A02", "B08")
async def test_a_full_session_goes_on_in_another(memory: Gieok, me: Scope) -> None:
    helper, model = agent(memory), talker()
    session = await memory.sessions.start(me, max_pairs=1)
    for text in ("하나", "둘", "셋"):
        done = await agent(memory, model).run(
            me, text, session_id=session.session_id, interrupt=False
        )
        assert done.response == f"답: {text}"
    assert [m.text for m in model.shown[-1]][-3:] == ["둘", "답: 둘", "셋"]
    sessions, total = await memory.sessions.page(me)
    assert total == 3
    assert {each.active_workflow_id for each in sessions[:1]} == {None}
    assert (
        await helper.run(me, "넷", session_id=session.session_id, interrupt=False)
    ).response


async def test_what_was_forgotten_is_not_shown_to_the_next_run(
    memory: Gieok, me: Scope, script: Script
) -> None:
    model = talker()
    helper = agent(memory, model)
    script.says(LIVES)
    first = await helper.run(me, "나 강남구 살아", interrupt=False)
    await memory.settled(me)
    await memory.memories.forget_all(me)
    await helper.run(me, ASKED, session_id=first.session.session_id, interrupt=False)
    said = [str(m.text) for m in model.shown[-1] if isinstance(m, HumanMessage)]
    assert said[-1] == ASKED
    assert not any("강남구" in text for text in said), Role.USER


@pytest.mark.req("A19", "B08")
async def test_what_is_sensitive_reaches_neither_model_nor_state(
    memory: Gieok, me: Scope
) -> None:
    model = talker()
    helper = agent(memory, model)
    waiting = await helper.run(me, "내 카드는 4242 4242 4242 4242야", interrupt=True)
    edits = Edits(plan=["카드 4242 4242 4242 4242를 적는다"])
    done = await helper.resume(me, waiting.session.session_id, edits=edits)
    seen = [*model.prompts, *model.shown, done, await told(memory, me, done)]
    assert "4242 4242" not in str(seen)
    assert done.session.total_turns == 1
