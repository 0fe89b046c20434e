"""Whose memory a call is about: what an authorizer or a signed token proves."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast

from gieok.kernel.clock import Clock, read_system_clock
from gieok.kernel.errors import AuthenticationError, InvalidInputError
from gieok.kernel.scope import Actor
from gieok.surfaces.signed_tokens import require_strong_secret, verify_token
from gieok.text.cleaning import clean_name

_PATHS: Final = (
    ("jwt", "claims", "sub"),  # HTTP API, function URL behind a JWT authorizer
    ("claims", "sub"),  # REST API with Cognito
    ("lambda", "user_id"),  # HTTP API with a Lambda authorizer
    ("principalId",),  # REST API with a Lambda authorizer
)


@dataclass(frozen=True, slots=True)
class Identity:
    """Tells who calls. `trusts_body` is for development: it lets anybody be anybody."""

    secret: bytes | None = field(default=None, repr=False)
    trusts_body: bool = False
    clock: Clock = read_system_clock

    def __post_init__(self) -> None:
        """Refuse a secret that could be guessed."""
        if self.secret is not None:
            require_strong_secret(self.secret)

    def find_person(
        self, authorizer: Mapping[str, Any], token: str | None, body: object
    ) -> str | None:
        """Return the person's id; None for the document's call without a user id.

        What an authorizer says comes before a token. Without either, only the switch
        for development believes the body.

        Raises:
            AuthenticationError: nothing proves who calls.
        """
        if (named := _find_claim(authorizer)) is not None:
            return _clean_person(named)
        if token is not None and self.secret is not None:
            return self._verify_token(token, self.secret)
        if not self.trusts_body:
            raise AuthenticationError("there is none")
        if not isinstance(body, dict):
            return None
        given = cast("Mapping[str, object]", body).get("user_id")
        return clean_name("user_id", given) if given not in (None, "") else None

    def _verify_token(self, token: str, secret: bytes) -> str:
        claims = verify_token(token, secret, self.clock())
        if claims.actor is Actor.DEVICE:
            raise AuthenticationError("the token is a device's")
        return claims.user_id


def _clean_person(given: object) -> str:
    try:
        return clean_name("sub", given)
    except InvalidInputError:
        raise AuthenticationError("the token is not valid") from None


def _find_claim(authorizer: Mapping[str, Any]) -> object:
    """Return the person's id in what an authorizer of API Gateway adds."""
    for path in _PATHS:
        at: object = authorizer
        for name in path:
            at = cast("Mapping[str, object]", at).get(name) if _is_map(at) else None
        if at not in (None, ""):
            return at
    return None


def _is_map(value: object) -> bool:
    return isinstance(value, dict)
