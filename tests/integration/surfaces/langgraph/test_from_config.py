"""LangGraph without an event loop: a store and a checkpointer for plain functions."""

from pathlib import Path
from threading import active_count
from typing import Any, TypedDict

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.graph import START, StateGraph
from langgraph.runtime import Runtime
from langgraph.store.base import BaseStore

from gieok import Config, Parts
from gieok.kernel.errors import ConfigurationError, InvalidInputError
from gieok.surfaces.langgraph import GieokSaver, GieokStore
from gieok.testing import HashEmbedder, ScriptedModel, WordTokenizer

pytestmark = pytest.mark.req("B01", "D13")
SPACE = ("notes",)


class State(TypedDict, total=False):
    said: str
    count: int
    known: list[str]


def remember(state: State, runtime: Runtime[None]) -> State:
    store = runtime.store
    assert isinstance(store, BaseStore)
    found = store.search(SPACE, query=state.get("said"))
    store.put(SPACE, state.get("said", ""), {"text": state.get("said")})
    return {
        "count": state.get("count", 0) + 1,
        "known": [each.key for each in found],
    }


@pytest.fixture(scope="module")
def parts() -> Parts:
    return Parts(
        model=ScriptedModel(), embedder=HashEmbedder(), tokenizer=WordTokenizer()
    )


def test_a_graph_is_invoked_by_plain_functions(config: Config, parts: Parts) -> None:
    before = active_count()
    with (
        GieokStore.from_config(config, parts=parts) as store,
        GieokSaver.from_config(config, parts=parts) as saver,
    ):
        assert saver.memory is store.memory
        builder = StateGraph(State)
        builder.add_node("remember", remember)
        builder.add_edge(START, "remember")
        graph: Any = builder.compile(checkpointer=saver, store=store)
        run: RunnableConfig = {
            "configurable": {"thread_id": "one", "user_id": "portal-minji"}
        }
        assert graph.invoke({"said": "the cat is Momo"}, run)["known"] == []
        done = graph.invoke({"said": "which cat"}, run)
        assert (done["count"], done["known"]) == (2, ["the cat is Momo"])
        assert graph.get_state(run).values == done
        assert len(list(saver.list(run))) >= 4
    assert active_count() <= before


def test_the_store_is_used_by_hand(config: Config, parts: Parts) -> None:
    with GieokStore.from_config(config, "portal-sora", parts=parts) as store:
        store.put(SPACE, "a", {"text": "red apple"})
        found = store.get(SPACE, "a")
        assert found is not None
        assert found.value == {"text": "red apple"}
        assert [each.key for each in store.search(SPACE, query="apple")] == ["a"]
        assert store.list_namespaces() == [SPACE]
        store.delete(SPACE, "a")
        assert store.get(SPACE, "a") is None
        with pytest.raises(InvalidInputError):
            store.put(SPACE, "b", {"text": object()})


def test_nobody_is_named_and_nothing_opens(
    config: Config, parts: Parts, tmp_path: Path
) -> None:
    with (
        GieokStore.from_config(config, parts=parts) as store,
        pytest.raises(InvalidInputError, match="user_id"),
    ):
        store.get(SPACE, "a")
    odd = Config(data=tmp_path, database_url="no address")
    before = active_count()
    with pytest.raises(ConfigurationError), GieokSaver.from_config(odd):
        pass
    assert active_count() <= before
