"""Who asks: the one way in which a route gets at anybody's memory."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, cast

from fastapi import Depends, Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from gieok.facade import Gieok
from gieok.kernel.errors import AuthenticationError, NotPermittedError
from gieok.kernel.scope import Scope
from gieok.surfaces.rest.edge import CLAIMS, LISTED
from gieok.surfaces.rest.tokens import Claims

_bearer = HTTPBearer(
    scheme_name="bearer",
    bearerFormat="JWT",
    description="A JWT whose `sub` is the person's id in your app and whose `aud` is "
    "gieok; or an app's key, `gk_…`, with the person's id in `X-Gieok-User`.",
    auto_error=False,
)
"""Documents the token in OpenAPI; `Gate` has checked it before any route runs."""


@dataclass(frozen=True, slots=True)
class Caller:
    """A person, and the memory they may use."""

    gieok: Gieok
    scope: Scope

    @property
    def now(self) -> datetime:
        """Return the time by gieok's clock."""
        return self.gieok.database.clock()


def gieok_of(request: Request) -> Gieok:
    """Return what the app was made with."""
    return cast("Gieok", request.app.state.gieok)


async def _caller(
    request: Request,
    gieok: Annotated[Gieok, Depends(gieok_of)],
    _: Annotated[HTTPAuthorizationCredentials | None, Security(_bearer)],
) -> Caller:
    claims = request.scope.get(CLAIMS)
    if not isinstance(claims, Claims):
        raise AuthenticationError("there is none")
    if not request.scope.get(LISTED):
        raise NotPermittedError("the bearer has no right to this address")
    return Caller(gieok, gieok.person(claims.user_id, actor=claims.actor))


Whole = Annotated[Gieok, Depends(gieok_of)]
"""Gieok, for the routes that are about nobody."""
Asking = Annotated[Caller, Depends(_caller)]
"""The caller, for every other route."""
