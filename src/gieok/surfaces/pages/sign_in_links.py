"""Links that work once: looking at one, and going in by what it opened."""

from http import HTTPStatus
from typing import Protocol

from fastapi import Request
from fastapi.responses import RedirectResponse

from gieok.kernel.errors import AuthenticationError
from gieok.surfaces.pages.cookies import PERSONS, CookieForm, CookieNames, set_cookie
from gieok.surfaces.pages.requests import (
    PageLimits,
    get_base,
    get_network,
    require_cookie_form,
)


class LinkIssuer(Protocol):
    """Who knows which links still work."""

    async def has_link(self, secret: str) -> bool:
        """Tell whether a link would open."""
        ...


async def require_link(
    request: Request,
    limits: PageLimits,
    issuer: LinkIssuer,
    secret: str,
    names: CookieNames = PERSONS,
) -> None:
    """Make sure that a link would open, without using it up.

    Raises:
        AuthenticationError: it does not work, or not any more.
        NotPermittedError: over this connection others could read the cookie.
    """
    require_cookie_form(request, names)
    async with limits.strangers.count_failures(get_network(request)):
        if not await issuer.has_link(secret):
            reason = "the link is not valid any more"
            raise AuthenticationError(reason)


def create_signed_in_answer(
    request: Request, form: CookieForm, secret: str
) -> RedirectResponse:
    """Return the way to the first page, with the cookie of who is signed in now."""
    answer = RedirectResponse(f"{get_base(request)}/", HTTPStatus.SEE_OTHER)
    set_cookie(answer, form, secret)
    return answer
