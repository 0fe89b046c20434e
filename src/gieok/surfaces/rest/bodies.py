"""Reads the bodies of requests, up to a size and in a time."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gieok.kernel.errors import GieokError, InvalidInputError
from gieok.surfaces.rest.compression import decode_sync_body
from gieok.surfaces.rest.errors import (
    LIMIT_BYTES,
    BodyTooLargeError,
    BodyTooSlowError,
    create_error_response,
    get_path,
)

DRAINED_BYTES = 8 * LIMIT_BYTES
"""How much of an overlong body is read and thrown away, so that its sender gets to
read the answer instead of a broken connection."""


BODY_SECONDS: Final = 30.0
"""In which a body has to be here."""


DRAINED_SECONDS: Final = 5.0


@dataclass(frozen=True, slots=True)
class BodyLimit:
    """Reads the body up to the limit, whatever length was announced."""

    app: ASGIApp
    is_page: Callable[[str], bool]
    """Tells of which paths people read the answers: there the pages say themselves
    that a body is none."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, with its body in hand."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        try:
            body = await _read_body(receive, LIMIT_BYTES, BODY_SECONDS)
            body = decode_sync_body(scope, body, LIMIT_BYTES)
        except (BodyTooLargeError, BodyTooSlowError) as error:
            if self.is_page(get_path(scope)):
                await self.app(scope, _BodyFailure(error), _HangUp(send))
            else:
                await send_error(error, scope, receive, send, hang_up=True)
        except InvalidInputError as error:
            await send_error(error, scope, receive, send)
        except _ClientGoneError:
            return
        else:
            await self.app(scope, _BodyReplay(body, receive), send)


class _BodyReplay:
    """A `Receive` that gives a body once more, and then what really follows."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self._body: bytes | None = body
        self._receive = receive

    async def __call__(self) -> Message:
        if self._body is None:
            return await self._receive()
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}


@dataclass(frozen=True, slots=True)
class _BodyFailure:
    """A `Receive` that raises what is wrong with a body."""

    error: GieokError

    async def __call__(self) -> Message:
        raise self.error


@dataclass(frozen=True, slots=True)
class _HangUp:
    """A `Send` that hangs up after the answer, as the rest of a body is not wanted."""

    send: Send

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message)["Connection"] = "close"
        await self.send(message)


class _ClientGoneError(Exception):
    """The caller hung up in the middle of a body."""


async def _read_body(receive: Receive, most: int, seconds: float) -> bytes:
    """Return the body.

    Raises:
        BodyTooLargeError: it is larger than `most`; the rest was thrown away.
        BodyTooSlowError: it was not here in time.
        _GoneError: it never ended.
    """
    try:
        async with asyncio.timeout(seconds):
            return await _read_chunks(receive, most)
    except TimeoutError:
        raise BodyTooSlowError from None


async def _read_chunks(receive: Receive, most: int) -> bytes:
    chunks: list[bytes] = []
    size, more = 0, True
    while more and size <= max(most, DRAINED_BYTES):
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _ClientGoneError
        chunk: bytes = message.get("body", b"")
        size += len(chunk)
        if size <= most:
            chunks.append(chunk)
        more = message.get("more_body", False)
    if size > most:
        raise BodyTooLargeError
    return b"".join(chunks)


async def reject_request(
    error: GieokError, scope: Scope, receive: Receive, send: Send
) -> None:
    """Answer somebody who is not let in, once their body is thrown away."""
    try:
        await _read_body(receive, 0, DRAINED_SECONDS)
    except _ClientGoneError:
        return
    except (BodyTooLargeError, BodyTooSlowError):
        await send_error(error, scope, receive, send, hang_up=True)
    else:
        await send_error(error, scope, receive, send)


async def send_error(
    error: GieokError,
    scope: Scope,
    receive: Receive,
    send: Send,
    *,
    hang_up: bool = False,
) -> None:
    """Answer with an error, and hang up if the rest of a body is not wanted."""
    response = create_error_response(error, scope)
    if hang_up:
        response.headers["Connection"] = "close"
    await response(scope, receive, send)
