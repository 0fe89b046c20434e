"""The profile card, as the tutor's document writes it, and what its values rest on."""

from typing import Self
from uuid import UUID

from pydantic import Field

from gieok.profile import Card, CardDocument, CardField, CardValue
from gieok.surfaces.rest.schemas.shared import RequestModel, ResponseModel, Time


class CardBody(RequestModel):
    """A card (C01); what is left out, null or empty says nothing."""

    name: str | None = None
    occupation: str | None = None
    interests: list[str] | None = None
    learning_goals: list[str] | None = None
    preferences: list[str] | None = None
    mentioned_facts: list[str] | None = None

    def to_document(self) -> CardDocument:
        """Return what was given."""
        return self.model_dump(exclude_none=True)


class ProfileValue(ResponseModel):
    """One value of a card, and what it rests on."""

    field: CardField
    value: str
    memory_ids: list[UUID] = Field(description="The memories that say it.")
    session_id: UUID | None = Field(
        description="The session it was first said in; null where it was written."
    )
    at: Time = Field(description="When it was last confirmed.")
    confidence: float = Field(description="0 to 1, as then confirmed.")

    @classmethod
    def from_value(cls, place: CardField, known: CardValue) -> Self:
        """Return a value of a place."""
        return cls.from_fields(known, field=place)


class ProfileCard(ResponseModel):
    """What is known of a person: the card (C01), its values and what was before."""

    profile: dict[str, str | list[str]] = Field(
        description="name, occupation, interests, learning_goals, preferences, "
        "mentioned_facts; what is not known is not there."
    )
    values: list[ProfileValue]
    history: list[ProfileValue] = Field(
        description="What the name and the occupation were before, oldest first."
    )

    @classmethod
    def from_card(cls, card: Card) -> Self:
        """Return the card."""
        return cls(
            profile=card.to_document(),
            values=[
                ProfileValue.from_value(place, known)
                for place in CardField
                for known in card.get_values(place)
            ],
            history=[
                ProfileValue.from_value(past.field, past.value) for past in card.history
            ],
        )
