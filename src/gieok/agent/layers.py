"""The reference agent's graph: memory, four layers, memory (B05, B07).

    memory_retrieval → cognitive → planning → execution → response → memory_extraction

A layer first says to the session that it begins, which also shows that the run lives.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
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

from gieok.agent.nodes import memory_retrieval, system_message
from gieok.agent.prompts import build_task, parse_steps
from gieok.agent.state import AgentState
from gieok.agent.turns import find_last_turn, is_recorded_since
from gieok.facade import Gieok
from gieok.kernel.errors import GieokError, ModelUnavailableError
from gieok.kernel.scope import Scope
from gieok.sessions import Layer

RETRIEVAL: Final = "memory_retrieval"
EXTRACTION: Final = "memory_extraction"
ORDER: Final = (RETRIEVAL, *(layer.value for layer in Layer), EXTRACTION)
MAX_TOOL_STEPS: Final = 8
"""Times that the tools are used in one run."""
MAX_NOTED: Final = 20_000
"""Characters kept of what a layer came to: it is kept with the turn, beside it."""
Talker = Runnable[Any, Any]
LayerWork = Callable[[AgentState, RunnableConfig], Awaitable[dict[str, Any]]]
Price = Callable[[int, int], Decimal]
"""What tokens in and tokens out cost together."""


@dataclass(frozen=True, slots=True)
class AgentLayers:
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
    recalled: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What takes the place of the memories in the state, where a run goes on."""

    def build_graph(
        self, saver: BaseCheckpointSaver[str]
    ) -> CompiledStateGraph[AgentState, None, AgentState, AgentState]:
        """Return the graph, ready to run."""
        builder = cast("Any", StateGraph(AgentState))  # its types are not all known
        builder.add_node(RETRIEVAL, memory_retrieval(self.gieok, self.scope))
        for layer, work in (
            (Layer.COGNITIVE, self._run_cognitive),
            (Layer.PLANNING, self._run_planning),
            (Layer.EXECUTION, self._run_execution),
            (Layer.RESPONSE, self._run_response),
        ):
            builder.add_node(layer.value, self._wrap_layer(layer, work))
        builder.add_node(EXTRACTION, self._record_turn)
        for before, after in zip((START, *ORDER), (*ORDER, END), strict=True):
            builder.add_edge(before, after)
        return builder.compile(checkpointer=saver)

    def _wrap_layer(self, layer: Layer, work: LayerWork) -> LayerWork:
        async def run(state: AgentState, config: RunnableConfig) -> dict[str, Any]:
            await self.gieok.sessions.advance(self.scope, self.session_id, layer)
            get_stream_writer()({"layer": layer.value})
            known = cast("AgentState", {**state, **self.recalled})
            try:
                async with asyncio.timeout(self.longest.total_seconds()):
                    return {**self.recalled, **await work(known, config)}
            except TimeoutError:
                reason = "it did not answer in time"
                raise ModelUnavailableError(self._model_name, reason) from None

        return run

    async def _run_cognitive(
        self, state: AgentState, config: RunnableConfig
    ) -> dict[str, Any]:
        answer = await self._request_answer(Layer.COGNITIVE, state, config)
        return {"understanding": _get_note(answer), **_count_tokens(state, answer)}

    async def _run_planning(
        self, state: AgentState, config: RunnableConfig
    ) -> dict[str, Any]:
        if state.get("plan"):  # somebody wrote it while the run was paused
            return {}
        answer = await self._request_answer(Layer.PLANNING, state, config)
        return {"plan": parse_steps(_get_note(answer)), **_count_tokens(state, answer)}

    async def _run_execution(
        self, state: AgentState, config: RunnableConfig
    ) -> dict[str, Any]:
        if not self.tools:
            return {}
        talker = self.model.bind_tools(self.tools)
        tools = ToolNode(self.tools)
        done: list[BaseMessage] = []
        answers: list[AIMessage] = []
        while len(answers) < MAX_TOOL_STEPS:
            answer = await self._request_answer(
                Layer.EXECUTION, state, config, done=done, talker=talker
            )
            answers.append(answer)
            if not answer.tool_calls:
                break
            used = cast("list[BaseMessage]", await tools.ainvoke([answer], config))
            done += [answer, *used]
        return {"messages": done, **_count_tokens(state, *answers)}

    async def _run_response(
        self, state: AgentState, config: RunnableConfig
    ) -> dict[str, Any]:
        answer = await self._wrap_vendor_error(self._stream_answer(state, config))
        text = _get_text(answer)
        if not text:
            raise ModelUnavailableError(self._model_name, "its answer was empty")
        return {"messages": [answer], "response": text, **_count_tokens(state, answer)}

    async def _record_turn(self, state: AgentState) -> dict[str, Any]:
        """Record the turn, once; what follows from it is a job."""
        turn = find_last_turn(state["messages"])
        nothing: dict[str, Any] = {"extracted_memories": []}
        if turn is None or await is_recorded_since(
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

    async def _request_answer(
        self,
        layer: Layer,
        state: AgentState,
        config: RunnableConfig,
        *,
        done: Sequence[BaseMessage] = (),
        talker: Talker | None = None,
    ) -> AIMessage:
        told = [*self._build_messages(layer, state), *done]
        return await self._wrap_vendor_error(
            (talker or self.model).ainvoke(told, config)
        )

    async def _stream_answer(
        self, state: AgentState, config: RunnableConfig
    ) -> AIMessage:
        """Return the answer, and tell its words as they come."""
        tell = get_stream_writer()
        whole: AIMessageChunk | None = None
        told = self._build_messages(Layer.RESPONSE, state)
        async for chunk in self.model.astream(told, config):
            whole = chunk if whole is None else whole + chunk
            if chunk.text:
                tell({"token": str(chunk.text)})
        answer = message_chunk_to_message(whole or AIMessageChunk(content=""))
        return cast("AIMessage", answer)

    def _build_messages(self, layer: Layer, state: AgentState) -> list[BaseMessage]:
        known = system_message(self.instructions, cast("dict[str, Any]", state)).text
        asks = build_task(
            layer, self.language, state.get("understanding"), state.get("plan")
        )
        return [SystemMessage(f"{known}\n\n{asks}"), *state["messages"]]

    async def _wrap_vendor_error(self, asking: Awaitable[AIMessage]) -> AIMessage:
        """Say of a vendor's error only what kind it is: it may quote what was said."""
        try:
            return await asking
        except (GieokError, TimeoutError):
            raise
        except Exception as error:  # noqa: BLE001 - no vendor's error leaves here
            reason = f"it failed ({type(error).__name__})"
        raise ModelUnavailableError(self._model_name, reason)

    @property
    def _model_name(self) -> str:
        return self.model.get_name()


def _get_text(answer: BaseMessage) -> str:
    return str(answer.text).strip()


def _get_note(answer: BaseMessage) -> str:
    return _get_text(answer)[:MAX_NOTED]


def _count_tokens(state: AgentState, *answers: AIMessage) -> dict[str, int]:
    used = [answer.usage_metadata for answer in answers if answer.usage_metadata]
    return {
        "tokens_in": state["tokens_in"] + sum(each["input_tokens"] for each in used),
        "tokens_out": state["tokens_out"] + sum(each["output_tokens"] for each in used),
    }
