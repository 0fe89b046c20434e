"""What somebody sends who wants the server itself, on a real socket."""

import asyncio
import gzip
import socket
from collections.abc import AsyncGenerator

import jwt
import pytest
from fastapi import FastAPI

from gieok import Gieok
from gieok.surfaces.cli import server
from gieok.surfaces.cli.serving import open_listener
from gieok.surfaces.rest import bodies
from support.rest_people import SECRET, Person, running

MEMORIES = "/api/v1/users/me/memories"
HEAD = f"POST {MEMORIES} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"


@pytest.fixture
async def port(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[int]:
    """The server of `gieok serve`, with less patience."""
    monkeypatch.setattr(server, "HEAD_SECONDS", 0.3)
    monkeypatch.setattr(bodies, "BODY_SECONDS", 0.3)
    monkeypatch.setattr(bodies, "DRAINED_SECONDS", 0.3)
    async with running(server.create_server(app)) as url:
        yield int(url.rpartition(":")[2])


async def told(port: int, *pieces: bytes, pause: float = 0.0) -> bytes:
    """Send pieces, and return what comes until the server hangs up."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(pause)
        async with asyncio.timeout(10):
            return await reader.read()
    except ConnectionError:
        return b""
    finally:
        writer.close()


def signed(minji: Person) -> str:
    return f"Authorization: {minji.http.headers['authorization']}\r\n"


async def test_who_never_says_what_they_want_is_hung_up_on(port: int) -> None:
    assert await told(port) == b""
    assert await told(port, b"GET /health/live HTTP/1.1\r\nX-Slow: ") == b""
    drops = [b"GET /health/live HTTP/1.1\r\n", *(b"X-A: b\r\n" for _ in range(8))]
    assert await told(port, *drops, pause=0.1) == b""


async def test_who_says_it_slowly_but_in_time_is_served(port: int) -> None:
    whole = b"GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    answer = await told(port, whole[:20], whole[20:], pause=0.1)
    assert answer.startswith(b"HTTP/1.1 200")
    assert b"\r\nserver:" not in answer.lower()


async def test_who_gives_two_lengths_is_refused(port: int, minji: Person) -> None:
    chunked = b"2\r\n{}\r\n0\r\n\r\n"
    lengths = f"Content-Length: {len(chunked)}\r\nTransfer-Encoding: chunked\r\n\r\n"
    hidden = b"GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n"
    head = f"{HEAD}{signed(minji)}{lengths}".encode()
    answer = await told(port, head + chunked + hidden)
    assert answer.startswith(b"HTTP/1.1 400")
    assert answer.count(b"HTTP/1.1 ") == 1
    assert b'"ambiguous_length"' in answer


def test_what_is_written_is_sent_at_once() -> None:
    with open_listener("127.0.0.1", 0) as listener:
        client = socket.create_connection(listener.getsockname())
        accepted, _ = listener.accept()
        with client, accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0


async def test_a_body_that_drips_is_not_waited_for(port: int, minji: Person) -> None:
    head = f"{HEAD}{signed(minji)}Content-Length: 99\r\n\r\n".encode()
    answer = await told(port, head, b" ", b" ", pause=0.05)
    assert answer.startswith(b"HTTP/1.1 408")
    assert b"connection: close" in answer.lower()
    assert b'"body_too_slow"' in answer
    assert (await minji.http.get(MEMORIES)).json()["total"] == 0


@pytest.mark.parametrize("asked", ["POST /me/x", "GET /me/x", "POST /docs"])
async def test_a_stranger_cannot_drip_at_a_page(port: int, asked: str) -> None:
    head = f"{asked} HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n".encode()
    answer = await told(port, head, b" ", b" ", pause=0.05)
    assert answer.startswith(b"HTTP/1.1 4")
    assert b"connection: close" in answer.lower()


async def test_a_stranger_cannot_make_us_wait_for_a_body(port: int) -> None:
    head = f"{HEAD}Content-Length: 99\r\n\r\n".encode()
    answer = await told(port, head, b" ", pause=0.1)
    assert answer.startswith(b"HTTP/1.1 401")
    assert b"connection: close" in answer.lower()


async def test_a_head_of_any_size_is_not_read(port: int) -> None:
    head = b"GET /health/live HTTP/1.1\r\nHost: x\r\nX-Long: " + b"a" * 100_000
    answer = await told(port, head, b"\r\n\r\n", pause=0.1)
    assert not answer.startswith(b"HTTP/1.1 2")


@pytest.mark.parametrize(
    "head",
    [
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\nContent-Length: 6\r\n",
        "Content-Length: -1\r\n",
        "Content-Length: 1e3\r\n",
        "Transfer-Encoding: gzip, chunked\r\n",
        "X : y\r\n",
        "X: a\x00b\r\n",
    ],
)
async def test_a_head_that_can_be_read_in_two_ways_is_refused(
    port: int, minji: Person, head: str
) -> None:
    sent = f"{HEAD}{signed(minji)}{head}\r\n0\r\n\r\n".encode("latin-1")
    answer = await told(port, sent)
    assert answer[9:12] in {b"400", b"501"}
    assert answer.count(b"HTTP/1.1") == 1


async def test_nothing_is_unpacked(minji: Person) -> None:
    bomb = gzip.compress(b'{"content": "' + b"a" * 10_000_000 + b'"}')
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    answer = await minji.http.post(MEMORIES, content=bomb, headers=headers)
    assert answer.status_code == 422


@pytest.mark.parametrize(
    "body",
    [
        b'{"content": ' + b"9" * 100_000 + b"}",
        b'{"content": "a", "category": ' + b"[" * 100_000,
        b'{"content": ' + b'{"a":' * 50_000,
        b'{"content": 1e999999}',
        b'{"content": "a"}' + b"\x00" * 1_000,
    ],
    ids=["a long number", "deep lists", "deep objects", "infinity", "NULs"],
)
async def test_json_that_costs_more_than_it_says_is_refused(
    minji: Person, body: bytes
) -> None:
    headers = {"Content-Type": "application/json"}
    answer = await minji.http.post(MEMORIES, content=body, headers=headers)
    assert answer.status_code == 422


@pytest.mark.parametrize("kid", ["../../../../etc/passwd", "' OR 1=1 --", "\x00", ""])
async def test_a_key_id_is_a_name_and_nothing_else(minji: Person, kid: str) -> None:
    claims = {"sub": minji.user_id, "aud": "gieok", "exp": 4_000_000_000}
    for algorithm, secret in (("HS256", b"\x00" * 32), ("HS512", SECRET * 2)):
        header = {"kid": kid, "jku": "http://127.0.0.1:9/keys", "x5u": "file:///x"}
        token = jwt.encode(claims, secret, algorithm, headers=header)
        bearer = {"Authorization": f"Bearer {token}"}
        answer = await minji.http.get(MEMORIES, headers=bearer)
        assert answer.status_code == 401


async def test_the_token_of_somebody_erased_opens_nothing_of_before(
    minji: Person, gieok: Gieok
) -> None:
    assert gieok is minji.gieok
    memory_id = await minji.remembers("사용자는 벌을 키움")
    session = await minji.talks()
    assert (await minji.http.delete("/api/v1/users/me")).status_code == 204
    for path in (f"users/me/memories/{memory_id}", f"sessions/{session}"):
        assert (await minji.http.get(f"/api/v1/{path}")).status_code == 404
    assert (await minji.http.get(MEMORIES)).json() == {"memories": [], "total": 0}


@pytest.mark.parametrize("host", ["::1", "::"])
def test_it_listens_on_addresses_of_ipv6(host: str) -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6")
    with open_listener(host, 0) as listener:
        assert listener.family == socket.AF_INET6
        port = listener.getsockname()[1]
        with socket.create_connection(("::1", port), timeout=5):
            pass
