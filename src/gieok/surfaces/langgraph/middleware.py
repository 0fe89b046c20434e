"""Memory for LangChain's prebuilt agent, in one line.

agent = create_agent(model, tools, middleware=[MemoryMiddleware(memory)])
await agent.ainvoke({"messages": [...]}, {"configurable": {"user_id": "minji"}})
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any, NotRequired, cast

from langchain.agents.middleware import AgentMiddleware, AgentState
from langchain.agents.middleware.types import (
    ModelRequest,
    ModelResponse,
    PrivateStateAttr,
)
from langchain_core.messages import HumanMessage, SystemMessage
from langgraph.channels import (  # pyright: ignore[reportMissingTypeStubs]
    UntrackedValue,
)
from langgraph.config import get_config
from langgraph.runtime import Runtime

from gieok.agent.nodes import (
    extract_memories,
    recall_memories,
    system_message,
)
from gieok.agent.person import MemoryOwner
from gieok.agent.state import MemoryFields
from gieok.agent.turns import find_question_message, restore_question
from gieok.facade import Gieok
from gieok.kernel.scope import Scope


class MemoryState(AgentState[Any], MemoryFields):
    """An agent's state, and what is remembered of the person.

    What was recalled is kept in no checkpoint: a run that is resumed recalls anew.
    """

    user_memories: NotRequired[Annotated[list[dict[str, Any]], UntrackedValue]]
    memory_context: NotRequired[Annotated[str | None, UntrackedValue]]
    memory_question: NotRequired[Annotated[HumanMessage | None, PrivateStateAttr]]
    """The message that is answered; a summary may take its place meanwhile."""


class MemoryMiddleware(AgentMiddleware[MemoryState, Any, Any]):
    """Tells every call of the model what is known, and records the turn afterwards.

    It behaves as the nodes `memory_retrieval` and `memory_extraction` do; what is
    recalled goes into the system prompt of the call only. For agents that run
    asynchronously.

    Raises:
        InvalidInputError: `person` is not a usable id.
    """

    state_schema = MemoryState

    def __init__(
        self, memory: Gieok, person: Scope | str | None = None, *, wait: bool = False
    ) -> None:
        super().__init__()
        self.owner = MemoryOwner.from_person(memory, person)
        self.wait = wait
        self.tools = []

    async def abefore_agent(
        self, state: MemoryState, runtime: Runtime[Any]
    ) -> dict[str, Any]:
        """Find what bears on the last message."""
        del runtime
        question = find_question_message(state["messages"])
        recalled = await recall_memories(self.owner, _as_mapping(state), _read_config())
        return {**recalled, "memory_question": question}

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        """Add it to the system prompt of this call."""
        state = _as_mapping(cast("MemoryState", request.state))
        if "memory_context" not in state:
            state = await recall_memories(self.owner, state, _read_config())
        if not state.get("memory_context"):
            return await handler(request)
        told = _add_memory(request.system_message, state)
        return await handler(request.override(system_message=told))

    async def aafter_agent(
        self, state: MemoryState, runtime: Runtime[Any]
    ) -> dict[str, Any]:
        """Record the turn."""
        del runtime
        return await extract_memories(
            self.owner, _as_mapping(state), _read_config(), wait=self.wait
        )


def _add_memory(
    prompt: SystemMessage | None, state: Mapping[str, Any]
) -> SystemMessage:
    """Return a system prompt with what is remembered, behind the caller's own blocks.

    Those stay as they are, with marks of what a vendor is to cache.
    """
    if prompt is None or isinstance(prompt.content, str):
        return system_message("" if prompt is None else prompt.text, state)
    known = {"type": "text", "text": state["memory_context"]}
    return prompt.model_copy(update={"content": [*prompt.content, known]})


def _as_mapping(state: MemoryState) -> Mapping[str, Any]:
    question = state.get("memory_question")
    return {**state, "messages": restore_question(state["messages"], question)}


def _read_config() -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", get_config())
