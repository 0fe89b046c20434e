"""What the evaluations measured the last time, as `gieok eval` left it."""

import asyncio
from typing import TYPE_CHECKING, cast

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from gieok.evaluation.results import read_results
from gieok.evaluation.tally import MEASURED
from gieok.surfaces.pages.console.operator import CurrentOperator

if TYPE_CHECKING:
    from pathlib import Path

router = APIRouter()


@router.get("/quality")
async def show_quality(request: Request, operator: CurrentOperator) -> HTMLResponse:
    """Show the newest figures of each evaluation; they hold counts and no content."""
    data = cast("Path | None", request.app.state.data)
    results = await asyncio.to_thread(read_results, data) if data else ()
    return operator.render("quality.html", results=results, measured=MEASURED)
