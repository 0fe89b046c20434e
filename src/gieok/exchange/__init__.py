"""The exchange around one utterance: what a planner goes by, and what was learned."""

from gieok.exchange.model import (
    ConversationState,
    CursorState,
    ExchangeAnswer,
    ExchangeRequest,
    HintStrength,
    MemoryUpdate,
    Omission,
    OmissionReason,
    PartName,
    PartSource,
    PlannerInput,
    PlannerLine,
    RecentTurn,
    SentHint,
    SentSummary,
)
from gieok.exchange.recording import ExchangeTurn
from gieok.exchange.service import TOKEN_BUDGET, Exchange, render_planner_input

__all__ = [
    "TOKEN_BUDGET",
    "ConversationState",
    "CursorState",
    "Exchange",
    "ExchangeAnswer",
    "ExchangeRequest",
    "ExchangeTurn",
    "HintStrength",
    "MemoryUpdate",
    "Omission",
    "OmissionReason",
    "PartName",
    "PartSource",
    "PlannerInput",
    "PlannerLine",
    "RecentTurn",
    "SentHint",
    "SentSummary",
    "render_planner_input",
]
