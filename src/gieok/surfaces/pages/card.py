"""The profile card: what is known of a person in six places, each value explained."""

from typing import Final

from fastapi import APIRouter, Response
from fastapi.responses import HTMLResponse

from gieok.kernel.errors import InvalidInputError, NotFoundError
from gieok.kernel.language import CardField
from gieok.profile import Card, CardValue
from gieok.surfaces.pages.forms import FormFields
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
    place, value = _parse_place(fields), fields.get("value")
    told = [value] if place.is_list else value
    await visitor.gieok.profile.merge(visitor.scope, {place.value: told})
    return visitor.send_to("profile", "saved")


@router.post("/profile/forget")
async def show_value_forgetting(
    visitor: CurrentVisitor, fields: VisitorForm
) -> HTMLResponse:
    """Say what goes when a value of several memories is forgotten, before it does."""
    place = _parse_place(fields)
    card = await visitor.gieok.profile.get(visitor.scope)
    known = _find_value(card, place, fields.get("value"))
    memories = await visitor.gieok.memories.sources(
        visitor.scope, known.memory_ids[:MOST]
    )
    return visitor.render(
        "profile_forget.html",
        place=place,
        known=known,
        memories=memories,
        before=card.get_replaced_values(place),
    )


@router.post("/profile/erase")
async def forget_card_value(visitor: CurrentVisitor, fields: VisitorForm) -> Response:
    """Erase a value with every memory that says it, for good."""
    place = _parse_place(fields)
    card = await visitor.gieok.profile.get(visitor.scope)
    known = _find_value(card, place, fields.get("value"))
    await visitor.gieok.profile.forget(visitor.scope, place, known.value)
    return visitor.send_to("profile", "carried_out")


def _parse_place(fields: FormFields) -> CardField:
    """Return the place that a form names.

    Raises:
        InvalidInputError: a card has no such place.
    """
    name = fields.get("place")
    if name not in set(CardField):
        field = "place"
        raise InvalidInputError(field, "a card has no such place")
    return CardField(name)


def _find_value(card: Card, place: CardField, value: str) -> CardValue:
    """Return a value that stands in a place.

    Raises:
        NotFoundError: it does not, or not any more.
    """
    for known in card.get_values(place):
        if known.value == value:
            return known
    thing = "value"
    raise NotFoundError(thing)
