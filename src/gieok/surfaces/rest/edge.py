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
    language_of,
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


@dataclass(frozen=True, slots=True)
class Shield:
    """Adds the headers, and answers for everything that nobody foresaw."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
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


@dataclass(frozen=True, slots=True)
class Gate:
    """Lets only callers with a valid token through, before the body is looked at."""

    app: ASGIApp
    tokens: Tokens

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] != "http" or _path(scope) in PUBLIC:
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


async def _answer(
    error: GieokError, scope: Scope, receive: Receive, send: Send
) -> None:
    accepted = Headers(scope=scope).get("accept-language")
    await error_response(error, language_of(accepted))(scope, receive, send)


def _path(scope: Scope) -> str:
    """Return the path below where the app is mounted."""
    path: str = scope["path"]
    return path.removeprefix(scope.get("root_path", ""))
