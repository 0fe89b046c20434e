"""Links with which an app lets a person into the pages of their own memory (D14)."""

from fastapi import status

from gieok.surfaces.rest.caller import CurrentCaller
from gieok.surfaces.rest.routing import create_router
from gieok.surfaces.rest.schemas.page_links import PageLink

router = create_router("/api/v1/pages", "pages")


@router.post("/links", status_code=status.HTTP_201_CREATED)
async def create_page_link(caller: CurrentCaller) -> PageLink:
    """Make a link to the person's pages; it works once, within ten minutes.

    Whoever opens it is that person there for twelve hours: give it to nobody else.
    """
    return PageLink.from_link(await caller.gieok.sign_ins.create_link(caller.scope))


@router.delete("/sign-ins", status_code=status.HTTP_204_NO_CONTENT)
async def revoke_sign_ins(caller: CurrentCaller) -> None:
    """Sign the person out of their pages everywhere, and refuse every open link."""
    await caller.gieok.sign_ins.revoke(caller.scope)
