"""Signing in to operate, by a key or by a link that works once, and signing out."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from gieok.surfaces.pages.console.operator import CurrentOperator, OperatorForm
from gieok.surfaces.pages.cookies import (
    OPERATORS,
    clear_cookie,
)
from gieok.surfaces.pages.forms import parse_form
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

router = APIRouter()


@router.post("/sign-in")
async def sign_in_with_key(
    request: Request, gieok: PageGieok, limits: Limits
) -> Response:
    """Sign in with a key that may administer."""
    form = require_cookie_form(request, OPERATORS)
    require_same_origin(request)
    key = parse_form(await request.body()).get("key").strip()
    shown = key.encode("utf-8", "surrogatepass")
    async with limits.strangers.count_failures(get_network(request), shown):
        opened = await gieok.operator_sign_ins.create(key)
    return create_signed_in_answer(request, form, opened.secret)


@router.get("/open/{secret}")
async def show_operator_link(
    request: Request, gieok: PageGieok, limits: Limits, secret: str
) -> HTMLResponse:
    """Ask whether to open; a program that only looks at the link does not use it up."""
    await require_link(request, limits, gieok.operator_sign_ins, secret, OPERATORS)
    style = get_stranger_style(request)
    return render_page("console/open.html", style, {"secret": secret})


@router.post("/open/{secret}")
async def open_operator_link(
    request: Request, gieok: PageGieok, limits: Limits, secret: str
) -> Response:
    """Sign in by a link."""
    form = require_cookie_form(request, OPERATORS)
    require_same_origin(request)
    async with limits.strangers.count_failures(get_network(request)):
        opened = await gieok.operator_sign_ins.open(secret)
    return create_signed_in_answer(request, form, opened.secret)


@router.post("/sign-out")
async def sign_operator_out(
    request: Request, operator: CurrentOperator, fields: OperatorForm
) -> HTMLResponse:
    """Sign out here, or every operator everywhere."""
    if fields.get("everywhere"):
        await operator.gieok.operator_sign_ins.revoke()
    else:
        await operator.gieok.operator_sign_ins.end(operator.opened.secret)
    answer = render_page("console/signed_out.html", operator.style, {"message": ""})
    clear_cookie(answer, require_cookie_form(request, OPERATORS))
    return answer
