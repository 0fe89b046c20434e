"""The seals of the audit log, and whether every chain holds."""

from typing import Final

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, RedirectResponse

from gieok.audit import ChainVerification
from gieok.surfaces.pages.console.operator import CurrentOperator, OperatorForm
from gieok.surfaces.pages.long_work import Progress

router = APIRouter()
SHOWN: Final = 50


@router.get("/seals")
async def show_seals(operator: CurrentOperator) -> HTMLResponse:
    """Show the newest seals, and what checking all chains found the last time."""
    return operator.render(
        "seals.html",
        seals=await operator.gieok.audit.seals.list_newest(limit=SHOWN),
        work=operator.works.get("chains"),
    )


@router.post("/seals")
async def create_seal(operator: CurrentOperator, _: OperatorForm) -> RedirectResponse:
    """Sign where every chain stands now."""
    made = await operator.gieok.audit.seal()
    return operator.send_to("seals", "sealed" if made else "unchanged")


@router.post("/seals/verify")
async def start_verification(
    operator: CurrentOperator, _: OperatorForm
) -> RedirectResponse:
    """Check everybody's chain and every seal; it goes on when the page is left."""
    gieok = operator.gieok

    async def verify_all(progress: Progress) -> ChainVerification:
        return await gieok.audit.verify_all(progress=progress)

    operator.works.ensure("chains").start(verify_all, gieok.clock)
    return operator.send_to("seals")
