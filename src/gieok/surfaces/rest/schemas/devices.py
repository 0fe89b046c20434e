"""The devices of a person, by the ids that the app gave them."""

from pydantic import Field

from gieok.surfaces.rest.schemas.shared import ResponseModel


class DeviceView(ResponseModel):
    """One device."""

    id: str = Field(description="As you gave it.")


class DeviceList(ResponseModel):
    """Devices, oldest first."""

    devices: list[DeviceView]
