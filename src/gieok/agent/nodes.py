"""Memory as two nodes of anyone's graph (D11).

    builder.add_node("memory_retrieval", memory_retrieval(memory))
    builder.add_node("memory_extraction", memory_extraction(memory))
    builder.add_edge(START, "memory_retrieval")
    builder.add_edge("memory_retrieval", "answer")      # reads state["memory_context"]
    builder.add_edge("answer", "memory_extraction")

Both are for graphs that run asynchronously (`ainvoke`, `astream`). The person is who
the node was made for, else whom the run's config names
(`config["configurable"]["user_id"]`), else `state["user_id"]`; nobody, no memory.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, cast
from uuid import UUID

from langchain_core.messages import BaseMessage, SystemMessage
from langchain_core.runnables import RunnableConfig

from gieok.agent.person import USER_ID, MemoryOwner, get_configurable
from gieok.agent.turns import (
    derive_pair_id,
    find_last_turn,
    find_question,
    record_turn,
)
from gieok.facade import Gieok
from gieok.kernel.logs import get_logger
from gieok.kernel.scope import Scope

log = get_logger("gieok.langgraph")

State = Mapping[str, Any]
Node = Callable[[State, RunnableConfig], Awaitable[dict[str, Any]]]
PATIENCE: Final = 5.0
"""Seconds that an answer waits for memory before it goes without."""


def memory_retrieval(memory: Gieok, person: Scope | str | None = None) -> Node:
    """Return the first node: what is known that bears on the last message.

    It fills `user_memories` and `memory_context`; both are empty when nobody is named,
    nothing is known, the person switched memory off, or memory fails.

    Raises:
        InvalidInputError: `person` is not a usable id.
    """
    owner = MemoryOwner.from_person(memory, person)

    async def retrieve(state: State, config: RunnableConfig) -> dict[str, Any]:
        return await recall_memories(owner, state, config)

    return retrieve


def memory_extraction(
    memory: Gieok, person: Scope | str | None = None, *, wait: bool = False
) -> Node:
    """Return the last node: it records the turn, from which memories are extracted.

    The session is `state["session_id"]` or the run's thread. A job extracts, after the
    answer; with `wait=True`, for scripts, the node does so itself and
    `extracted_memories` says what was found. A memory that fails never breaks the
    graph; it is logged.

    Raises:
        InvalidInputError: `person` is not a usable id.
    """
    owner = MemoryOwner.from_person(memory, person)

    async def extract(state: State, config: RunnableConfig) -> dict[str, Any]:
        return await extract_memories(owner, state, config, wait=wait)

    return extract


def system_message(instructions: str, state: State) -> SystemMessage:
    """Return a system prompt with what is remembered, for one call of a model.

    Give it to the model in front of `state["messages"]`, and never put it among them:
    what was recalled is not something that was said.
    """
    told = (instructions, state.get("memory_context"))
    return SystemMessage("\n\n".join(part for part in told if part))


async def recall_memories(
    owner: MemoryOwner, state: State, config: State
) -> dict[str, Any]:
    """Return what `memory_retrieval` puts into the state."""
    nothing: dict[str, Any] = {"user_memories": [], "memory_context": None}
    try:
        scope = _find_person(owner, state, config)
        asked = find_question(_get_messages(state))
        if scope is None or not asked:
            return nothing
        async with asyncio.timeout(PATIENCE):
            block = await owner.memory.context.build(scope, asked)
            ids = [line.memory_id for line in block.lines]
            known = await load_facts(owner.memory, scope, ids)
    except Exception as error:  # noqa: BLE001 - whatever it is, the graph goes on
        log.warning("memory_left_out", error=type(error).__name__)
        return nothing
    return {"user_memories": known, "memory_context": block.text or None}


async def load_facts(
    gieok: Gieok, scope: Scope, memory_ids: Sequence[UUID]
) -> list[dict[str, Any]]:
    """Return memories as a state holds them, without what was forgotten since."""
    if not memory_ids:
        return []
    now = gieok.clock()
    return [
        {
            "id": str(memory.memory_id),
            "content": memory.content,
            "category": memory.category.value,
            "confidence": memory.confidence_at(now),
        }
        for memory in await gieok.memories.sources(scope, memory_ids)
    ]


async def extract_memories(
    owner: MemoryOwner, state: State, config: State, *, wait: bool
) -> dict[str, Any]:
    """Return what `memory_extraction` puts into the state."""
    found: list[dict[str, Any]] = []
    try:
        scope = _find_person(owner, state, config)
        if scope is not None:
            name = state.get("session_id") or get_configurable(config).get("thread_id")
            found = await _record_and_extract(
                owner.memory, scope, name, _get_messages(state), wait=wait
            )
    except Exception as error:  # noqa: BLE001 - whatever it is, the graph goes on
        log.warning("turn_left_out", error=type(error).__name__)
    return {"extracted_memories": found}


async def _record_and_extract(
    gieok: Gieok,
    scope: Scope,
    name: object,
    messages: Sequence[BaseMessage],
    *,
    wait: bool,
) -> list[dict[str, Any]]:
    turn = find_last_turn(messages)
    if turn is None:
        return []
    named = None if name is None else str(name)
    pair_id = derive_pair_id(gieok, scope, named, messages)
    pair = await record_turn(gieok, scope, named, turn, pair_id)
    if not wait:
        return []
    outcomes = await gieok.memories.extract(scope, pair.session_id)
    ids = [each.memory_id for each in outcomes if each.memory_id]
    return await load_facts(gieok, scope, ids)


def _find_person(owner: MemoryOwner, state: State, config: State) -> Scope | None:
    if owner.fixed is not None:
        return owner.fixed
    named = get_configurable(config).get(USER_ID) or state.get(USER_ID)
    return None if not named else owner.memory.person(named)


def _get_messages(state: State) -> Sequence[BaseMessage]:
    return cast("Sequence[BaseMessage]", state.get("messages") or ())
