"""The LangGraph surface.

`GieokSaver` keeps states, `GieokStore` keeps items; `memory_retrieval` and
`memory_extraction` are nodes of anyone's graph, `MemoryMiddleware` is both for
LangChain's prebuilt agent, and `Agent` (of `gieok.agent`) shows them at work.
"""

from gieok.agent import (
    Agent,
    ChatState,
    Edits,
    GieokSaver,
    Happened,
    Run,
    RunState,
    memory_extraction,
    memory_retrieval,
    system_message,
)
from gieok.surfaces.langgraph.exchange import create_exchange_node
from gieok.surfaces.langgraph.middleware import MemoryMiddleware
from gieok.surfaces.langgraph.store import GieokStore

__all__ = [
    "Agent",
    "ChatState",
    "Edits",
    "GieokSaver",
    "GieokStore",
    "Happened",
    "MemoryMiddleware",
    "Run",
    "RunState",
    "create_exchange_node",
    "memory_extraction",
    "memory_retrieval",
    "system_message",
]
