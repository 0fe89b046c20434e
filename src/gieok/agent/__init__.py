"""The reference agent: four layers over memory, whose runs survive their process.

The REST API and the LangGraph surface are ways in. `Agent` is a graph; `GieokSaver`
keeps its states, and those of anyone's graph; `memory_retrieval` and
`memory_extraction` are nodes of anyone's graph too. It needs LangGraph, an extra.
"""

from gieok.agent.agent import Agent
from gieok.agent.checkpointer import GieokSaver
from gieok.agent.nodes import memory_extraction, memory_retrieval, system_message
from gieok.agent.runs import Edits, Happened, Run, RunState
from gieok.agent.state import ChatState

__all__ = [
    "Agent",
    "ChatState",
    "Edits",
    "GieokSaver",
    "Happened",
    "Run",
    "RunState",
    "memory_extraction",
    "memory_retrieval",
    "system_message",
]
