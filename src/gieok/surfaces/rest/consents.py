"""What a person agrees to (D14)."""

from collections.abc import Sequence

from gieok.settings import Consent
from gieok.surfaces.rest.caller import CurrentCaller
from gieok.surfaces.rest.routing import create_router
from gieok.surfaces.rest.schemas.consents import (
    ConsentChange,
    ConsentList,
    ConsentState,
)

router = create_router("/api/v1/users/me", "consents")


@router.get("/consents")
async def get_consents(caller: CurrentCaller) -> ConsentList:
    """Return the person's standing decision for every purpose."""
    return _to_consent_list(await caller.gieok.settings.consents(caller.scope))


@router.put("/consents")
async def put_consents(caller: CurrentCaller, change: ConsentChange) -> ConsentList:
    """Note decisions; a withdrawal holds at once, and what was kept for it goes."""
    decided = await caller.gieok.settings.consent(
        caller.scope, change.to_changes(), notice=change.notice
    )
    return _to_consent_list(decided)


def _to_consent_list(consents: Sequence[Consent]) -> ConsentList:
    return ConsentList(consents=[ConsentState.from_consent(each) for each in consents])
