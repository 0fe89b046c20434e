"""A session as it happens, over a WebSocket (B10).

Everything told but the words of an answer under way is read from the database: a hint
only says that looking is worth it now, and a follower looks once a second anyway, so a
lost hint costs a second. Nothing else waits in a queue for a slow client: what it has
not taken is read when it does.

A browser's `Origin` decides nothing: the token does, and it is in no cookie that the
page of another site could make a browser send.
"""

import asyncio
import json
import secrets
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, cast
from uuid import UUID

from fastapi import APIRouter, WebSocket
from starlette.websockets import WebSocketDisconnect, WebSocketState

from gieok.facade import Gieok
from gieok.kernel.errors import GieokError, NotFoundError, UnavailableError
from gieok.kernel.logs import get_logger
from gieok.kernel.scope import Scope
from gieok.sessions import Session, Transcript
from gieok.sessions.lifecycle import ENDED
from gieok.sessions.new_messages import AT_ONCE, read_new_messages
from gieok.surfaces.rest.errors import get_route, log_internal_error
from gieok.surfaces.rest.gate import BEARER, CLAIMS, CLOCK
from gieok.surfaces.rest.schemas.events import (
    AnswerWord,
    LayerChanged,
    MessageAdded,
    Pong,
    SessionDeleted,
    SessionEnded,
    SessionEvent,
    SessionSnapshot,
    StatusChanged,
    TokensUsed,
)
from gieok.surfaces.rest.sockets import CloseCode, ClosingError, SocketRegistry
from gieok.surfaces.rest.tokens import Claims

log = get_logger("gieok.rest")

MAX_CHARACTERS: Final = 256
"""Longest message taken from a client."""
HANDFUL: Final = 5
"""Messages taken from a client at once; it has nothing to say but pings."""
LAST_POSITION: Final = 2**31 - 2
PARTING_SECONDS: Final = 2.0
"""How long a client that is to be closed is waited for."""

router = APIRouter(prefix="/api/v1/sessions", tags=["sessions"])


@router.websocket("/{session_id}/events")
async def follow_session(websocket: WebSocket, session_id: str) -> None:
    """Tell what happens in a session until it ends, or the client leaves."""
    offered: list[str] = websocket.scope["subprotocols"]
    await websocket.accept(subprotocol=BEARER if BEARER in offered else None)
    try:
        await _run_follower(websocket, session_id)
        code = CloseCode.DONE
    except ClosingError as closing:
        code = closing.code
    except WebSocketDisconnect:
        return
    except NotFoundError:
        code = CloseCode.NOT_FOUND
    except UnavailableError as error:
        log.warning("events_unavailable", code=error.code)
        code = CloseCode.TRY_LATER
    except GieokError as error:
        log_internal_error(error, get_route(websocket.scope))
        code = CloseCode.BROKEN
    await _close_socket(websocket, code)


async def _run_follower(websocket: WebSocket, session_id: str) -> None:
    gieok = cast("Gieok", websocket.app.state.gieok)
    claims = cast("Claims", websocket.scope[CLAIMS])
    sockets = cast("SocketRegistry", websocket.app.state.sockets)
    follower = SessionFollower(
        websocket=websocket,
        gieok=gieok,
        scope=gieok.person(claims.person, actor=claims.actor),
        session_id=_parse_session_id(session_id),
        after=_parse_after(websocket.query_params.get("after")),
        claims=claims,
        clock=websocket.scope[CLOCK],
        sockets=sockets,
    )
    with sockets.acquire_seat(follower.scope.user_id):
        await follower.run()


@dataclass(frozen=True, slots=True)
class SessionFollower:
    """One socket on one session."""

    websocket: WebSocket
    gieok: Gieok
    scope: Scope
    session_id: UUID
    after: int | None
    claims: Claims
    clock: Callable[[], datetime]
    sockets: SocketRegistry
    client: str = field(default_factory=lambda: secrets.token_hex(8))
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the client has been told how the session stands."""

    async def run(self) -> None:
        """Follow until the session ends.

        Raises:
            ClosingError: the client or its token gives a reason to stop.
            WebSocketDisconnect: the client left.
            NotFoundError: the person has no such session.
            GieokError: it cannot be read.
        """
        tasks = [
            asyncio.create_task(each)
            for each in (self._send_session(), self._answer_pings(), self._send_words())
        ]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for task in done:
            task.result()

    async def _send_session(self) -> None:
        """Say what is so, and then what changes."""
        cache, person = self.gieok.sessions.writer.cache, self.scope.user_id
        transcript = await self._load_news(self.after)
        async with cache.listen(person, self.session_id) as hinted:
            try:
                await self._send_changes(transcript, hinted)
            finally:
                await cache.remove_client(person, self.session_id, self.client)

    async def _send_changes(
        self, transcript: Transcript, hinted: asyncio.Event
    ) -> None:
        session = transcript.session
        last = session.message_count - 1
        reached = last if self.after is None else min(self.after, last)
        await self._send_event(
            SessionSnapshot.from_session(
                session, clients=await self._record_presence(), after=reached
            )
        )
        self.begun.set()
        loop = asyncio.get_running_loop()
        next_beat = loop.time() + self.sockets.heartbeat
        while True:
            hinted.clear()
            before = session
            found = await self._find_news(reached)
            if found is None or found.session.created_at != before.created_at:
                await self._send_event(SessionDeleted())
                return
            session = found.session
            for happening in iterate_changes(before, found):
                await self._send_event(happening)
            last = session.message_count - 1
            reached = max(reached, min(reached + AT_ONCE, last))
            if reached < last:
                continue
            if session.status in ENDED:
                await self._send_event(SessionEnded.from_session(session))
                return
            await self._wait_for_hint(hinted)
            if loop.time() >= next_beat:
                next_beat = loop.time() + self.sockets.heartbeat
                await self._record_presence()

    async def _send_words(self) -> None:
        """Say the words of answers while they are made in this process."""
        await self.begun.wait()
        with self.sockets.open_word_queue(self.scope.user_id, self.session_id) as words:
            while True:
                await self._send_event(AnswerWord(text=await words.get()))

    async def _wait_for_hint(self, hinted: asyncio.Event) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(self.sockets.poll):
                await hinted.wait()

    async def _record_presence(self) -> int:
        person = self.scope.user_id
        return await self.gieok.sessions.writer.cache.add_client(
            person, self.session_id, self.client
        )

    async def _load_news(self, after: int | None) -> Transcript:
        if self.clock() >= self.claims.expires_at:
            raise ClosingError(CloseCode.NO_TOKEN)
        start = LAST_POSITION if after is None else after
        return await read_new_messages(
            self.gieok.sessions, self.scope, self.session_id, start
        )

    async def _find_news(self, after: int) -> Transcript | None:
        try:
            return await self._load_news(after)
        except NotFoundError:
            return None

    async def _send_event(self, happening: SessionEvent) -> None:
        try:
            async with asyncio.timeout(self.sockets.patience):
                await self.websocket.send_text(happening.model_dump_json())
        except TimeoutError:
            raise ClosingError(CloseCode.TRY_LATER) from None

    async def _answer_pings(self) -> None:
        """Answer pings, a few at a time; nothing else is expected."""
        while True:
            for _ in range(HANDFUL):
                message = await self.websocket.receive()
                if message["type"] == "websocket.disconnect":
                    raise WebSocketDisconnect(message.get("code", 1006))
                _require_ping(message.get("text"))
                await self._send_event(Pong())
            await asyncio.sleep(self.sockets.breath)


def iterate_changes(before: Session, now: Transcript) -> Iterator[SessionEvent]:
    """Yield what is different in a session, and what was said in it."""
    session = now.session
    if session.current_layer != before.current_layer:
        yield LayerChanged(layer=session.current_layer)
    if session.status != before.status:
        yield StatusChanged(status=session.status)
    for message in now.messages:
        yield MessageAdded.from_message(message)
    tokens = TokensUsed.from_session(session)
    if tokens != TokensUsed.from_session(before):
        yield tokens


def _require_ping(text: str | None) -> None:
    if text is not None and len(text) > MAX_CHARACTERS:
        raise ClosingError(CloseCode.TOO_LONG)
    with suppress(ValueError, RecursionError):
        if text is not None and json.loads(text) == {"type": "ping"}:
            return
    raise ClosingError(CloseCode.NOT_EXPECTED)


def _parse_session_id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise ClosingError(CloseCode.NOT_FOUND) from None


def _parse_after(text: str | None) -> int | None:
    if text is None:
        return None
    digits = text.removeprefix("-") if text == "-1" else text
    if not (
        digits.isascii() and digits.isdecimal() and len(digits) <= len("2147483646")
    ):
        raise ClosingError(CloseCode.BAD_AFTER)
    return min(int(text), LAST_POSITION)


async def _close_socket(websocket: WebSocket, code: CloseCode) -> None:
    """Say why it ends, to a client that still listens."""
    with suppress(TimeoutError, WebSocketDisconnect, RuntimeError):
        async with asyncio.timeout(PARTING_SECONDS):
            if websocket.client_state is WebSocketState.CONNECTED:
                await websocket.close(code)
