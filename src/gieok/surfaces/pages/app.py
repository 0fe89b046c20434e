"""The pages as an application: headers outside, one router for each page inside."""

from collections.abc import Iterable
from typing import Final

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import RedirectResponse
from starlette.middleware import Middleware

from gieok.surfaces.pages import (
    assets,
    card,
    consent,
    console,
    conversations,
    devices,
    episodes,
    erasing,
    explain,
    known,
    leaving,
    looks,
    reference,
    sign_in,
    statistics,
    switches,
    waiting,
)
from gieok.surfaces.pages.failures import FailurePages
from gieok.surfaces.pages.headers import PageHeaders
from gieok.surfaces.pages.long_work import LongWorks
from gieok.surfaces.pages.requests import PageLimits
from gieok.surfaces.rest.app import NO_TELEMETRY, Edge
from gieok.surfaces.rest.gate import CONSOLE, DOCS, PAGES
from gieok.surfaces.rest.limits import RateLimits, StrangerLimits

PERSONAL: Final = tuple(
    page.router
    for page in (
        *(assets, looks, sign_in),
        *(known, waiting, card, explain),
        *(conversations, episodes, statistics),
        *(consent, switches, devices),
        *(leaving, erasing),
    )
)
OPERATING: Final = (assets.router, *console.ROUTERS)
DESCRIBING: Final = (assets.router, reference.router)


def add_pages(app: FastAPI, edge: Edge | None = None) -> None:
    """Have what `create_app` made answer below `/me`, `/console` and `/docs` too."""
    edge, cache = edge or Edge(), app.state.gieok.sessions.writer.cache
    limits = PageLimits(
        RateLimits(cache, edge.per_person, edge.per_key),
        StrangerLimits(cache, edge.per_address),
    )
    works = LongWorks()
    for path, pages, failures in (
        (PAGES, PERSONAL, FailurePages("signed_out.html", "failure.html")),
        (
            CONSOLE,
            OPERATING,
            FailurePages("console/signed_out.html", "console/failure.html"),
        ),
        (DOCS, DESCRIBING, FailurePages("docs/failure.html", "docs/failure.html")),
    ):
        mounted = _create_pages(pages, failures)
        mounted.state.gieok, mounted.state.limits = app.state.gieok, limits
        mounted.state.traffic, mounted.state.works = app.state.traffic, works
        mounted.state.described, mounted.state.data = app, edge.data
        app.add_route(path, send_to_pages, include_in_schema=False)
        app.mount(path, mounted)


def _create_pages(routers: Iterable[APIRouter], failures: FailurePages) -> FastAPI:
    pages = FastAPI(
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        telemetry=NO_TELEMETRY,
        middleware=[Middleware(PageHeaders)],
        exception_handlers=failures.build_handlers(),
    )
    for router in routers:
        pages.include_router(router)
    return pages


async def send_to_pages(request: Request) -> RedirectResponse:
    """Lead from the bare address to the first page."""
    return RedirectResponse(f"{request.url.path}/")
