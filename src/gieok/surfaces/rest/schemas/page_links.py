"""Links to the pages of a person's own memory."""

from typing import Self

from pydantic import Field

from gieok.access import SignInLink
from gieok.surfaces.rest.schemas.shared import ResponseModel, Time


class PageLink(ResponseModel):
    """A link that signs a person in once."""

    path: str = Field(description="Where it leads on this server; it is a secret.")
    expires_at: Time

    @classmethod
    def from_link(cls, link: SignInLink) -> Self:
        """Return the link."""
        return cls(path=f"/me/open/{link.secret}", expires_at=link.expires_at)
