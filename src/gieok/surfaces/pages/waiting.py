"""What waits for the person: claims that are not memories yet, each with its reason."""

from functools import partial
from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter, Query, Response
from fastapi.responses import HTMLResponse

from gieok.memories import CandidateStatus
from gieok.surfaces.pages.visitor import CurrentVisitor, VisitorForm

PAGE: Final = 50
MAX_OFFSET: Final = 1_000_000

Offset = Annotated[int, Query(ge=0, le=MAX_OFFSET)]

router = APIRouter()


@router.get("/waiting")
async def show_waiting(visitor: CurrentVisitor, offset: Offset = 0) -> HTMLResponse:
    """Show what waits, newest first; before all else what is in quarantine."""
    listed = partial(
        visitor.gieok.memories.candidates,
        visitor.scope,
        status=CandidateStatus.PENDING,
    )
    held = () if offset else await listed(held=True, limit=PAGE)
    found = await listed(limit=PAGE + 1, offset=offset)
    return visitor.render(
        "waiting.html",
        candidates=list(dict.fromkeys([*held, *found[:PAGE]])),
        total=offset + len(found),
        offset=offset,
        page_size=PAGE,
    )


@router.post("/waiting/{candidate_id}/yes")
async def accept_candidate(
    visitor: CurrentVisitor, _: VisitorForm, candidate_id: UUID
) -> Response:
    """Carry out what waits because the person says so."""
    kept = await visitor.gieok.memories.confirm(visitor.scope, candidate_id)
    return visitor.send_to("waiting", "carried_out" if kept is None else "accepted")


@router.post("/waiting/{candidate_id}/no")
async def reject_candidate(
    visitor: CurrentVisitor, _: VisitorForm, candidate_id: UUID
) -> Response:
    """Refuse what waits, for good."""
    await visitor.gieok.memories.reject(visitor.scope, candidate_id)
    return visitor.send_to("waiting", "rejected")
