"""What a page needs of a request before anybody is known."""

from dataclasses import dataclass
from typing import Annotated, cast

from fastapi import Depends, Request

from gieok.facade import Gieok
from gieok.kernel.errors import NotPermittedError
from gieok.surfaces.pages.cookies import (
    PERSONS,
    CookieForm,
    CookieNames,
    is_same_origin,
    select_cookie,
)
from gieok.surfaces.pages.rendering import PageStyle
from gieok.surfaces.rest.errors import select_language
from gieok.surfaces.rest.limits import RateLimits, StrangerLimits, derive_network


@dataclass(frozen=True, slots=True)
class PageLimits:
    """How often a person, and a stranger, may ask for a page."""

    people: RateLimits
    strangers: StrangerLimits


async def get_page_gieok(request: Request) -> Gieok:
    """Return what the pages were made with."""
    return cast("Gieok", request.app.state.gieok)


async def get_page_limits(request: Request) -> PageLimits:
    """Return how often pages may be asked for."""
    return cast("PageLimits", request.app.state.limits)


PageGieok = Annotated[Gieok, Depends(get_page_gieok)]
Limits = Annotated[PageLimits, Depends(get_page_limits)]


def get_base(request: Request) -> str:
    """Return the path under which the pages are."""
    return cast("str", request.scope.get("root_path", ""))


def get_stranger_style(request: Request) -> PageStyle:
    """Return how to write for somebody of whom only the browser is known."""
    language = select_language(request.headers.get("accept-language"))
    return PageStyle(language, get_base(request))


def require_cookie_form(request: Request, names: CookieNames = PERSONS) -> CookieForm:
    """Return how the cookie is called here.

    Raises:
        NotPermittedError: over this connection others could read it.
    """
    form = select_cookie(request.url.scheme, request.headers.get("host", ""), names)
    if form is None:
        reason = "the pages need HTTPS, except on the machine itself"
        raise NotPermittedError(reason)
    return form


def get_network(request: Request) -> str:
    """Return what counts as one address."""
    return derive_network(request.client.host if request.client else "")


def require_same_origin(request: Request) -> None:
    """Refuse a form that another site sent.

    Raises:
        NotPermittedError: no page of ours sent it.
    """
    if not is_same_origin(request.headers, request.url.scheme):
        reason = "the form was not sent from one of these pages"
        raise NotPermittedError(reason)
