"""One person, by the app's id typed in: figures, settings, erasing; never content."""

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, RedirectResponse

from gieok.kernel.errors import InvalidInputError, NotFoundError, TamperedError
from gieok.kernel.scope import Actor, Scope
from gieok.surfaces.pages.console.operator import (
    CurrentOperator,
    Operator,
    OperatorForm,
)
from gieok.surfaces.pages.erasing import load_receipt_values, start_erasing
from gieok.surfaces.pages.forms import FormFields

router = APIRouter()
TABLE = "users"


@router.get("/people")
async def show_people(operator: CurrentOperator) -> HTMLResponse:
    """Ask for the id; nobody is listed."""
    return operator.render("people.html")


@router.post("/people")
async def show_person(operator: CurrentOperator, fields: OperatorForm) -> HTMLResponse:
    """Show a person in figures; that leaves an access line, as any look does."""
    gieok = operator.gieok
    scope = await _find_person(operator, fields)
    await gieok.audit.note_read(scope, TABLE, scope.user_id)
    cursors = await gieok.sync.cursors(scope)
    lines, broken = await _verify_chain(operator, scope)
    return operator.render(
        "person.html",
        user_id=fields.get("user_id"),
        person=await gieok.accounts.get(scope),
        usage=await gieok.settings.usage(scope),
        settings=await gieok.settings.get(scope),
        consents=await gieok.settings.consents(scope),
        cursors=cursors,
        receipts=len(await gieok.erasure.receipts(scope)),
        lines=lines,
        broken=broken,
    )


@router.post("/people/erase")
async def erase_person(
    operator: CurrentOperator, fields: OperatorForm
) -> RedirectResponse:
    """Begin to erase a person whose id was typed in twice; lead to the receipt."""
    operator.require_fresh()
    if fields.get("again") != fields.get("user_id"):
        field = "again"
        raise InvalidInputError(field, "it must be the same id once more")
    scope = await _find_person(operator, fields)
    secret = await start_erasing(operator.gieok, operator.works, scope)
    return operator.send_to(f"people/erased/{secret}")


@router.get("/people/erased/{secret}")
async def show_erased(operator: CurrentOperator, secret: str) -> HTMLResponse:
    """Show how far an erasure is, and its receipt once it is done."""
    values = await load_receipt_values(operator.gieok, operator.works, secret)
    return operator.render("erased.html", secret=secret, **values)


async def _find_person(operator: Operator, fields: FormFields) -> Scope:
    """Return the scope of the person whose id was typed in.

    Raises:
        NotFoundError: nothing is kept of them.
    """
    scope = operator.gieok.person(fields.get("user_id"), actor=Actor.ADMIN)
    if not await operator.gieok.accounts.is_known(scope):
        thing = "person"
        raise NotFoundError(thing)
    return scope


async def _verify_chain(operator: Operator, scope: Scope) -> tuple[int, str]:
    """Return how many lines the person's audit chain holds, or where it breaks."""
    try:
        return await operator.gieok.audit.verify(scope), ""
    except TamperedError as error:
        return 0, str(error.details["place"])
