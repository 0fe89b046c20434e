"""A planner of the app's behind HTTP (GIEOK_PLANNER_URL)."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

from gieok.kernel.errors import ModelUnavailableError
from gieok.kernel.planning import PlannerDecision
from gieok.models.planner_answers import MAX_CHARACTERS, parse_decision


@dataclass(frozen=True, slots=True)
class HttpPlanner:
    """Posts the planner's input as JSON, and reads the decision from the answer."""

    url: str = field(repr=False)
    seconds: float = 5.0
    """How long an answer may take, from the connection to its last byte."""

    async def plan(self, planner_input: Mapping[str, Any]) -> PlannerDecision:
        """Return what the planner decided.

        Raises:
            ModelUnavailableError: no usable decision came in time.
        """
        name = "planner"
        try:
            async with asyncio.timeout(self.seconds):
                answer = await self._fetch_answer(name, planner_input)
        except TimeoutError:
            answer = None
        except httpx.HTTPError as error:
            raise ModelUnavailableError(name, type(error).__name__) from None
        if answer is None:
            raise ModelUnavailableError(name, "it did not answer in time")
        return parse_decision(name, answer)

    async def _fetch_answer(self, name: str, planner_input: Mapping[str, Any]) -> str:
        """Return the body of an answer of a bounded size.

        Raises:
            ModelUnavailableError: it refused, or its answer is no decision's size.
            httpx.HTTPError: it could not be reached, or broke off.
        """
        found = bytearray()
        async with (
            httpx.AsyncClient(timeout=self.seconds) as client,
            client.stream("POST", self.url, json=dict(planner_input)) as answer,
        ):
            if not answer.is_success:
                reason = f"it answered with status {answer.status_code}"
                raise ModelUnavailableError(name, reason)
            async for chunk in answer.aiter_bytes():
                found += chunk
                if len(found) > 4 * MAX_CHARACTERS:
                    raise ModelUnavailableError(name, "its answer is too long")
        return found.decode("utf-8", "replace")
