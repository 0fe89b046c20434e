"""The port behind which an app decides what an utterance leads to (A12, A13)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

MAX_SHORT_TERM: Final = 31
"""Summaries of days that an utterance may come with."""
MAX_MID_TERM: Final = 10
"""Summaries of weeks that an utterance may come with."""
MAX_PROFILE_HINTS: Final = 100
"""Confirmed memories that an utterance may come with."""


@dataclass(frozen=True, slots=True)
class PlannerDecision:
    """What a planner decided about one utterance."""

    route_family: str | None = None
    """DEF, ODL, FRG, SCH, or whatever the app calls its routes."""
    planner_summary: Mapping[str, Any] | None = field(default=None, repr=False)
    """The selected route, its steps and how sure the planner is, as JSON."""
    assistant_text: str | None = field(default=None, repr=False)
    """What is answered; None where the app still has to find the words."""
    active_workflow_id: str | None = None
    """The workflow that is under way from now on; None ends it."""


class Planner(Protocol):
    """Decides what an utterance leads to."""

    async def plan(self, planner_input: Mapping[str, Any]) -> PlannerDecision:
        """Return the decision; `planner_input` is JSON, see `exchange.planner_input`.

        Raises:
            ModelUnavailableError: no usable decision came in time.
        """
        ...
