"""What happened to the data of the person who asks (A09, D16)."""

from typing import Annotated

from fastapi import APIRouter, Query

from gieok.database.journal import AuditEvent
from gieok.surfaces.rest.caller import Asking
from gieok.surfaces.rest.errors import EVERYWHERE, documented
from gieok.surfaces.rest.schemas.audit import AuditPage
from gieok.surfaces.rest.schemas.shared import MOST_POSITION

Limit = Annotated[int, Query(ge=1, le=200, description="Most to return.")]
Before = Annotated[
    int | None,
    Query(ge=1, le=MOST_POSITION, description="Only lines before this position."),
]
Event = Annotated[
    AuditEvent | None,
    Query(description='Only lines of this kind; "access" is who read what.'),
]

router = APIRouter(
    prefix="/api/v1/users/me", tags=["audit"], responses=documented(*EVERYWHERE)
)


@router.get("/audit")
async def list_audit(
    caller: Asking, limit: Limit = 50, before: Before = None, event: Event = None
) -> AuditPage:
    """Return what happened to the person's data, newest first, without content.

    It outlives the person's erasure, to show that it took place.
    """
    lines, has_more = await caller.gieok.audit.page(
        caller.scope, limit=limit, before=before, event=event
    )
    return AuditPage.of(lines, has_more=has_more)
