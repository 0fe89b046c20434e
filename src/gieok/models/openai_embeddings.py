"""Any OpenAI-compatible embeddings endpoint as gieok's `Embedder`, over httpx."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from types import TracebackType
from typing import Annotated, Self

import httpx
import numpy as np
from pydantic import AllowInfNan, BaseModel, ConfigDict, ValidationError

from gieok.kernel.errors import EmbedderMismatchError, ModelUnavailableError
from gieok.kernel.language import Vectors

MAX_BATCH_SIZE = 128
"""Texts in one request."""
BACK_OFF = (1.0, 2.0, 4.0)
"""Seconds before each further try."""
TRIES = 3
TIMEOUT = 30.0
"""Seconds one request may take."""
_SERVER_ERROR = 500
_WHAT = "Embedder"

Sleep = Callable[[float], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class EmbeddingEndpoint:
    """Where the vectors come from.

    `base_url` ends where `/embeddings` begins: "https://api.openai.com/v1".
    With `shorten`, the endpoint is asked for `dimension` values (OpenAI's third
    generation can); otherwise it is only checked that so many come.
    """

    base_url: str
    model: str
    dimension: int
    api_key: str | None = field(default=None, repr=False)
    query_prefix: str = ""
    passage_prefix: str = ""
    shorten: bool = False


class _EmbeddingRow(BaseModel):
    """One vector; `index` is the place of its text in the request."""

    model_config = ConfigDict(extra="ignore")

    index: int
    embedding: list[Annotated[float, AllowInfNan(allow_inf_nan=False)]]


class _EmbeddingsAnswer(BaseModel):
    """What `/embeddings` answers."""

    model_config = ConfigDict(extra="ignore")

    data: list[_EmbeddingRow]


class _RetryableError(Exception):
    """This try failed; `reason` says how, without anything a person said."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class OpenAIEmbedder:
    """Turns texts into vectors of unit length through an HTTP endpoint.

    A client that is passed in stays the caller's; its own is closed by `aclose` or on
    leaving `async with`.
    """

    def __init__(
        self,
        endpoint: EmbeddingEndpoint,
        *,
        client: httpx.AsyncClient | None = None,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._endpoint = endpoint
        self._owned = client is None
        self._client = client or httpx.AsyncClient()
        self._sleep = sleep

    @property
    def name(self) -> str:
        """Model and dimension: vectors of another length are another embedder's."""
        return f"openai:{self._endpoint.model}/{self._endpoint.dimension}"

    @property
    def dimension(self) -> int:
        """Length of every vector."""
        return self._endpoint.dimension

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections this embedder opened itself."""
        if self._owned:
            await self._client.aclose()

    async def queries(self, texts: Sequence[str]) -> Vectors:
        """Return one row per question.

        Raises:
            EmbedderMismatchError: the vectors do not have the configured length.
            ModelUnavailableError: no usable answer in three tries.
        """
        return await self._embed_texts(
            [self._endpoint.query_prefix + text for text in texts]
        )

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """Return one row per stored text; raises as `queries`."""
        prefix = self._endpoint.passage_prefix
        return await self._embed_texts([prefix + text for text in texts])

    async def _embed_texts(self, texts: list[str]) -> Vectors:
        rows = [await self._embed_batch(batch) for batch in _split_batches(texts)]
        if not rows:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return np.concatenate(rows)

    async def _embed_batch(self, texts: list[str]) -> Vectors:
        reason = ""
        for attempt in range(TRIES):
            if attempt:
                _ = await self._sleep(BACK_OFF[attempt - 1])
            try:
                return self._parse_vectors(await self._send_request(texts), len(texts))
            except _RetryableError as error:
                reason = error.reason
        raise ModelUnavailableError(_WHAT, reason)

    async def _send_request(self, texts: list[str]) -> httpx.Response:
        endpoint = self._endpoint
        body: dict[str, object] = {
            "model": endpoint.model,
            "input": [_normalize_text(text) for text in texts],
            "encoding_format": "float",
        }
        if endpoint.shorten:
            body["dimensions"] = endpoint.dimension
        key = endpoint.api_key
        try:
            return await self._client.post(
                endpoint.base_url.rstrip("/") + "/embeddings",
                json=body,
                headers={"Authorization": f"Bearer {key}"} if key else None,
                timeout=TIMEOUT,
            )
        except httpx.TimeoutException:
            reason = f"it did not answer within {TIMEOUT:g} s"
            raise _RetryableError(reason) from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            reason = f"it could not be reached ({type(error).__name__})"
            raise _RetryableError(reason) from None

    def _parse_vectors(self, response: httpx.Response, count: int) -> Vectors:
        """Read an answer, whose rows may come in any order, as vectors of length 1."""
        status = response.status_code
        if status == HTTPStatus.TOO_MANY_REQUESTS or status >= _SERVER_ERROR:
            reason = f"it answered with HTTP status {status}"
            raise _RetryableError(reason)
        if not response.is_success:
            reason = f"it refuses with HTTP status {status}: check model, key and URL"
            raise ModelUnavailableError(_WHAT, reason)
        try:
            rows = _EmbeddingsAnswer.model_validate_json(response.content).data
        except ValidationError:
            reason = "its answer is not one of /embeddings"
            raise _RetryableError(reason) from None
        if sorted(row.index for row in rows) != list(range(count)):
            reason = "its answer does not have one vector per text"
            raise _RetryableError(reason)
        rows.sort(key=lambda row: row.index)
        self._check_dimension({len(row.embedding) for row in rows})
        return _normalize_rows([row.embedding for row in rows])

    def _check_dimension(self, lengths: set[int]) -> None:
        if lengths != {self.dimension}:
            came = ", ".join(str(length) for length in sorted(lengths))
            problem = (
                f"the embedder {self._endpoint.model!r} answers with {came} values per "
                f"vector instead of {self.dimension}; set its dimension, then run "
                "`gieok reembed`"
            )
            raise EmbedderMismatchError(problem)


def _normalize_text(text: str) -> str:
    """Empty texts are refused by endpoints, halves of surrogate pairs by UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8") or " "


def _split_batches(texts: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(texts), MAX_BATCH_SIZE):
        yield texts[start : start + MAX_BATCH_SIZE]


def _normalize_rows(rows: list[list[float]]) -> Vectors:
    """Scale every row to length 1; a row of zeros stays as it is."""
    vectors = np.asarray(rows, dtype=np.float64)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    lengths[lengths == 0] = 1.0
    return (vectors / lengths).astype(np.float32)
