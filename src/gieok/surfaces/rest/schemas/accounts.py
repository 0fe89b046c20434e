"""A person, as apps see them."""

from typing import Self

from pydantic import Field

from gieok.accounts import Person
from gieok.surfaces.rest.schemas.shared import (
    Language,
    RequestModel,
    ResponseModel,
    Time,
)


class PersonView(ResponseModel):
    """Who a person is to gieok."""

    language: str = Field(description="Of headings, notices and greetings: ko or en.")
    time_zone: str = Field(description="The IANA time zone of their days and weeks.")
    plan: str = Field(description="free or premium.")
    created_at: Time

    @classmethod
    def from_person(cls, person: Person) -> Self:
        """Return the person."""
        return cls.from_fields(person)


class PersonChange(RequestModel):
    """What a person changes; what is left out or null stays as it is."""

    language: Language | None = None
    time_zone: str | None = Field(
        default=None, description="An IANA time zone, such as America/New_York."
    )
