"""Where an export waits (E19)."""

from typing import Self

from pydantic import Field

from gieok.portability import Archive
from gieok.surfaces.rest.schemas.shared import ResponseModel, Time


class ExportLink(ResponseModel):
    """An export that waits to be fetched."""

    path: str = Field(description="Where to get it, with the person's own token.")
    expires_at: Time

    @classmethod
    def from_archive(cls, archive: Archive) -> Self:
        """Return the link."""
        path = f"/api/v1/users/me/export/{archive.token}"
        return cls(path=path, expires_at=archive.expires_at)
