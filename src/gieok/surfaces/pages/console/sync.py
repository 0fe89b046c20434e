"""How many devices are in which state, over all people."""

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, RedirectResponse

from gieok.surfaces.pages.console.operator import CurrentOperator, OperatorForm

router = APIRouter()


@router.get("/sync")
async def show_sync(operator: CurrentOperator) -> HTMLResponse:
    """Show what was counted the last time, or how far counting is."""
    return operator.render("sync.html", work=operator.works.get("sync"))


@router.post("/sync")
async def start_counting(
    operator: CurrentOperator, _: OperatorForm
) -> RedirectResponse:
    """Count everybody's devices; it goes on when the page is left."""
    gieok = operator.gieok
    operator.works.ensure("sync").start(gieok.sync.count_devices, gieok.clock)
    return operator.send_to("sync")
