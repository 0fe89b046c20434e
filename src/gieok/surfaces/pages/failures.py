"""What a person reads when a page cannot be shown."""

from http import HTTPStatus

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse
from starlette.exceptions import HTTPException

from gieok.kernel.errors import (
    AuthenticationError,
    ConfigurationError,
    GieokError,
    InvalidInputError,
)
from gieok.surfaces.pages.rendering import render_page
from gieok.surfaces.pages.visitor import get_stranger_style
from gieok.surfaces.rest.errors import (
    InternalError,
    MethodNotAllowedError,
    NoSuchRouteError,
    RateLimitedError,
    get_route,
    get_status,
    log_internal_error,
)

NO_ID = "-"


async def answer_page_error(request: Request, error: GieokError) -> HTMLResponse:
    """Show what gieok raises; who is not signed in learns how to."""
    if isinstance(error, AuthenticationError):
        return _render_failure(request, "signed_out.html", error)
    if isinstance(error, ConfigurationError):
        shown = log_internal_error(error, get_route(request.scope))
        return _render_failure(request, "failure.html", shown)
    return _render_failure(request, "failure.html", error)


async def answer_page_request(
    request: Request, error: RequestValidationError
) -> HTMLResponse:
    """Show that an address or a field is none of ours; what it was is not repeated."""
    in_path = any(found["loc"][:1] == ("path",) for found in error.errors())
    problem = InvalidInputError("form", "it has the wrong form")
    return await answer_page_error(request, NoSuchRouteError() if in_path else problem)


async def answer_page_http(request: Request, error: HTTPException) -> HTMLResponse:
    """Show what the framework refuses: paths and methods."""
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        return await answer_page_error(request, MethodNotAllowedError())
    return await answer_page_error(request, NoSuchRouteError())


async def answer_broken_page(request: Request, _: Exception) -> HTMLResponse:
    """Show that something broke; the server's error shield logs it, without content."""
    return _render_failure(request, "failure.html", InternalError(NO_ID))


def _render_failure(request: Request, template: str, error: GieokError) -> HTMLResponse:
    style, status = get_stranger_style(request), get_status(error)
    values = {"message": error.message(style.language), "status": status}
    page = render_page(template, style, values, status=status)
    if isinstance(error, RateLimitedError):
        page.headers["Retry-After"] = str(error.seconds)
    return page
