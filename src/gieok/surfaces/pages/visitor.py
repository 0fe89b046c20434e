"""Who looks at the pages: the one way in which a page gets at anybody's memory."""

import hmac
from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Annotated, Any, Final, cast
from zoneinfo import ZoneInfo

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from gieok.access import OpenSignIn
from gieok.facade import Gieok
from gieok.kernel.errors import AuthenticationError, NotPermittedError
from gieok.kernel.scope import Scope
from gieok.surfaces.pages.cookies import (
    PERSONS,
    CookieForm,
    CookieNames,
    derive_form_token,
    is_same_origin,
    select_cookie,
)
from gieok.surfaces.pages.forms import FormFields, parse_form
from gieok.surfaces.pages.rendering import PageStyle, render_page
from gieok.surfaces.pages.texts import has_text
from gieok.surfaces.rest.errors import select_language
from gieok.surfaces.rest.limits import RateLimits, StrangerLimits, derive_network

FRESH: Final = timedelta(minutes=15)
"""How long after signing in everything can be taken away or erased."""
FORM_FIELD: Final = "form_token"
NO_SIGN_IN: Final = "there is no sign-in"


@dataclass(frozen=True, slots=True)
class PageLimits:
    """How often a person, and a stranger, may ask for a page."""

    people: RateLimits
    strangers: StrangerLimits


@dataclass(frozen=True, slots=True)
class Visitor:
    """A person who is signed in, and how their pages are written."""

    gieok: Gieok
    scope: Scope
    opened: OpenSignIn
    style: PageStyle
    done: str = ""
    """What was just done, as the key of its sentence."""

    @property
    def now(self) -> datetime:
        """Return the time by gieok's clock."""
        return self.gieok.database.clock()

    @property
    def form_token(self) -> str:
        """Return what this sign-in's forms carry."""
        return derive_form_token(self.opened.secret)

    @property
    def is_fresh(self) -> bool:
        """Whether the sign-in is recent enough for what cannot be undone."""
        opened = self.opened.sign_in.opened_at
        return opened is not None and self.now - opened <= FRESH

    def render(
        self, template: str, *, status: int = HTTPStatus.OK, **values: Any
    ) -> HTMLResponse:
        """Return a page with the person's navigation and form token."""
        shared = {"form_token": self.form_token, "done": self.done, "now": self.now}
        return render_page(template, self.style, {**shared, **values}, status=status)

    def send_to(self, path: str, done: str = "") -> RedirectResponse:
        """Return an answer that leads to another page, which says what was done."""
        told = f"?done={done}" if done else ""
        return RedirectResponse(f"{self.style.base}/{path}{told}", HTTPStatus.SEE_OTHER)


def get_page_gieok(request: Request) -> Gieok:
    """Return what the pages were made with."""
    return cast("Gieok", request.app.state.gieok)


def get_page_limits(request: Request) -> PageLimits:
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


async def _resolve_visitor(
    request: Request, gieok: PageGieok, limits: Limits
) -> Visitor:
    secret = request.cookies.get(require_cookie_form(request).name, "")
    if not secret:
        raise AuthenticationError(NO_SIGN_IN)
    address, shown = get_network(request), secret.encode("utf-8", "surrogatepass")
    limits.strangers.check_address(address, shown)
    try:
        opened = await gieok.sign_ins.verify(secret)
    except AuthenticationError:
        await limits.strangers.count_failure(address)
        raise
    limits.strangers.record_success(shown)
    await limits.people.count_request(opened.scope.user_id, None)
    person = await gieok.accounts.get(opened.scope)
    style = PageStyle(person.language, get_base(request), ZoneInfo(person.time_zone))
    told = request.query_params.get("done", "")
    done = told if has_text(f"done.{told}") else ""
    return Visitor(gieok, opened.scope, opened, style, done)


CurrentVisitor = Annotated[Visitor, Depends(_resolve_visitor)]
"""Who is signed in, for every page about a person."""


def require_same_origin(request: Request) -> None:
    """Refuse a form that another site sent.

    Raises:
        NotPermittedError: no page of ours sent it.
    """
    if not is_same_origin(request.headers, request.url.scheme):
        reason = "the form was not sent from one of these pages"
        raise NotPermittedError(reason)


async def read_own_form(request: Request, form_token: str) -> FormFields:
    """Return the fields of a form that a page of this sign-in sent.

    Raises:
        NotPermittedError: none of them did.
    """
    require_same_origin(request)
    form = parse_form(await request.body(), request.headers.get("content-type", ""))
    token = form.get(FORM_FIELD).encode("utf-8", "surrogatepass")
    if not hmac.compare_digest(token, form_token.encode()):
        reason = "the form was not sent from one of these pages"
        raise NotPermittedError(reason)
    return form


async def _read_visitor_form(request: Request, visitor: CurrentVisitor) -> FormFields:
    return await read_own_form(request, visitor.form_token)


VisitorForm = Annotated[FormFields, Depends(_read_visitor_form)]
"""The fields of a form that one of the visitor's own pages sent."""
