"""The profile card of a person (C01, C02)."""

from typing import Annotated

from fastapi import Query, status

from gieok.kernel.errors import InvalidInputError
from gieok.profile import CardField
from gieok.surfaces.rest.caller import CurrentCaller
from gieok.surfaces.rest.errors import build_error_responses
from gieok.surfaces.rest.routing import create_router
from gieok.surfaces.rest.schemas.profile import CardBody, ProfileCard

router = create_router("/api/v1/users/me/profile", "profile")


@router.get("")
async def get_profile(caller: CurrentCaller) -> ProfileCard:
    """Return what is known of the person, each value with what it rests on."""
    return ProfileCard.from_card(await caller.gieok.profile.get(caller.scope))


@router.put("", responses=build_error_responses(403, 409))
async def replace_profile(caller: CurrentCaller, card: CardBody) -> ProfileCard:
    """Make the card what is given: other values are erased, new ones remembered."""
    changed = await caller.gieok.profile.replace(caller.scope, card.to_document())
    return ProfileCard.from_card(changed)


@router.patch("", responses=build_error_responses(403, 409))
async def merge_profile(caller: CurrentCaller, card: CardBody) -> ProfileCard:
    """Add to lists, replace single values, ignore empty ones (C02)."""
    changed = await caller.gieok.profile.merge(caller.scope, card.to_document())
    return ProfileCard.from_card(changed)


@router.delete(
    "",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=build_error_responses(404),
)
async def forget_profile(
    caller: CurrentCaller,
    field: Annotated[
        CardField | None, Query(description="Only this place of the card.")
    ] = None,
    value: Annotated[
        str, Query(description="Only this value of the place: name its `field`.")
    ] = "",
    *,
    everything: Annotated[
        bool,
        Query(alias="all", description="Every memory of the person, active or not."),
    ] = False,
) -> None:
    """Erase a place of the card or a value of it, with the memories it rests on.

    The card is made of everything that is remembered: to erase all of it, say so with
    `all=true`.
    """
    if field is not None and not everything:
        await caller.gieok.profile.forget(caller.scope, field, value)
    elif field is not None or value:
        missing = "all" if everything else "field"
        problem = "it goes without a field" if everything else "it is missing"
        raise InvalidInputError(missing, problem)
    elif everything:
        await caller.gieok.profile.clear(caller.scope)
    else:
        missing = "field"
        raise InvalidInputError(missing, "name one; all=true erases every memory")
