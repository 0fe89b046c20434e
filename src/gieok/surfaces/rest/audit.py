"""What happened to the data of the person who asks (A09, D16)."""

from typing import Annotated

from fastapi import Query

from gieok.database.journal import AuditEvent
from gieok.surfaces.rest.caller import CurrentCaller
from gieok.surfaces.rest.routing import create_router
from gieok.surfaces.rest.schemas.audit import AuditPage
from gieok.surfaces.rest.schemas.shared import MAX_POSITION

AuditLimit = Annotated[int, Query(ge=1, le=200, description="Most to return.")]
BeforePosition = Annotated[
    int | None,
    Query(ge=1, le=MAX_POSITION, description="Only lines before this position."),
]
EventFilter = Annotated[
    AuditEvent | None,
    Query(description='Only lines of this kind; "access" is who read what.'),
]

router = create_router("/api/v1/users/me", "audit")


@router.get("/audit")
async def list_audit(
    caller: CurrentCaller,
    limit: AuditLimit = 50,
    before: BeforePosition = None,
    event: EventFilter = None,
) -> AuditPage:
    """Return what happened to the person's data, newest first, without content.

    It outlives the person's erasure, to show that it took place.
    """
    lines, has_more = await caller.gieok.audit.page(
        caller.scope, limit=limit, before=before, event=event
    )
    return AuditPage.from_lines(lines, has_more=has_more)
