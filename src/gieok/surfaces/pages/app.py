"""The pages as an application: headers outside, one router for each page inside."""

from typing import Final

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware

from gieok.facade import Gieok
from gieok.kernel.errors import GieokError
from gieok.surfaces.pages import (
    assets,
    card,
    consent,
    conversations,
    devices,
    known,
    leaving,
    looks,
    sign_in,
    statistics,
    switches,
    waiting,
)
from gieok.surfaces.pages.failures import (
    answer_broken_page,
    answer_page_error,
    answer_page_http,
    answer_page_request,
)
from gieok.surfaces.pages.headers import PageHeaders
from gieok.surfaces.pages.visitor import PageLimits
from gieok.surfaces.rest.app import NO_TELEMETRY, Edge
from gieok.surfaces.rest.limits import RateLimits, StrangerLimits

ROUTERS: Final = (
    assets,
    card,
    consent,
    conversations,
    devices,
    known,
    leaving,
    looks,
    sign_in,
    statistics,
    switches,
    waiting,
)


def create_pages(gieok: Gieok, edge: Edge | None = None) -> FastAPI:
    """Return the pages, for `create_app` to answer with below `/me`."""
    edge = edge or Edge()
    pages = FastAPI(
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        telemetry=NO_TELEMETRY,
        middleware=[Middleware(PageHeaders)],
        exception_handlers={
            GieokError: answer_page_error,
            RequestValidationError: answer_page_request,
            HTTPException: answer_page_http,
            Exception: answer_broken_page,
        },
    )
    pages.state.gieok = gieok
    pages.state.limits = PageLimits(
        RateLimits(gieok.sessions.cache, edge.per_person, edge.per_key),
        StrangerLimits(gieok.sessions.cache, edge.per_address),
    )
    for page in ROUTERS:
        pages.include_router(page.router)
    return pages
