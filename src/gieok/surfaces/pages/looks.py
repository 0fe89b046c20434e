"""Who looked at a person's memory, and what else happened to it (A09, D16)."""

from typing import Annotated, Final

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse

from gieok.surfaces.pages.texts import has_text
from gieok.surfaces.pages.visitor import CurrentVisitor
from gieok.surfaces.rest.schemas.shared import MAX_POSITION

PAGE: Final = 50

router = APIRouter()


@router.get("/looks")
async def show_looks(
    visitor: CurrentVisitor,
    before: Annotated[int | None, Query(ge=1, le=MAX_POSITION)] = None,
    *,
    everything: bool = False,
) -> HTMLResponse:
    """Show who read what, newest first, or everything that happened."""
    lines, has_more = await visitor.gieok.audit.page(
        visitor.scope,
        limit=PAGE,
        before=before,
        event=None if everything else "access",
    )
    return visitor.render(
        "looks.html",
        lines=lines,
        has_more=has_more,
        everything=everything,
        has_text=has_text,
    )
