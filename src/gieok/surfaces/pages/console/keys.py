"""The keys of apps: made here and shown once, last used, revoked."""

from uuid import UUID

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, RedirectResponse

from gieok.access import NewKey, Right
from gieok.kernel.errors import NotPermittedError
from gieok.surfaces.pages.console.operator import (
    CurrentOperator,
    Operator,
    OperatorForm,
)

router = APIRouter()


@router.get("/keys")
async def show_keys(operator: CurrentOperator) -> HTMLResponse:
    """Show every key, without the key itself, and who is signed in."""
    return await _render_keys(operator)


@router.post("/keys")
async def create_key(operator: CurrentOperator, fields: OperatorForm) -> HTMLResponse:
    """Make a key with rights that the operator has, and show it this once."""
    operator.require_fresh()
    rights = frozenset(fields.list_values("right"))
    if not rights & frozenset(Right) <= operator.opened.sign_in.rights:
        reason = "the key that signed in does not have all of these rights"
        raise NotPermittedError(reason)
    made = await operator.gieok.access.create(fields.get("name"), rights)
    return await _render_keys(operator, made)


@router.post("/keys/{key_id}/revoke")
async def revoke_key(
    operator: CurrentOperator, _: OperatorForm, key_id: UUID
) -> RedirectResponse:
    """Refuse a key from now on, and whoever signed in with it."""
    await operator.gieok.access.revoke(key_id)
    return operator.send_to("keys", "revoked")


async def _render_keys(operator: Operator, made: NewKey | None = None) -> HTMLResponse:
    rights = operator.opened.sign_in.rights
    return operator.render(
        "keys.html",
        keys=await operator.gieok.access.list(),
        sign_ins=await operator.gieok.operator_sign_ins.list(),
        own=operator.opened.sign_in.sign_in_id,
        made=made,
        rights=[right for right in Right if right in rights],
    )
