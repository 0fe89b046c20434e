"""The devices a person talks on, and the browsers in which they are signed in."""

from uuid import UUID

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from gieok.kernel.errors import InvalidInputError, NotFoundError
from gieok.surfaces.pages.cookies import clear_cookie
from gieok.surfaces.pages.requests import require_cookie_form
from gieok.surfaces.pages.visitor import CurrentVisitor, Visitor, VisitorForm
from gieok.sync import DeviceResolution

router = APIRouter()


@router.get("/devices")
async def show_devices(visitor: CurrentVisitor) -> HTMLResponse:
    """Show the devices, how far each is in step, and the browsers."""
    gieok, scope = visitor.gieok, visitor.scope
    return visitor.render(
        "devices.html",
        devices=await gieok.sync.devices(scope),
        sign_ins=await gieok.sign_ins.list(scope),
        own=visitor.opened.sign_in.sign_in_id,
    )


@router.get("/devices/{device_id}/erase")
async def show_device_erasing(visitor: CurrentVisitor, device_id: UUID) -> HTMLResponse:
    """Say what goes with a device, before it does."""
    name = await _get_name(visitor, device_id)
    return visitor.render("device_erase.html", device_id=device_id, name=name)


@router.post("/devices/{device_id}/erase")
async def erase_device(
    visitor: CurrentVisitor, _: VisitorForm, device_id: UUID
) -> Response:
    """Erase a device, what was said on it, and what was learned from that alone."""
    receipt = await visitor.gieok.erasure.device(visitor.scope, device_id)
    return visitor.send_to(f"receipts/{receipt.receipt_id}", "forgotten")


@router.post("/devices/{device_id}/revoke")
async def revoke_device(
    visitor: CurrentVisitor, _: VisitorForm, device_id: UUID
) -> Response:
    """Shut a device out; what was said on it stays."""
    await _get_name(visitor, device_id)
    await visitor.gieok.sync.revoke(visitor.scope, device_id)
    return visitor.send_to("devices", "saved")


@router.post("/devices/{device_id}/resolve")
async def resolve_device(
    visitor: CurrentVisitor, fields: VisitorForm, device_id: UUID
) -> Response:
    """Decide about a device's conflict."""
    try:
        resolution = DeviceResolution(fields.get("resolution"))
    except ValueError as error:
        field = "resolution"
        raise InvalidInputError(field, "it is no choice") from error
    await visitor.gieok.sync.resolve(visitor.scope, device_id, resolution)
    return visitor.send_to("devices", "saved")


@router.post("/sign-ins/revoke")
async def revoke_sign_ins(
    request: Request, visitor: CurrentVisitor, _: VisitorForm
) -> Response:
    """Sign out in every browser, this one too."""
    await visitor.gieok.sign_ins.revoke(visitor.scope)
    answer = visitor.send_to("")
    clear_cookie(answer, require_cookie_form(request))
    return answer


async def _get_name(visitor: Visitor, device_id: UUID) -> str:
    """Return what the app calls a device.

    Raises:
        NotFoundError: the person has no such device.
    """
    names = await visitor.gieok.accounts.device_names(visitor.scope)
    if device_id not in names:
        raise NotFoundError("device")
    return names[device_id]
