"""What was asked of this process, how fast it answered, and its error budget."""

from typing import TYPE_CHECKING, Final

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from gieok.surfaces.pages.console.operator import CurrentOperator
from gieok.surfaces.rest.traffic import MAX_REQUESTS, OBJECTIVE

if TYPE_CHECKING:
    from uuid import UUID

router = APIRouter()
SPANS: Final = {"minute": 60.0, "quarter": 900.0, "hour": 3600.0}
"""Seconds of the spans that are shown."""


@router.get("/traffic")
async def show_traffic(operator: CurrentOperator) -> HTMLResponse:
    """Show requests by span, route, key and status; no address and no body."""
    traffic = operator.traffic
    names: dict[UUID | None, str] = {
        key.key_id: key.name for key in await operator.gieok.access.list()
    }
    return operator.render(
        "traffic.html",
        spans={name: traffic.summarize(seconds) for name, seconds in SPANS.items()},
        seconds=SPANS,
        routes=traffic.summarize_routes(),
        keys=[(names.get(key), each) for key, each in traffic.summarize_keys().items()],
        statuses=sorted(traffic.statuses.items()),
        budget=traffic.compute_budget(),
        objective=OBJECTIVE,
        since=traffic.since,
        most=MAX_REQUESTS,
    )
