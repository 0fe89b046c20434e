"""Signing in by a link that works once, and signing out."""

from http import HTTPStatus

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from gieok.surfaces.pages.cookies import clear_cookie
from gieok.surfaces.pages.rendering import render_page
from gieok.surfaces.pages.requests import (
    Limits,
    PageGieok,
    get_network,
    get_stranger_style,
    require_cookie_form,
    require_same_origin,
)
from gieok.surfaces.pages.sign_in_links import create_signed_in_answer, require_link
from gieok.surfaces.pages.visitor import CurrentVisitor, VisitorForm

router = APIRouter()


@router.get("/open/{secret}")
async def show_link(
    request: Request, gieok: PageGieok, limits: Limits, secret: str
) -> HTMLResponse:
    """Ask whether to open; a program that only looks at the link does not use it up."""
    await require_link(request, limits, gieok.sign_ins, secret)
    return render_page("open.html", get_stranger_style(request), {"secret": secret})


@router.post("/open/{secret}")
async def open_link(
    request: Request, gieok: PageGieok, limits: Limits, secret: str
) -> Response:
    """Sign in, and go to what is known."""
    form = require_cookie_form(request)
    require_same_origin(request)
    async with limits.strangers.count_failures(get_network(request)):
        opened = await gieok.sign_ins.open(secret)
    return create_signed_in_answer(request, form, opened.secret)


@router.post("/sign-out")
async def sign_out(
    request: Request, visitor: CurrentVisitor, fields: VisitorForm
) -> HTMLResponse:
    """Sign out here, or everywhere."""
    if fields.get("everywhere"):
        await visitor.gieok.sign_ins.revoke(visitor.scope)
    else:
        await visitor.gieok.sign_ins.end(visitor.opened.secret)
    answer = render_page(
        "signed_out.html",
        visitor.style,
        {"message": "", "status": HTTPStatus.OK},
    )
    clear_cookie(answer, require_cookie_form(request))
    return answer


@router.post("/language")
async def change_language(visitor: CurrentVisitor, fields: VisitorForm) -> Response:
    """Write the pages, and what is made for the person, in another language."""
    await visitor.gieok.accounts.update(visitor.scope, language=fields.get("language"))
    return visitor.send_to("", "language")
