"""LangMem's tools and its memory manager on `GieokStore`, unchanged."""

import itertools
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable

from gieok import Gieok, Scope
from gieok.surfaces.langgraph import GieokStore
from support.store_people import values

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the library's own, on import
    from langmem import (
        create_manage_memory_tool,
        create_memory_store_manager,
        create_search_memory_tool,
    )

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
SPACE = ("memories", "{langgraph_user_id}")
RUN = {"configurable": {"langgraph_user_id": "minji", "user_id": "minji"}}


class Scripted(BaseChatModel):
    """A chat model that calls the tools it is told to."""

    calls: list[list[dict[str, Any]]]

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | Any],
        **kwargs: Any,
    ) -> Runnable[Any, AIMessage]:
        del tools, kwargs
        return self

    def _generate(
        self, messages: list[BaseMessage], *args: Any, **kwargs: Any
    ) -> ChatResult:
        del messages, args, kwargs
        calls = self.calls.pop(0) if self.calls else []
        numbers = itertools.count()
        said = AIMessage(
            "",
            tool_calls=[
                {"type": "tool_call", "id": f"call-{next(numbers)}", **call}
                for call in calls
            ],
        )
        return ChatResult(generations=[ChatGeneration(message=said)])


async def test_the_tools_manage_and_search_memories(memory: Gieok, me: Scope) -> None:
    store = GieokStore(memory, me)
    manage: Any = create_manage_memory_tool(SPACE, store=store)
    search: Any = create_search_memory_tool(SPACE, store=store)
    said = "사용자는 강남구에 산다"
    made = await manage.ainvoke({"content": said, "action": "create"}, RUN)
    assert "created memory" in made
    (kept,) = await store.asearch(("memories", "minji"))
    assert kept.value["content"] == said
    assert said in await search.ainvoke({"query": "강남구에"}, RUN)
    await manage.ainvoke(
        {"content": "이제 서초구에 산다", "action": "update", "id": kept.key}, RUN
    )
    assert [each["content"] for each in values(await store.asearch(()))] == [
        "이제 서초구에 산다"
    ]
    await manage.ainvoke({"action": "delete", "id": kept.key}, RUN)
    assert await store.asearch(()) == []


async def test_the_memory_manager_keeps_what_its_model_extracts(
    memory: Gieok, me: Scope
) -> None:
    store = GieokStore(memory, me)
    fact = {"name": "Memory", "args": {"content": "The user has two cats."}}
    model = Scripted(calls=[[fact]])
    manager: Any = create_memory_store_manager(
        model, namespace=SPACE, store=store, query_limit=3
    )
    talk = {"messages": [{"role": "user", "content": "I have two cats."}]}
    await manager.ainvoke(talk, RUN)
    (kept,) = await store.asearch(("memories", "minji"), query="cats")
    assert kept.value["content"]["content"] == "The user has two cats."
