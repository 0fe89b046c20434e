"""Somebody who is signed in to pages: how their sign-in is verified and used."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any, Final, Generic, Protocol, TypeVar

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse

from gieok.facade import Gieok
from gieok.kernel.errors import AuthenticationError
from gieok.surfaces.pages.cookies import CookieNames, derive_form_token
from gieok.surfaces.pages.rendering import PageStyle, render_page
from gieok.surfaces.pages.requests import (
    PageLimits,
    get_network,
    require_cookie_form,
)
from gieok.surfaces.pages.texts import has_text

FRESH: Final = timedelta(minutes=15)
"""How long after signing in everything can be taken away or erased."""
NO_SIGN_IN: Final = "there is no sign-in"


class _Dated(Protocol):
    @property
    def opened_at(self) -> datetime | None: ...


class ProvenSignIn(Protocol):
    """A sign-in that was proven by its secret."""

    @property
    def sign_in(self) -> _Dated:
        """Since when somebody is signed in."""
        ...

    @property
    def secret(self) -> str:
        """What the cookie holds."""
        ...


Proven = TypeVar("Proven", bound=ProvenSignIn)


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedIn(Generic[Proven]):
    """Somebody who is signed in, and how their pages are written."""

    gieok: Gieok
    opened: Proven
    style: PageStyle
    done: str = ""
    """What was just done, as the key of its sentence."""

    @property
    def now(self) -> datetime:
        """Return the time by gieok's clock."""
        return self.gieok.clock()

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
        """Return a page with its navigation and form token."""
        shared = {"form_token": self.form_token, "done": self.done, "now": self.now}
        return render_page(template, self.style, {**shared, **values}, status=status)

    def send_to(self, path: str, done: str = "") -> RedirectResponse:
        """Return an answer that leads to another page, which says what was done."""
        told = f"?done={done}" if done else ""
        return RedirectResponse(f"{self.style.base}/{path}{told}", HTTPStatus.SEE_OTHER)


async def verify_cookie(
    request: Request,
    limits: PageLimits,
    names: CookieNames,
    verify: Callable[[str], Awaitable[Proven]],
) -> Proven:
    """Return the sign-in that the cookie proves.

    Raises:
        AuthenticationError: there is none, or it is over.
        RateLimitedError: too many of this address were wrong.
    """
    secret = request.cookies.get(require_cookie_form(request, names).name, "")
    if not secret:
        raise AuthenticationError(NO_SIGN_IN)
    shown = secret.encode("utf-8", "surrogatepass")
    async with limits.strangers.count_failures(get_network(request), shown):
        return await verify(secret)


def get_done(request: Request) -> str:
    """Return the key of the sentence that says what was just done, if there is one."""
    told = request.query_params.get("done", "")
    return told if has_text(f"done.{told}") else ""
