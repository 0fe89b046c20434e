"""What every request passes before the routes: faults, tokens, sizes, headers."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gieok.access import Right
from gieok.kernel.errors import (
    AuthenticationError,
    GieokError,
    NotPermittedError,
    UnavailableError,
)
from gieok.kernel.scope import Actor
from gieok.surfaces.rest.bodies import reject_request, send_error
from gieok.surfaces.rest.credentials import Credentials, extract_secrets
from gieok.surfaces.rest.errors import (
    AmbiguousLengthError,
    RateLimitedError,
    get_path,
    get_route,
    log_internal_error,
)
from gieok.surfaces.rest.limits import RateLimits, StrangerLimits, derive_network
from gieok.surfaces.rest.rights import (
    SOCKET,
    find_needed_rights,
    is_for_devices,
    is_for_nobody,
)
from gieok.surfaces.rest.tokens import Claims

PUBLIC: Final = frozenset({"/health/live", "/health/ready"})
"""The only paths that take no token; whatever is added later needs one by itself."""
PAGES: Final = "/me"
"""Below it, people see their own memory: `surfaces.pages` lets them in by itself."""
CONSOLE: Final = "/console"
"""Below it, operators see how the installation runs; let in there too."""
DOCS: Final = "/docs"
"""Below it is what the API is, for everybody: it is published anyway."""
HEADERS: Final[Mapping[str, str]] = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}
CLAIMS: Final = "gieok.claims"
LISTED: Final = "gieok.listed"
"""Whether the table of rights has the address."""
CLOCK: Final = "gieok.clock"
"""By which the token's time is told, for what goes on for long."""
BEARER: Final = "bearer"
NO_TOKEN: Final = 4401
"""Code with which a socket without a valid token is closed."""
NO_RIGHT: Final = 4403
TOO_MANY: Final = 4429
TRY_LATER: Final = 1013
BROKEN: Final = 1011


@dataclass(frozen=True, slots=True)
class ErrorShield:
    """Adds the headers, and answers for everything that nobody foresaw.

    A request that gives its length twice is refused and the connection closed: a proxy
    before this server may have believed the other one (request smuggling).
    """

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] != "http":
            await self._run_socket(scope, receive, send)
            return
        started = False

        async def guarded(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                _add_headers(MutableHeaders(scope=message))
            await send(message)

        if {"content-length", "transfer-encoding"} <= {*Headers(scope=scope)}:
            error = AmbiguousLengthError()
            await send_error(error, scope, receive, guarded, hang_up=True)
            return
        try:
            await self.app(scope, receive, guarded)
        except Exception as error:  # noqa: BLE001 - the last resort: id out, no content
            fault = log_internal_error(error, get_route(scope))
            if not started:
                await send_error(fault, scope, receive, guarded)

    async def _run_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self.app(scope, receive, send)
        except Exception as error:  # noqa: BLE001 - the last resort: no content
            log_internal_error(error, get_route(scope))
            with suppress(Exception):
                await send({"type": "websocket.close", "code": BROKEN})


@dataclass(frozen=True, slots=True)
class AccessGate:
    """Lets callers through who may do what they ask, before the body is looked at.

    No socket is public. A browser, which cannot set headers on one, offers the
    subprotocols "bearer" and the token; the answer names the first only.
    """

    app: ASGIApp
    credentials: Credentials
    limits: RateLimits
    strangers: StrangerLimits
    person: Callable[[str], UUID]
    """Gives the pseudonym under which a person's requests are counted."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] == "websocket":
            await self._authorize_socket(scope, receive, send)
            return
        if scope["type"] != "http" or _is_open(get_path(scope)):
            await self.app(scope, receive, send)
            return
        try:
            known = await self._authorize_request(scope, scope["method"])
        except GieokError as error:
            await reject_request(error, scope, receive, send)
            return
        scope.update(known)
        await self.app(scope, receive, send)

    async def _authorize_socket(
        self, scope: Scope, receive: Receive, send: Send
    ) -> None:
        protocol, *rest = [*scope.get("subprotocols", ()), ""]
        offered = rest[0].strip() if protocol == BEARER and rest else ""
        try:
            known = await self._authorize_request(scope, SOCKET, offered)
        except GieokError as error:
            await _close_socket(
                receive, send, BEARER if offered else None, _select_close_code(error)
            )
            return
        known[CLOCK] = self.credentials.clock
        kept = [BEARER] if offered else []
        await self.app({**scope, **known, "subprotocols": kept}, receive, send)

    async def _authorize_request(
        self, scope: Scope, method: str, offered: str = ""
    ) -> dict[str, object]:
        """Return what is known of a request whose sender may send it.

        Raises:
            GieokError: no valid credentials, too many requests, or no right.
        """
        headers = Headers(scope=scope)
        address = derive_network((scope.get("client") or ("",))[0])
        credentials = extract_secrets(headers, offered)
        async with self.strangers.count_failures(address, credentials):
            claims = await self.credentials.authenticate(headers, offered)
        person = None if claims.user_id is None else self.person(claims.user_id)
        await self.limits.count_request(person, claims.key_id)
        needs = find_needed_rights(method, get_path(scope))
        _require_rights(claims, needs or frozenset())
        if claims.actor is Actor.DEVICE and not is_for_devices(method, get_path(scope)):
            raise NotPermittedError("the token is a device's")
        if not is_for_nobody(method, get_path(scope)):
            _ = claims.person
        return {CLAIMS: claims, LISTED: needs is not None}


def _is_open(path: str) -> bool:
    """Tell whether an address takes no token."""
    return path in PUBLIC or is_page(path)


def is_page(path: str) -> bool:
    """Tell whether people read what an address answers."""
    return any(
        path == pages or path.startswith(f"{pages}/")
        for pages in (PAGES, CONSOLE, DOCS)
    )


def _add_headers(headers: MutableHeaders) -> None:
    """Add the headers of every answer; a page's own, which loads styles, stay."""
    for name, value in HEADERS.items():
        headers.setdefault(name, value)


def _require_rights(claims: Claims, needs: frozenset[Right]) -> None:
    """Check rights. An address that is not listed needs none: nothing is there.

    Raises:
        NotPermittedError: one is missing.
    """
    for right in sorted(needs - claims.rights):
        raise NotPermittedError(f"the key does not have the right to {right}")


def _select_close_code(error: GieokError) -> int:
    """Return the code with which a socket is refused."""
    codes = {
        AuthenticationError: NO_TOKEN,
        NotPermittedError: NO_RIGHT,
        RateLimitedError: TOO_MANY,
        UnavailableError: TRY_LATER,
    }
    return next((codes[kind] for kind in type(error).__mro__ if kind in codes), BROKEN)


async def _close_socket(
    receive: Receive, send: Send, subprotocol: str | None, code: int
) -> None:
    """Close a socket; only one that was accepted can be told why."""
    if (await receive())["type"] == "websocket.connect":
        await send({"type": "websocket.accept", "subprotocol": subprotocol})
        await send({"type": "websocket.close", "code": code})
