"""A planner of the app's behind HTTP (GIEOK_PLANNER_URL)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

from gieok.kernel.errors import ModelUnavailableError
from gieok.kernel.planning import PlannerDecision
from gieok.models.planner_answers import parse_decision


@dataclass(frozen=True, slots=True)
class HttpPlanner:
    """Posts the planner's input as JSON, and reads the decision from the answer."""

    url: str = field(repr=False)
    seconds: float = 5.0
    """How long an answer may take."""

    async def plan(self, planner_input: Mapping[str, Any]) -> PlannerDecision:
        """Return what the planner decided.

        Raises:
            ModelUnavailableError: no usable decision came in time.
        """
        name = "planner"
        try:
            async with httpx.AsyncClient(timeout=self.seconds) as client:
                answer = await client.post(self.url, json=dict(planner_input))
        except httpx.HTTPError as error:
            raise ModelUnavailableError(name, type(error).__name__) from None
        if not answer.is_success:
            reason = f"it answered with status {answer.status_code}"
            raise ModelUnavailableError(name, reason)
        return parse_decision(name, answer.text)
