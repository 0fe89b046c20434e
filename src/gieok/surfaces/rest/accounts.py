"""Who a person is to gieok: the language they are answered in, and their days."""

from gieok.surfaces.rest.caller import CurrentCaller
from gieok.surfaces.rest.routing import create_router
from gieok.surfaces.rest.schemas.accounts import PersonChange, PersonView

router = create_router("/api/v1/users/me", "accounts")


@router.get("")
async def get_person(caller: CurrentCaller) -> PersonView:
    """Return the person's language, time zone and plan."""
    return PersonView.from_person(await caller.gieok.accounts.get(caller.scope))


@router.patch("")
async def change_person(caller: CurrentCaller, change: PersonChange) -> PersonView:
    """Change the language or time zone; what is left out or null stays as it is.

    The language is that of headings, notices and greetings from the next answer on.
    The time zone says when a day begins: summaries of days and weeks whose
    conversations now belong to another date are made again.
    """
    person = await caller.gieok.accounts.update(
        caller.scope, language=change.language, time_zone=change.time_zone
    )
    return PersonView.from_person(person)
