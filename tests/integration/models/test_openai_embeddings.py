"""The embeddings adapter against a real HTTP server on this machine."""

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import httpx
import numpy as np
import pytest

from gieok.kernel.errors import EmbedderMismatchError, ModelUnavailableError
from gieok.kernel.language import Embedder
from gieok.models.openai_embeddings import (
    MAX_BATCH_SIZE,
    EmbeddingEndpoint,
    OpenAIEmbedder,
)

EMBEDDER: type[Embedder] = OpenAIEmbedder
Reply = Callable[[dict[str, Any]], tuple[int, bytes]]


def vector(text: str, dimension: int) -> list[float]:
    """A direction that depends on the text, ten times too long."""
    values = [0.0] * dimension
    values[len(text) % dimension] = 6.0
    values[(len(text) + 1) % dimension] = 8.0
    return values


def vectors(dimension: int = 4, *, backwards: bool = False) -> Reply:
    def reply(body: dict[str, Any]) -> tuple[int, bytes]:
        rows = [
            {"object": "embedding", "index": n, "embedding": vector(text, dimension)}
            for n, text in enumerate(body["input"])
        ]
        answer = {"object": "list", "data": rows[::-1] if backwards else rows}
        return 200, json.dumps(answer).encode()

    return reply


def status(code: int, body: bytes = b'{"error": {"message": "no"}}') -> Reply:
    return lambda _: (code, body)


class Server:
    """Answers the replies in turn, the last for ever, and keeps what it was sent."""

    def __init__(self, *replies: Reply) -> None:
        self.asked: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.keys: list[str | None] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                server.asked.append(body)
                server.paths.append(self.path)
                server.keys.append(self.headers["Authorization"])
                code, answer = replies[min(len(server.asked), len(replies)) - 1](body)
                self.send_response(code)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                _ = self.wfile.write(answer)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the parent's name
                """Keep quiet."""

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.http.serve_forever, args=(0.01,))
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.http.shutdown()
        self.http.server_close()
        self.thread.join()


class Sleeps(list[float]):
    """Sleeping, without waiting."""

    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


def endpoint(url: str, **more: Any) -> EmbeddingEndpoint:
    return EmbeddingEndpoint(base_url=url, model="small", dimension=4, **more)


async def test_every_text_gets_a_unit_vector_in_its_place() -> None:
    with Server(vectors(backwards=True)) as server:
        async with OpenAIEmbedder(endpoint(server.url, api_key="sk-1")) as embedder:
            rows = await embedder.passages(["a", "bb", "ccc"])
    assert rows.shape == (3, 4)
    assert rows.dtype == np.float32
    expected = np.array([vector(text, 4) for text in ("a", "bb", "ccc")]) / 10
    assert np.allclose(rows, expected)
    assert (embedder.name, embedder.dimension) == ("openai:small/4", 4)
    assert server.paths == ["/v1/embeddings"]
    assert server.keys == ["Bearer sk-1"]
    assert server.asked[0] == {
        "model": "small",
        "input": ["a", "bb", "ccc"],
        "encoding_format": "float",
    }


async def test_questions_and_texts_carry_their_prefixes() -> None:
    with Server(vectors()) as server:
        place = endpoint(
            server.url + "/",
            query_prefix="query: ",
            passage_prefix="passage: ",
            shorten=True,
        )
        async with OpenAIEmbedder(place) as embedder:
            _ = await embedder.queries(["어디 살아?"])
            _ = await embedder.passages(["부산에 살아"])
    inputs = [body["input"] for body in server.asked]
    assert inputs == [["query: 어디 살아?"], ["passage: 부산에 살아"]]
    assert {body["dimensions"] for body in server.asked} == {4}
    assert server.keys == [None, None]
    assert set(server.paths) == {"/v1/embeddings"}


async def test_many_texts_go_in_several_requests() -> None:
    texts = ["x" * (n % 7 + 1) for n in range(2 * MAX_BATCH_SIZE + 3)]
    with Server(vectors()) as server:
        async with OpenAIEmbedder(endpoint(server.url)) as embedder:
            rows = await embedder.passages(texts)
    sizes = [len(body["input"]) for body in server.asked]
    assert sizes == [MAX_BATCH_SIZE, MAX_BATCH_SIZE, 3]
    assert np.allclose(rows, np.array([vector(text, 4) for text in texts]) / 10)


async def test_no_texts_need_no_request() -> None:
    with Server(vectors()) as server:
        async with OpenAIEmbedder(endpoint(server.url)) as embedder:
            assert (await embedder.queries([])).shape == (0, 4)
    assert server.asked == []


async def test_texts_that_endpoints_refuse_are_made_acceptable() -> None:
    with Server(vectors()) as server:
        async with OpenAIEmbedder(endpoint(server.url)) as embedder:
            _ = await embedder.passages(["", "\ud800x"])
    assert server.asked[0]["input"] == [" ", "?x"]


@pytest.mark.parametrize(
    "bad",
    [
        status(429),
        status(500),
        status(503, b"<html>"),
        status(200, b"<html>garbage</html>"),
        status(200, b'{"data": "none"}'),
        status(200, b'{"data": [{"index": 0, "embedding": ["a"]}]}'),
        status(200, b'{"data": [{"index": 0, "embedding": [NaN, 1, 1, 1]}]}'),
        status(200, b'{"data": [{"index": 1, "embedding": [1, 1, 1, 1]}]}'),
        status(200, b'{"data": []}'),
        status(200, b"\xff\xfe"),
    ],
)
async def test_a_passing_trouble_is_waited_out(bad: Reply) -> None:
    sleeps = Sleeps()
    with Server(bad, bad, vectors()) as server:
        async with OpenAIEmbedder(endpoint(server.url), sleep=sleeps) as embedder:
            rows = await embedder.queries(["a"])
    assert rows.shape == (1, 4)
    assert (len(server.asked), sleeps) == (3, [1.0, 2.0])


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (status(429), "HTTP status 429"),
        (status(500), "HTTP status 500"),
        (status(200, b"garbage"), "not one of /embeddings"),
        (status(200, b'{"data": []}'), "one vector per text"),
    ],
)
async def test_a_lasting_trouble_makes_it_unavailable(bad: Reply, reason: str) -> None:
    sleeps = Sleeps()
    with Server(bad) as server:
        async with OpenAIEmbedder(endpoint(server.url), sleep=sleeps) as embedder:
            with pytest.raises(ModelUnavailableError, match=reason):
                _ = await embedder.queries(["a"])
    assert (len(server.asked), sleeps) == (3, [1.0, 2.0])


@pytest.mark.parametrize("code", [400, 401, 404, 302])
async def test_a_refusal_is_not_repeated(code: int) -> None:
    with Server(status(code)) as server:
        async with OpenAIEmbedder(endpoint(server.url)) as embedder:
            with pytest.raises(ModelUnavailableError, match=f"{code}.*model, key"):
                _ = await embedder.queries(["a"])
    assert len(server.asked) == 1


@pytest.mark.parametrize("dimension", [3, 5])
async def test_another_dimension_is_another_embedder(dimension: int) -> None:
    with Server(vectors(dimension)) as server:
        async with OpenAIEmbedder(endpoint(server.url)) as embedder:
            with pytest.raises(
                EmbedderMismatchError, match=f"{dimension} values.*instead of 4"
            ):
                _ = await embedder.passages(["a", "b"])
    assert len(server.asked) == 1


async def test_zeros_stay_zeros() -> None:
    zeros = b'{"data": [{"index": 0, "embedding": [0, 0, 0, 0]}]}'
    with Server(status(200, zeros)) as server:
        async with OpenAIEmbedder(endpoint(server.url)) as embedder:
            assert not (await embedder.queries(["a"])).any()


async def test_an_endpoint_that_is_down_is_unavailable() -> None:
    with Server(vectors()) as server:
        pass
    sleeps = Sleeps()
    async with OpenAIEmbedder(endpoint(server.url), sleep=sleeps) as embedder:
        with pytest.raises(ModelUnavailableError, match="could not be reached"):
            _ = await embedder.queries(["부산"])
    assert sleeps == [1.0, 2.0]


async def test_an_endpoint_that_hangs_is_unavailable() -> None:
    def hang(request: httpx.Request) -> httpx.Response:
        raise httpx.ReadTimeout("부산", request=request)

    sleeps = Sleeps()
    async with httpx.AsyncClient(transport=httpx.MockTransport(hang)) as client:
        embedder = OpenAIEmbedder(
            endpoint("http://embeddings.test"), client=client, sleep=sleeps
        )
        with pytest.raises(ModelUnavailableError, match="did not answer") as caught:
            _ = await embedder.queries(["부산"])
    assert "부산" not in str(caught.value)
    assert sleeps == [1.0, 2.0]


async def test_only_its_own_client_is_closed() -> None:
    async with httpx.AsyncClient() as client:
        await OpenAIEmbedder(endpoint("http://x"), client=client).aclose()
        assert not client.is_closed
