"""What all bodies have in common, and the body of every error."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Literal
from uuid import UUID

from fastapi import Header, Query
from pydantic import AfterValidator, ConfigDict, Field
from pydantic.alias_generators import to_camel

from gieok.surfaces.bodies import RequestModel, ResponseModel

Language = Literal["ko", "en"]
Time = Annotated[datetime, AfterValidator(lambda time: time.astimezone(UTC))]
"""A time in UTC, ISO 8601."""
Devices = Mapping[UUID, str]
"""The app's own ids of devices, by ours."""
MAX_POSITION = 2**63 - 1
"""The last place that a chain has room for."""
Offset = Annotated[
    int, Query(ge=0, le=2**31 - 1, description="How many to leave out first.")
]
PairId = Annotated[
    UUID | None,
    Header(
        alias="Idempotency-Key",
        description="The turn's id, made by you: sent again with it, it is kept once.",
    ),
]


def get_device_name(device_id: UUID | None, devices: Devices) -> str | None:
    """Return a device's id as the app gave it; ours where that is not known."""
    return None if device_id is None else devices.get(device_id) or str(device_id)


class ErrorDetail(ResponseModel):
    """What went wrong."""

    code: str = Field(description="Stable name of the kind of error.")
    message: str = Field(description="For people, in Korean or English.")
    field: str | None = Field(
        default=None,
        description="The field that cannot be accepted, if one is to blame.",
    )


class ErrorBody(ResponseModel):
    """The body of every error."""

    error: ErrorDetail


class CamelRequestModel(RequestModel):
    """A request of the persona document, whose names are in camel case."""

    model_config = ConfigDict(alias_generator=to_camel)


class CamelResponseModel(ResponseModel):
    """An answer of the persona document, whose names are in camel case."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class Failure(CamelResponseModel):
    """The body of every error of the persona document's calls."""

    success: Literal[False] = False
    error: str = Field(description="Stable name of the kind of error, in capitals.")
    message: str = Field(description="For people, in Korean or English.")
    field: str | None = Field(
        default=None,
        description="The field that cannot be accepted, if one is to blame.",
    )


class Health(ResponseModel):
    """The process is well."""

    status: Literal["ok"] = "ok"
