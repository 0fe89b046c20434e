"""Bearer tokens of our own: who calls, signed by this server (JWT, HS256).

Every check of time is made here against the injected clock, because the JWT library
reads the machine's.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

import jwt

from gieok.access import Right
from gieok.kernel.clock import Clock
from gieok.kernel.errors import (
    AuthenticationError,
    ConfigurationError,
    InvalidInputError,
)
from gieok.kernel.scope import Actor
from gieok.surfaces.rest.rights import OWN
from gieok.text.cleaning import clean_name

ALGORITHM = "HS256"
AUDIENCE = "gieok"
SECRET_BYTES = 32
"""Shortest secret accepted: the length of the digest (RFC 7518 §3.2)."""
DEVICE: Final = "device"
"""The claim that names the device for which alone a token is good."""
LAST_SECOND = int(datetime(9999, 1, 1, tzinfo=UTC).timestamp())
"""Latest expiry accepted; later ones are no dates."""


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
        if len(self.secret) < SECRET_BYTES:
            raise ConfigurationError(
                f"The secret that signs tokens needs {SECRET_BYTES} bytes or more."
            )

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
        """Return what a token says.

        Raises:
            AuthenticationError: it is malformed, signed by somebody else or otherwise
                than with HS256, meant for another service, expired or not yet valid.
        """
        return parse_claims(self._decode_token(token), self.clock())

    def _decode_token(self, token: str) -> Mapping[str, Any]:
        try:
            return jwt.decode(
                token,
                self.secret,
                algorithms=[ALGORITHM],
                audience=AUDIENCE,
                options={
                    "require": ["sub", "exp", "aud"],
                    "strict_aud": True,
                    "verify_exp": False,
                    "verify_nbf": False,
                    "verify_iat": False,
                },
            )
        except (jwt.PyJWTError, ValueError, RecursionError):
            raise AuthenticationError("the token is not valid") from None


def parse_claims(claims: Mapping[str, Any], now: datetime) -> Claims:
    """Return what the claims of a token say whose signature is good.

    Raises:
        AuthenticationError: it has expired, is not valid yet, or names nobody.
    """
    expires_at = _parse_time(claims.get("exp"))
    if expires_at <= now:
        raise AuthenticationError("the token has expired")
    if claims.get("nbf") is not None and _parse_time(claims["nbf"]) > now:
        raise AuthenticationError("the token is not valid yet")
    try:
        user_id = clean_name("sub", claims.get("sub"))
        actor = Actor(claims.get("actor", Actor.USER))
        device = claims.get(DEVICE)
        device = None if device is None else clean_name("device", device)
    except (InvalidInputError, ValueError):
        raise AuthenticationError("the token is not valid") from None
    rights = OWN | {Right.ADMIN} if actor is Actor.ADMIN else OWN
    return Claims(user_id, actor, expires_at, rights, device=device)


def _parse_time(seconds: object) -> datetime:
    """Return the time of a NumericDate; whole seconds only, so that NaN is none."""
    if not isinstance(seconds, int) or not 0 <= seconds <= LAST_SECOND:
        raise AuthenticationError("the token is not valid")
    return datetime.fromtimestamp(seconds, UTC)
