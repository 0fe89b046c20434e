"""The profile card: what is known of a person in six places, each value explained."""

from typing import Final

from fastapi import APIRouter, Response
from fastapi.responses import HTMLResponse

from gieok.kernel.errors import InvalidInputError
from gieok.kernel.language import CardField
from gieok.surfaces.pages.visitor import CurrentVisitor, VisitorForm

MOST: Final = 50
"""Values of one place that a page shows, the newest."""

router = APIRouter()


@router.get("/profile")
async def show_card(visitor: CurrentVisitor) -> HTMLResponse:
    """Show the card with what each value rests on."""
    card = await visitor.gieok.profile.get(visitor.scope)
    return visitor.render("profile.html", card=card, places=list(CardField), most=MOST)


@router.post("/profile")
async def add_card_value(visitor: CurrentVisitor, fields: VisitorForm) -> Response:
    """Add a value to a list, or replace a single one; it becomes a memory."""
    name, value = fields.get("place"), fields.get("value")
    if name not in set(CardField):
        field = "place"
        raise InvalidInputError(field, "a card has no such place")
    told = [value] if CardField(name).is_list else value
    await visitor.gieok.profile.merge(visitor.scope, {name: told})
    return visitor.send_to("profile", "saved")
