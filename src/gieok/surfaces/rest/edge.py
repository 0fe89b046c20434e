"""What every request passes before the routes: faults, tokens, sizes, headers."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gieok.kernel.errors import AuthenticationError, GieokError
from gieok.surfaces.rest.errors import (
    LIMIT_BYTES,
    BodyTooLargeError,
    broken,
    error_response,
    path_of,
    route_of,
)
from gieok.surfaces.rest.tokens import Claims, Tokens

PUBLIC: Final = frozenset({"/health/live", "/health/ready"})
"""The only paths that take no token; whatever is added later needs one by itself."""
HEADERS: Final[Mapping[str, str]] = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}
DRAINED_BYTES = 8 * LIMIT_BYTES
"""How much of an overlong body is read and thrown away, so that its sender gets to
read the answer instead of a broken connection."""
CLAIMS: Final = "gieok.claims"
CLOCK: Final = "gieok.clock"
"""By which the token's time is told, for what goes on for long."""
BEARER: Final = "bearer"
NO_TOKEN: Final = 4401
"""Code with which a socket without a valid token is closed."""
BROKEN: Final = 1011


@dataclass(frozen=True, slots=True)
class Shield:
    """Adds the headers, and answers for everything that nobody foresaw."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] != "http":
            await self._socket(scope, receive, send)
            return
        started = False

        async def guarded(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        try:
            await self.app(scope, receive, guarded)
        except Exception as error:  # noqa: BLE001 - the last resort: id out, no content
            fault = broken(error, route_of(scope))
            if not started:
                await _answer(fault, scope, receive, guarded)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self.app(scope, receive, send)
        except Exception as error:  # noqa: BLE001 - the last resort: no content
            broken(error, route_of(scope))
            with suppress(Exception):
                await send({"type": "websocket.close", "code": BROKEN})


@dataclass(frozen=True, slots=True)
class Gate:
    """Lets only callers with a valid token through, before the body is looked at.

    No socket is public. A browser, which cannot set headers on one, offers the
    subprotocols "bearer" and the token; the answer names the first only.
    """

    app: ASGIApp
    tokens: Tokens

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send)
            return
        if scope["type"] != "http" or path_of(scope) in PUBLIC:
            await self.app(scope, receive, send)
            return
        try:
            claims = self._claims(Headers(scope=scope).get("authorization"))
        except AuthenticationError as error:
            with suppress(BodyTooLargeError, _GoneError):
                await _read(receive, 0)
            await _answer(error, scope, receive, send)
            return
        scope[CLAIMS] = claims
        await self.app(scope, receive, send)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        protocol, *rest = [*scope.get("subprotocols", ()), ""]
        offered = f"{BEARER} {rest[0]}" if protocol == BEARER and rest else None
        try:
            claims = self._claims(Headers(scope=scope).get("authorization") or offered)
        except AuthenticationError:
            await _refuse(receive, send, BEARER if offered else None)
            return
        known = {CLAIMS: claims, CLOCK: self.tokens.clock}
        kept = [BEARER] if offered else []
        await self.app({**scope, **known, "subprotocols": kept}, receive, send)

    def _claims(self, authorization: str | None) -> Claims:
        scheme, _, token = (authorization or "").strip().partition(" ")
        if scheme.lower() != "bearer" or not token.strip():
            raise AuthenticationError("there is none")
        return self.tokens.verify(token.strip())


@dataclass(frozen=True, slots=True)
class BodyLimit:
    """Reads the body up to the limit, whatever length was announced."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, with its body in hand."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        try:
            body = await _read(receive, LIMIT_BYTES)
        except BodyTooLargeError as error:
            await _answer(error, scope, receive, send)
        except _GoneError:
            return
        else:
            await self.app(scope, _Replay(body, receive), send)


class _Replay:
    """A `Receive` that gives a body once more, and then what really follows."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self._body: bytes | None = body
        self._receive = receive

    async def __call__(self) -> Message:
        if self._body is None:
            return await self._receive()
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}


class _GoneError(Exception):
    """The caller hung up in the middle of a body."""


async def _read(receive: Receive, most: int) -> bytes:
    """Return the body.

    Raises:
        BodyTooLargeError: it is larger than `most`; the rest was thrown away.
        _GoneError: it never ended.
    """
    chunks: list[bytes] = []
    size, more = 0, True
    while more and size <= max(most, DRAINED_BYTES):
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _GoneError
        chunk: bytes = message.get("body", b"")
        size += len(chunk)
        if size <= most:
            chunks.append(chunk)
        more = message.get("more_body", False)
    if size > most:
        raise BodyTooLargeError
    return b"".join(chunks)


async def _refuse(receive: Receive, send: Send, subprotocol: str | None) -> None:
    """Close a socket; only one that was accepted can be told why."""
    if (await receive())["type"] == "websocket.connect":
        await send({"type": "websocket.accept", "subprotocol": subprotocol})
        await send({"type": "websocket.close", "code": NO_TOKEN})


async def _answer(
    error: GieokError, scope: Scope, receive: Receive, send: Send
) -> None:
    await error_response(error, scope)(scope, receive, send)
