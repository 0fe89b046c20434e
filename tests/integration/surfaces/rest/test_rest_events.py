"""Following a session over a WebSocket, on a real server (B10)."""

import asyncio
import json
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    suppress,
)
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
import structlog
from fastapi import FastAPI
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Subprotocol

from gieok import Gieok, Scope
from gieok.cache import LocalCache
from gieok.cache.circuit import CachePatience
from gieok.cache.model import build_session_keys
from gieok.cache.redis import RedisCache
from gieok.kernel.clock import read_system_clock
from gieok.kernel.errors import DatabaseUnavailableError
from gieok.kernel.language import ModelReply
from gieok.sessions import Turn
from gieok.sessions.model import Layer
from gieok.surfaces.cli.server import create_server
from gieok.surfaces.rest import Tokens, create_app
from gieok.surfaces.rest.sockets import CloseCode, SocketRegistry
from gieok.testing import FixedClock, ScriptedModel
from support.redis_server import redis_server
from support.rest_people import HOUR, SECRET, Person, names
from support.session_talk import with_parts

PATIENT = CachePatience(patience=5.0, rest=0.05)
BY_HINT = SocketRegistry(poll=60.0, breath=0.02)
"""Whoever is told within this has been woken."""
BY_LOOKING = SocketRegistry(poll=0.02, breath=0.02)
SOON = 10.0


@dataclass(frozen=True, slots=True)
class Follower:
    """A client of one socket."""

    socket: ClientConnection

    async def next(self) -> Any:
        async with asyncio.timeout(SOON):
            return json.loads(await self.socket.recv())

    async def types(self, count: int) -> list[str]:
        return [(await self.next())["type"] for _ in range(count)]

    async def closed(self) -> int:
        async with asyncio.timeout(SOON):
            await self.socket.wait_closed()
        assert self.socket.close_code is not None
        return self.socket.close_code


Follow = Callable[..., AbstractAsyncContextManager[Follower]]


@dataclass(frozen=True, slots=True)
class Live:
    """A server, and somebody with sessions on it."""

    url: str
    gieok: Gieok
    app: FastAPI
    user_id: str
    token: str

    @property
    def scope(self) -> Scope:
        return self.gieok.person(self.user_id)

    async def session(self) -> UUID:
        return (await self.gieok.sessions.start(self.scope)).session_id

    async def says(self, session_id: UUID, text: str, tokens: int = 0) -> None:
        turn = Turn(text, f"{text}?", tokens=tokens)
        await self.gieok.sessions.record(self.scope, session_id, turn)

    @asynccontextmanager
    async def follow(
        self,
        session_id: object,
        query: str = "",
        *,
        token: str | None = None,
        **options: Any,
    ) -> AsyncGenerator[Follower]:
        where = f"{self.url}/api/v1/sessions/{session_id}/events{query}"
        headers = {"Authorization": f"Bearer {token or self.token}"}
        options = {"additional_headers": headers, "proxy": None, **options}
        async with connect(where, **options) as socket:
            yield Follower(socket)


@asynccontextmanager
async def live(
    gieok: Gieok, tokens: Tokens, sockets: SocketRegistry
) -> AsyncGenerator[Live]:
    """Serve as `gieok serve` does."""
    app = create_app(gieok, tokens)
    app.state.sockets = sockets
    user_id = f"follower-{next(names)}"
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = create_server(app)
        serving = asyncio.create_task(server.serve_on(listening))
        while not server.started:  # noqa: ASYNC110 - uvicorn tells no other way
            await asyncio.sleep(0.01)
        port = listening.getsockname()[1]
        token = tokens.issue(user_id, HOUR)
        try:
            yield Live(f"ws://127.0.0.1:{port}", gieok, app, user_id, token)
        finally:
            server.request_stop()
            await serving


@pytest.fixture
async def me(gieok: Gieok, tokens: Tokens) -> AsyncGenerator[Live]:
    """Somebody whose followers wake by hints alone."""
    async with live(gieok, tokens, BY_HINT) as running:
        yield running


@pytest.fixture(params=["woken", "looking"])
async def either(
    request: pytest.FixtureRequest, gieok: Gieok, tokens: Tokens
) -> AsyncGenerator[Live]:
    """Somebody whose followers only wake by hints, or never hear any."""
    if request.param == "woken":
        async with live(gieok, tokens, BY_HINT) as running:
            yield running
        return
    unheard = replace(gieok, sessions=with_parts(gieok.sessions, cache=LocalCache()))
    async with live(unheard, tokens, BY_LOOKING) as running:
        yield replace(running, gieok=gieok)


@pytest.mark.req("B10")
async def test_a_follower_first_hears_where_the_session_stands(me: Live) -> None:
    session = await me.session()
    await me.says(session, "안녕", tokens=7)
    async with me.follow(session) as follower:
        first = await follower.next()
    assert first == {
        "type": "session",
        "id": str(session),
        "status": "active",
        "layer": None,
        "message_count": 2,
        "total_turns": 1,
        "total_tokens": 7,
        "total_cost": "0.0000",
        "updated_at": first["updated_at"],
        "clients": 1,
        "after": 1,
    }


@pytest.mark.req("B10")
async def test_everything_that_happens_is_told_in_order(either: Live) -> None:
    me = either
    sessions, session = me.gieok.sessions, await me.session()
    async with me.follow(session) as follower:
        assert (await follower.next())["status"] == "created"
        await me.says(session, "안녕", tokens=3)
        heard = [await follower.next() for _ in range(4)]
        await sessions.advance(me.scope, session, Layer.COGNITIVE)
        heard.append(await follower.next())
        await sessions.pause(me.scope, session)
        heard.append(await follower.next())
        await sessions.resume(me.scope, session)
        heard.append(await follower.next())
        await sessions.close(me.scope, session)
        heard += [await follower.next() for _ in range(2)]
        assert await follower.closed() == CloseCode.DONE
    told = [
        (one["type"], *(one.get(key) for key in ("status", "layer"))) for one in heard
    ]
    assert told == [
        ("status", "active", None),
        ("message", None, None),
        ("message", None, None),
        ("tokens", None, None),
        ("layer", None, "cognitive"),
        ("status", "paused", None),
        ("status", "active", None),
        ("status", "completed", None),
        ("ended", "completed", None),
    ]
    said = [(one["position"], one["role"], one["content"]) for one in heard[1:3]]
    assert said == [(0, "user", "안녕"), (1, "assistant", "안녕?")]
    assert heard[3]["total_tokens"] == 3


@pytest.mark.req("B10")
@pytest.mark.parametrize(
    ("query", "positions"),
    [("", []), ("?after=-1", [0, 1, 2, 3]), ("?after=2", [3]), ("?after=99", [])],
)
async def test_a_follower_resumes_after_a_position(
    me: Live, query: str, positions: list[int]
) -> None:
    session = await me.session()
    await me.says(session, "하나")
    await me.says(session, "둘")
    async with me.follow(session, query) as follower:
        first = await follower.next()
        assert first["after"] == (positions[0] - 1 if positions else 3)
        await me.says(session, "셋")
        heard = [await follower.next() for _ in range(len(positions) + 3)]
    told = [one["position"] for one in heard if one["type"] == "message"]
    assert told == [*positions, 4, 5]


async def test_a_long_session_is_told_whole_and_then_ended(me: Live) -> None:
    session = await me.session()
    for number in range(33):
        await me.says(session, str(number))
    await me.gieok.sessions.close(me.scope, session)
    async with me.follow(session, "?after=-1") as follower:
        heard = [await follower.next() for _ in range(1 + 66 + 1)]
        assert await follower.closed() == CloseCode.DONE
    assert [one.get("position") for one in heard[1:-1]] == list(range(66))
    assert heard[-1]["type"] == "ended"


async def test_a_client_that_comes_back_misses_nothing(me: Live) -> None:
    session, heard = await me.session(), list[int]()
    recording = asyncio.create_task(_says_all(me, session, 30))
    while len(heard) < 60:
        query = f"?after={heard[-1] if heard else -1}"
        async with me.follow(session, query) as follower:
            for _ in range(9):
                one = await follower.next()
                if one["type"] == "message":
                    heard.append(one["position"])
                if len(heard) == 60:
                    break
    await recording
    assert heard == list(range(60))


async def _says_all(me: Live, session: UUID, turns: int) -> None:
    for number in range(turns):
        await me.says(session, str(number))


@pytest.mark.req("B10")
async def test_clients_are_counted_and_leave_no_trace(me: Live) -> None:
    session = await me.session()
    async with AsyncExitStack() as stack:
        followers = [
            await stack.enter_async_context(me.follow(session)) for _ in range(3)
        ]
        counts = [(await follower.next())["clients"] for follower in followers]
        assert sorted(counts) == [1, 2, 3]
        await me.says(session, "모두에게")
        for follower in followers:
            assert await follower.types(3) == ["status", "message", "message"]
    await _until(lambda: not me.app.state.sockets.open)
    cache = me.gieok.sessions.writer.cache
    assert isinstance(cache, LocalCache)
    assert not list(cache._hints.topics)  # noqa: SLF001 - what would leak
    assert not cache._presence._seen  # noqa: SLF001 - as above


async def _until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(SOON):
        while not true():  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)


async def test_a_session_that_is_erased_is_told_to_its_followers(
    me: Live, gieok: Gieok
) -> None:
    session = await me.session()
    async with me.follow(session) as follower:
        await follower.next()
        async with gieok.maintenance.database.begin(me.scope) as tx:
            await tx.execute(
                "DELETE FROM sessions WHERE user_id = %s AND session_id = %s",
                [me.scope.user_id, session],
            )
        await gieok.sessions.writer.cache.drop_session(me.scope.user_id, session)
        assert await follower.types(1) == ["deleted"]
        assert await follower.closed() == CloseCode.DONE


async def test_a_session_erased_and_begun_anew_is_another_one(me: Live) -> None:
    session = await me.session()
    async with me.follow(session) as follower:
        await follower.next()
        async with me.gieok.maintenance.database.begin(me.scope) as tx:
            await tx.execute(
                "DELETE FROM sessions WHERE user_id = %s AND session_id = %s",
                [me.scope.user_id, session],
            )
        await me.gieok.sessions.start(me.scope, session_id=session)
        assert await follower.types(1) == ["deleted"]


@pytest.mark.parametrize("session_id", [uuid4(), "nonsense", "%00"])
async def test_an_unknown_session_is_4404(me: Live, session_id: object) -> None:
    async with me.follow(session_id) as follower:
        assert await follower.closed() == CloseCode.NOT_FOUND == 4404


async def test_somebody_elses_session_is_4404_as_well(me: Live, minji: Person) -> None:
    theirs = await minji.talks()
    async with me.follow(theirs) as follower:
        assert await follower.closed() == CloseCode.NOT_FOUND


@pytest.mark.parametrize("after", ["x", "-2", "1.5", "", "99999999999", "٣"])
async def test_an_unusable_position_is_4422(me: Live, after: str) -> None:
    session = await me.session()
    async with me.follow(session, f"?after={after}") as follower:
        assert await follower.closed() == CloseCode.BAD_AFTER == 4422


@pytest.mark.parametrize(
    "headers",
    [{}, {"Authorization": "Bearer nonsense"}, {"Authorization": "Basic eDp5"}],
    ids=repr,
)
@pytest.mark.parametrize(
    "path", ["/api/v1/sessions/x/events", "/nowhere", "/health/live", "/"]
)
async def test_no_socket_opens_without_a_token(
    me: Live, path: str, headers: dict[str, str]
) -> None:
    where = me.url + path
    async with connect(where, additional_headers=headers, proxy=None) as socket:
        assert await Follower(socket).closed() == CloseCode.NO_TOKEN == 4401


async def test_a_token_in_the_address_is_no_token(me: Live) -> None:
    session = await me.session()
    where = f"{me.url}/api/v1/sessions/{session}/events?token={me.token}"
    async with connect(where, proxy=None) as socket:
        assert await Follower(socket).closed() == CloseCode.NO_TOKEN


async def test_an_unknown_path_is_refused_with_a_token_too(me: Live) -> None:
    headers = {"Authorization": f"Bearer {me.token}"}
    for path in ("/nowhere", "/health/live", "/api/v1/sessions"):
        with pytest.raises(InvalidStatus) as raised:
            async with connect(me.url + path, additional_headers=headers, proxy=None):
                pass
        assert raised.value.response.status_code == 403


async def test_a_browser_brings_the_token_as_a_subprotocol(me: Live) -> None:
    session = await me.session()
    offered = [Subprotocol("bearer"), Subprotocol(me.token)]
    options = {"additional_headers": {}, "subprotocols": offered}
    async with me.follow(session, **options) as follower:
        assert follower.socket.subprotocol == "bearer"
        response = follower.socket.response
        assert response is not None
        assert me.token not in str(response.headers)
        assert (await follower.next())["type"] == "session"


@pytest.mark.parametrize("offered", [["bearer"], ["bearer", "nonsense"], ["other"]])
async def test_a_subprotocol_that_is_no_token_is_refused(
    me: Live, offered: list[str]
) -> None:
    subprotocols = [Subprotocol(name) for name in offered]
    options = {"additional_headers": {}, "subprotocols": subprotocols}
    async with me.follow(uuid4(), **options) as follower:
        assert await follower.closed() == CloseCode.NO_TOKEN


async def test_an_origin_changes_nothing(me: Live) -> None:
    session = await me.session()
    headers = {"Origin": "https://elsewhere.example"}
    where = f"{me.url}/api/v1/sessions/{session}/events"
    async with connect(where, additional_headers=headers, proxy=None) as socket:
        assert await Follower(socket).closed() == CloseCode.NO_TOKEN


async def test_a_token_that_expires_meanwhile_ends_the_socket(gieok: Gieok) -> None:
    clock = FixedClock()
    async with live(gieok, Tokens(SECRET, clock), BY_LOOKING) as me:
        session = await me.session()
        async with me.follow(session) as follower:
            await follower.next()
            clock.advance(HOUR)
            assert await follower.closed() == CloseCode.NO_TOKEN


async def test_pings_are_answered(me: Live) -> None:
    session = await me.session()
    async with me.follow(session) as follower:
        await follower.next()
        for _ in range(5):
            await follower.socket.send('{"type": "ping"}')
            assert await follower.next() == {"type": "pong"}
        await follower.socket.ping()


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("hello", CloseCode.NOT_EXPECTED),
        ('{"type": "message", "content": "안녕"}', CloseCode.NOT_EXPECTED),
        (b'{"type": "ping"}', CloseCode.NOT_EXPECTED),
        ("[" * 200, CloseCode.NOT_EXPECTED),
        ("x" * 257, CloseCode.TOO_LONG),
        ("x" * 5_000, CloseCode.TOO_LONG),
    ],
    ids=lambda value: str(value)[:20],
)
async def test_a_client_has_nothing_else_to_say(
    me: Live, message: str | bytes, code: int
) -> None:
    session = await me.session()
    async with me.follow(session) as follower:
        await follower.next()
        await follower.socket.send(message)
        assert await follower.closed() == code


async def test_a_flood_of_pings_does_not_drown_the_rest(me: Live) -> None:
    session = await me.session()
    async with me.follow(session) as follower:
        await follower.next()
        for _ in range(52):
            await follower.socket.send('{"type": "ping"}')
        await me.says(session, "안녕")
        heard = await follower.types(52 + 4)
    rest = [kind for kind in heard if kind != "pong"]
    assert rest == ["status", "message", "message", "tokens"]


async def test_one_person_has_so_many_sockets_and_no_more(
    gieok: Gieok, tokens: Tokens
) -> None:
    async with AsyncExitStack() as stack:
        me = await stack.enter_async_context(
            live(gieok, tokens, SocketRegistry(most=2))
        )
        session, other = await me.session(), f"other-{next(names)}"
        for _ in range(2):
            await (await stack.enter_async_context(me.follow(session))).next()
        async with me.follow(session) as third:
            assert await third.closed() == CloseCode.TOO_MANY == 4429
        theirs = await gieok.sessions.start(gieok.person(other))
        token = tokens.issue(other, HOUR)
        async with me.follow(theirs.session_id, token=token) as follower:
            assert (await follower.next())["type"] == "session"


async def test_a_client_that_does_not_read_is_closed(
    gieok: Gieok, tokens: Tokens
) -> None:
    sockets = SocketRegistry(patience=0.2)
    async with live(gieok, tokens, sockets) as me:
        session = await me.session()
        for _ in range(10):
            await me.says(session, "가" * 300_000)
        async with me.follow(session, "?after=-1", max_queue=1) as follower:
            await _until(lambda: bool(sockets.open))
            await _until(lambda: not sockets.open)
            with suppress(ConnectionClosed):
                while await follower.next():
                    pass
            assert await follower.closed() == CloseCode.TRY_LATER


async def test_a_client_that_vanishes_is_forgotten(me: Live) -> None:
    session = await me.session()
    async with me.follow(session) as follower:
        await follower.next()
        follower.socket.transport.abort()
    await _until(lambda: not me.app.state.sockets.open)


async def test_a_database_that_goes_away_asks_followers_to_come_back(
    gieok: Gieok, tokens: Tokens
) -> None:
    class Away:
        def begin(self, _: Scope, **__: bool) -> None:
            raise DatabaseUnavailableError("gone")

        def clock(self) -> None: ...

    away: Any = Away()
    broken = replace(gieok, sessions=with_parts(gieok.sessions, database=away))
    async with live(broken, tokens, BY_HINT) as me, me.follow(uuid4()) as follower:
        assert await follower.closed() == CloseCode.TRY_LATER


async def test_what_nobody_foresaw_is_1011_and_logged_without_content(
    gieok: Gieok, tokens: Tokens
) -> None:
    class Broken:
        def begin(self, _: Scope, **__: bool) -> None:
            raise RuntimeError("등대지기")

    broken: Any = Broken()
    without = replace(gieok, sessions=with_parts(gieok.sessions, database=broken))
    with structlog.testing.capture_logs() as logs:
        async with live(without, tokens, BY_HINT) as me, me.follow(uuid4()) as follower:
            assert await follower.closed() == CloseCode.BROKEN
    assert [line["error"] for line in logs] == ["RuntimeError"]
    assert "등대지기" not in str(logs)


async def test_a_server_that_stops_closes_its_sockets(
    gieok: Gieok, tokens: Tokens
) -> None:
    async with AsyncExitStack() as stack:
        serving = live(gieok, tokens, BY_HINT)
        me = await serving.__aenter__()
        session = await me.session()
        followers = [
            await stack.enter_async_context(me.follow(session)) for _ in range(3)
        ]
        for follower in followers:
            await follower.next()
        async with asyncio.timeout(SOON):
            await serving.__aexit__(None, None, None)
        assert [await follower.closed() for follower in followers] == [1012] * 3
        assert not me.app.state.sockets.open


@pytest.mark.req("B09", "B10")
async def test_what_is_said_in_one_process_is_told_in_another(
    gieok: Gieok, tokens: Tokens, tmp_path: Path
) -> None:
    async with AsyncExitStack() as stack:
        server = stack.enter_context(redis_server(tmp_path))
        here, there = [
            replace(gieok, sessions=with_parts(gieok.sessions, cache=cache))
            for cache in [
                await stack.enter_async_context(
                    RedisCache.connect(server.url, read_system_clock, PATIENT)
                )
                for _ in range(2)
            ]
        ]
        near = await stack.enter_async_context(live(here, tokens, BY_LOOKING))
        far = await stack.enter_async_context(live(there, tokens, BY_LOOKING))
        far = replace(far, user_id=near.user_id, token=near.token)
        session = await near.session()
        async with near.follow(session) as one, far.follow(session) as two:
            counts = {(await each.next())["clients"] for each in (one, two)}
            assert counts == {1, 2}
            await near.says(session, "안녕")
            assert await one.types(3) == ["status", "message", "message"]
            assert await two.types(3) == ["status", "message", "message"]
            server.kill()
            await near.says(session, "레디스 없이")
            assert await two.types(2) == ["tokens", "message"]
            server.start()
        keys = build_session_keys(near.scope.user_id, session)
        await _until_gone(here.sessions.writer.cache.get, keys.clients)


async def _until_gone(get: Callable[[str], Awaitable[bytes | None]], key: str) -> None:
    async with asyncio.timeout(SOON):
        while await get(key) is not None:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)


@pytest.mark.req("B10")
async def test_the_words_of_an_agents_answer_are_heard_as_they_come(
    gieok: Gieok, tokens: Tokens
) -> None:
    model = ScriptedModel(replies=lambda *_: ModelReply("목요일에 내세요.", tokens=3))
    talking = replace(gieok, chat=replace(gieok.chat, model=model))
    async with live(talking, tokens, BY_LOOKING) as me:
        session = await me.session()
        async with me.follow(session) as heard:
            assert (await heard.next())["type"] == "session"
            run = {"message": "언제 버려?", "session_id": str(session)}
            run |= {"interrupt": False}
            async with httpx.AsyncClient(trust_env=False, timeout=30) as http:
                answer = await http.post(
                    me.url.replace("ws://", "http://") + "/api/v1/agent/run",
                    headers={"Authorization": f"Bearer {me.token}"},
                    json=run,
                )
            assert answer.is_success, answer.text
            words, said = "", ""
            while not said:
                event = await heard.next()
                words += event["text"] if event["type"] == "token" else ""
                spoke = event["type"] == "message" and event["role"] == "assistant"
                said = event["content"] if spoke else ""
        assert answer.json()["response"] == said
        assert said in words
        assert not me.app.state.sockets.hearing


@pytest.mark.req("B10")
async def test_nobody_hears_the_words_of_another_persons_session(me: Live) -> None:
    session = await me.session()
    async with me.follow(session) as heard:
        assert (await heard.next())["type"] == "session"
        other = me.gieok.person("somebody else").user_id
        me.app.state.sockets.publish_word(other, session, "비밀")
        me.app.state.sockets.publish_word(me.scope.user_id, session, "안녕")
        assert await heard.next() == {"type": "token", "text": "안녕"}
