"""Bearer tokens of our own: who calls, signed by this server."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Self
from uuid import UUID

import jwt

from gieok.access import Right
from gieok.kernel.clock import Clock
from gieok.kernel.errors import AuthenticationError, InvalidInputError
from gieok.kernel.scope import Actor
from gieok.surfaces.rest.rights import OWN
from gieok.surfaces.signed_tokens import (
    ALGORITHM,
    AUDIENCE,
    DEVICE,
    SignedClaims,
    require_strong_secret,
    verify_token,
)
from gieok.text.cleaning import clean_name


@dataclass(frozen=True, slots=True)
class Claims:
    """Whose memory is opened, who is acting, and what they may do."""

    user_id: str | None
    """None where an app that may act as people names nobody."""
    actor: Actor
    expires_at: datetime
    rights: frozenset[Right] = OWN
    key_id: UUID | None = None
    """The app's key, where one was used."""
    device: str | None = None
    """The app's id of the device whose token it is; None speaks for any device."""

    @classmethod
    def from_signed(cls, claims: SignedClaims) -> Self:
        """Return what the bearer of a token may do."""
        is_admin = claims.actor is Actor.ADMIN
        return cls(
            claims.user_id,
            claims.actor,
            claims.expires_at,
            OWN | {Right.ADMIN} if is_admin else OWN,
            device=claims.device,
        )

    @property
    def person(self) -> str:
        """Return the app's id of the person.

        Raises:
            AuthenticationError: nobody is named.
        """
        if self.user_id is None:
            raise AuthenticationError("X-Gieok-User does not name the person")
        return self.user_id


@dataclass(frozen=True, slots=True, repr=False)
class Tokens:
    """Issues and checks tokens. The class has no repr: it holds a secret."""

    secret: bytes
    clock: Clock

    def __post_init__(self) -> None:
        """Refuse a secret that could be guessed."""
        require_strong_secret(self.secret)

    def issue(
        self,
        user_id: str,
        ttl: timedelta,
        actor: Actor | str = Actor.USER,
        *,
        device: str | None = None,
    ) -> str:
        """Return a token for a person's memory that is valid for `ttl`.

        With the actor "device" it opens only what devices ask; with the app's id of a
        `device` only for that one.

        Raises:
            InvalidInputError: an id that is not text of up to 128 characters, a time
                to live that is not positive, an unknown actor, or a device for another
                actor.
        """
        now = self.clock()
        if ttl < timedelta(seconds=1):
            field = "ttl"
            raise InvalidInputError(field, "it must be a second or more")
        if actor not in set(Actor):
            field = "actor"
            raise InvalidInputError(field, f"it must be one of {', '.join(Actor)}")
        if device is not None and actor != Actor.DEVICE:
            field = "device"
            raise InvalidInputError(field, "it goes with the actor device only")
        named = {} if device is None else {DEVICE: clean_name("device", device)}
        claims = {
            **named,
            "sub": clean_name("user_id", user_id),
            "aud": AUDIENCE,
            "actor": str(actor),
            "iat": int(now.timestamp()),
            "exp": int((now + ttl).timestamp()),
        }
        return jwt.encode(claims, self.secret, algorithm=ALGORITHM)

    def verify(self, token: str) -> Claims:
        """Return what a token says; raises as `signed_tokens.verify_token`."""
        return Claims.from_signed(verify_token(token, self.secret, self.clock()))
