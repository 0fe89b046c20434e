"""Reads what a planner answered; whatever it cannot be is refused, not guessed."""

import json
from collections.abc import Mapping
from typing import Any, Final, cast

from gieok.kernel.errors import ModelUnavailableError
from gieok.kernel.planning import PlannerDecision

MAX_CHARACTERS: Final = 20_000
NO_DECISION: Final = "it answered with no decision"


def parse_decision(planner: str, text: str) -> PlannerDecision:
    """Return a decision from JSON, fenced as a code block or not.

    Raises:
        ModelUnavailableError: it is no decision; the message names `planner`.
    """
    try:
        body = json.loads(_remove_fence(text[:MAX_CHARACTERS]))
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise ModelUnavailableError(planner, NO_DECISION)
    fields = cast("Mapping[str, Any]", body)
    summary = fields.get("planner_summary")
    if not (summary is None or isinstance(summary, dict)):
        raise ModelUnavailableError(planner, NO_DECISION)
    return PlannerDecision(
        route_family=_read_text(planner, fields, "route_family"),
        planner_summary=cast("Mapping[str, Any] | None", summary),
        assistant_text=_read_text(planner, fields, "assistant_text"),
        active_workflow_id=_read_text(planner, fields, "active_workflow_id"),
    )


def _remove_fence(text: str) -> str:
    bare = text.strip()
    if not bare.startswith("```"):
        return bare
    return bare.removeprefix("```json").strip("`").strip()


def _read_text(planner: str, fields: Mapping[str, Any], name: str) -> str | None:
    """Return a text that says something, or None."""
    value = fields.get(name)
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise ModelUnavailableError(planner, NO_DECISION)
    return value
