"""Taking everything along, and erasing everything, with a receipt (E19, A15)."""

import io
from http import HTTPStatus

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from gieok.kernel.errors import (
    ConflictError,
    InvalidInputError,
    NotFoundError,
    NotPermittedError,
)
from gieok.portability import Archive, Imported, Source
from gieok.surfaces.export_answers import create_export_answer
from gieok.surfaces.pages.cookies import clear_cookie
from gieok.surfaces.pages.erasing import start_erasing
from gieok.surfaces.pages.long_work import Progress, Works
from gieok.surfaces.pages.requests import require_cookie_form
from gieok.surfaces.pages.visitor import CurrentVisitor, Visitor, VisitorForm

router = APIRouter()
UNDERSTOOD = "understood"
IMPORT, EXPORT = "import", "export"


@router.get("/leave")
async def show_leaving(visitor: CurrentVisitor, works: Works) -> HTMLResponse:
    """Show the ways to come and to leave; an old sign-in is renewed for the latter."""
    exporting = works.get(_name_work(visitor, EXPORT))
    archive: Archive | None = exporting.result
    portability = visitor.gieok.portability
    if archive and not await portability.is_waiting(visitor.scope, archive.token):
        exporting.forget(archive)
    return visitor.render(
        "leave.html",
        is_fresh=visitor.is_fresh,
        importing=works.get(_name_work(visitor, IMPORT)),
        exporting=exporting,
        sources=list(Source),
    )


@router.post("/leave/import")
async def start_import(
    visitor: CurrentVisitor, fields: VisitorForm, works: Works
) -> Response:
    """Begin to take in a file; it goes on when the page is left.

    Another file meanwhile is refused.
    """
    chosen = fields.get("source")
    if chosen not in set(Source):
        field = "source"
        raise InvalidInputError(field, f"it must be one of {', '.join(Source)}")
    file = io.BytesIO(fields.get_file("file"))

    portability = visitor.gieok.portability

    async def load(progress: Progress) -> Imported:
        return await portability.load(
            visitor.scope, file, Source(chosen), lambda rows: progress(rows, 0)
        )

    work = works.ensure(_name_work(visitor, IMPORT))
    if not work.start(load, visitor.gieok.clock):
        raise ConflictError("another file is being brought in")
    await work.wait()
    return visitor.send_to("leave")


@router.post("/leave/export")
async def start_export(
    visitor: CurrentVisitor, _: VisitorForm, works: Works
) -> Response:
    """Begin to put everything about the person together; it waits for a day, sealed.

    What opens it is known to this process alone.
    """
    _require_fresh(visitor)
    portability = visitor.gieok.portability

    async def prepare(progress: Progress) -> Archive:
        return await portability.prepare(
            visitor.scope, progress=lambda rows: progress(rows, 0)
        )

    work = works.ensure(_name_work(visitor, EXPORT))
    work.start(prepare, visitor.gieok.clock)
    await work.wait()
    return visitor.send_to("leave")


@router.post("/leave/download")
async def download_export(
    visitor: CurrentVisitor, _: VisitorForm, works: Works
) -> Response:
    """Send what was put together, as a file."""
    _require_fresh(visitor)
    archive: Archive | None = works.get(_name_work(visitor, EXPORT)).result
    if archive is None:
        thing = "export"
        raise NotFoundError(thing)
    chunks = visitor.gieok.portability.fetch(visitor.scope, archive.token)
    return await create_export_answer(chunks)


@router.post("/leave/erase")
async def erase_everything(
    request: Request, visitor: CurrentVisitor, fields: VisitorForm, works: Works
) -> Response:
    """Begin to erase everything for good, sign out, and lead to the receipt.

    It stands at an address of its own: afterwards nobody is there who could sign in.
    """
    _require_fresh(visitor)
    if fields.get(UNDERSTOOD) != "yes":
        raise InvalidInputError(UNDERSTOOD, "it is missing")
    secret = await start_erasing(visitor.gieok, works, visitor.scope)
    style = visitor.style
    answer = RedirectResponse(
        f"{style.base}/gone/{secret}?language={style.language}", HTTPStatus.SEE_OTHER
    )
    clear_cookie(answer, require_cookie_form(request))
    return answer


def _name_work(visitor: Visitor, what: str) -> str:
    return f"{what} {visitor.scope.user_id}"


def _require_fresh(visitor: Visitor) -> None:
    """Refuse what cannot be undone to an old sign-in: another may sit there by now.

    Raises:
        NotPermittedError: it is too old.
    """
    if not visitor.is_fresh:
        reason = "open a new link first: this sign-in is older than 15 minutes"
        raise NotPermittedError(reason)
