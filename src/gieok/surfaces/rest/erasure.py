"""Erases the person who asks, and proves it (A15, E19)."""

from typing import Annotated
from uuid import UUID

from fastapi import Query, status

from gieok.surfaces.bodies import RequestModel
from gieok.surfaces.rest.caller import CurrentCaller
from gieok.surfaces.rest.errors import build_error_responses
from gieok.surfaces.rest.routing import create_router
from gieok.surfaces.rest.schemas.devices import DeviceErasure, DeviceErasureList
from gieok.surfaces.rest.schemas.erasure import ErasureReceipt, ReceiptList

router = create_router("/api/v1/users/me", "erasure")


class NoParameters(RequestModel):
    """The query of a call that takes none."""


@router.delete(
    "", status_code=status.HTTP_204_NO_CONTENT, responses=build_error_responses(404)
)
async def erase_person(
    caller: CurrentCaller, _: Annotated[NoParameters, Query()]
) -> None:
    """Erase everything about the person for good; asking again changes nothing.

    It takes no parameters: with some, another call was meant.
    The receipt is the first of `erasure-receipts`.
    """
    await caller.gieok.erasure.person(caller.scope)


@router.get("/erasure-receipts")
async def list_receipts(caller: CurrentCaller) -> ReceiptList:
    """Return the person's receipts, newest first; they outlive the person."""
    found = await caller.gieok.erasure.receipts(caller.scope)
    return ReceiptList(receipts=[ErasureReceipt.from_receipt(each) for each in found])


@router.get("/erasure-receipts/{receipt_id}", responses=build_error_responses(404))
async def get_receipt(caller: CurrentCaller, receipt_id: UUID) -> ErasureReceipt:
    """Return one receipt."""
    receipt = await caller.gieok.erasure.receipt(caller.scope, receipt_id)
    return ErasureReceipt.from_receipt(receipt)


@router.get(
    "/erasure-receipts/{receipt_id}/devices", responses=build_error_responses(404)
)
async def list_devices_of_receipt(
    caller: CurrentCaller, receipt_id: UUID
) -> DeviceErasureList:
    """Return which devices have heard of an erasure: done, pending or expired."""
    gieok, scope = caller.gieok, caller.scope
    receipt = await gieok.erasure.receipt(scope, receipt_id)
    found = await gieok.sync.heard_erasures(scope, receipt.finished_at)
    return DeviceErasureList(
        devices=[DeviceErasure.from_erasure(each) for each in found]
    )
