"""Tokens that gieok signs itself (JWT, HS256): what their claims say.

Every check of time is made here against the injected clock, because the JWT library
reads the machine's. That library is imported where there is a secret: a Lambda behind
an authorizer needs none.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from gieok.kernel.errors import (
    AuthenticationError,
    ConfigurationError,
    InvalidInputError,
)
from gieok.kernel.scope import Actor
from gieok.text.cleaning import clean_name

ALGORITHM: Final = "HS256"
AUDIENCE: Final = "gieok"
SECRET_BYTES: Final = 32
"""Shortest secret accepted: the length of the digest (RFC 7518 §3.2)."""
DEVICE: Final = "device"
"""The claim that names the device for which alone a token is good."""
LAST_SECOND: Final = int(datetime(9999, 1, 1, tzinfo=UTC).timestamp())
"""Latest expiry accepted; later ones are no dates."""


@dataclass(frozen=True, slots=True)
class SignedClaims:
    """Whom a token names, who acts, and until when."""

    user_id: str
    actor: Actor
    expires_at: datetime
    device: str | None = None
    """The app's id of the device whose token it is; None speaks for any device."""


def require_strong_secret(secret: bytes) -> None:
    """Refuse a secret that could be guessed, or with which no token could be read.

    The JWT library looks whether a secret is a key that was meant for something else,
    and loads what it needs for that, here and not at the first request.

    Raises:
        ConfigurationError: it is shorter than `SECRET_BYTES`, or such a key.
    """
    import jwt  # noqa: PLC0415 - an installation with an authorizer needs none

    if len(secret) < SECRET_BYTES:
        raise ConfigurationError(
            f"The secret that signs tokens needs {SECRET_BYTES} bytes or more."
        )
    try:
        jwt.get_algorithm_by_name(ALGORITHM).prepare_key(secret)
    except jwt.InvalidKeyError:
        raise ConfigurationError(
            "The secret that signs tokens is a key for something else (a JWK, a public"
            " key or a certificate). Set random bytes."
        ) from None


def verify_token(token: str, secret: bytes, now: datetime) -> SignedClaims:
    """Return what a token says.

    Raises:
        AuthenticationError: it is malformed, signed by somebody else or otherwise than
            with HS256, meant for another service, expired or not yet valid.
    """
    import jwt  # noqa: PLC0415 - an installation with an authorizer needs none

    try:
        claims = jwt.decode(
            token,
            secret,
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
    return parse_claims(claims, now)


def parse_claims(
    claims: Mapping[str, Any], now: datetime, leeway: timedelta = timedelta(0)
) -> SignedClaims:
    """Return what the claims of a token say whose signature is good.

    `leeway` is how far the signer's clock may be ahead of ours.

    Raises:
        AuthenticationError: it has expired, is not valid yet, or names nobody.
    """
    expires_at = _parse_time(claims.get("exp"))
    if expires_at <= now:
        raise AuthenticationError("the token has expired")
    if claims.get("nbf") is not None and _parse_time(claims["nbf"]) - now > leeway:
        raise AuthenticationError("the token is not valid yet")
    try:
        user_id = clean_name("sub", claims.get("sub"))
        actor = Actor(claims.get("actor", Actor.USER))
        device = claims.get(DEVICE)
        device = None if device is None else clean_name("device", device)
    except (InvalidInputError, ValueError):
        raise AuthenticationError("the token is not valid") from None
    return SignedClaims(user_id, actor, expires_at, device)


def _parse_time(seconds: object) -> datetime:
    """Return the time of a NumericDate; whole seconds only, so that NaN is none."""
    if not isinstance(seconds, int) or not 0 <= seconds <= LAST_SECOND:
        raise AuthenticationError("the token is not valid")
    return datetime.fromtimestamp(seconds, UTC)
