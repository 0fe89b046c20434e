"""Tokens of somebody else's identity service: RS256 and ES256, keys as a JWK Set.

The service's keys are fetched when they are needed, kept for a while, and fetched anew
when a token names one that is not known, so that the service may rotate them. Whoever
names one that is known hardly waits: a service that hangs costs its people no time.
"""

import asyncio
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import urlsplit

import httpx
import jwt

from gieok.kernel.clock import Clock
from gieok.kernel.errors import (
    AuthenticationError,
    ConfigurationError,
    UnavailableError,
)
from gieok.kernel.logs import get_logger
from gieok.kernel.scope import Actor
from gieok.surfaces.rest.tokens import Claims
from gieok.surfaces.signed_tokens import AUDIENCE, DEVICE, parse_claims

log = get_logger("gieok.rest")

ALGORITHMS: Final[Mapping[object, str]] = {"RSA": "RS256", "EC": "ES256"}
"""The only algorithm of each kind of key: a token cannot choose another."""
FRESH_SECONDS: Final = 300.0
STALE_SECONDS: Final = 3_600.0
"""How long keys are used that could not be fetched anew."""
PAUSE_SECONDS: Final = 30.0
"""Between two fetches, whatever kids tokens name."""
PATIENCE_SECONDS: Final = 5.0
GLANCE_SECONDS: Final = 0.5
"""How long newer keys are waited for where the one that is needed is known."""
LEEWAY: Final = timedelta(seconds=30)
"""How far the service's clock may be ahead: tokens often begin when they are made."""
MAX_BYTES: Final = 256 * 2**10
MIN_RSA_BITS: Final = 2_048


class Jwks:
    """The keys of an identity service, at an address or in a file."""

    def __init__(
        self, source: str, ticks: Callable[[], float] = time.monotonic
    ) -> None:
        """Keep where the keys are.

        Raises:
            ConfigurationError: an address that is neither HTTPS nor this machine.
        """
        if not _is_safe(source):
            raise ConfigurationError(
                "GIEOK_JWKS_URL must be an https:// address, one of this machine, or "
                "the path of a file."
            )
        self._source = source
        self._ticks = ticks
        self._keys: Mapping[str, jwt.PyJWK] = {}
        self._fetched: float | None = None
        self._tried: float | None = None
        self._lock = asyncio.Lock()
        self._renewal: asyncio.Task[None] | None = None

    async def find_key(self, kid: str) -> jwt.PyJWK | None:
        """Return the key of an id, or None where the service has none.

        Raises:
            UnavailableError: the keys could not be fetched for too long.
        """
        if kid not in self._keys or self._compute_age(self._fetched) >= STALE_SECONDS:
            await self._update_keys_if_due()
        elif self._compute_age(self._fetched) >= FRESH_SECONDS:
            await self._renew_keys_aside()
        if self._compute_age(self._fetched) >= STALE_SECONDS:
            what, reason = "The issuer of tokens", "its keys could not be fetched"
            raise UnavailableError(what, reason)
        return self._keys.get(kid)

    async def _renew_keys_aside(self) -> None:
        """Have the keys fetched anew, and wait a moment; one caller at a time does."""
        under_way = self._renewal is not None and not self._renewal.done()
        if under_way or self._compute_age(self._tried) < PAUSE_SECONDS:
            return
        self._renewal = asyncio.create_task(self._update_keys_if_due())
        await asyncio.wait({self._renewal}, timeout=GLANCE_SECONDS)

    async def _update_keys_if_due(self) -> None:
        async with self._lock:
            if self._compute_age(self._tried) >= PAUSE_SECONDS:
                await self._update_keys()

    def _compute_age(self, since: float | None) -> float:
        return float("inf") if since is None else self._ticks() - since

    async def _update_keys(self) -> None:
        self._tried = self._ticks()
        try:
            keys = _parse_keys(json.loads(await self._fetch_document()))
        except (httpx.HTTPError, OSError, ValueError, RecursionError) as error:
            log.warning("jwks_unavailable", error=type(error).__name__)
            return
        self._keys, self._fetched = keys, self._ticks()

    async def _fetch_document(self) -> bytes:
        if not urlsplit(self._source).scheme.startswith("http"):
            return await asyncio.to_thread(_read_file, Path(self._source))
        body = b""
        async with (
            asyncio.timeout(PATIENCE_SECONDS),
            httpx.AsyncClient(timeout=PATIENCE_SECONDS) as http,
            http.stream("GET", self._source) as answer,
        ):
            answer.raise_for_status()
            async for chunk in answer.aiter_bytes():
                body += chunk
                _require_small(body)
        return body


@dataclass(frozen=True, slots=True)
class IssuerTokens:
    """Checks the tokens of one identity service."""

    jwks: Jwks
    issuer: str
    clock: Clock
    audience: str = AUDIENCE

    async def verify(self, token: str, header: Mapping[str, Any]) -> Claims:
        """Return what a token says; whoever it names acts as themselves.

        Claims that mean something in a token of gieok's only are passed over: a
        service's `device` is none of the person's devices.

        Raises:
            AuthenticationError: it is not signed by a key of the service's, not by the
                algorithm of that key, not meant for gieok, or not valid now.
            UnavailableError: the service's keys could not be fetched.
        """
        kid = header.get("kid")
        key = await self.jwks.find_key(kid) if isinstance(kid, str) else None
        if key is None or header.get("alg") != key.algorithm_name:
            raise AuthenticationError("the token is not valid")
        try:
            claims = jwt.decode(
                token,
                key,
                algorithms=[key.algorithm_name],
                audience=self.audience,
                issuer=self.issuer,
                options={
                    "require": ["sub", "exp", "aud", "iss"],
                    "verify_exp": False,
                    "verify_nbf": False,
                    "verify_iat": False,
                },
            )
        except (jwt.PyJWTError, ValueError, TypeError, RecursionError):
            raise AuthenticationError("the token is not valid") from None
        meant = {**claims, "actor": Actor.USER, DEVICE: None}
        signed = parse_claims(meant, self.clock(), LEEWAY)
        return Claims.from_signed(signed)


def _is_safe(source: str) -> bool:
    address = urlsplit(source)
    if address.scheme == "http":
        return _is_loopback(address.hostname or "")
    return address.scheme in {"https", ""}


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _read_file(path: Path) -> bytes:
    with path.open("rb") as file:
        return _require_small(file.read(MAX_BYTES + 1))


def _require_small(body: bytes) -> bytes:
    if len(body) > MAX_BYTES:
        raise ValueError
    return body


def _parse_keys(document: object) -> Mapping[str, jwt.PyJWK]:
    """Return the usable keys of a JWK Set by id; others are passed over.

    Raises:
        ValueError: it is no JWK Set.
    """
    fields = cast("dict[str, Any]", document) if isinstance(document, dict) else {}
    if not isinstance(fields.get("keys"), list):
        raise ValueError  # noqa: TRY004 - like JSON that cannot be read
    listed = cast("list[object]", fields["keys"])
    found = (_parse_key(each) for each in listed)
    return {key.key_id: key for key in found if key is not None and key.key_id}


def _parse_key(entry: object) -> jwt.PyJWK | None:
    fields = cast("dict[str, Any]", entry) if isinstance(entry, dict) else {}
    kind, kid = fields.get("kty"), fields.get("kid")
    algorithm = ALGORITHMS.get(kind) if isinstance(kind, str) else None
    wanted = {"alg": algorithm, "use": "sig"}
    if (
        algorithm is None
        or not isinstance(kid, str)
        or "d" in fields  # a private key has no business there
        or any(fields.get(name, value) != value for name, value in wanted.items())
        or (kind == "EC" and fields.get("crv") != "P-256")
    ):
        return None
    try:
        key = jwt.PyJWK(fields, algorithm)
    except (jwt.PyJWTError, ValueError, TypeError):
        return None
    weak = kind == "RSA" and key.key.key_size < MIN_RSA_BITS
    return None if weak else key
