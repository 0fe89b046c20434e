"""Carries requests to the cloud over HTTP, and whatever comes back."""

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, cast

import httpx

from gieok.device.wire import RequestKind, SyncReply, SyncRequest

PATH: Final = "/api/v1/sync"
_SMALL: Final = 1_024
_LEVEL: Final = 3
"""Of 9: 50 pairs take a third of the time that 6 does, and are a fourteenth larger."""
_COMPACT: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_LONGEST_RETRY_S: Final = 3_600.0


class SyncTransport(Protocol):
    """Asks the cloud one thing."""

    def send(self, request: SyncRequest, encodings: tuple[str, ...] = ()) -> SyncReply:
        """Return what came back; nothing is raised for a cloud that is away."""
        ...


@dataclass(slots=True)
class HttpTransport:
    """The exchange over HTTP; `read_token` gives the bearer token of each request."""

    address: str
    read_token: Callable[[], str]
    clock_ms: Callable[[], int]
    client: httpx.Client = field(
        default_factory=lambda: httpx.Client(timeout=httpx.Timeout(30, connect=5))
    )

    def send(self, request: SyncRequest, encodings: tuple[str, ...] = ()) -> SyncReply:
        """Return what came back; status 0 if nothing did."""
        try:
            answer = self.client.send(self._build(request, encodings))
        except (httpx.HTTPError, httpx.InvalidURL, RuntimeError) as error:
            return SyncReply.from_error(error, self.clock_ms())  # or it was closed
        return SyncReply(
            answer.status_code,
            _read_body(answer),
            _read_retry(answer.headers.get("retry-after")),
            self.clock_ms(),
        )

    def close(self) -> None:
        """Close the connections."""
        self.client.close()

    def _build(self, request: SyncRequest, encodings: tuple[str, ...]) -> httpx.Request:
        url = f"{self.address.rstrip('/')}{PATH}/{request.kind}"
        headers = {"authorization": f"Bearer {self.read_token()}"}
        if request.is_read:
            params = {
                name: str(value)
                for name, value in request.fields.items()
                if value is not None
            }
            wait = float(request.fields.get("wait") or 0)
            timeout = httpx.Timeout(30 + wait, connect=5)
            return self.client.build_request(
                "GET", url, params=params, headers=headers, timeout=timeout
            )
        body = _COMPACT.encode(dict(request.fields)).encode()
        headers["content-type"] = "application/json"
        is_large = request.kind is RequestKind.PUSH and len(body) > _SMALL
        if is_large and "gzip" in encodings:
            body = gzip.compress(body, compresslevel=_LEVEL)
            headers["content-encoding"] = "gzip"
        return self.client.build_request("POST", url, content=body, headers=headers)


def _read_body(answer: httpx.Response) -> dict[str, Any]:
    try:
        body = answer.json()
    except (ValueError, RecursionError):
        return {}
    return cast("dict[str, Any]", body) if isinstance(body, dict) else {}


def _read_retry(spelled: str | None) -> float:
    try:
        seconds = float(spelled or 0)
    except ValueError:
        return 0.0
    return min(seconds, _LONGEST_RETRY_S) if seconds > 0 else 0.0  # nan is neither
