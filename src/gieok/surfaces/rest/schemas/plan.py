"""The plan a person is on (E07)."""

from typing import Literal

from pydantic import Field

from gieok.surfaces.rest.schemas.shared import RequestModel, ResponseModel

PlanName = Literal["free", "premium"]


class PlanChange(RequestModel):
    """The plan that a person gets."""

    plan: PlanName


class PlanView(ResponseModel):
    """The plan a person is on."""

    plan: PlanName = Field(
        description="free keeps five memories of a persona in use, premium all."
    )
