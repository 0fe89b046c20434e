"""What a person agrees to (D14)."""

from collections.abc import Sequence

from fastapi import APIRouter

from gieok.settings import Consent
from gieok.surfaces.rest.caller import Asking
from gieok.surfaces.rest.errors import EVERYWHERE, documented
from gieok.surfaces.rest.schemas.consents import (
    ConsentChange,
    ConsentList,
    ConsentState,
)

router = APIRouter(
    prefix="/api/v1/users/me", tags=["consents"], responses=documented(*EVERYWHERE)
)


@router.get("/consents")
async def get_consents(caller: Asking) -> ConsentList:
    """Return the person's standing decision for every purpose."""
    return _told(await caller.gieok.settings.consents(caller.scope))


@router.put("/consents")
async def put_consents(caller: Asking, change: ConsentChange) -> ConsentList:
    """Note decisions; a withdrawal holds at once, and what was kept for it goes."""
    decided = await caller.gieok.settings.consent(
        caller.scope, change.changes(), notice=change.notice
    )
    return _told(decided)


def _told(consents: Sequence[Consent]) -> ConsentList:
    return ConsentList(consents=[ConsentState.of(each) for each in consents])
