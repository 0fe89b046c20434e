"""Erases the person who asks, and proves it (A15, E19)."""

from uuid import UUID

from fastapi import APIRouter, status

from gieok.surfaces.rest.caller import Asking
from gieok.surfaces.rest.errors import EVERYWHERE, documented
from gieok.surfaces.rest.schemas.erasure import ErasureReceipt, ReceiptList

router = APIRouter(
    prefix="/api/v1/users/me", tags=["erasure"], responses=documented(*EVERYWHERE)
)


@router.delete("", status_code=status.HTTP_204_NO_CONTENT, responses=documented(404))
async def erase_person(caller: Asking) -> None:
    """Erase everything about the person for good; asking again changes nothing.

    The receipt is the first of `erasure-receipts`.
    """
    await caller.gieok.erasure.person(caller.scope)


@router.get("/erasure-receipts")
async def list_receipts(caller: Asking) -> ReceiptList:
    """Return the person's receipts, newest first; they outlive the person."""
    found = await caller.gieok.erasure.receipts(caller.scope)
    return ReceiptList(receipts=[ErasureReceipt.of(each) for each in found])


@router.get("/erasure-receipts/{receipt_id}", responses=documented(404))
async def get_receipt(caller: Asking, receipt_id: UUID) -> ErasureReceipt:
    """Return one receipt."""
    receipt = await caller.gieok.erasure.receipt(caller.scope, receipt_id)
    return ErasureReceipt.of(receipt)
