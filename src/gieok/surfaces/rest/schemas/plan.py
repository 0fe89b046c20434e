"""The plan a person is on (E07)."""

from typing import Literal

from pydantic import Field

from gieok.surfaces.rest.schemas.shared import Asked, Told

PlanName = Literal["free", "premium"]


class PlanChange(Asked):
    """The plan that a person gets."""

    plan: PlanName


class PlanView(Told):
    """The plan a person is on."""

    plan: PlanName = Field(
        description="free keeps five memories of a persona in use, premium all."
    )
