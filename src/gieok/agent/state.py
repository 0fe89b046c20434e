"""What a graph with memory keeps of a conversation (D11)."""

from typing import Annotated, Any, NotRequired

from langchain_core.messages import AnyMessage
from langgraph.graph.message import (  # pyright: ignore[reportMissingTypeStubs]
    add_messages,
)
from typing_extensions import TypedDict  # LangChain's states are of this kind


class MemoryFields(TypedDict):
    """What the memory nodes read and write, beside the messages.

    `user_memories` are the facts that `memory_context` tells, as `{"id", "content",
    "category", "confidence"}`; both are of the last message only. `extracted_memories`
    stays empty unless extraction was told to wait.
    """

    user_id: NotRequired[str | None]
    session_id: NotRequired[str | None]
    user_memories: NotRequired[list[dict[str, Any]]]
    memory_context: NotRequired[str | None]
    extracted_memories: NotRequired[list[dict[str, Any]]]


class ChatState(MemoryFields):
    """A conversation, and what is remembered of the person in it."""

    messages: Annotated[list[AnyMessage], add_messages]


class AgentState(ChatState):
    """A run of the reference agent, layer by layer."""

    recorded: int
    """Messages that the session held when the run began."""
    understanding: str | None
    plan: list[str] | None
    response: str | None
    tokens_in: int
    tokens_out: int
