"""What waits for the person: claims that are not memories yet, each with its reason."""

from typing import Final
from uuid import UUID

from fastapi import APIRouter, Response
from fastapi.responses import HTMLResponse

from gieok.memories import CandidateStatus
from gieok.surfaces.pages.visitor import CurrentVisitor, VisitorForm

MOST: Final = 100

router = APIRouter()


@router.get("/waiting")
async def show_waiting(visitor: CurrentVisitor) -> HTMLResponse:
    """Show what waits, those in quarantine first."""
    found = await visitor.gieok.memories.candidates(
        visitor.scope, status=CandidateStatus.PENDING, limit=MOST
    )
    ordered = sorted(found, key=lambda each: each.held_reason is None)
    return visitor.render("waiting.html", candidates=ordered, most=MOST)


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
