"""Taking everything along, and erasing everything, with a receipt (E19, A15)."""

from collections.abc import AsyncIterator

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, StreamingResponse

from gieok.kernel.errors import InvalidInputError, NotPermittedError
from gieok.surfaces.pages.cookies import clear_cookie
from gieok.surfaces.pages.rendering import render_page
from gieok.surfaces.pages.visitor import (
    CurrentVisitor,
    Visitor,
    VisitorForm,
    require_cookie_form,
)

router = APIRouter()
UNDERSTOOD = "understood"


@router.get("/leave")
async def show_leaving(visitor: CurrentVisitor) -> HTMLResponse:
    """Show both ways to leave; an old sign-in has to be renewed for either."""
    return visitor.render("leave.html", is_fresh=visitor.is_fresh)


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
