"""The documentation of the API below `/docs`, from what the application says of it."""

from typing import Annotated, Final

from fastapi import APIRouter, Depends, FastAPI, Request
from fastapi.responses import HTMLResponse

from gieok.surfaces.pages.api_outline import ApiOutline, build_outline
from gieok.surfaces.pages.rendering import render_page
from gieok.surfaces.pages.requests import get_stranger_style
from gieok.surfaces.rest.errors import NoSuchRouteError

router = APIRouter()
OUTLINE: Final = "outline"


async def _get_outline(request: Request) -> ApiOutline:
    """Return what the application answers, read once."""
    state = request.app.state
    if not hasattr(state, OUTLINE):
        described: FastAPI = state.described
        state.outline = build_outline(described.openapi())
    return state.outline


Outline = Annotated[ApiOutline, Depends(_get_outline)]


@router.get("/")
async def show_api(request: Request, outline: Outline) -> HTMLResponse:
    """Show every call in a line."""
    return _render(request, "docs/index.html", outline)


@router.get("/calls/{tag}")
async def show_calls(request: Request, outline: Outline, tag: str) -> HTMLResponse:
    """Show the calls of a group: what each takes and answers."""
    if tag not in outline.calls:
        raise NoSuchRouteError
    return _render(request, "docs/calls.html", outline, tag=tag)


@router.get("/schemas/{name}")
async def show_schema(request: Request, outline: Outline, name: str) -> HTMLResponse:
    """Show the fields of a schema."""
    if name not in outline.schemas:
        raise NoSuchRouteError
    schema = outline.schemas[name]
    return _render(request, "docs/schema.html", outline, schema=schema)


def _render(
    request: Request, template: str, outline: ApiOutline, **values: object
) -> HTMLResponse:
    style = get_stranger_style(request)
    return render_page(template, style, {"outline": outline, **values})
