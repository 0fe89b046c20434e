"""Taking everything along, and erasing everything, with a receipt (E19, A15)."""

import io
from collections.abc import AsyncIterator
from typing import Annotated, cast

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import HTMLResponse, StreamingResponse

from gieok.kernel.errors import InvalidInputError, NotPermittedError
from gieok.portability import Imported, Source
from gieok.surfaces.pages.cookies import clear_cookie
from gieok.surfaces.pages.long_work import LongWork, LongWorks, Progress
from gieok.surfaces.pages.rendering import render_page
from gieok.surfaces.pages.requests import require_cookie_form
from gieok.surfaces.pages.visitor import CurrentVisitor, Visitor, VisitorForm

router = APIRouter()
UNDERSTOOD = "understood"


def get_works(request: Request) -> LongWorks:
    """Return what goes on while nobody looks."""
    return cast("LongWorks", request.app.state.works)


Works = Annotated[LongWorks, Depends(get_works)]


@router.get("/leave")
async def show_leaving(visitor: CurrentVisitor, works: Works) -> HTMLResponse:
    """Show the ways to come and to leave; an old sign-in is renewed for the latter."""
    return visitor.render(
        "leave.html",
        is_fresh=visitor.is_fresh,
        work=_get_import(visitor, works),
        sources=list(Source),
    )


@router.post("/leave/import")
async def start_import(
    visitor: CurrentVisitor, fields: VisitorForm, works: Works
) -> Response:
    """Begin to take in a file; it goes on when the page is left."""
    chosen = fields.get("source")
    if chosen not in set(Source):
        field = "source"
        raise InvalidInputError(field, f"it must be one of {', '.join(Source)}")
    file = io.BytesIO(fields.get_file("file"))

    async def load(_: Progress) -> Imported:
        return await visitor.gieok.portability.load(visitor.scope, file, Source(chosen))

    clock = visitor.gieok.clock
    _get_import(visitor, works).start(load, clock)
    return visitor.send_to("leave")


def _get_import(visitor: Visitor, works: LongWorks) -> LongWork:
    return works.get(f"import {visitor.scope.user_id}")


@router.post("/leave/export")
async def export_everything(visitor: CurrentVisitor, _: VisitorForm) -> Response:
    """Send everything about the person as a file."""
    _require_fresh(visitor)
    chunks = visitor.gieok.portability.export(visitor.scope)
    first = await anext(chunks, b"")  # what fails, fails before the answer begins
    return StreamingResponse(
        _join_chunks(first, chunks),
        media_type="application/x-ndjson",
        headers={"Content-Disposition": 'attachment; filename="gieok-export.jsonl"'},
    )


@router.post("/leave/erase")
async def erase_everything(
    request: Request, visitor: CurrentVisitor, fields: VisitorForm
) -> HTMLResponse:
    """Erase everything for good, sign out, and show the receipt.

    It is shown at once: afterwards nobody is there who could sign in to see it.
    """
    _require_fresh(visitor)
    if fields.get(UNDERSTOOD) != "yes":
        raise InvalidInputError(UNDERSTOOD, "it is missing")
    receipt = await visitor.gieok.erasure.person(visitor.scope)
    answer = render_page(
        "gone.html",
        visitor.style,
        {"receipt": receipt, "is_signed": visitor.gieok.erasure.verify(receipt)},
    )
    clear_cookie(answer, require_cookie_form(request))
    return answer


def _require_fresh(visitor: Visitor) -> None:
    """Refuse what cannot be undone to an old sign-in: another may sit there by now.

    Raises:
        NotPermittedError: it is too old.
    """
    if not visitor.is_fresh:
        reason = "open a new link first: this sign-in is older than 15 minutes"
        raise NotPermittedError(reason)


async def _join_chunks(
    first: bytes, rest: AsyncIterator[bytes]
) -> AsyncIterator[bytes]:
    yield first
    async for chunk in rest:
        yield chunk
