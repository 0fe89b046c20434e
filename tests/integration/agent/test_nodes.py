"""Memory as nodes of anyone's graph, and as middleware of LangChain's agent (D11)."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import count
from typing import Any, cast

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import (
    HumanInTheLoopMiddleware,
    SummarizationMiddleware,
)
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)
from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command

from gieok import Category, Gieok, Scope
from gieok.context import Context
from gieok.sessions import Status
from gieok.surfaces.langgraph import (
    ChatState,
    GieokSaver,
    MemoryMiddleware,
    memory_extraction,
    memory_retrieval,
    system_message,
)
from gieok.testing import FixedClock
from support.agents import Talker, fences, lookup, plain, talker
from support.scripted_model import Script, fact

_names = count()
TOOL_ROUNDS = 3
LIVES = fact("사용자는 강남구에 거주한다.", Category.LOCATION)


@pytest.fixture
def name(script: Script) -> str:
    """The app's id of somebody nobody has met."""
    script.answers.clear()
    return f"graph-person-{next(_names)}"


def graph(memory: Gieok, model: Any, saver: Any = None, **how: Any) -> Any:
    async def answer(state: ChatState) -> dict[str, Any]:
        told = system_message("분리배출 도우미입니다.", cast("dict[str, Any]", state))
        return {"messages": [await model.ainvoke([told, *state["messages"]])]}

    builder: Any = StateGraph(ChatState)
    builder.add_node("memory_retrieval", memory_retrieval(memory))
    builder.add_node("answer", answer)
    builder.add_node("memory_extraction", memory_extraction(memory, **how))
    builder.add_edge(START, "memory_retrieval")
    builder.add_edge("memory_retrieval", "answer")
    builder.add_edge("answer", "memory_extraction")
    builder.add_edge("memory_extraction", END)
    return builder.compile(checkpointer=saver)


def named(name: str | None, thread: str = "t") -> RunnableConfig:
    who = {} if name is None else {"user_id": name}
    return {"configurable": {"thread_id": thread, **who}}


def said(text: str, **more: Any) -> dict[str, Any]:
    return {"messages": [HumanMessage(text)], **more}


def use_lookup(_: str, messages: Sequence[BaseMessage]) -> AIMessage | str:
    """Look once, and answer what was found."""
    if isinstance(messages[-1], ToolMessage):
        return str(messages[-1].text)
    call = {"name": "lookup", "args": {"district": "강남구"}, "id": "1"}
    return AIMessage("", tool_calls=[call])


async def contents(memory: Gieok, scope: Scope) -> list[list[str]]:
    sessions, _ = await memory.sessions.page(scope)
    read = [await memory.sessions.read(scope, each.session_id) for each in sessions]
    return [[m.content for m in each.messages] for each in read]


@pytest.mark.req("D11")
async def test_what_one_thread_said_the_next_one_knows(
    memory: Gieok, name: str, script: Script
) -> None:
    scope, model = memory.person(name), talker()
    app = graph(memory, model, GieokSaver(memory))
    script.says(LIVES)
    first = await app.ainvoke(said("나 강남구 살아"), named(name, "a"))
    assert (first["user_memories"], first["memory_context"]) == ([], None)
    assert first["extracted_memories"] == [], "a job extracts, after the answer"
    await memory.settled(scope)
    second = await app.ainvoke(said("강남구에서는 어떻게 버려?"), named(name, "b"))
    (known,) = second["user_memories"]
    assert (known["content"], known["category"]) == (LIVES.content, "location")
    assert 0.5 <= known["confidence"] <= 1
    assert LIVES.content in second["memory_context"]
    assert fences(model.prompts[-1][1]) == 1, "the call was told once"
    assert not any(fences(str(m.text)) for m in second["messages"])
    assert sorted(await contents(memory, scope)) == [
        ["강남구에서는 어떻게 버려?", "답: 강남구에서는 어떻게 버려?"],
        ["나 강남구 살아", "답: 나 강남구 살아"],
    ]


async def resume_before(app: Any, node: str, config: RunnableConfig) -> None:
    """Go on from before a node, as after a crash before the next checkpoint."""
    async for state in app.aget_state_history(config):
        if state.next == (node,):
            await app.ainvoke(None, state.config)
            return
    pytest.fail(f"it was never before {node}")


@pytest.mark.req("D11", "A01")
async def test_a_turn_is_recorded_once_when_the_graph_is_resumed(
    memory: Gieok, name: str
) -> None:
    scope, config = memory.person(name), named(name)
    app = graph(memory, talker(), GieokSaver(memory))
    turn = ["안녕", "답: 안녕"]
    await app.ainvoke(said("안녕"), config)
    await resume_before(app, "memory_extraction", config)
    assert await contents(memory, scope) == [turn]
    await app.ainvoke(said("안녕"), config)
    assert await contents(memory, scope) == [turn * 2], "it was said again"
    await resume_before(app, "answer", config)
    assert await contents(memory, scope) == [turn * 3], "it was answered again"


@pytest.mark.req("D11", "A01")
async def test_the_middleware_records_a_turn_once_when_it_is_resumed(
    memory: Gieok, name: str
) -> None:
    agent = create_agent(
        talker(), middleware=[MemoryMiddleware(memory)], checkpointer=GieokSaver(memory)
    )
    await agent.ainvoke(cast("Any", said("안녕")), named(name))
    await resume_before(agent, "MemoryMiddleware.after_agent", named(name))
    assert await contents(memory, memory.person(name)) == [["안녕", "답: 안녕"]]


@pytest.mark.req("D11")
async def test_a_turn_that_was_erased_leaves_nothing_when_the_graph_is_resumed(
    memory: Gieok, name: str
) -> None:
    scope, config = memory.person(name), named(name)
    app = graph(memory, talker(), GieokSaver(memory))
    await app.ainvoke(said("안녕"), config)
    states = [state async for state in app.aget_state_history(config)]
    (before,) = (each for each in states if each.next == ("memory_extraction",))
    ((session,), _) = await memory.sessions.page(scope)
    await memory.erasure.session(scope, session.session_id)
    await memory_extraction(memory)(before.values, config)
    assert await contents(memory, scope) == []
    assert await memory.accounts.persona_names(scope) == {}


@pytest.mark.req("D11")
async def test_messages_without_ids_are_recorded_each_time(
    memory: Gieok, name: str
) -> None:
    extraction = memory_extraction(memory, name)
    for _ in "12":
        messages = [HumanMessage("물음"), AIMessage("답")]
        await extraction({"messages": messages}, named(None))
    assert await contents(memory, memory.person(name)) == [["물음", "답"] * 2]


@pytest.mark.req("D11")
async def test_the_session_is_the_thread_with_its_tokens(
    memory: Gieok, name: str
) -> None:
    scope = memory.person(name)
    app = graph(memory, talker(tokens=41))
    for text in ("안녕", "잘 지내?"):
        await app.ainvoke(said(text), named(name, "my thread"))
    session_id = memory.accounts.session_id(scope, "my thread")
    session = (await memory.sessions.read(scope, session_id)).session
    assert (session.total_turns, session.total_tokens) == (2, 84)


@pytest.mark.req("D11")
async def test_without_a_person_there_is_no_memory_and_no_error(
    memory: Gieok, name: str
) -> None:
    app = graph(memory, talker())
    result = await app.ainvoke(said("나 강남구 살아"), named(None))
    assert result["user_memories"] == result["extracted_memories"] == []
    assert result["memory_context"] is None
    assert result["messages"][-1].text == "답: 나 강남구 살아"
    assert await contents(memory, memory.person(name)) == []


@pytest.mark.req("D11")
async def test_the_state_may_name_the_person_and_the_config_goes_before_it(
    memory: Gieok, name: str
) -> None:
    app = graph(memory, talker())
    other = f"other-{name}"
    await app.ainvoke(said("하나", user_id=name, session_id="s"), named(None))
    await app.ainvoke(said("둘", user_id=other), named(name))
    turns = await contents(memory, memory.person(name))
    assert sorted(turn[0] for turn in turns) == ["둘", "하나"]
    assert await contents(memory, memory.person(other)) == []


@pytest.mark.req("D11", "D04")
async def test_the_settings_are_obeyed(
    memory: Gieok, name: str, script: Script
) -> None:
    scope = memory.person(name)
    await memory.memories.remember(scope, LIVES.content, category=Category.LOCATION)
    await memory.recall.index(scope)
    app = graph(memory, talker(), wait=True)
    assert (await app.ainvoke(said("강남구 어때?"), named(name)))["memory_context"]
    await memory.settings.update(scope, {"is_enabled": False})
    off = await app.ainvoke(said("강남구 어때?"), named(name))
    assert (off["user_memories"], off["memory_context"]) == ([], None)
    await memory.settings.update(scope, {"is_enabled": True, "auto_extraction": False})
    script.says(fact("사용자는 고양이를 키운다."))
    silent = await app.ainvoke(said("고양이를 키워"), named(name))
    assert silent["extracted_memories"] == []
    assert len((await memory.memories.page(scope))[0]) == 1


@pytest.mark.req("D11")
async def test_who_waits_is_told_what_was_extracted(
    memory: Gieok, name: str, script: Script
) -> None:
    app = graph(memory, talker(), wait=True)
    script.says(LIVES)
    result = await app.ainvoke(said("나 강남구 살아"), named(name))
    (found,) = result["extracted_memories"]
    assert (found["content"], found["category"]) == (LIVES.content, "location")


@pytest.mark.req("D11")
async def test_a_memory_that_fails_never_breaks_the_graph(
    memory: Gieok, name: str
) -> None:
    class Broken(Context):
        async def build(self, *_: Any, **__: Any) -> Any:
            raise RuntimeError

    fields = {f: getattr(memory.context, f) for f in Context.__slots__}
    broken = replace(memory, context=Broken(**fields), sessions=cast("Any", None))
    result = await graph(broken, talker()).ainvoke(said("안녕"), named(name))
    assert result["memory_context"] is None
    assert result["messages"][-1].text == "답: 안녕"


@pytest.mark.parametrize("bad", ["", " ", "x" * 129, "a\x00b", 7])
async def test_a_person_who_cannot_be_is_nobody(memory: Gieok, bad: object) -> None:
    result = await graph(memory, talker()).ainvoke(
        said("안녕"), named(cast("str", bad))
    )
    assert result["memory_context"] is None


@pytest.mark.req("D11", "B04")
async def test_a_thread_goes_on_when_its_session_is_over(
    memory: Gieok, name: str, clock: FixedClock
) -> None:
    scope = memory.person(name)
    app = graph(memory, talker())
    for text in ("하나", "둘"):
        await app.ainvoke(said(text), named(name, "daily"))
    clock.advance(timedelta(days=1))
    for text in ("셋", "넷"):
        await app.ainvoke(said(text), named(name, "daily"))
    after, before = await contents(memory, scope)
    assert (before[::2], after[::2]) == (["하나", "둘"], ["셋", "넷"])


async def test_without_a_thread_the_turns_are_still_kept(
    memory: Gieok, name: str
) -> None:
    app = graph(memory, talker())
    for text in ("하나", "둘"):
        await app.ainvoke(said(text, user_id=name))
    (turns,) = await contents(memory, memory.person(name))
    assert turns[::2] == ["하나", "둘"]


async def test_half_a_turn_is_not_recorded(memory: Gieok, name: str) -> None:
    extraction = memory_extraction(memory, name)
    for messages in ([], [HumanMessage("물음")], [AIMessage("답")], [HumanMessage("")]):
        await extraction({"messages": messages}, named(None))
    assert await contents(memory, memory.person(name)) == []


async def test_somebody_elses_thread_is_a_name_like_any(
    memory: Gieok, name: str
) -> None:
    other = memory.person(f"other-{name}")
    theirs = await memory.sessions.start(other)
    app = graph(memory, talker())
    await app.ainvoke(said("안녕"), named(name, str(theirs.session_id)))
    read = await memory.sessions.read(other, theirs.session_id)
    assert (read.messages, read.session.status) == ((), Status.CREATED)
    assert len(await contents(memory, memory.person(name))) == 1


@pytest.mark.req("D11")
async def test_the_prebuilt_agent_remembers_with_one_line(
    memory: Gieok, name: str, script: Script
) -> None:
    scope, model = memory.person(name), talker()
    agent = create_agent(
        model,
        system_prompt="분리배출 도우미입니다.",
        middleware=[MemoryMiddleware(memory)],
        checkpointer=GieokSaver(memory),
    )
    script.says(LIVES)
    await agent.ainvoke(cast("Any", said("나 강남구 살아")), named(name, "a"))
    await memory.settled(scope)
    result = await agent.ainvoke(cast("Any", said("강남구는?")), named(name, "b"))
    assert "분리배출 도우미" in model.prompts[-1][1]
    assert LIVES.content in model.prompts[-1][1]
    assert not any(fences(str(m.text)) for m in result["messages"])
    assert [m["content"] for m in result["user_memories"]] == [LIVES.content]
    assert len(await contents(memory, scope)) == 2
    alone = create_agent(talker(), middleware=[MemoryMiddleware(memory)])
    nobody = await alone.ainvoke(cast("Any", said("안녕")))
    assert nobody["messages"][-1].text == "답: 안녕"


@pytest.mark.req("D11", "A14")
@pytest.mark.parametrize("is_forgotten", [True, False])
async def test_the_middleware_of_a_resumed_agent_tells_what_is_known_now(
    memory: Gieok, name: str, *, is_forgotten: bool
) -> None:
    scope, model = memory.person(name), talker(use_lookup)
    await memory.memories.remember(scope, LIVES.content, category=Category.LOCATION)
    await memory.recall.index(scope)
    saver = GieokSaver(memory)
    approving = HumanInTheLoopMiddleware(interrupt_on={"lookup": True})
    agent = create_agent(
        model,
        [lookup],
        middleware=cast("Any", [MemoryMiddleware(memory), approving]),
        checkpointer=saver,
    )
    await agent.ainvoke(cast("Any", said("강남구는 언제 버려?")), named(name))
    assert LIVES.content in model.prompts[-1][1]
    if is_forgotten:
        await memory.memories.forget_all(scope)
    approved = Command(resume={"decisions": [{"type": "approve"}]})
    done = await agent.ainvoke(cast("Any", approved), named(name))
    assert done["messages"][-1].text == "강남구: 목요일"
    assert len(model.prompts) == 2
    assert (LIVES.content in model.prompts[-1][1]) is not is_forgotten
    kept = [each.checkpoint async for each in saver.alist(named(name))]
    assert not [each for each in kept if LIVES.content in str(each)]


@pytest.mark.req("D11")
async def test_a_summary_that_langchain_wrote_is_not_what_the_user_said(
    memory: Gieok, name: str
) -> None:
    scope, config = memory.person(name), named(name)

    def look_thrice(_: str, messages: Sequence[BaseMessage]) -> AIMessage | str:
        has_looked = len(model.shown) > TOOL_ROUNDS
        return "목요일" if has_looked else use_lookup("", messages[:1])

    model = talker(look_thrice)
    summarizing = SummarizationMiddleware(
        talker(lambda *_: "요약"), trigger=("messages", 4), keep=("messages", 2)
    )
    agent = create_agent(
        model,
        [lookup],
        middleware=cast("Any", [MemoryMiddleware(memory), summarizing]),
        checkpointer=GieokSaver(memory),
    )
    done = await agent.ainvoke(cast("Any", said("나 강남구 살아")), config)
    assert "나 강남구 살아" not in [str(m.text) for m in done["messages"]]
    assert await contents(memory, scope) == [["나 강남구 살아", "목요일"]]
    await resume_before(agent, "MemoryMiddleware.after_agent", config)
    assert await contents(memory, scope) == [["나 강남구 살아", "목요일"]]
    await agent.ainvoke(cast("Any", said("페트병은?")), config)
    assert [turn[::2] for turn in await contents(memory, scope)] == [
        ["나 강남구 살아", "페트병은?"]
    ]


async def test_what_an_app_puts_in_as_a_notification_is_not_what_the_user_said(
    memory: Gieok, name: str
) -> None:
    noted = HumanMessage("끝났습니다.", additional_kwargs={"lc_source": "task"})
    messages = [HumanMessage("물음"), noted, AIMessage("답")]
    await memory_extraction(memory, name)({"messages": messages}, named(None))
    assert await contents(memory, memory.person(name)) == [["물음", "답"]]


async def test_a_system_prompt_of_blocks_keeps_them(memory: Gieok, name: str) -> None:
    scope, asked = memory.person(name), list[BaseMessage]()
    await memory.memories.remember(scope, LIVES.content, category=Category.LOCATION)
    await memory.recall.index(scope)

    class Watched(Talker):
        def _generate(self, messages: list[BaseMessage], *args: Any, **how: Any) -> Any:
            asked.extend(messages)
            return super()._generate(messages, *args, **how)

    cached = {
        "type": "text",
        "text": "분리배출 도우미입니다.",
        "cache_control": {"type": "ephemeral"},
    }
    agent = create_agent(
        Watched(answers=plain, prompts=[], shown=[]),
        system_prompt=SystemMessage([cached], name="helper"),
        middleware=[MemoryMiddleware(memory)],
    )
    await agent.ainvoke(cast("Any", said("강남구는?")), named(name))
    first, known = asked[0].content
    assert (first, asked[0].name) == (cached, "helper")
    assert LIVES.content in cast("dict[str, str]", known)["text"]
