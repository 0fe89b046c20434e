"""Who operates: the one way in which a page of `/console` gets at the installation."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from gieok.access import OpenOperatorSignIn
from gieok.facade import Gieok
from gieok.kernel.errors import AuthenticationError, NotPermittedError
from gieok.surfaces.pages.cookies import OPERATORS, derive_form_token
from gieok.surfaces.pages.forms import FormFields
from gieok.surfaces.pages.long_work import LongWorks
from gieok.surfaces.pages.rendering import PageStyle, render_page
from gieok.surfaces.pages.texts import has_text
from gieok.surfaces.pages.visitor import (
    FRESH,
    NO_SIGN_IN,
    Limits,
    PageGieok,
    get_network,
    get_stranger_style,
    read_own_form,
    require_cookie_form,
)
from gieok.surfaces.rest.traffic import Traffic


@dataclass(frozen=True, slots=True)
class Operator:
    """Somebody who is signed in to operate, and how their pages are written."""

    gieok: Gieok
    opened: OpenOperatorSignIn
    style: PageStyle
    traffic: Traffic
    works: LongWorks
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

    def require_fresh(self) -> None:
        """Refuse what cannot be undone to an old sign-in.

        Raises:
            NotPermittedError: it is older than 15 minutes.
        """
        opened = self.opened.sign_in.opened_at
        if opened is None or self.now - opened > FRESH:
            reason = "sign in anew first: this sign-in is older than 15 minutes"
            raise NotPermittedError(reason)

    def render(
        self, template: str, *, status: int = HTTPStatus.OK, **values: Any
    ) -> HTMLResponse:
        """Return a page of the console with its navigation and form token."""
        shared = {
            "form_token": self.form_token,
            "done": self.done,
            "now": self.now,
            "operator": self.opened.sign_in,
            "show_age": _measure_age(self.now),
        }
        path = f"console/{template}"
        return render_page(path, self.style, {**shared, **values}, status=status)

    def send_to(self, path: str, done: str = "") -> RedirectResponse:
        """Return an answer that leads to another page, which says what was done."""
        told = f"?done={done}" if done else ""
        return RedirectResponse(f"{self.style.base}/{path}{told}", HTTPStatus.SEE_OTHER)


def _measure_age(now: datetime) -> Any:
    """Return what says how long ago a time was, in days, hours, minutes and seconds."""

    def show_age(at: datetime | None) -> str:
        if at is None:
            return "–"
        return str(timedelta(seconds=max(0, int((now - at).total_seconds()))))

    return show_age


async def _resolve_operator(
    request: Request, gieok: PageGieok, limits: Limits
) -> Operator:
    secret = request.cookies.get(require_cookie_form(request, OPERATORS).name, "")
    if not secret:
        raise AuthenticationError(NO_SIGN_IN)
    address, shown = get_network(request), secret.encode("utf-8", "surrogatepass")
    limits.strangers.check_address(address, shown)
    try:
        opened = await gieok.operator_sign_ins.verify(secret)
    except AuthenticationError:
        await limits.strangers.count_failure(address)
        raise
    limits.strangers.record_success(shown)
    await limits.people.count_request(None, opened.sign_in.sign_in_id)
    told = request.query_params.get("done", "")
    done = told if has_text(f"done.{told}") else ""
    state = request.app.state
    style = get_stranger_style(request)
    return Operator(gieok, opened, style, state.traffic, state.works, done)


CurrentOperator = Annotated[Operator, Depends(_resolve_operator)]
"""Who is signed in, for every page of the console."""


async def _read_operator_form(
    request: Request, operator: CurrentOperator
) -> FormFields:
    return await read_own_form(request, operator.form_token)


OperatorForm = Annotated[FormFields, Depends(_read_operator_form)]
"""The fields of a form that one of the operator's own pages sent."""
