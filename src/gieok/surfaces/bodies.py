"""What the bodies of all surfaces have in common."""

from typing import Self

from pydantic import BaseModel, ConfigDict


class RequestModel(BaseModel):
    """A request: a field it does not know is refused."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class ResponseModel(BaseModel):
    """An answer."""

    model_config = ConfigDict(frozen=True)

    @classmethod
    def from_fields(cls, source: object, /, **others: object) -> Self:
        """Return the body with what `source` calls by the names of its fields.

        `others` stand under another name there, or are told in another way. A field
        that has a default keeps it.
        """
        needed = {n for n, field in cls.model_fields.items() if field.is_required()}
        found = {name: getattr(source, name) for name in needed - others.keys()}
        return cls.model_validate(found | others, from_attributes=True)
