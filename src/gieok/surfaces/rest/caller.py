"""Who asks: the one way in which a route gets at anybody's memory."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, cast
from uuid import UUID

from fastapi import Depends, Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from gieok.access import Right
from gieok.facade import Gieok
from gieok.kernel.errors import (
    AuthenticationError,
    NotFoundError,
    NotPermittedError,
)
from gieok.kernel.scope import Scope
from gieok.surfaces.rest.gate import CLAIMS, LISTED
from gieok.surfaces.rest.tokens import Claims

_bearer = HTTPBearer(
    scheme_name="bearer",
    bearerFormat="JWT",
    description="A JWT whose `sub` is the person's id in your app and whose `aud` is "
    "gieok; or an app's key, `gk_…`, with the person's id in `X-Gieok-User`.",
    auto_error=False,
)
"""Documents the token in OpenAPI; `AccessGate` has checked it before any route runs."""


@dataclass(frozen=True, slots=True)
class Caller:
    """A person, and the memory they may use."""

    gieok: Gieok
    scope: Scope
    is_anonymous: bool = False
    """Whether it is whoever talks in one session, and nobody else."""
    device: str | None = None
    """The device for which alone the token is good, if it is."""
    rights: frozenset[Right] = frozenset()
    """What the bearer may do with the person's memory."""

    @property
    def now(self) -> datetime:
        """Return the time by gieok's clock."""
        return self.gieok.clock()

    def require_device(self, name: str | None) -> None:
        """Refuse another device than the one whose token it is.

        Raises:
            NotPermittedError: the token is another device's.
        """
        if self.device is not None and name != self.device:
            reason = "the token is another device's"
            raise NotPermittedError(reason)

    def require_right(self, right: Right) -> None:
        """Refuse who lacks a right that only a part of an address asks for.

        Raises:
            NotPermittedError: the key does not have it.
        """
        if right not in self.rights:
            reason = f"the key does not have the right to {right}"
            raise NotPermittedError(reason)


async def get_gieok(request: Request) -> Gieok:
    """Return what the app was made with."""
    return cast("Gieok", request.app.state.gieok)


Bearer = Annotated[HTTPAuthorizationCredentials | None, Security(_bearer)]


async def _require_claims(request: Request, _: Bearer) -> Claims:
    """Return what `AccessGate` made sure of."""
    claims = request.scope.get(CLAIMS)
    if not isinstance(claims, Claims):
        raise AuthenticationError("there is none")
    if not request.scope.get(LISTED):
        raise NotPermittedError("the bearer has no right to this address")
    return claims


CurrentClaims = Annotated[Claims, Depends(_require_claims)]


async def _resolve_caller(
    gieok: Annotated[Gieok, Depends(get_gieok)], claims: CurrentClaims
) -> Caller:
    scope = gieok.person(claims.person, actor=claims.actor)
    return Caller(gieok, scope, device=claims.device, rights=claims.rights)


async def _resolve_session_caller(
    gieok: Annotated[Gieok, Depends(get_gieok)], claims: CurrentClaims, session_id: UUID
) -> Caller:
    if claims.user_id is not None:
        return await _resolve_caller(gieok, claims)
    scope = gieok.accounts.anonymous(session_id, actor=claims.actor)
    if not await gieok.accounts.is_known(scope):
        thing = "session"
        raise NotFoundError(thing)
    return Caller(gieok, scope, is_anonymous=True)


MemoryDependency = Annotated[Gieok, Depends(get_gieok)]
"""Gieok, for the routes that are about nobody."""
CurrentCaller = Annotated[Caller, Depends(_resolve_caller)]
"""The caller, for every other route."""
SessionCaller = Annotated[Caller, Depends(_resolve_session_caller)]
"""The caller of a route about one session, which may be an anonymous one (B02)."""
