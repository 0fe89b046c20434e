"""The devices a person talks on; one of them erased (A15)."""

from fastapi import APIRouter, status

from gieok.surfaces.rest.caller import CurrentCaller
from gieok.surfaces.rest.errors import EVERYWHERE, build_error_responses
from gieok.surfaces.rest.schemas.devices import DeviceList, DeviceView

router = APIRouter(
    prefix="/api/v1/users/me/devices",
    tags=["devices"],
    responses=build_error_responses(*EVERYWHERE),
)


@router.get("")
async def list_devices(caller: CurrentCaller) -> DeviceList:
    """Return the person's devices."""
    names = await caller.gieok.accounts.device_names(caller.scope)
    return DeviceList(devices=[DeviceView(id=name) for name in names.values()])


@router.delete(
    "/{device_id:path}",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=build_error_responses(404),
)
async def erase_device(caller: CurrentCaller, device_id: str) -> None:
    """Erase a device, what was said on it, and all that was learned from that alone.

    The id is yours. The receipt is the first of `erasure-receipts`.
    """
    gieok, scope = caller.gieok, caller.scope
    known = gieok.accounts.device_id(scope, device_id)
    await gieok.erasure.device(scope, known)
