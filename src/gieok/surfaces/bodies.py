"""What the bodies of all surfaces have in common."""

from pydantic import BaseModel, ConfigDict


class RequestModel(BaseModel):
    """A request: a field it does not know is refused."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class ResponseModel(BaseModel):
    """An answer."""

    model_config = ConfigDict(frozen=True)
