"""Who looks at the pages: the one way in which a page gets at anybody's memory."""

import hmac
from dataclasses import dataclass
from typing import Annotated, Final
from zoneinfo import ZoneInfo

from fastapi import Depends, Request

from gieok.access import OpenSignIn
from gieok.kernel.errors import NotPermittedError
from gieok.kernel.scope import Scope
from gieok.surfaces.pages.cookies import PERSONS
from gieok.surfaces.pages.forms import FormFields, parse_form
from gieok.surfaces.pages.rendering import PageStyle
from gieok.surfaces.pages.requests import (
    Limits,
    PageGieok,
    get_base,
    require_same_origin,
)
from gieok.surfaces.pages.signed_in import SignedIn, get_done, verify_cookie

FORM_FIELD: Final = "form_token"


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor(SignedIn[OpenSignIn]):
    """A person who is signed in, and how their pages are written."""

    scope: Scope


async def _resolve_visitor(
    request: Request, gieok: PageGieok, limits: Limits
) -> Visitor:
    opened = await verify_cookie(request, limits, PERSONS, gieok.sign_ins.verify)
    await limits.people.count_request(opened.scope.user_id, None)
    person = await gieok.accounts.get(opened.scope)
    style = PageStyle(person.language, get_base(request), ZoneInfo(person.time_zone))
    return Visitor(
        gieok=gieok,
        opened=opened,
        style=style,
        done=get_done(request),
        scope=opened.scope,
    )


CurrentVisitor = Annotated[Visitor, Depends(_resolve_visitor)]
"""Who is signed in, for every page about a person."""


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
