"""Who operates: the one way in which a page of `/console` gets at the installation."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse

from gieok.access import OpenOperatorSignIn
from gieok.kernel.errors import NotPermittedError
from gieok.surfaces.pages.cookies import OPERATORS
from gieok.surfaces.pages.forms import FormFields
from gieok.surfaces.pages.long_work import LongWorks
from gieok.surfaces.pages.requests import (
    Limits,
    PageGieok,
    get_stranger_style,
)
from gieok.surfaces.pages.signed_in import SignedIn, get_done, verify_cookie
from gieok.surfaces.pages.visitor import read_own_form
from gieok.surfaces.rest.traffic import Traffic


@dataclass(frozen=True, slots=True, kw_only=True)
class Operator(SignedIn[OpenOperatorSignIn]):
    """Somebody who is signed in to operate, and how their pages are written."""

    traffic: Traffic
    works: LongWorks

    def require_fresh(self) -> None:
        """Refuse what cannot be undone to an old sign-in.

        Raises:
            NotPermittedError: it is older than 15 minutes.
        """
        if not self.is_fresh:
            reason = "sign in anew first: this sign-in is older than 15 minutes"
            raise NotPermittedError(reason)

    def render(
        self, template: str, *, status: int = HTTPStatus.OK, **values: Any
    ) -> HTMLResponse:
        """Return a page of the console with its navigation and form token."""
        shared = {"operator": self.opened.sign_in, "show_age": _measure_age(self.now)}
        page = SignedIn[OpenOperatorSignIn].render
        return page(self, f"console/{template}", status=status, **shared, **values)


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
    verify = gieok.operator_sign_ins.verify
    opened = await verify_cookie(request, limits, OPERATORS, verify)
    await limits.people.count_request(None, opened.sign_in.sign_in_id)
    state = request.app.state
    return Operator(
        gieok=gieok,
        opened=opened,
        style=get_stranger_style(request),
        done=get_done(request),
        traffic=state.traffic,
        works=state.works,
    )


CurrentOperator = Annotated[Operator, Depends(_resolve_operator)]
"""Who is signed in, for every page of the console."""


async def _read_operator_form(
    request: Request, operator: CurrentOperator
) -> FormFields:
    return await read_own_form(request, operator.form_token)


OperatorForm = Annotated[FormFields, Depends(_read_operator_form)]
"""The fields of a form that one of the operator's own pages sent."""
