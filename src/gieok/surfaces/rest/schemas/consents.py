"""What a person agrees to (D14)."""

from typing import Self

from pydantic import Field, StrictBool

from gieok.settings import Consent, Purpose
from gieok.surfaces.rest.schemas.shared import RequestModel, ResponseModel, Time


class ConsentState(ResponseModel):
    """The standing decision about one purpose."""

    purpose: Purpose
    granted: bool
    version: int = Field(description="0 while the person has never decided.")
    notice: str | None
    at: Time | None

    @classmethod
    def from_consent(cls, consent: Consent) -> Self:
        """Return the decision."""
        return cls.from_fields(consent)


class ConsentList(ResponseModel):
    """One standing decision for each purpose."""

    consents: list[ConsentState]


class ConsentChange(RequestModel):
    """Decisions to note; what is left out or null stays as it is."""

    storage: StrictBool | None = None
    profile: StrictBool | None = None
    sensitive: StrictBool | None = None
    sync: StrictBool | None = None
    words: StrictBool | None = None
    notice: str | None = Field(
        default=None, description="Which text the person was shown; 128 characters."
    )

    def to_changes(self) -> dict[str, bool]:
        """Return what was decided, by purpose."""
        given = self.model_dump(exclude={"notice"})
        return {name: value for name, value in given.items() if value is not None}
