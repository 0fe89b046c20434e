"""The reference agent's graph: memory, four layers, memory (B05, B07).

    memory_retrieval → cognitive → planning → execution → response → memory_extraction

A layer first says to the session that it begins, which also shows that the run lives.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal
from typing import Any, Final, cast
from uuid import UUID

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    SystemMessage,
    message_chunk_to_message,
)
from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.tools import BaseTool
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.config import get_stream_writer
from langgraph.graph import (  # pyright: ignore[reportMissingTypeStubs]
    END,
    START,
    StateGraph,
)
from langgraph.graph.state import (  # pyright: ignore[reportMissingTypeStubs]
    CompiledStateGraph,
)
from langgraph.prebuilt import ToolNode

from gieok.facade import Gieok
from gieok.kernel.errors import GieokError, ModelUnavailableError
from gieok.kernel.scope import Scope
from gieok.sessions import Layer
from gieok.surfaces.langgraph.nodes import memory_retrieval, system_message
from gieok.surfaces.langgraph.prompts import steps_of, task
from gieok.surfaces.langgraph.state import AgentState
from gieok.surfaces.langgraph.turns import kept_since, last_turn

RETRIEVAL: Final = "memory_retrieval"
EXTRACTION: Final = "memory_extraction"
ORDER: Final = (RETRIEVAL, *(layer.value for layer in Layer), EXTRACTION)
MOST_TOOL_STEPS: Final = 8
"""Times that the tools are used in one run."""
Talker = Runnable[Any, Any]
Work = Callable[[AgentState, RunnableConfig], Awaitable[dict[str, Any]]]
Price = Callable[[int, int], Decimal]
"""What tokens in and tokens out cost together."""


@dataclass(frozen=True, slots=True)
class Layers:
    """The nodes of one run."""

    gieok: Gieok
    scope: Scope
    session_id: UUID
    model: BaseChatModel
    tools: Sequence[BaseTool]
    instructions: str
    language: str
    longest: timedelta
    """How long one layer may take."""
    price: Price

    def graph(
        self, saver: BaseCheckpointSaver[str]
    ) -> CompiledStateGraph[AgentState, None, AgentState, AgentState]:
        """Return the graph, ready to run."""
        builder = cast("Any", StateGraph(AgentState))  # its types are not all known
        builder.add_node(RETRIEVAL, memory_retrieval(self.gieok, self.scope))
        for layer, work in (
            (Layer.COGNITIVE, self._cognitive),
            (Layer.PLANNING, self._planning),
            (Layer.EXECUTION, self._execution),
            (Layer.RESPONSE, self._response),
        ):
            builder.add_node(layer.value, self._within(layer, work))
        builder.add_node(EXTRACTION, self._extraction)
        for before, after in zip((START, *ORDER), (*ORDER, END), strict=True):
            builder.add_edge(before, after)
        return builder.compile(checkpointer=saver)

    def _within(self, layer: Layer, work: Work) -> Work:
        async def run(state: AgentState, config: RunnableConfig) -> dict[str, Any]:
            await self.gieok.sessions.advance(self.scope, self.session_id, layer)
            get_stream_writer()({"layer": layer.value})
            try:
                async with asyncio.timeout(self.longest.total_seconds()):
                    return await work(state, config)
            except TimeoutError:
                reason = "it did not answer in time"
                raise ModelUnavailableError(self._name, reason) from None

        return run

    async def _cognitive(
        self, state: AgentState, config: RunnableConfig
    ) -> dict[str, Any]:
        answer = await self._asked(Layer.COGNITIVE, state, config)
        return {"understanding": _said(answer), **_spent(state, answer)}

    async def _planning(
        self, state: AgentState, config: RunnableConfig
    ) -> dict[str, Any]:
        if state.get("plan"):  # somebody wrote it while the run was paused
            return {}
        answer = await self._asked(Layer.PLANNING, state, config)
        return {"plan": steps_of(_said(answer)), **_spent(state, answer)}

    async def _execution(
        self, state: AgentState, config: RunnableConfig
    ) -> dict[str, Any]:
        if not self.tools:
            return {}
        talker = self.model.bind_tools(self.tools)
        tools = ToolNode(self.tools)
        done: list[BaseMessage] = []
        answers: list[AIMessage] = []
        while len(answers) < MOST_TOOL_STEPS:
            answer = await self._asked(
                Layer.EXECUTION, state, config, done=done, talker=talker
            )
            answers.append(answer)
            if not answer.tool_calls:
                break
            used = cast("list[BaseMessage]", await tools.ainvoke([answer], config))
            done += [answer, *used]
        return {"messages": done, **_spent(state, *answers)}

    async def _response(
        self, state: AgentState, config: RunnableConfig
    ) -> dict[str, Any]:
        answer = await self._safely(self._streamed(state, config))
        text = _said(answer)
        if not text:
            raise ModelUnavailableError(self._name, "its answer was empty")
        return {"messages": [answer], "response": text, **_spent(state, answer)}

    async def _extraction(self, state: AgentState) -> dict[str, Any]:
        """Record the turn, once; what follows from it is a job."""
        turn = last_turn(state["messages"])
        nothing: dict[str, Any] = {"extracted_memories": []}
        if turn is None or await kept_since(
            self.gieok, self.scope, self.session_id, state["recorded"], turn
        ):
            return nothing
        tokens_in, tokens_out = state["tokens_in"], state["tokens_out"]
        whole = replace(
            turn,
            planner_summary={
                name: state.get(name) for name in ("understanding", "plan")
            },
            tokens=tokens_in + tokens_out,
            cost=self.price(tokens_in, tokens_out),
            user_layer=Layer.COGNITIVE,
            assistant_layer=Layer.RESPONSE,
        )
        await self.gieok.sessions.record(self.scope, self.session_id, whole)
        return nothing

    async def _asked(
        self,
        layer: Layer,
        state: AgentState,
        config: RunnableConfig,
        *,
        done: Sequence[BaseMessage] = (),
        talker: Talker | None = None,
    ) -> AIMessage:
        told = [*self._told(layer, state), *done]
        return await self._safely((talker or self.model).ainvoke(told, config))

    async def _streamed(self, state: AgentState, config: RunnableConfig) -> AIMessage:
        """Return the answer, and tell its words as they come."""
        tell = get_stream_writer()
        whole: AIMessageChunk | None = None
        told = self._told(Layer.RESPONSE, state)
        async for chunk in self.model.astream(told, config):
            whole = chunk if whole is None else whole + chunk
            if chunk.text:
                tell({"token": str(chunk.text)})
        answer = message_chunk_to_message(whole or AIMessageChunk(content=""))
        return cast("AIMessage", answer)

    def _told(self, layer: Layer, state: AgentState) -> list[BaseMessage]:
        known = system_message(self.instructions, cast("dict[str, Any]", state)).text
        asks = task(layer, self.language, state.get("understanding"), state.get("plan"))
        return [SystemMessage(f"{known}\n\n{asks}"), *state["messages"]]

    async def _safely(self, asking: Awaitable[AIMessage]) -> AIMessage:
        """Say of a vendor's error only what kind it is: it may quote what was said."""
        try:
            return await asking
        except (GieokError, TimeoutError):
            raise
        except Exception as error:  # noqa: BLE001 - no vendor's error leaves here
            reason = f"it failed ({type(error).__name__})"
        raise ModelUnavailableError(self._name, reason)

    @property
    def _name(self) -> str:
        return self.model.get_name()


def _said(answer: BaseMessage) -> str:
    return str(answer.text).strip()


def _spent(state: AgentState, *answers: AIMessage) -> dict[str, int]:
    used = [answer.usage_metadata for answer in answers if answer.usage_metadata]
    return {
        "tokens_in": state["tokens_in"] + sum(each["input_tokens"] for each in used),
        "tokens_out": state["tokens_out"] + sum(each["output_tokens"] for each in used),
    }
