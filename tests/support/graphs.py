"""A graph that thinks, asks and stops, and what its tests share."""

import operator
from typing import Annotated, Any, Required, TypedDict, cast

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt

from gieok import Scope
from gieok.surfaces.langgraph import GieokSaver
from support.database import Owner

TABLES = ("checkpoints", "checkpoint_blobs", "checkpoint_writes")
CANARIES = ("Canary뷁", "canary-plain", "731.4159", "canary-meta", "canary-person")


class State(TypedDict, total=False):
    said: Required[Annotated[list[str], operator.add]]
    last: str
    price: float
    sure: bool
    nothing: None
    broken: bool


async def think(state: State) -> State:
    if state.get("broken"):
        message = "the node broke"
        raise RuntimeError(message)
    return {"said": ["thought"], "last": CANARIES[1], "price": 731.4159, "sure": True}


def say(state: State) -> State:
    return {"said": [f"sync after {len(state['said'])}"]}


async def ask(state: State) -> State:
    return {"said": [interrupt(state["said"][0])]}


def graph(saver: GieokSaver) -> Any:
    builder = StateGraph(State)
    builder.add_node("think", think)
    builder.add_node("ask", ask)
    builder.add_edge(START, "think")
    builder.add_edge("think", "ask")
    builder.add_edge("ask", END)
    return builder.compile(checkpointer=saver)


def config(thread: object, **more: object) -> RunnableConfig:
    return cast("RunnableConfig", {"configurable": {"thread_id": thread, **more}})


async def rows(owner: Owner, table: str, person: Scope) -> list[tuple[Any, ...]]:
    found = await owner.execute(
        f"SELECT * FROM {table} WHERE user_id = %s".encode(), [person.user_id]
    )
    return await found.fetchall()
