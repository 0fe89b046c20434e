"""What was asked of this process and how it went: in memory, and of nobody's words.

Of a request, its route's template, status, duration and the id of the app's key are
kept; neither its address nor its body, nor whose memory it was about.
"""

import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar
from uuid import UUID

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gieok.surfaces.rest.errors import get_route
from gieok.surfaces.rest.gate import CLAIMS

if TYPE_CHECKING:
    from gieok.surfaces.rest.tokens import Claims

K = TypeVar("K", str, UUID | None)
MAX_REQUESTS: Final = 20_000
"""How many requests are remembered one by one; the oldest makes way."""
OBJECTIVE: Final = 0.999
"""The share of requests that are to be answered without a fault of ours."""
REFUSALS: Final = (
    HTTPStatus.UNAUTHORIZED,
    HTTPStatus.FORBIDDEN,
    HTTPStatus.TOO_MANY_REQUESTS,
)


class RequestRecord(NamedTuple):
    """One request that was answered."""

    at: float
    """By a clock that only goes on."""
    route: str
    status: int
    seconds: float
    key_id: UUID | None


@dataclass(frozen=True, slots=True)
class RequestSummary:
    """Several requests together."""

    count: int
    refused: int
    """Answered with 401, 403 or 429."""
    failed: int
    """Answered with a fault of ours: 500 and more."""
    p50: float
    p95: float
    """Seconds within which half, and 95 of 100, were answered."""


@dataclass(frozen=True, slots=True)
class ErrorBudget:
    """How many faults the objective allows, and how many there were."""

    requests: int
    failed: int
    allowed: float

    @property
    def spent(self) -> float:
        """Return which share of what is allowed is used up; over 1 is too much."""
        if self.allowed:
            return self.failed / self.allowed
        return float(self.failed > 0)


class Traffic:
    """The requests of this process since it started; the newest one by one."""

    def __init__(
        self,
        since: datetime,
        ticks: Callable[[], float] = time.monotonic,
        most: int = MAX_REQUESTS,
    ) -> None:
        self.since = since
        self.statuses = Counter[int]()
        """How many were answered with each status since the start."""
        self._ticks = ticks
        self._newest = deque[RequestRecord](maxlen=most)

    def record_request(
        self, route: str, status: int, seconds: float, key_id: UUID | None
    ) -> None:
        """Note a request that was answered."""
        self.statuses[status] += 1
        record = RequestRecord(self._ticks(), route, status, seconds, key_id)
        self._newest.append(record)

    def summarize(self, within: float | None = None) -> RequestSummary:
        """Return all that is remembered together, or that of the last seconds."""
        return _summarize_records(self._select_records(within))

    def summarize_routes(self) -> dict[str, RequestSummary]:
        """Return what is remembered by route, those asked for most often first."""
        return _group_records((each.route, each) for each in self._newest)

    def summarize_keys(self) -> dict[UUID | None, RequestSummary]:
        """Return what is remembered by the app's key; None came without one."""
        return _group_records((each.key_id, each) for each in self._newest)

    def compute_budget(self) -> ErrorBudget:
        """Return the error budget of everything since the start."""
        requests = self.statuses.total()
        return ErrorBudget(
            requests, _count_failed(self.statuses), requests * (1 - OBJECTIVE)
        )

    def _select_records(self, within: float | None) -> list[RequestRecord]:
        if within is None:
            return list(self._newest)
        since = self._ticks() - within
        return [each for each in self._newest if each.at >= since]


@dataclass(frozen=True, slots=True)
class TrafficCounter:
    """Notes every request that is answered."""

    app: ASGIApp
    traffic: Traffic

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        status, began = 0, time.perf_counter()

        async def note_status(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, note_status)
        finally:
            if status:
                claims: Claims | None = scope.get(CLAIMS)
                self.traffic.record_request(
                    _name_route(scope),
                    status,
                    time.perf_counter() - began,
                    claims and claims.key_id,
                )


def _name_route(scope: Scope) -> str:
    """Return method and template, with the path of the pages before theirs."""
    method, _, template = get_route(scope).partition(" ")
    mounted = scope.get("root_path", "").removeprefix(scope.get("app_root_path", ""))
    return f"{method} {mounted}{template}"


def _group_records(
    records: Iterable[tuple[K, RequestRecord]],
) -> dict[K, RequestSummary]:
    groups: defaultdict[K, list[RequestRecord]] = defaultdict(list)
    for key, record in records:
        groups[key].append(record)
    most_first = sorted(groups.items(), key=lambda group: -len(group[1]))
    return {key: _summarize_records(group) for key, group in most_first}


def _summarize_records(records: Sequence[RequestRecord]) -> RequestSummary:
    statuses = Counter(each.status for each in records)
    seconds = sorted(each.seconds for each in records)
    return RequestSummary(
        len(records),
        sum(statuses[status] for status in REFUSALS),
        _count_failed(statuses),
        _select_quantile(seconds, 0.5),
        _select_quantile(seconds, 0.95),
    )


def _count_failed(statuses: Counter[int]) -> int:
    return sum(
        count
        for status, count in statuses.items()
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR
    )


def _select_quantile(ordered: Sequence[float], share: float) -> float:
    """Return the value that so large a share of an ordered sequence does not exceed."""
    if not ordered:
        return 0.0
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]
