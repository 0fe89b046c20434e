"""What a planner decided, as it can be kept and said again."""

from collections.abc import Mapping
from typing import Any, Final

from gieok.kernel.errors import InvalidInputError, ModelUnavailableError
from gieok.kernel.planning import PlannerDecision
from gieok.sessions import RecordedPair
from gieok.text.cleaning import clean_json, clean_name, clean_text

MAX_BYTES: Final = 20_000
"""Largest answer or summary of a planner."""


def clean_decision(decision: PlannerDecision) -> PlannerDecision:
    """Return a decision all of which can be kept.

    Raises:
        ModelUnavailableError: the planner decided what cannot be kept; it names what.
    """
    try:
        return PlannerDecision(
            route_family=_clean_name("route_family", decision.route_family),
            planner_summary=_clean_summary(decision.planner_summary),
            assistant_text=_clean_answer(decision.assistant_text),
            active_workflow_id=_clean_name(
                "active_workflow_id", decision.active_workflow_id
            ),
        )
    except InvalidInputError as error:
        field = error.field
    planner, reason = "planner", f"its {field} cannot be kept"
    raise ModelUnavailableError(planner, reason)


def _clean_name(field: str, name: str | None) -> str | None:
    return clean_name(field, name) if name else None


def _clean_answer(text: str | None) -> str | None:
    field = "assistant_text"
    return clean_text(field, text, max_bytes=MAX_BYTES) if text else None


def _clean_summary(summary: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Return a summary of a bounded size; an empty one says nothing."""
    if not summary:
        return None
    field = "planner_summary"
    if len(clean_json(field, summary)) > MAX_BYTES:
        raise InvalidInputError(field, f"it is longer than {MAX_BYTES:,} bytes")
    return summary


def build_recorded_decision(
    pair: RecordedPair, workflow: str | None
) -> PlannerDecision:
    """Return what was decided about a turn that is kept, as it is kept."""
    return PlannerDecision(
        route_family=pair.route_family,
        planner_summary=pair.planner_summary or None,
        assistant_text=pair.assistant_text,
        active_workflow_id=workflow,
    )
