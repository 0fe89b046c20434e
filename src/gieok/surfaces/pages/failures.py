"""What a person reads when a page cannot be shown."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

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
from gieok.surfaces.pages.cookies import OPERATORS, PERSONS
from gieok.surfaces.pages.rendering import render_page
from gieok.surfaces.pages.requests import get_stranger_style
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


@dataclass(frozen=True, slots=True)
class FailurePages:
    """Which pages of one application say what went wrong."""

    signed_out: str
    """The template for who is not signed in; it says how to."""
    failure: str

    def build_handlers(self) -> dict[int | type[Exception], Any]:
        """Return what answers for each kind of failure."""
        return {
            GieokError: self.answer_error,
            RequestValidationError: self.answer_request,
            HTTPException: self.answer_http,
            Exception: self.answer_broken,
        }

    async def answer_error(self, request: Request, error: GieokError) -> HTMLResponse:
        """Show what gieok raises; who is not signed in learns how to."""
        if isinstance(error, AuthenticationError):
            if _is_arriving(request):
                return render_page("arriving.html", get_stranger_style(request), {})
            return _render_failure(request, self.signed_out, error)
        if isinstance(error, ConfigurationError):
            shown = log_internal_error(error, get_route(request.scope))
            return _render_failure(request, self.failure, shown)
        return _render_failure(request, self.failure, error)

    async def answer_request(
        self, request: Request, error: RequestValidationError
    ) -> HTMLResponse:
        """Show that an address or field is none of ours; what it was is not told."""
        in_path = any(found["loc"][:1] == ("path",) for found in error.errors())
        problem = InvalidInputError("form", "it has the wrong form")
        return await self.answer_error(
            request, NoSuchRouteError() if in_path else problem
        )

    async def answer_http(self, request: Request, error: HTTPException) -> HTMLResponse:
        """Show what the framework refuses: paths and methods."""
        if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            return await self.answer_error(request, MethodNotAllowedError())
        return await self.answer_error(request, NoSuchRouteError())

    async def answer_broken(self, request: Request, _: Exception) -> HTMLResponse:
        """Show that something broke; the error shield logs it, without content."""
        return _render_failure(request, self.failure, InternalError(NO_ID))


def _is_arriving(request: Request) -> bool:
    """Tell whether a link of another site led here, for which cookies are kept back."""
    ours = {*PERSONS, *OPERATORS}
    return (
        request.method == "GET"
        and request.headers.get("sec-fetch-site") == "cross-site"
        and ours.isdisjoint(request.cookies)
    )


def _render_failure(request: Request, template: str, error: GieokError) -> HTMLResponse:
    style, status = get_stranger_style(request), get_status(error)
    values = {"message": error.message(style.language), "status": status}
    page = render_page(template, style, values, status=status)
    if isinstance(error, RateLimitedError):
        page.headers["Retry-After"] = str(error.seconds)
    return page
