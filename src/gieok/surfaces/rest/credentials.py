"""Who calls, by whatever a request brings: a token, an app's key, or both.

A token names a person. A key says what its app may do, and with the right to act as
people, `X-Gieok-User` names one. Of a key and a token together, the token names the
person and the key says what may be done. An app that may act as people and names none
speaks for nobody: a few addresses are open to it (`rights.is_for_nobody`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final

import jwt
from starlette.datastructures import Headers

from gieok.access import Access, Right
from gieok.access.model import PREFIX
from gieok.kernel.clock import Clock
from gieok.kernel.errors import AuthenticationError, InvalidInputError
from gieok.kernel.scope import Actor
from gieok.surfaces.rest.jwks import ALGORITHMS, IssuerTokens
from gieok.surfaces.rest.tokens import Claims, Tokens
from gieok.text.cleaning import clean_name

KEY_HEADER: Final = "x-api-key"
PERSON_HEADER: Final = "x-gieok-user"
_AROUND: Final = " \t"
"""What may stand around a header's value (RFC 9110 §5.6.3). In Latin-1 other bytes of a
name in UTF-8 would count as white space too."""
KEY_LASTS: Final = timedelta(minutes=1)
"""After this, a socket that a key opened has to be opened again."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """Turns the headers of a request into what its sender may do."""

    tokens: Tokens
    access: Access
    issuer: IssuerTokens | None = None

    @property
    def clock(self) -> Clock:
        """The clock by which tokens end."""
        return self.tokens.clock

    async def authenticate(self, headers: Headers, offered: str = "") -> Claims:
        """Return what a request's headers say, or `offered` instead of a header.

        Raises:
            AuthenticationError: no valid token and no valid key, or no person.
            UnavailableError: what is needed to check them does not answer.
        """
        bearer = _extract_bearer(headers) or offered
        key = _get_single_header(headers, KEY_HEADER)
        if not key and bearer.startswith(PREFIX):
            bearer, key = "", bearer
        if not key and not bearer:
            raise AuthenticationError("there is none")
        person = _get_single_header(headers, PERSON_HEADER)
        if bearer and person:
            reason = "X-Gieok-User and a token both name a person"
            raise AuthenticationError(reason)
        if not key:
            return await self._verify_token(bearer)
        named = person if PERSON_HEADER in headers else None
        return await self._verify_key(key, bearer, named)

    async def _verify_key(self, secret: str, bearer: str, person: str | None) -> Claims:
        key = await self.access.verify(secret)
        until = self.clock() + KEY_LASTS
        if bearer:
            own = await self._verify_token(bearer)
            ends = min(own.expires_at, until)
            rights = key.rights & own.rights
            return replace(own, expires_at=ends, rights=rights, key_id=key.key_id)
        if Right.ACT_AS not in key.rights:
            raise AuthenticationError("the key needs a person's token beside it")
        named = None if person is None else _parse_person(person)
        return Claims(named, Actor.CLOUD, until, key.rights, key.key_id)

    async def _verify_token(self, token: str) -> Claims:
        header = _parse_token_header(token)
        if self.issuer is not None and header.get("alg") in ALGORITHMS.values():
            return await self.issuer.verify(token, header)
        return self.tokens.verify(token)


def extract_secrets(headers: Headers, offered: str = "") -> bytes:
    """Return the secrets that a request shows, whomever it names."""
    names = ("authorization", KEY_HEADER)
    values = [value for name in names for value in (name, *headers.getlist(name))]
    return "\n".join([*values, offered]).encode("utf-8", "surrogatepass")


def _extract_bearer(headers: Headers) -> str:
    authorization = _get_single_header(headers, "authorization")
    if not authorization:
        return ""
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise AuthenticationError("there is none")
    return token.strip()


def _get_single_header(headers: Headers, name: str) -> str:
    """Return a header that may be there once."""
    values = headers.getlist(name)
    if len(values) > 1:
        raise AuthenticationError("a header is there twice")
    return values[0].strip(_AROUND) if values else ""


def _parse_person(header: str) -> str:
    """Return the person a header names, in UTF-8."""
    try:
        return clean_name("user_id", header.encode("latin-1").decode("utf-8"))
    except (InvalidInputError, UnicodeError):
        reason = "X-Gieok-User does not name the person"
        raise AuthenticationError(reason) from None


def _parse_token_header(token: str) -> Mapping[str, Any]:
    try:
        return jwt.get_unverified_header(token)
    except (jwt.PyJWTError, ValueError, RecursionError):
        raise AuthenticationError("the token is not valid") from None
